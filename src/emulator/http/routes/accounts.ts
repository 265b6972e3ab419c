import * as z from 'zod/mini';
import { cursorOfQuery, cursorPage, cursorQuery } from '../../dialect/lists.ts';
import { accountListKey, accountWire, deletedAccount } from '../../dialect/wire.ts';
import { accountInBody, checkNewAccount, newAccount } from '../../reading/account-body.ts';
import { noBody, noQuery, textField, time } from '../../reading/check.ts';
import { createAccount, deleteAccount, findAccount, listAccounts } from '../../service/accounts.ts';
import { createStatusOf, NO_INPUT, ok, route } from './route.ts';

const filters = {
  rail: z.optional(textField),
  type: z.optional(textField),
  currency: z.optional(textField),
  createdBefore: z.optional(time),
  createdAfter: z.optional(time),
};

export const accountRoutes = [
  route({
    operation: 'accounts.create',
    method: 'POST',
    path: '/v2/users/:userId/accounts',
    summary: 'Creates an account.',
    body: newAccount,
    checked: checkNewAccount,
    query: noQuery,
    handle: ({ world, path, body }) => {
      const account = createAccount(world, path('userId'), accountInBody(body));
      const { id, status, invalidFields, message } = account;
      return { status: createStatusOf(world.dialect), json: { id, status, invalidFields, message } };
    },
  }),
  route({
    operation: 'accounts.list',
    method: 'GET',
    path: '/v2/users/:userId/accounts',
    summary: 'Lists the accounts of a user.',
    body: noBody,
    query: (dialect) => cursorQuery(dialect, filters),
    handle: ({ world, path, query }) => {
      const { dialect } = world;
      const accounts = listAccounts(world, path('userId'), query);
      const view = (account: (typeof accounts)[number]) => accountWire(dialect, account);
      const key = accountListKey(dialect);
      const isPaged = query.limit !== undefined || cursorOfQuery(dialect, query) !== undefined;
      if (dialect.name === 'spec' && !isPaged) {
        return ok({ count: accounts.length, [key]: accounts.map(view) });
      }
      return ok(cursorPage(dialect, key, accounts.reverse(), query, view));
    },
  }),
  route({
    operation: 'accounts.retrieve',
    method: 'GET',
    path: '/v2/users/:userId/accounts/:accountId',
    summary: 'Retrieves an account.',
    ...NO_INPUT,
    handle: ({ world, path }) =>
      ok(accountWire(world.dialect, findAccount(world, path('userId'), path('accountId')))),
  }),
  route({
    operation: 'accounts.delete',
    method: 'DELETE',
    path: '/v2/users/:userId/accounts/:accountId',
    summary: 'Deletes an account.',
    ...NO_INPUT,
    handle: ({ world, path }) => {
      const account = deleteAccount(world, path('userId'), path('accountId'));
      return ok(deletedAccount(world.dialect, account));
    },
  }),
];
