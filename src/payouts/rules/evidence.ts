/** What a record proves, from the module of outcomes: the one place in which the payouts import it. */

export { differencesOf, plainId, recipientsIn, requestIdOf } from '../../shared/outcome/comparison.ts';
export { approvalIn, statusOf } from '../../shared/outcome/payment-record.ts';
export { endedWithoutMoney } from '../../shared/outcome/payment-status.ts';
export { recordIn } from '../../shared/outcome/read-record.ts';
