import type { DepositBeneficiary, DepositRail, InboundObject, OnrampDepositInfo } from '../types/deposit.ts';
import { maybeText, nullish, record, texts } from './field.ts';
import { lazy } from './zod.ts';

const rail = /* @__PURE__ */ lazy(() => record<DepositRail>(texts(['routingNumber', 'accountNumber'])));

const beneficiary = /* @__PURE__ */ lazy(() => record<DepositBeneficiary>(texts(['name', 'address'])));

export const onrampDepositInfo = /* @__PURE__ */ lazy(() =>
  record<OnrampDepositInfo>({
    bankName: maybeText(),
    bankAddress: maybeText(),
    swiftCode: maybeText(),
    beneficiary: nullish(beneficiary()),
    ach: nullish(rail()),
    wire: nullish(rail()),
    rtp: nullish(rail()),
    reference: maybeText(),
    depositBy: maybeText(),
    instruction: maybeText(),
  }),
);

export const inboundObject = /* @__PURE__ */ lazy(() =>
  record<InboundObject>({
    bankName: maybeText(),
    senderName: maybeText(),
    beneficiaryName: maybeText(),
    routingNumber: maybeText(),
    accountNumber: maybeText(),
    accountType: maybeText(),
    fedBatchId: maybeText(),
    imad: maybeText(),
    omad: maybeText(),
    traceNumber: maybeText(),
    referenceNumber: maybeText(),
    bankAddress: maybeText(),
    description: maybeText(),
    paymentRail: maybeText(),
  }),
);
