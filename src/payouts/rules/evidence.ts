/** What a record proves, from the module of outcomes: the one place in which the payouts import it. */
export { approvalIn, endedWithoutMoney, statusOf } from '../../helpers/payment-record.ts';
export { differencesOf, plainId, recipientsIn, requestIdOf } from '../../shared/outcome/comparison.ts';
