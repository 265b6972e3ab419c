import { describe, expectTypeOf, it } from 'vitest';
import {
  type Account,
  createClient,
  type Fakeable,
  fakeList,
  fakeResult,
  Kyc,
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
    const either: Kyc = { retrieve: (id) => fakeResult(id === '' ? new RangeError('down') : record) };
    const proxied: Kyc = new Proxy(payments.kyc, {});
    const spread: Pick<PaymentsClient, 'kyc' | 'approvals'> = { ...payments };
    expectTypeOf(kyc.kyc).toEqualTypeOf<Kyc>();
    expectTypeOf(approvals.list()).toEqualTypeOf<PagePromise<TransferApproval>>();
    expectTypeOf(byHand).toEqualTypeOf(proxied);
    expectTypeOf(either).toEqualTypeOf(proxied);
    expectTypeOf(spread.kyc).toEqualTypeOf<Kyc>();
  });

  it('may be made of plain async functions and generators', () => {
    const byHand: Fakeable<Pick<PaymentsClient, 'kyc' | 'approvals'>> = {
      kyc: { retrieve: async () => record },
      approvals: {
        list: async function* () {
          yield approval;
        },
        approve: async (approvalId) => ({
          success: true,
          message: 'ok',
          approvalId,
          status: 'APPROVED',
          timestamp: '',
        }),
        reject: async () => Promise.reject(new Error('down')),
      },
    };
    const someMethods: Fakeable<Pick<PaymentsClient['accounts'], 'retrieve' | 'delete'>> = {
      retrieve: async (_userId, id) => ({ id }),
      delete: async () => undefined,
    };
    expectTypeOf(someMethods.retrieve('u1', 'a1')).resolves.toEqualTypeOf<Account>();
    class Namespace implements Fakeable<Kyc> {
      async retrieve(userId: string): Promise<KycInformation> {
        return { ...record, userId };
      }
    }
    expectTypeOf(new Namespace()).toExtend<Fakeable<Kyc>>();
    expectTypeOf(byHand.kyc.retrieve('u1')).toEqualTypeOf<Promise<KycInformation>>();
    expectTypeOf(byHand.approvals.list()).toEqualTypeOf<AsyncIterable<TransferApproval>>();
    // @ts-expect-error the record has no user
    const wrong: Fakeable<Kyc> = { retrieve: async () => ({ kycInfo: {} }) };
    expectTypeOf(wrong).toEqualTypeOf<Fakeable<Kyc>>();
  });

  it('is taken where a client is, by functions that only await and iterate', () => {
    expectTypeOf<PaymentsClient>().toExtend<Fakeable<PaymentsClient>>();
    expectTypeOf(createClient({ kyc: Kyc })).toExtend<Fakeable<Pick<PaymentsClient, 'kyc'>>>();
    expectTypeOf(new Proxy(payments, {})).toExtend<Fakeable<PaymentsClient>>();
    expectTypeOf<Pick<PaymentsClient, 'kyc'>>().toExtend<Fakeable<Pick<PaymentsClient, 'kyc'>>>();
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
