export type {
  DepositBeneficiary,
  InboundObject,
  OnrampDepositInfo,
  PaymentRail,
} from '../shared/service/deposits.ts';
