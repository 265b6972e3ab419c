import * as z from 'zod';
import type { Dialect } from '../../dialect/dialect.ts';
import type { NewTransfer } from '../../service/transfers/transfers.ts';
import { invalid, invalidField } from '../problem.ts';
import { isObject } from '../reading/json.ts';
import { check, object } from '../reading/request-body.ts';
import { type batchAmount, batchRecipient, RECIPIENT_LISTS } from './transfer-bodies.ts';

const MOST_RECIPIENTS = 50;
type Amount = z.output<typeof batchAmount>;

const anything = z.unknown().optional();

/** What may stand in the destination of a batch beside its recipients. */
const batchDestination = z.looseObject({
  destination: object({
    batch: anything,
    userId: anything,
    currency: anything,
    chain: anything,
    amount: anything,
  }),
});

export interface RecipientList {
  /** Where it stands in the body. */
  field: string;
  recipients: unknown[];
}

export function recipientsOf(dialect: Dialect, body: Record<string, unknown>): RecipientList {
  if (isObject(body.destination)) check(batchDestination, body, dialect.unknownFields);
  for (const field of [...RECIPIENT_LISTS, 'destination']) {
    const found = field
      .split('.')
      .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), body);
    if (!Array.isArray(found)) continue;
    if (found.length === 0) throw invalidField(field, 'must name at least one recipient');
    if (found.length > MOST_RECIPIENTS) {
      throw invalidField(field, `names ${found.length} recipients; a batch takes at most ${MOST_RECIPIENTS}`);
    }
    return { field, recipients: found };
  }
  throw invalidField(
    RECIPIENT_LISTS[0],
    `is required: a list of recipients here or in ${RECIPIENT_LISTS.slice(1).join(', ')}`,
  );
}

/** What each recipient gets, with the field of the request in which its amount stands. */
export function partsOf(
  dialect: Dialect,
  { field, recipients }: RecipientList,
  otherwise: Amount | undefined,
): NewTransfer['parts'] {
  return recipients.map((item, place) => {
    const here = `${field}.${place}`;
    const { userId = null, amount = otherwise } = checkRecipient(dialect, item, here);
    return { userId, amount: amountOf(dialect, amount, `${here}.amount`), field: `${here}.amount` };
  });
}

function checkRecipient(dialect: Dialect, item: unknown, here: string) {
  return check(object({ [here]: batchRecipient }), { [here]: item }, dialect.unknownFields)[here] ?? {};
}

function amountOf({ batchAmounts }: Dialect, amount: Amount | undefined, field: string): number {
  const expected = {
    number: 'a number',
    string: 'a decimal text such as "0.01"',
    either: 'a finite number greater than 0',
  };
  if (amount === undefined)
    throw invalid([{ field, message: `is required: must be ${expected[batchAmounts]}` }]);
  if (batchAmounts !== 'either' && typeof amount !== batchAmounts) {
    throw invalidField(field, `must be ${expected[batchAmounts]}`);
  }
  return Number(amount);
}
