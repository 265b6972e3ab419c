import { requestIdFrom, type Transfer, transfersFrom } from 'stablecoin-payments';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDay, dayBefore, type OwnRow } from '../../examples/daily-close.ts';
import { stage } from './support.ts';

/** What was printed, in its order. */
let printed: unknown[] = [];
beforeEach(() => {
  printed = [];
  for (const name of ['error', 'log', 'table'] as const)
    vi.spyOn(console, name).mockImplementation((line: unknown) => void printed.push(line));
});

function day() {
  const { emulator, payments, userId } = stage();
  const row = (number: number, amount: string): OwnRow => ({
    id: `invoice ${number}`,
    requestId: requestIdFrom('invoice', number),
    amount,
    currency: 'usdc',
    source: { userId },
    destination: { userId },
    createdAt: emulator.clock.now(),
  });
  const pay = ({ requestId, amount }: OwnRow) =>
    payments.transfers.create({
      requestId,
      source: { userId },
      destination: { userId },
      amount,
      currency: 'usdc',
      chain: 'POLYGON',
    });
  const transfers = transfersFrom(async ({ limit, createdBefore }) => {
    const query = { userId, limit, createdBefore };
    const page = await payments.request<{ records: Transfer[] }>({
      method: 'GET',
      path: '/v2/wallets/transfers',
      query,
    });
    return page.records;
  });
  const close = (rows: readonly OwnRow[]) => {
    const since = new Date(emulator.clock.now().getTime() - 3_600_000);
    const until = new Date(emulator.clock.now().getTime() + 3_600_000);
    return closeDay({ since, until }, { payers: [userId], rows: () => rows, transfers });
  };
  return { row, pay, close };
}

describe('the daily close', () => {
  test('ends with 0 where all agrees, and prints exact sums', async () => {
    const { row, pay, close } = day();
    const rows = [row(1, '0.1'), row(2, '0.2'), row(3, '1250')];
    for (const one of rows) await pay(one);
    expect(await close(rows)).toBe(0);
    expect(printed).toEqual([
      expect.stringMatching(/Z to .*Z: 0 for a person$/),
      [{ kind: 'ordered', result: 'paid', currency: 'usdc', payments: 3, sum: '1250.30' }],
    ]);
  });

  test('ends with 1 where a person must look, and prints the findings first', async () => {
    const { row, pay, close } = day();
    const [ordered, missing, unordered] = [row(1, '5'), row(2, '6'), row(3, '0.000001')];
    await pay(ordered);
    await pay(unordered);
    expect(await close([ordered, missing])).toBe(1);
    expect(printed).toEqual([
      expect.stringMatching(/^UNORDERED transfer \S+: None of your rows has this payment/),
      expect.stringMatching(/^MISSING invoice 2: No record shows this payment/),
      expect.stringMatching(/: 2 for a person$/),
      [
        expect.objectContaining({ kind: 'missing', result: 'not ended', payments: 1, sum: '6.00' }),
        expect.objectContaining({ kind: 'unordered', result: 'paid', payments: 1, sum: '0.000001' }),
        expect.objectContaining({ kind: 'ordered', result: 'paid', payments: 1, sum: '5.00' }),
      ],
    ]);
  });

  test('is of the day before, from midnight to midnight of a place', () => {
    const now = new Date('2026-11-21T03:00:00Z');
    expect(dayBefore(now, 0)).toEqual({
      since: new Date('2026-11-20T00:00Z'),
      until: new Date('2026-11-21T00:00Z'),
    });
    expect(dayBefore(now, -5)).toEqual({
      since: new Date('2026-11-19T00:00-05:00'),
      until: new Date('2026-11-20T00:00-05:00'),
    });
    expect(dayBefore(now, 9).until).toEqual(new Date('2026-11-21T00:00+09:00'));
  });
});
