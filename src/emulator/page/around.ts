import { isRecord } from '../../shared/values.ts';
import { transferState } from '../state/emulator-state.ts';
import type { World } from '../state/world.ts';
import type { Shown } from './kinds.ts';
import { namesIn } from './names.ts';

/** What a record does not contain, and a reader wants to see beside it. */
export type Around = ReturnType<typeof aroundOf>;

/** The payments that approvals and events are about, by their ids, and the names in these and in the shown records. */
export function aroundOf(world: World, about: readonly Shown[], shown: unknown) {
  const payments = about.map((record) => paymentOf(world, record)).filter((found) => found !== undefined);
  return {
    payments: Object.fromEntries(payments.map((payment) => [payment.id, payment])),
    names: namesIn(world, [shown, payments]),
  };
}

/** A record, and the payment that it is about. */
export const withPayment = (world: World, record: Shown): unknown[] => [record, paymentOf(world, record)];

/** The payment that an approval or an event is about. */
function paymentOf(world: World, record: Record<string, unknown> | Shown): Shown | undefined {
  const data = 'data' in record && isRecord(record.data) ? record.data : record;
  const ids = ['transferId', 'id'].map((name) => Reflect.get(data, name));
  for (const id of ids.filter((given) => typeof given === 'string')) {
    const transfer = world.transfers.peek(id);
    const found = transfer === undefined ? world.onramps.peek(id) : transferState(transfer);
    if (found !== undefined) return found;
  }
  return undefined;
}
