import * as z from 'zod/mini';
import { cursorOfQuery, cursorPage, cursorQuery } from '../../dialect/lists.ts';
import { accountListKey, accountWire, deletedAccount } from '../../dialect/wire.ts';
import { accountInBody, checkNewAccount, newAccount } from '../../reading/account-body.ts';
import { noBody, noQuery, textField, timeField } from '../../reading/check.ts';
import { accountsOf, addAccount, findAccount, switchOffAccount } from '../../service/accounts.ts';
import { createStatusOf, NO_INPUT, ok, route } from './route.ts';

const accountFilters = {
  rail: z.optional(textField),
  type: z.optional(textField),
  currency: z.optional(textField),
  createdBefore: z.optional(timeField),
  createdAfter: z.optional(timeField),
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
      const account = addAccount(world, path('userId'), accountInBody(body));
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
    query: (dialect) => cursorQuery(dialect, accountFilters),
    handle: ({ world, path, query }) => {
      const { dialect } = world;
      const accounts = accountsOf(world, path('userId'), query);
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
      const account = switchOffAccount(world, path('userId'), path('accountId'));
      return ok(deletedAccount(world.dialect, account));
    },
  }),
];
