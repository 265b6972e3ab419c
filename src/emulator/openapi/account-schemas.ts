import * as z from 'zod';
import type { Dialect } from '../dialect/dialect.ts';
import { documentedHolder, PARTS } from '../http/routes/account-bodies.ts';
import { address, text, texts, time, uuid } from './parts.ts';

const accountStatus = z.enum(['ACTIVE', 'PENDING', 'REJECTED', 'INACTIVE']);
const invalidFields = z.array(text);
/** The response to a creation. */
export const newAccount = z.object({ id: uuid, status: accountStatus, invalidFields, message: text });

const holder = z.object({ ...texts(Object.keys(documentedHolder.shape)), address: address.nullish() });
/** The bank details stand in a part with the name of the region, as they were sent. */
const regions = Object.fromEntries(
  Object.entries(PARTS).map(([region, part]) => {
    const fields = texts(Object.keys(part.shape));
    const more = region === 'us' ? { bankAddress: z.union([text, address]).nullish() } : {};
    return [region, z.object({ ...fields, ...more }).optional()];
  }),
);

/** An account record in a dialect. */
export function accountOf({ accountForm, accountRail }: Dialect) {
  const rail =
    accountRail === 'text'
      ? z.enum(['onramp', 'offramp'])
      : z.object({
          currency: text.nullable(),
          railType: z.enum(['onramp', 'offramp']),
          paymentRail: text.nullable(),
        });
  const common = {
    userId: uuid,
    rail,
    type: text,
    accountHolder: holder.nullable(),
    ...regions,
    createdAt: time,
    updatedAt: time,
  };
  const forms = {
    neither: z.looseObject({ id: uuid, ...common }),
    status: z.looseObject({ id: uuid, ...common, status: accountStatus, invalidFields, message: text }),
    isValid: z.looseObject({ id: uuid, ...common, isValid: z.boolean().nullable(), reason: text.nullable() }),
    accountId: z.looseObject({
      accountId: uuid,
      accountType: text,
      currency: text.nullable(),
      ...common,
      status: accountStatus,
      invalidFields,
    }),
  };
  return accountForm === 'mixed'
    ? z.union([forms.status, forms.isValid, forms.accountId])
    : forms[accountForm];
}
