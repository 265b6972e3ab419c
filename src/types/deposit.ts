export type {
  DepositBeneficiary,
  DepositRail,
  InboundObject,
  OnrampDepositInfo,
  PaymentRail,
} from '../shared/service/deposits.ts';
