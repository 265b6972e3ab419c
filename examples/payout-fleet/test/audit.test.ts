import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditRow, audit, decimalOf, type LedgerEntry, microsOf } from '../src/report/audit.ts';

const row = (change: Partial<AuditRow> = {}): AuditRow => ({
  employee: 'E1',
  request_id: 'r1',
  payee: 'p1',
  amount: '10.000001',
  state: 'paid',
  transfer_id: 't1',
  ...change,
});
const entry = (change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  requestId: 'r1',
  transferId: 't1',
  status: 'COMPLETED',
  payments: [{ payee: 'p1', amount: 10.000001 }],
  ...change,
});

test('a row that agrees with the ledger is no problem, and its sums agree to the last unit', () => {
  const result = audit([row()], [entry()], 1);
  assert.deepEqual(result.problems, []);
  assert.equal(result.rowsPaid, 10_000_001n);
  assert.equal(result.ledgerPaid, 10_000_001n);
});

const disagreements: [string, AuditRow[], LedgerEntry[], RegExp][] = [
  ['a payout that never reached the ledger', [row()], [], /has no transfer/],
  ['a payout that is there twice', [row()], [entry(), entry({ transferId: 't2' })], /two transfers under r1/],
  ['a payment that no row asked for', [row()], [entry(), entry({ requestId: 'r2' })], /too many under r2/],
  ['another amount', [row({ amount: '10.000002' })], [entry()], /another payee or amount/],
  ['another payee', [row({ payee: 'p2' })], [entry()], /another payee or amount/],
  [
    'a row that calls paid what was rejected',
    [row()],
    [entry({ status: 'REJECTED' })],
    /ledger says REJECTED/,
  ],
  [
    'a row that calls rejected what was paid',
    [row({ state: 'rejected' })],
    [entry()],
    /ledger says COMPLETED/,
  ],
  ['a row that calls expired what was paid', [row({ state: 'expired' })], [entry()], /ledger says COMPLETED/],
  ['a row without an end', [row({ state: 'queued' })], [entry()], /has not ended/],
  ['another transfer', [row({ transfer_id: 't9' })], [entry()], /holds another transfer/],
  ['a lost row', [], [], /0 rows instead of 1/],
];
for (const [title, rows, ledger, problem] of disagreements) {
  test(`finds ${title}`, () => {
    assert.match(audit(rows, ledger, 1).problems.join('\n'), problem);
  });
}

test('tells whether the money of a row for a person moved', () => {
  const rows = [
    row({ state: 'unknown', transfer_id: null }),
    row({ employee: 'E2', request_id: 'r2', state: 'unknown', transfer_id: null }),
  ];
  const { problems, unknownMoved, unknownNotMoved } = audit(rows, [entry()], 2);
  assert.deepEqual(problems, []);
  assert.equal(unknownMoved, 1);
  assert.equal(unknownNotMoved, 1);
});

test('amounts go to millionths and back without loss', () => {
  for (const text of ['0.000001', '100.000000', '999999999.999999']) {
    assert.equal(decimalOf(microsOf(text)), text);
    assert.equal(microsOf(Number(text)), microsOf(text));
  }
});
