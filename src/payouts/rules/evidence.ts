import { differencesOf as differencesOfRecord } from '../../evidence/record.ts';

/** What a record proves, from the module of outcomes: the one place in which the payouts import it. */
export { plainId } from '../../evidence/key-memory.ts';
export { recipientsIn, requestIdOf } from '../../evidence/record.ts';
export { approvalIn, endedWithoutMoney, statusOf } from '../../helpers/payment-record.ts';

/** Returns the paths at which the details of a record show another payment than was sent. */
export const differencesOf = (sent: unknown, details: object): readonly string[] =>
  differencesOfRecord(sent, { transferDetails: details });
