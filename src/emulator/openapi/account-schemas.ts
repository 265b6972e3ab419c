import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { documentedHolder, PARTS } from '../http/routes/account-bodies.ts';
import { address, text, texts, time, uuid } from './parts.ts';

const accountStatus = z.enum(['ACTIVE', 'PENDING', 'REJECTED', 'INACTIVE']);
const invalidFields = z.array(text);
/** The response to a creation. */
export const newAccount = z.object({ id: uuid, status: accountStatus, invalidFields, message: text });

const holder = z.object({ ...texts(Object.keys(documentedHolder.shape)), address: z.nullish(address) });
/** The bank details stand in a part with the name of the region, as they were sent. */
const regions = Object.fromEntries(
  Object.entries(PARTS).map(([region, part]) => {
    const fields = texts(Object.keys(part.shape));
    const more = region === 'us' ? { bankAddress: z.nullish(z.union([text, address])) } : {};
    return [region, z.optional(z.object({ ...fields, ...more }))];
  }),
);

/** An account record in a dialect. */
export function accountOf({ accountForm, accountRail }: Dialect) {
  const rail =
    accountRail === 'text'
      ? z.enum(['onramp', 'offramp'])
      : z.object({
          currency: z.nullable(text),
          railType: z.enum(['onramp', 'offramp']),
          paymentRail: z.nullable(text),
        });
  const common = {
    userId: uuid,
    rail,
    type: text,
    accountHolder: z.nullable(holder),
    ...regions,
    createdAt: time,
    updatedAt: time,
  };
  const forms = {
    neither: z.looseObject({ id: uuid, ...common }),
    status: z.looseObject({ id: uuid, ...common, status: accountStatus, invalidFields, message: text }),
    isValid: z.looseObject({
      id: uuid,
      ...common,
      isValid: z.nullable(z.boolean()),
      reason: z.nullable(text),
    }),
    accountId: z.looseObject({
      accountId: uuid,
      accountType: text,
      currency: z.nullable(text),
      ...common,
      status: accountStatus,
      invalidFields,
    }),
  };
  return accountForm === 'mixed'
    ? z.union([forms.status, forms.isValid, forms.accountId])
    : forms[accountForm];
}
