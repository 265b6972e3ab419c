import { describe, expectTypeOf, it } from 'vitest';
import {
  fakeList,
  fakeResult,
  type Kyc,
  type KycInformation,
  type PagePromise,
  type PaymentsClient,
  type PaymentsError,
  type TransferApproval,
} from '../../src/index.ts';

declare const record: KycInformation;
declare const approval: TransferApproval;
declare const payments: PaymentsClient;

describe('a fake of the client', () => {
  it('needs the methods that are used, and nothing hidden', () => {
    const kyc: Pick<PaymentsClient, 'kyc'> = { kyc: { retrieve: () => fakeResult(record) } };
    const approvals: Pick<PaymentsClient['approvals'], 'list'> = { list: () => fakeList([approval]) };
    const byHand: Kyc = { retrieve: () => fakeResult(new Error('down')) };
    const proxied: Kyc = new Proxy(payments.kyc, {});
    const spread: Pick<PaymentsClient, 'kyc' | 'approvals'> = { ...payments };
    expectTypeOf(kyc.kyc).toEqualTypeOf<Kyc>();
    expectTypeOf(approvals.list()).toEqualTypeOf<PagePromise<TransferApproval>>();
    expectTypeOf(byHand).toEqualTypeOf(proxied);
    expectTypeOf(spread.kyc).toEqualTypeOf<Kyc>();
  });

  it('has the types of the methods', () => {
    // @ts-expect-error the record has no user
    const wrong: Kyc = { retrieve: () => fakeResult({ kycInfo: {} }) };
    expectTypeOf(wrong).toEqualTypeOf<Kyc>();
  });

  it('is one of another copy of the package, whose types have no private members', () => {
    type Copy<Shape> = { [Name in keyof Shape]: Shape[Name] };
    expectTypeOf<Copy<PaymentsClient>>().toExtend<PaymentsClient>();
    expectTypeOf<Copy<PaymentsError>>().toExtend<PaymentsError>();
    expectTypeOf<Copy<Kyc>>().toExtend<Kyc>();
    expectTypeOf<Copy<PagePromise<TransferApproval>>>().toExtend<PagePromise<TransferApproval>>();
  });
});
