import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '../../../src/client/index.ts';
import { clientOf, failure, json, scripted } from '../support.ts';

describe('a parameter of a list that does not exist', () => {
  it.each<[string, (client: PaymentsClient, params: object) => PromiseLike<unknown>, string, string]>([
    ['approvals.list', (client, params) => client.approvals.list(params), 'ofset', '`offset`'],
    ['accounts.list', (client, params) => client.accounts.list('u1', params), 'rails', '`rail`'],
    [
      'accounts.list',
      (client, params) => client.accounts.list('u1', params),
      'created_before',
      '`createdBefore`',
    ],
    [
      'externalWallets.list',
      (client, params) => client.externalWallets.list('u1', params),
      'limits',
      '`limit`',
    ],
    ['approvals.list', (client, params) => client.approvals.list(params), 'cursor', '`query`'],
  ])('%s refuses it: %#', async (operation, list, name, meant) => {
    const fetch = scripted(json({}));
    const error = await failure(list(clientOf(fetch), { [name]: 1 }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', operation, field: name });
    expect(error.message).toContain(`\`${name}\` is not a parameter.`);
    expect(error.message).toContain(meant);
    expect(fetch.seen).toHaveLength(0);
  });
});
