export type {
  AccountCreateParams,
  AccountHolderParams,
  AccountListParams,
  AfricaAccountCreateParams,
  RegionalAccountCreateParams,
  UnlistedAccountType,
  UsAccountCreateParams,
} from '../shared/service/accounts.ts';
