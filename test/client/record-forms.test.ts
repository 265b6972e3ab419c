import { describe, expect, it } from 'vitest';
import {
  accountIdOf,
  approvalOf,
  type DriftEvent,
  isActiveAccount,
  type PaymentsClient,
} from '../../src/client/index.ts';
import * as wire from '../fixtures/index.ts';
import { matchingBody } from './matching-body.ts';
import { offrampParams, onrampParams, transferParams, usParams } from './operations.ts';
import { batch, bridge, clientOf, json, scripted } from './support.ts';

type Call = (client: PaymentsClient) => PromiseLike<unknown>;

const cases: readonly [what: string, call: Call, body: unknown][] = [
  ...Object.entries(wire.accountForms).flatMap(([form, body]): [string, Call, unknown][] => [
    [`a created account: ${form}`, (client) => client.accounts.create('u', usParams), body],
    [`a retrieved account: ${form}`, (client) => client.accounts.retrieve('u', accountIdOf(body)), body],
  ]),
  ['a deleted account', (client) => client.accounts.delete('u', wire.deletedAccount.id), wire.deletedAccount],
  ['a single transfer', (client) => client.transfers.create(transferParams), wire.transferForms.single],
  ['a batch', (client) => client.transfers.createBatch(batch), wire.transferForms.batch],
  ['a quoted bridge', (client) => client.bridges.create(bridge), wire.bridgeForms.quoted],
  ['an executed bridge', (client) => client.bridges.create(bridge), wire.bridgeForms.executed],
  ['a quoted offramp', (client) => client.offramps.create(offrampParams), wire.offrampForms.quoted],
  ['a reviewed offramp', (client) => client.offramps.create(offrampParams), wire.offrampForms.reviewed],
  ...Object.entries(wire.onrampForms).map(([form, body]): [string, Call, unknown] => [
    form,
    (client) => client.onramps.create(onrampParams),
    body,
  ]),
  ...Object.entries(wire.kycForms).map(([form, body]): [string, Call, unknown] => [
    form,
    (client) => client.kyc.retrieve(body.userId),
    body,
  ]),
  [
    'a metric with counted breakdowns',
    (client) => client.reporting.retrieveResults(wire.metricId),
    wire.metricForms.breakdowns,
  ],
  ['a rejection', (client) => client.approvals.reject('app_1'), wire.rejectedWithReason],
];

describe('records as most services have them', () => {
  it.each(cases)('%s passes strict validation as received, without drift', async (_what, call, body) => {
    const drift: DriftEvent[] = [];
    const fetch = scripted(json(body));
    const client = clientOf(fetch, {
      responseValidation: 'strict',
      hooks: { drift: (event) => void drift.push(event) },
    });
    const value = await call(client);
    const [seen] = fetch.seen;
    expect(value).toEqual(seen && matchingBody(body, seen));
    expect(drift).toEqual([]);
  });

  it('are found in lists under any key', async () => {
    const banks = Object.values(wire.accountForms);
    const client = clientOf(scripted(json({ count: banks.length, banks })));
    expect(await client.accounts.list('u').toArray()).toEqual(banks);
  });
});

describe('what may stand in two places is read by helpers', () => {
  it('the id of an account', () => {
    expect(Object.values(wire.accountForms).map(accountIdOf)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `acc_${number}`),
    );
    expect(accountIdOf({ id: null, accountId: 'a' })).toBe('a');
    for (const account of [{}, { id: '' }, { id: 7 as never }])
      expect(() => accountIdOf(account)).toThrow('neither `id` nor `accountId`');
  });

  it('whether an account is active', () => {
    const active: Parameters<typeof isActiveAccount>[0][] = [
      { status: 'ACTIVE' },
      { status: 'active' },
      { isValid: true },
      { status: null, isValid: true },
      // "`status` decides where it is one of the four words, else `isValid`."
      { status: 'ACTIVE', isValid: false },
      { status: 'NEW', isValid: true },
    ];
    const not: Parameters<typeof isActiveAccount>[0][] = [
      {},
      { status: 'PENDING', isValid: true },
      { status: 'INACTIVE', isValid: true },
      { isValid: false },
      { isValid: null },
      { isValid: 'true' as never },
    ];
    expect(active.map(isActiveAccount)).toEqual(active.map(() => true));
    expect(not.map(isActiveAccount)).toEqual(not.map(() => false));
  });

  it('the approval of a transfer', () => {
    expect(approvalOf(wire.transferForms.single)?.id).toBe('app_1');
    expect(approvalOf(wire.transferForms.batch)?.id).toBe('app_1');
    expect(approvalOf(wire.offrampForms.reviewed)?.id).toBe('app_1');
    expect(approvalOf(wire.bridgeForms.quoted)).toBeNull();
    expect(approvalOf(wire.heldTransfer)?.status).toBe('PENDING');
    for (const broken of [{}, { transferDetails: null }, { transferDetails: 'gone' }])
      expect(approvalOf(broken as never)).toBeNull();
  });
});

describe('a field of another type than documented', () => {
  it('does not break a payment', async () => {
    const drift: string[] = [];
    const odd = {
      transferType: 7,
      transferDetails: {
        ...wire.onrampForms['a received payment'].transferDetails,
        requestId: undefined,
        createdAt: 1_700_000_000,
        updatedAt: null,
        source: 'user',
        destination: { userId: 7, amount: '10' },
        quoteInformation: 'later',
        depositInfo: [],
      },
    };
    const client = clientOf(scripted(json(odd)), {
      hooks: { drift: ({ issues }) => void drift.push(...issues.map(({ path }) => path)) },
    });
    const onramp = await client.onramps.create(onrampParams);
    expect(onramp.transferDetails.id).toBe('on_2');
    expect(drift).toContain('transferDetails.destination.amount');
  });
});
