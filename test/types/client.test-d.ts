import { describe, expectTypeOf, it } from 'vitest';
import type { StartedCall } from '../../src/client/call/prepare.ts';
import {
  type Account,
  type AccountDeletion,
  type AccountStatus,
  type APIError,
  APIPromise,
  type ApprovalDecision,
  approvalOf,
  type Bridge,
  type ClientOptions,
  type ErrorCode,
  type ExternalWallet,
  type Hooks,
  isKnownOnrampStatus,
  isPaymentsError,
  type KycInformation,
  type MetricResults,
  type Offramp,
  type Onramp,
  type OnrampCreateParams,
  type OnrampStatus,
  type Outcome,
  type Page,
  type PagePromise,
  type PaymentsClient,
  type PaymentsError,
  type RefusalOptions,
  type RequestOptions,
  type RetryOptions,
  type redact,
  type ServiceError,
  type Transfer,
  type TransferApproval,
  type TransferBatch,
  type TransferBatchCreateParams,
  type TransferCreateParams,
  type WaitOptions,
  type WithResponse,
} from '../../src/client/index.ts';

declare const payments: PaymentsClient;
declare const onramp: Onramp;
declare const started: StartedCall;

describe('what the methods return', () => {
  it('is a promise of the noun', () => {
    expectTypeOf(payments.onramps.create).returns.toEqualTypeOf<APIPromise<Onramp>>();
    expectTypeOf(payments.onramps.refreshQuote).returns.toEqualTypeOf<APIPromise<Onramp>>();
    expectTypeOf(payments.accounts.create).returns.toEqualTypeOf<APIPromise<Account>>();
    expectTypeOf(payments.accounts.retrieve).returns.toEqualTypeOf<APIPromise<Account>>();
    expectTypeOf(payments.accounts.delete).returns.toEqualTypeOf<APIPromise<AccountDeletion>>();
    expectTypeOf(payments.accounts.waitUntilActive).returns.toEqualTypeOf<Promise<Account>>();
    expectTypeOf(payments.transfers.create).returns.toEqualTypeOf<APIPromise<Transfer>>();
    expectTypeOf(payments.transfers.createBatch).returns.toEqualTypeOf<APIPromise<TransferBatch>>();
    expectTypeOf(payments.bridges.create).returns.toEqualTypeOf<APIPromise<Bridge>>();
    expectTypeOf(payments.offramps.create).returns.toEqualTypeOf<APIPromise<Offramp>>();
    expectTypeOf(payments.approvals.approve).returns.toEqualTypeOf<APIPromise<ApprovalDecision>>();
    expectTypeOf(payments.kyc.retrieve).returns.toEqualTypeOf<APIPromise<KycInformation>>();
    expectTypeOf<Awaited<APIPromise<Onramp>>>().toEqualTypeOf<Onramp>();
    expectTypeOf<APIPromise<Onramp>['withResponse']>().returns.toEqualTypeOf<Promise<WithResponse<Onramp>>>();
    expectTypeOf<APIPromise<Onramp>['asResponse']>().returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf(APIPromise).toBeConstructibleWith(started, Promise.reject());
  });

  it('of a list is pages, and iterates to items', () => {
    expectTypeOf(payments.approvals.list).returns.toEqualTypeOf<PagePromise<TransferApproval>>();
    expectTypeOf(payments.accounts.list).returns.toEqualTypeOf<PagePromise<Account>>();
    expectTypeOf(payments.externalWallets.list).returns.toEqualTypeOf<PagePromise<ExternalWallet>>();
    expectTypeOf<Awaited<PagePromise<Account>>>().toEqualTypeOf<Page<Account>>();
    expectTypeOf<PagePromise<Account>>().toExtend<AsyncIterable<Account>>();
    expectTypeOf<Page<Account>>().toExtend<AsyncIterable<Account>>();
    expectTypeOf<Page<Account>['items']>().toEqualTypeOf<readonly Account[]>();
    expectTypeOf<Page<Account>['nextPage']>().returns.toEqualTypeOf<Promise<Page<Account>>>();
    expectTypeOf<PagePromise<Account>['toArray']>().returns.toEqualTypeOf<Promise<Account[]>>();
    expectTypeOf<PagePromise<Account>['pages']>().returns.toExtend<AsyncIterable<Page<Account>>>();
  });
});

describe('enums of answers', () => {
  it('are open: known values complete, any other string is allowed', () => {
    const { status } = onramp.transferDetails;
    expectTypeOf(status).toEqualTypeOf<OnrampStatus | (string & {})>();
    expectTypeOf<'COMPLETED'>().toExtend<typeof status>();
    expectTypeOf<string>().toExtend<typeof status>();
    expectTypeOf<Account['status']>().toEqualTypeOf<AccountStatus | (string & {}) | null | undefined>();
  });

  it('narrow to the known ones', () => {
    const { status } = onramp.transferDetails;
    if (isKnownOnrampStatus(status)) expectTypeOf(status).toEqualTypeOf<OnrampStatus>();
  });
});

describe('answers', () => {
  it('may lack what the spec does not promise', () => {
    expectTypeOf(onramp.transferDetails.depositInfo?.reference).toEqualTypeOf<string | null | undefined>();
    expectTypeOf(onramp.transferDetails.quoteInformation?.receiveNet?.amount).toEqualTypeOf<
      string | undefined
    >();
    expectTypeOf(onramp.transferDetails.source.bankInfo?.paymentRail).toEqualTypeOf<
      'ach' | 'wire' | 'rtp' | (string & {}) | null | undefined
    >();
    expectTypeOf<KycInformation['kycInfo']['govIdNumber']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<KycInformation['kycInfo']['documents']>().toEqualTypeOf<unknown[] | null | undefined>();
    expectTypeOf(approvalOf).returns.toEqualTypeOf<TransferApproval | null>();
    expectTypeOf<ReturnType<typeof redact<KycInformation>>>().toEqualTypeOf<KycInformation>();
  });
});

describe('parameters', () => {
  it('of a transfer are known', () => {
    // Design, *Amounts*: "a number or a decimal string everywhere".
    expectTypeOf<TransferCreateParams['amount']>().toEqualTypeOf<number | string>();
    expectTypeOf<TransferCreateParams['requireApproval']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf({ amount: 1 }).not.toExtend<TransferCreateParams>();
    expectTypeOf({ recipients: [{ any: 'thing' }] }).not.toExtend<TransferBatchCreateParams>();
    expectTypeOf({ requireApproval: 'yes' }).not.toExtend<TransferBatchCreateParams>();
    expectTypeOf({ requestId: 7 }).not.toExtend<TransferBatchCreateParams>();
    expectTypeOf<OnrampCreateParams['source']['amount']>().toEqualTypeOf<
      number | string | null | undefined
    >();
    expectTypeOf(payments.approvals.list)
      .parameter(0)
      .toEqualTypeOf<{ limit?: number; offset?: number } | undefined>();
    expectTypeOf<Parameters<PaymentsClient['accounts']['list']>[2]>().toExtend<RequestOptions | undefined>();
  });

  it('of the client and of a call refuse what they do not know', () => {
    expectTypeOf<'staging'>().not.toExtend<NonNullable<ClientOptions['environment']>>();
    expectTypeOf<number>().not.toExtend<NonNullable<ClientOptions['accessToken']>>();
    expectTypeOf<'loose'>().not.toExtend<NonNullable<ClientOptions['responseValidation']>>();
    expectTypeOf<keyof RequestOptions>().toEqualTypeOf<
      | 'signal'
      | 'timeout'
      | 'deadline'
      | 'retries'
      | 'headers'
      | 'accessToken'
      | 'query'
      | 'extraBody'
      | 'inDoubt'
    >();
  });
});

describe('metrics', () => {
  it('are typed by the names that the caller gives', async () => {
    const { data } = await payments.reporting.retrieveResults<'transactionType' | 'userId', 'grossVolume'>(
      'm',
    );
    const [point] = data;
    expectTypeOf(point?.transactionType).toEqualTypeOf<string | undefined>();
    expectTypeOf(point?.userId).toEqualTypeOf<string | undefined>();
    expectTypeOf(point?.grossVolume).toEqualTypeOf<number | undefined>();
    expectTypeOf(point?.periodStart).toEqualTypeOf<string | undefined>();
    // @ts-expect-error: not among the names.
    point?.other;
  });

  it('have only what all metrics have where it gives none', () => {
    type Point = MetricResults['data'][number];
    expectTypeOf<keyof Point>().toEqualTypeOf<'periodStart'>();
    expectTypeOf<Point['periodStart']>().toEqualTypeOf<string>();
    expectTypeOf<MetricResults['metadata']['breakdowns']>().toExtend<unknown[] | object | null | undefined>();
  });
});

describe('errors', () => {
  it('narrow by a guard', () => {
    const caught: unknown = undefined;
    if (isPaymentsError(caught)) {
      expectTypeOf(caught).toEqualTypeOf<PaymentsError>();
      expectTypeOf(caught.outcome).toEqualTypeOf<Outcome>();
      expectTypeOf(caught.code).toEqualTypeOf<ErrorCode | (string & {})>();
      expectTypeOf(caught.requestId).toEqualTypeOf<string | undefined>();
    }
    expectTypeOf<APIError['body']>().toBeUnknown();
    expectTypeOf<APIError['service']['code']>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<'timeout'>().toExtend<ErrorCode>();
    // @ts-expect-error: a misspelled code
    void ('tiemout' satisfies ErrorCode);
    expectTypeOf<Outcome>().toEqualTypeOf<'not-sent' | 'rejected' | 'unknown' | 'succeeded'>();
  });
});

describe('request', () => {
  it('is unknown without a schema, and typed by a type argument or a schema', () => {
    expectTypeOf(payments.request({ method: 'GET', path: '/v2/x' })).toEqualTypeOf<APIPromise<unknown>>();
    expectTypeOf(payments.request<{ id: string }>({ method: 'GET', path: '/v2/x' })).toEqualTypeOf<
      APIPromise<{ id: string }>
    >();
  });
});

it('the words of a service are as it said them', () => {
  expectTypeOf<ServiceError>().toEqualTypeOf<{ code?: number | string; error?: string; details?: unknown }>();
});

describe('an option that is undefined', () => {
  type Undefined<Options> = { [Name in keyof Required<Options>]: undefined };

  it('is the same as one that is left out, under exactOptionalPropertyTypes', () => {
    expectTypeOf<Undefined<ClientOptions>>().toExtend<ClientOptions>();
    expectTypeOf<Undefined<RequestOptions>>().toExtend<RequestOptions>();
    expectTypeOf<Undefined<RetryOptions>>().toExtend<RetryOptions>();
    expectTypeOf<Undefined<RefusalOptions>>().toExtend<RefusalOptions>();
    expectTypeOf<Undefined<WaitOptions>>().toExtend<WaitOptions>();
    expectTypeOf<Undefined<Hooks>>().toExtend<Hooks>();
  });
});
