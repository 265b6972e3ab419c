export { regionalAccountFields } from './account-details.ts';
