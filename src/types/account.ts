export type {
  AfricaAccount,
  RegionalAccount,
  RegionalAccounts,
  UsAccount,
} from '../shared/service/account-details.ts';
export {
  type Account,
  type AccountDeletion,
  type AccountHolder,
  type AccountRail,
  AccountStatus,
} from '../shared/service/accounts.ts';
