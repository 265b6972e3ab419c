import type { DepositBeneficiary, DepositRail, InboundObject, OnrampDepositInfo } from '../types/deposit.ts';
import { lazy, nullish, record, texts } from './zod.ts';

const rail = /* @__PURE__ */ lazy(() => record<DepositRail>(texts('routingNumber accountNumber')));

const beneficiary = /* @__PURE__ */ lazy(() => record<DepositBeneficiary>(texts('name address')));

export const onrampDepositInfo = /* @__PURE__ */ lazy(() =>
  record<OnrampDepositInfo>({
    ...texts('bankName bankAddress swiftCode reference depositBy instruction'),
    beneficiary: nullish(beneficiary()),
    ach: nullish(rail()),
    wire: nullish(rail()),
    rtp: nullish(rail()),
  }),
);

export const inboundObject = /* @__PURE__ */ lazy(() =>
  record<InboundObject>({
    ...texts('bankName bankAddress senderName beneficiaryName routingNumber accountNumber accountType'),
    ...texts('fedBatchId imad omad traceNumber referenceNumber description paymentRail'),
  }),
);
