import * as z from 'zod';
import type { Dialect } from '../dialect/dialect.ts';
import { open, text, time, uuid } from './parts.ts';

const accountStatus = z.enum(['ACTIVE', 'PENDING', 'REJECTED', 'INACTIVE']);
const invalidFields = z.array(text);
/** The response to a creation. */
export const newAccount = z.object({ id: uuid, status: accountStatus, invalidFields, message: text });

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
  // The bank details stand in a part of the name of the region.
  const common = {
    userId: uuid,
    rail,
    type: text,
    accountHolder: open.nullable(),
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
      ...common,
      status: accountStatus,
      invalidFields,
    }),
  };
  return accountForm === 'mixed'
    ? z.union([forms.status, forms.isValid, forms.accountId])
    : forms[accountForm];
}
