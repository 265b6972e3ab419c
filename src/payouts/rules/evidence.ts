/** What a record proves, from the module of outcomes: the one place in which the payouts import it. */

export { differencesOf, plainId, recipientsIn, requestIdOf } from '../../shared/outcome/comparison.ts';
export { approvalIn, endedWithoutMoney, statusOf } from '../../shared/outcome/payment-record.ts';
