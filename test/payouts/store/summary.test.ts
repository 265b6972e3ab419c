import { createPayouts } from 'stablecoin-payments/payouts';
import { expect, test } from 'vitest';

/** The summary of a database that gives these rows, statement by statement. */
function summarize(...results: object[][]) {
  const unused = () => Promise.reject(new Error('not used'));
  const database = {
    query: async () => JSON.parse(JSON.stringify({ rows: results.shift() ?? [] })),
    transaction: unused,
  };
  const transfers = { create: unused, createBatch: unused };
  const approvals = { list: async function* () {} };
  return createPayouts({
    db: database,
    payments: { transfers, approvals },
    userId: 'payer',
  }).summary('2026-11');
}
const states = [
  'queued',
  'awaiting_approval',
  'made',
  'accepted',
  'paid',
  'rejected',
  'expired',
  'undecided',
];
const none = states.map((state) => ({ state, payouts: 0, amount: '0.000000' }));

test('the sum of all payouts is found wherever the database puts it', async () => {
  const queued = { state: 'queued', payouts: 2, amount: '20.000000' };
  const all = { state: null, payouts: 3, amount: '30.000000' };
  const [, ...others] = none;
  for (const rows of [
    [queued, all],
    [all, queued],
  ]) {
    const reasons = [{ state: 'queued', reason: 'BUSY', payouts: 2 }];
    const sweep = [{ finished_at: 'then', problems: ['lookups: Error'] }];
    expect(await summarize(rows, reasons, sweep)).toEqual({
      lines: [queued, ...others],
      payouts: 3,
      amount: '30.000000',
      reasons,
      sweptAt: 'then',
      sweepProblems: ['lookups: Error'],
    });
  }
});

test('without payouts, and before the first sweep, everything is none', async () => {
  const empty = {
    lines: none,
    payouts: 0,
    amount: '0.000000',
    reasons: [],
    sweptAt: null,
    sweepProblems: [],
  };
  expect(await summarize()).toEqual(empty);
  expect(await summarize([], [], [{ finished_at: null, problems: [] }])).toEqual(empty);
});
