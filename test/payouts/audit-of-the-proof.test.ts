import { describe, expect, it } from 'vitest';
import {
  audit,
  nameOfPayment,
  type OrderedPayout,
  type PaidRow,
} from '../../examples/payouts/proof/audit.ts';

const order: OrderedPayout = {
  id: 'P0',
  payer: 'payer',
  recipients: [{ id: 'P0-0', userId: 'payee', amount: '1.25' }],
};
const row = (fields: Partial<PaidRow> = {}): PaidRow => ({
  payer: 'payer',
  id: 'P0',
  recipient: 'P0-0',
  state: 'paid',
  reason: null,
  transferId: 'T1',
  ...fields,
});
const payment = (transferId: string, amount = '1.25') => ({
  transferId,
  payer: 'payer',
  payee: 'payee',
  amount,
});
const found = (rows: readonly PaidRow[], ledger: readonly ReturnType<typeof payment>[], changed = 0) =>
  audit([order], rows, { ledger, refused: new Set(), changed }).map(({ kind }) => kind);
const rejected = row({ state: 'rejected', reason: 'AMOUNT_TOO_SMALL', transferId: null });
const notCalled = row({ state: 'undecided', reason: 'ANOTHER_ROUND_MAY_BE_PAID', transferId: null });

describe('the audit of the proof of payouts', () => {
  it('finds nothing where the row and the ledger agree', () => {
    expect(found([row()], [payment('T1')])).toEqual([]);
  });

  it.each([
    ['paid more than once', [row()], [payment('T1'), payment('T2')]],
    ['rejected, but paid', [rejected], [payment('T1')]],
    ['rejected, though it could be paid', [rejected], []],
    ['paid in the row, but not in the ledger', [row()], []],
    ['paid by another transfer than in the row', [row()], [payment('T2')]],
    ['paid, but not ordered', [row()], [payment('T1'), payment('T2', '7')]],
    ['no row', [], []],
    ['undecided', [row({ state: 'undecided', transferId: null })], [payment('T1')]],
    ['not called for another round that was not paid', [notCalled], []],
    ['paid more than once', [notCalled], [payment('T1'), payment('T2')]],
  ])('finds what is %s', (kind, rows, ledger) => {
    expect(found(rows, ledger)).toContain(kind);
  });

  it('accepts a round that was not called for another one, which was paid', () => {
    expect(found([notCalled], [payment('T1')])).toEqual([]);
  });

  it('finds retries with other bytes', () => {
    expect(found([row()], [payment('T1')], 2)).toEqual(['retries with other bytes than the first request']);
  });

  it('accepts a rejection that the service made', () => {
    const refused = new Set([nameOfPayment('payer', 'payee', '1.25')]);
    expect(audit([order], [rejected], { ledger: [], refused, changed: 0 })).toEqual([]);
  });

  it('does not take the row of another payer for the payout of the same name', () => {
    const other = row({ payer: 'another payer', transferId: 'T9' });
    expect(found([row(), other], [payment('T1')])).toEqual(['more rows than recipients']);
  });

  it('calls a payout without a row open, and not wrong', () => {
    const [finding] = audit([order], [], { ledger: [], refused: new Set(), changed: 0 });
    expect(finding).toEqual({ isWrong: false, kind: 'no row', detail: 'P0-0' });
  });
});
