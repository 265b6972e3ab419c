import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { PayoutOrder } from 'stablecoin-payments/payouts';

/**
 * Reads orders from a CSV file with the columns `id`, `group`, `userId`, `amount` and `approval` (yes or no). What the
 * payouts do not take, `enqueue` refuses with the id and the field.
 */
export function readOrders(path: string, payer: string): PayoutOrder[] {
  const rows: Record<string, string>[] = parse(readFileSync(path), { columns: true, trim: true });
  return rows.map(({ id = '', group = '', userId = '', amount = '', approval = '', ...others }, place) => {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new TypeError(`${path}: ${unknown} is not a column.`);
    // An approval of `maybe` must not become a payout without one.
    if (approval !== 'yes' && approval !== 'no')
      throw new TypeError(`${path}, payout ${place + 1}: approval must be yes or no.`);
    return {
      id,
      group,
      payer,
      recipients: [{ userId, amount }],
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: approval === 'yes',
    };
  });
}
