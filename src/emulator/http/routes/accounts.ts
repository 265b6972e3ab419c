import * as z from 'zod';
import { createAccount, deleteAccount, findAccount, listAccounts } from '../../service/accounts.ts';
import { findUser } from '../../service/users.ts';
import { check, object, oneOf, optionalText, text } from '../request-body.ts';
import { created, ok, type Route } from './route.ts';

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
  accountType: oneOf(['checking', 'savings']),
  accountNumber: text,
  routingNumber: text,
  bankName: text,
  currency: oneOf(['usd']),
});

const africa = object({
  financialInstitute: text,
  accountType: oneOf(['momo', 'bank']),
  accountNumber: text,
  currency: text.regex(/^[a-z]{3}$/, { error: 'must be a lower-case currency code' }),
  country: text.regex(/^[a-z]{3}$/, { error: 'must be a lower-case three-letter country code' }),
});

const common = { rail: oneOf(['onramp']), accountHolder };
const newAccount = z.discriminatedUnion(
  'type',
  [
    object({ ...common, type: z.literal('us'), us, africa: z.unknown().optional() }).transform(
      ({ africa: _, ...rest }) => rest,
    ),
    object({ ...common, type: z.literal('africa'), africa, us: z.unknown().optional() }).transform(
      ({ us: _, ...rest }) => rest,
    ),
  ],
  { error: ({ input }) => (isPlain(input) ? "must be 'us' or 'africa'" : 'must be an object') },
);

function isPlain(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

export const accountRoutes: readonly Route[] = [
  {
    operation: 'accounts.create',
    method: 'POST',
    path: '/v2/users/:userId/accounts',
    handle: ({ world, path, body }) => {
      findUser(world, path('userId'));
      const account = createAccount(world, path('userId'), check(newAccount, body));
      const { id, status, invalidFields, message } = account;
      return created({ id, status, invalidFields, message });
    },
  },
  {
    operation: 'accounts.list',
    method: 'GET',
    path: '/v2/users/:userId/accounts',
    handle: ({ world, path, query }) => {
      const accounts = listAccounts(world, path('userId'), query.get('rail') ?? undefined);
      return ok({ count: accounts.length, accounts });
    },
  },
  {
    operation: 'accounts.retrieve',
    method: 'GET',
    path: '/v2/users/:userId/accounts/:accountId',
    handle: ({ world, path }) => ok(findAccount(world, path('userId'), path('accountId'))),
  },
  {
    operation: 'accounts.delete',
    method: 'DELETE',
    path: '/v2/users/:userId/accounts/:accountId',
    handle: ({ world, path }) => {
      const id = path('accountId');
      deleteAccount(world, path('userId'), id);
      return ok({ success: true, message: 'The account was deleted', id });
    },
  },
];
