import { expect, test } from 'vitest';
import {
  type AuditInput,
  type AuditRow,
  audit,
  decimal,
  executed,
  type LedgerPayment,
  micros,
} from './audit.ts';
import { type Plan, type PlannedOrder, payroll } from './payroll.ts';

const order = (plan: Plan = 'pay'): PlannedOrder => ({
  plan,
  payer: 'a',
  employee: 'E1',
  payee: 'p1',
  amount: '10.000001',
});
const row = (change: Partial<AuditRow> = {}): AuditRow => ({
  payer: 'a',
  month: '2026-11',
  employee: 'E1',
  payee: 'p1',
  amount: '10.000001',
  state: 'paid',
  reason: null,
  evidence: 'lookup',
  transfer_id: 't1',
  batch: null,
  ...change,
});
const payment = (change: Partial<LedgerPayment> = {}): LedgerPayment => ({
  transferId: 't1',
  payer: 'a',
  payee: 'p1',
  amount: '10.000001',
  status: 'COMPLETED',
  ...change,
});
const input = (change: Partial<AuditInput> = {}): AuditInput => ({
  months: ['2026-11'],
  orders: [order()],
  rows: [row()],
  ledger: [payment()],
  lookup: true,
  faults: true,
  ...change,
});

test('agrees with rows and a ledger that are as planned', () => {
  expect(audit(input())).toEqual([]);
  const rejected = { state: 'rejected', transfer_id: null, evidence: 'response' } as const;
  const refused = input({
    orders: [order('refuse')],
    ledger: [],
    rows: [row({ ...rejected, reason: 'USER_NOT_FOUND' })],
  });
  expect(audit(refused)).toEqual([]);
  const expired = { state: 'expired', reason: 'APPROVAL_EXPIRED' } as const;
  const forgotten = input({
    orders: [order('forget')],
    ledger: [payment({ status: 'CANCELLED' })],
    rows: [row(expired)],
  });
  expect(audit(forgotten)).toEqual([]);
});

const lies: [string, Partial<AuditInput>, RegExp][] = [
  [
    'a fleet that calls nothing and says rejected',
    {
      ledger: [],
      rows: [row({ state: 'rejected', reason: 'USER_NOT_FOUND', evidence: 'response', transfer_id: null })],
    },
    /0 transfers.*[\s\S]*rejected USER_NOT_FOUND/,
  ],
  [
    'a payout that is there twice',
    { ledger: [payment(), payment({ transferId: 't2' })] },
    /2 transfers in the ledger instead of 1/,
  ],
  ['a payment that nobody ordered', { ledger: [payment(), payment({ payee: 'p2' })] }, /nobody ordered/],
  ['a payment of another payer', { ledger: [payment({ payer: 'b' })] }, /0 transfers[\s\S]*nobody ordered/],
  ['another amount', { ledger: [payment({ amount: '10.000002' })] }, /0 transfers[\s\S]*nobody ordered/],
  [
    'a December that November paid',
    { months: ['2026-11', '2026-12'], rows: [row(), row({ month: '2026-12' })] },
    /1 transfers in the ledger instead of 2[\s\S]*two months claim/,
  ],
  ['a transfer of somebody else', { rows: [row({ transfer_id: 't9' })] }, /another payment/],
  [
    'a month without a row',
    { months: ['2026-11', '2026-12'], ledger: [payment(), payment({ transferId: 't2' })] },
    /there is no row/,
  ],
  [
    'expired with the money moved',
    { orders: [order('late')], rows: [row({ state: 'expired', reason: 'APPROVAL_EXPIRED' })] },
    /expired APPROVAL_EXPIRED/,
  ],
  ['paid without evidence', { rows: [row({ evidence: null })] }, /paid - -/],
  [
    'paid what waits for its approval',
    { orders: [order('forget')], ledger: [payment({ status: 'PENDING_APPROVAL' })] },
    /PENDING_APPROVAL instead of CANCELLED[\s\S]*paid - lookup/,
  ],
  ['an approval that was left out', { orders: [order('reject')] }, /COMPLETED instead of REJECTED/],
  [
    'accepted where a lookup would know',
    { rows: [row({ state: 'accepted', evidence: 'response' })] },
    /accepted - response/,
  ],
  [
    'undecided where a lookup would know',
    { rows: [row({ state: 'undecided', reason: 'RETRIES_USED_UP' })] },
    /undecided RETRIES_USED_UP/,
  ],
  ['a row with another amount', { rows: [row({ amount: '11.000000' })] }, /another payee or amount/],
  ['a row too many', { rows: [row(), row({ employee: 'E2' })] }, /2 rows instead of 1/],
];
for (const [title, change, problem] of lies) {
  test(`sees ${title}`, () => expect(audit(input(change)).join('\n')).toMatch(problem));
}

test('without a lookup it allows what cannot be known, and no more', () => {
  const without = { lookup: false } as const;
  expect(audit(input({ ...without, rows: [row({ state: 'accepted', evidence: 'response' })] }))).toEqual([]);
  const rejected = { state: 'rejected', reason: 'USER_NOT_FOUND', evidence: 'response' } as const;
  expect(audit(input({ ...without, rows: [row(rejected)] }))).not.toEqual([]);
  const doubtful = row({
    state: 'undecided',
    reason: 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND',
    evidence: null,
    transfer_id: null,
  });
  const refused = { ...without, orders: [order('refuse')], ledger: [], rows: [doubtful] };
  expect(audit(input(refused))).toEqual([]);
  expect(audit(input({ ...refused, faults: false }))).not.toEqual([]);
});

test('amounts are counted in whole millionths', () => {
  for (const text of ['0.000001', '100.000000', '999999999.999999']) expect(decimal(micros(text))).toBe(text);
  expect(executed([payment(), payment({ status: 'REJECTED' })])).toBe(10_000_001n);
});

test('the payroll has every plan, and no amount twice', () => {
  const orders = payroll(1000, ['p1', 'p2']);
  expect(new Set(orders.map(({ plan }) => plan)).size).toBe(6);
  expect(new Set(orders.map(({ amount }) => amount)).size).toBe(1000);
});
