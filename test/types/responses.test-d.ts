import { describe, expectTypeOf, it } from 'vitest';
import type {
  Account,
  AccountDeletion,
  ApprovalDecision,
  Bridge,
  BridgeDetails,
  ExternalWallet,
  KycInfo,
  KycInformation,
  MetricResults,
  Offramp,
  OfframpDetails,
  Onramp,
  OnrampDepositInfo,
  OnrampDetails,
  QuoteInformation,
  Transfer,
  TransferApproval,
  TransferBatch,
  TransferDetails,
} from '../../src/client/index.ts';
import type { DepositBeneficiary, InboundObject } from '../../src/shared/service/deposits.ts';
import type { DeveloperFee } from '../../src/shared/service/fields.ts';
import type { MetricMetadata } from '../../src/shared/service/metrics.ts';

declare const onramp: Onramp;
declare const transfer: Transfer;
declare const batch: TransferBatch;
declare const account: Account;
declare const kyc: KycInformation;

/** Whether a type can be read under any name. */
type IsOpen<T> = string extends keyof T ? true : false;

describe('a misspelled field of a response does not compile', () => {
  it('wherever it stands', () => {
    // @ts-expect-error: transferDetails
    onramp.transferDetail;
    // @ts-expect-error: status
    onramp.transferDetails.staus;
    // @ts-expect-error: reference
    onramp.transferDetails.depositInfo?.referense;
    // @ts-expect-error: receiveNet
    onramp.transferDetails.quoteInformation?.recieveNet;
    // @ts-expect-error: senderName
    onramp.transferDetails.source.bankInfo?.sendername;
    // @ts-expect-error: approval
    transfer.transferDetails.receipt?.aproval;
    // @ts-expect-error: amount
    batch.transferDetails.destination?.batch?.[0]?.ammount;
    // @ts-expect-error: invalidFields
    account.invalidField;
    // @ts-expect-error: firstName
    kyc.kycInfo.firstname;
  });

  it('for no response is open', () => {
    expectTypeOf<
      | IsOpen<Onramp>
      | IsOpen<OnrampDetails>
      | IsOpen<OnrampDepositInfo>
      | IsOpen<DepositBeneficiary>
      | IsOpen<InboundObject>
      | IsOpen<QuoteInformation>
      | IsOpen<DeveloperFee>
      | IsOpen<Transfer>
      | IsOpen<TransferDetails>
      | IsOpen<TransferBatch>
      | IsOpen<Bridge>
      | IsOpen<BridgeDetails>
      | IsOpen<Offramp>
      | IsOpen<OfframpDetails>
      | IsOpen<TransferApproval>
      | IsOpen<ApprovalDecision>
      | IsOpen<Account>
      | IsOpen<NonNullable<AccountDeletion>>
      | IsOpen<ExternalWallet>
      | IsOpen<KycInformation>
      | IsOpen<KycInfo>
      | IsOpen<MetricResults>
      | IsOpen<MetricResults['data'][number]>
      | IsOpen<MetricMetadata>
    >().toEqualTypeOf<false>();
  });
});

describe('a field that the types do not list', () => {
  it('is read from a copy', () => {
    const all: Record<string, unknown> = { ...onramp.transferDetails };
    expectTypeOf(all.newField).toBeUnknown();
  });
});

describe('a status', () => {
  it('completes and can be compared with any text', () => {
    const status: string = transfer.transferDetails.status;
    expectTypeOf(status).toBeString();
    expectTypeOf<'SOURCE_PENDING'>().toExtend<BridgeDetails['status']>();
    expectTypeOf<'IN_REVIEW'>().toExtend<OfframpDetails['status']>();
    expectTypeOf<string>().toExtend<OfframpDetails['status']>();
  });
});
