export type {
  AddressParams,
  AfricaAccountParams,
  RegionalAccountParams,
  RegionalAccountType,
  UsAccountParams,
  UsInternationalAccountParams,
} from '../shared/service/account-details.ts';
