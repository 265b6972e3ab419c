export { regionalAccountFields } from '../shared/service/account-details.ts';
