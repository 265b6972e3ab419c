import * as z from 'zod';
import type { Dialect } from '../../dialect/dialect.ts';
import type { NewAccount } from '../../service/accounts.ts';
import { invalidField } from '../problem.ts';
import { isObject } from '../reading/json.ts';
import { check, object, oneOf, optionalText, text } from '../reading/request-body.ts';

const phone = text.regex(/^\+\d[\d\s().-]{5,20}$/, {
  error: "must be in international format, such as '+256700000000'",
});
const email = text.regex(/^[^\s@]+@[^\s@]+$/, { error: 'must be an e-mail address' });
const threeLetters = text.regex(/^[A-Za-z]{3}$/, { error: 'must be a three-letter country code' });

const accountHolder = object({
  type: oneOf(['individual', 'business']),
  name: text,
  phone,
  email,
  address: object({
    addressLine1: text,
    addressLine2: optionalText,
    city: text,
    stateProvinceRegion: text,
    postalCode: text,
    country: threeLetters,
  }),
});

const us = object({
  transferType: oneOf(['ach', 'wire']),
  accountType: oneOf(['checking', 'savings', 'Checking', 'Savings']),
  accountNumber: text,
  routingNumber: text,
  bankName: text,
  currency: oneOf(['usd']),
  iban: optionalText,
  swiftCode: optionalText,
  bankAddress: z.unknown().optional(),
});

const africa = object({
  financialInstitute: text,
  accountType: oneOf(['momo', 'bank']),
  accountNumber: text,
  currency: text.regex(/^[a-z]{3}$/, { error: 'must be a lower-case currency code' }),
  country: text.regex(/^[a-z]{3}$/, { error: 'must be a lower-case three-letter country code' }),
});

const rail = oneOf(['onramp', 'offramp']);
const usAccount = object({ rail, type: z.literal('us'), accountHolder, us });
const africaAccount = object({ rail, type: z.literal('africa'), accountHolder, africa });
const looseAfricaAccount = object({
  rail,
  type: z.literal('africa'),
  accountHolder: accountHolder.nullish(),
  africa,
});
const part = z.record(z.string(), z.unknown(), { error: 'must be an object' });
const otherType = text.regex(/^[A-Za-z]{2,40}$/, {
  error: "must be the name of a region, such as 'us', 'africa' or 'brazil'",
});

const otherAccount = object({ rail, type: otherType, accountHolder: accountHolder.nullish(), details: part });

/** The body of a creation, as the description of the service has it. */
export const newAccount = z.union([
  usAccount,
  africaAccount,
  z.looseObject({ rail, type: otherType, accountHolder: accountHolder.nullish() }),
]);

/** The account to create; a 400 that names every field at fault. */
export function checkNewAccount(dialect: Dialect, body: unknown): NewAccount {
  const { unknownFields } = dialect;
  if (!isObject(body)) return check(usAccount, body);
  const { type } = body;
  // The other region's part may be there, and is nothing to the account.
  const { us: _us, ...africaBody } = body;
  const { africa: _africa, ...usBody } = body;
  if (type === 'us') return check(usAccount, usBody, unknownFields);
  if (type === 'africa') {
    const schema = dialect.accountHolder === 'optional' ? looseAfricaAccount : africaAccount;
    return check(schema, africaBody, unknownFields);
  }
  if (typeof type !== 'string' || !otherType.safeParse(type).success) {
    throw invalidField('type', "must be the name of a region, such as 'us', 'africa' or 'brazil'");
  }
  // The details of another region stand in a part of the name of its type, and their fields are open.
  const { [type]: details, ...rest } = body;
  if (!isObject(details)) {
    throw invalidField('type', `must be 'us', 'africa' or a region whose details stand in '${type}'`);
  }
  return check(otherAccount, { ...rest, details }, unknownFields);
}
