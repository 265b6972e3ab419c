/** What a record proves, from the module of outcomes: the one place in which the payouts import it. */
export { plainId } from '../../evidence/key-memory.ts';
export { differencesOf, recipientsIn, requestIdOf } from '../../evidence/record.ts';
export { approvalIn, endedWithoutMoney, statusOf } from '../../helpers/payment-record.ts';
