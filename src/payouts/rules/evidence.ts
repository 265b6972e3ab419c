/** What a record proves, from the module of outcomes: the one place in which the payouts import it. */

export { recipientsIn } from '../../shared/outcome/batch.ts';
export { approvalIn, statusOf } from '../../shared/outcome/payment-record.ts';
export { endedWithoutMoney } from '../../shared/outcome/payment-status.ts';
export { recordIn } from '../../shared/outcome/read-record.ts';
export { mismatchesOf, requestIdOf } from '../../shared/outcome/record.ts';
export { plainId } from '../../shared/values.ts';
