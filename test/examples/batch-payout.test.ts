import { PaymentsClient } from 'stablecoin-payments';
import type { Emulator } from 'stablecoin-payments/emulator';
import { beforeEach, expect, test, vi } from 'vitest';
import { payOut as payOutOf } from '../../examples/batch-payout.ts';
import { memoryRows } from '../../examples/payment-rows.ts';
import { showing, stage } from './support.ts';

/** Pays with rows that last for one test. */
const payOut = (...[payments, payer, month, payees]: [PaymentsClient, string, string, Payees]) =>
  payOutOf(payments, payer, month, payees, rows);
type Payees = Parameters<typeof payOutOf>[3];
let rows = memoryRows();
beforeEach(() => {
  rows = memoryRows();
});

/** The client of another process, without a memory of earlier calls. The service refuses its calls after a number. */
function processOf(emulator: Emulator, calls = Number.POSITIVE_INFINITY): PaymentsClient {
  let left = calls;
  return new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'any',
    retries: 0,
    fetch: async (url, init) => {
      left -= 1;
      return left >= 0 ? emulator.fetch(url, init) : Response.json({ error: 'USER_FROZEN' }, { status: 403 });
    },
  });
}

function payroll(count: number) {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'replay' } });
  const payees = Array.from({ length: count }, (_, index) => ({
    userId: emulator.createUser({ externalWallets: 0 }).userId,
    amount: 10 + index,
  }));
  const paid = () => emulator.payments().reduce((sum, { to }) => sum + to.length, 0);
  return { emulator, payments, userId, payees, paid };
}

test('pays 120 people in three batches of at most 50', async () => {
  const { payments, userId, payees, paid } = payroll(120);
  const reports = await payOut(payments, userId, '2026-11', payees);
  expect(reports.map(({ recipients, result }) => [recipients, result])).toEqual([
    [50, 'accepted'],
    [50, 'accepted'],
    [20, 'accepted'],
  ]);
  expect(paid()).toBe(120);
});

test('pays nobody twice when the run is repeated, in whatever order the list comes', async () => {
  const { payments, userId, payees, paid } = payroll(60);
  const first = await payOut(payments, userId, '2026-11', payees);
  const again = await payOut(payments, userId, '2026-11', payees.toReversed());
  expect(again).toEqual(first);
  expect(paid()).toBe(60);
});

test.each([
  ['CREATED', undefined],
  ['COMPLETED', 'paid'],
  ['CANCELLED', 'not-paid'],
  ['EXPIRED', 'not-paid'],
  ['RETURNED', 'check'],
])('reports a batch with the status %s as %s', async (status, ended) => {
  const { emulator, payments, userId, payees } = payroll(20);
  const client = payments.withOptions({ fetch: showing(emulator, status) });
  const [report] = await payOut(client, userId, '2026-11', payees);
  expect(report).toMatchObject({ result: 'accepted', ended });
});

test('settles a batch whose response was lost in the next run, and pays it once', async () => {
  const { emulator, payments, userId, payees, paid } = payroll(60);
  emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'reset-after-commit' });
  const first = await payOut(payments, userId, '2026-11', payees);
  expect(first.map(({ result }) => result)).toEqual(['unknown']);
  const again = await payOut(payments, userId, '2026-11', payees);
  expect(again.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
  expect(paid()).toBe(60);
});

test('refuses a month whose list has changed rather than paying it twice', async () => {
  const { payments, userId, payees, paid } = payroll(20);
  await payOut(payments, userId, '2026-11', payees);
  const changed = payees.map((payee) => ({ ...payee, amount: payee.amount + 1 }));
  await expect(payOut(payments, userId, '2026-11', changed)).rejects.toThrow(
    'The list of 2026-11 is another one',
  );
  expect(paid()).toBe(20);
});

test('pays nobody twice when a payee joins after a run that ended halfway', async () => {
  const { emulator, userId, payees } = payroll(60);
  const first = await payOut(processOf(emulator, 1), userId, '2026-11', payees);
  expect(first.map(({ result }) => result)).toEqual(['accepted', 'refused']);
  // Another process. The list has one payee more, who moves others to the next batch.
  const newcomer = { userId: '00000000-0000-4000-8000-000000000000', amount: 1 };
  const second = payOut(processOf(emulator), userId, '2026-11', [...payees, newcomer]);
  await expect(second).rejects.toThrow(RangeError);
  const third = await payOut(processOf(emulator), userId, '2026-11', payees);
  expect(third.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
  const paid = emulator.payments().flatMap(({ to }) => to);
  expect(paid.length).toBe(new Set(paid).size);
});

test('goes on after a batch that the service says it knows', async () => {
  const { emulator, userId, payees, paid } = payroll(60);
  const known = processOf(emulator).withOptions({
    fetch: async (url, init) => {
      const response = await emulator.fetch(url, init);
      const isAgain = response.headers.has('idempotent-replay');
      return isAgain
        ? Response.json({ error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, { status: 400 })
        : response;
    },
  });
  await payOut(processOf(emulator, 1), userId, '2026-11', payees);
  const reports = await payOut(known, userId, '2026-11', payees);
  expect(reports.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
  expect(paid()).toBe(60);
});

test.each([0, 3])(
  'stops where a service that replays its responses shows another list, after %i lost ones',
  async (lost) => {
    const { emulator, payments, userId, payees } = payroll(60);
    await payOut(payments, userId, '2026-11', payees.slice(0, 50));
    rows = memoryRows(); // the rows were lost
    let left = lost;
    const fetch = async () => {
      left -= 1;
      if (left >= 0) throw new TypeError('fetch failed');
      return Response.json(emulator.state().transfers[0]);
    };
    const options = {
      baseUrl: 'http://localhost',
      accessToken: 'any',
      retries: { minDelay: 0, maxDelay: 0 },
    };
    const replaying = new PaymentsClient({ ...options, fetch });
    const reports = await payOut(replaying, userId, '2026-11', payees.slice(5));
    expect(reports).toMatchObject([
      { result: 'unknown', reason: expect.stringContaining('may have made the payment') },
    ]);
  },
);

test('pays the payrolls of two companies at one service', async () => {
  const { emulator, payments, userId, payees, paid } = payroll(3);
  const other = emulator.createUser({ rails: ['usd'] }).userId;
  await payOut(payments, userId, '2026-11', payees);
  const reports = await payOut(processOf(emulator), other, '2026-11', payees);
  expect(reports.map(({ result }) => result)).toEqual(['accepted']);
  expect(paid()).toBe(6);
});

test('settles a batch whose response proves nothing in the next run', async () => {
  const { emulator, payments, userId, payees, paid } = payroll(2);
  emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'malformed-json' });
  expect(await payOut(payments, userId, '2026-11', payees)).toMatchObject([{ result: 'unknown' }]);
  expect(await payOut(payments, userId, '2026-11', payees)).toMatchObject([{ result: 'accepted' }]);
  expect(paid()).toBe(2);
});

test('passes a failure that is not of the client on', async () => {
  const { payments, userId, payees } = payroll(1);
  vi.spyOn(payments.transfers, 'createBatch').mockImplementation(() => {
    throw new RangeError('a mistake of the caller');
  });
  await expect(payOut(payments, userId, '2026-11', payees)).rejects.toThrow(RangeError);
});
