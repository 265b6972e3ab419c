export type {
  Address,
  Chain,
  DeveloperFee,
  FeeParams,
  FiatCurrency,
  PartyUser,
  PurposeOfPayment,
  QuoteAmount,
  QuoteInformation,
  Stablecoin,
} from '../shared/service/fields.ts';
