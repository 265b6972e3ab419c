import { readFileSync } from 'node:fs';
import {
  AccountStatus,
  ApprovalStatus,
  OnrampStatus,
  PaymentsClient,
  TransferStatus,
} from 'stablecoin-payments';
import { createEmulator, type DialectName, type DialectOptions } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { accountShape } from '../../src/schemas/account.ts';
import { approvalDecisionShape, transferApprovalShape } from '../../src/schemas/approval.ts';
import { bridgeShape } from '../../src/schemas/bridge.ts';
import { externalWalletShape } from '../../src/schemas/external-wallet.ts';
import { kycInformationShape } from '../../src/schemas/kyc.ts';
import { metricResultsShape } from '../../src/schemas/metric.ts';
import { offrampShape } from '../../src/schemas/offramp.ts';
import { onrampShape } from '../../src/schemas/onramp.ts';
import { transferBatchShape, transferShape } from '../../src/schemas/transfer.ts';
import { documentOf, pathsOf, requiredIn } from './parity/description.ts';
import { fieldsOf, requiredFieldsOf, texts } from './parity/public-types.ts';
import { receivedPaths } from './parity/received-paths.ts';
import { playAll } from './parity/scene.ts';
import { zodPaths } from './parity/zod-paths.ts';

const DIALECTS = ['spec', 'field'] as const;

const sorted = (paths: Iterable<string>) => [...new Set(paths)].sort();
const without = (paths: Iterable<string>, others: Iterable<string>) => {
  const left = new Set(others);
  const open = [...left].flatMap((path) => (path.endsWith('.*') ? [path.slice(0, -1)] : []));
  return sorted(paths).filter(
    (path) => !left.has(path) && !path.endsWith('.*') && !open.some((start) => path.startsWith(start)),
  );
};

const FEE = ['fee', 'fee.type', 'fee.value'];
/** The spec does not show the bodies of batches, bridges and offramps. The emulator also takes the fee of a transfer. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  TransferBatchCreateParams: FEE,
  BridgeCreateParams: FEE,
  OfframpCreateParams: FEE,
};

/** What the spec requires of an account, and services of other regions or another rail do without. */
const SPEC_ACCOUNT = ['accountHolder.email', 'accountHolder.phone', 'africa.accountNumber', 'us.currency'];

const REQUESTS = [
  ['OnrampCreateParams', 'OnrampsCreateRequest'],
  ['TransferCreateParams', 'TransfersCreateRequest'],
  ['TransferBatchCreateParams', 'TransfersCreateBatchRequest'],
  ['BridgeCreateParams', 'BridgesCreateRequest'],
  ['OfframpCreateParams', 'OfframpsCreateRequest'],
  ['AccountCreateParams', 'AccountsCreateRequest'],
  ['ApprovalDecisionParams', 'ApprovalsApproveRequest'],
  ['ApprovalRejectParams', 'ApprovalsRejectRequest'],
] as const;

describe.each(REQUESTS)('%s', (type, schema) => {
  it.each(DIALECTS)('has the parameters of the emulator in the dialect %s, and no other', async (dialect) => {
    const { schemas } = (await documentOf(dialect)).components;
    const accepted = pathsOf(schemas, schemas[schema]);
    const parameters = fieldsOf(type);
    const remedy = 'the emulator refuses these parameters: add them to its body in src/emulator/http/routes/';
    expect(without(parameters, accepted), remedy).toEqual([]);
    expect(without(accepted, parameters)).toEqual(ELSEWHERE[type] ?? []);
  });

  it.each(DIALECTS)('requires what the emulator requires in the dialect %s, and no more', async (dialect) => {
    const { schemas } = (await documentOf(dialect)).components;
    const required = new Set(requiredFieldsOf(type));
    // The client makes the id of a payment that has none.
    const demanded = new Set(requiredIn(schemas[schema]).filter((path) => path !== 'requestId'));
    const more = type === 'AccountCreateParams' && dialect === 'spec' ? SPEC_ACCOUNT : [];
    expect([without(required, demanded), without(demanded, required)]).toEqual([[], more]);
  });
});

describe.each([
  ['AccountListParams', 'accounts.list'],
  ['ApprovalListParams', 'approvals.list'],
  ['ExternalWalletListParams', 'externalWallets.list'],
])('%s', (type, operation) => {
  it.each(DIALECTS)('has the query of the emulator in the dialect %s, and no other', async (dialect) => {
    const { paths } = await documentOf(dialect);
    const described = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .find(({ operationId }) => operationId === operation);
    const query = (described?.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));
    const parameters = fieldsOf(type);
    // The client sends a cursor under the name that the service takes.
    const cursors = operation === 'approvals.list' ? [] : ['cursor', 'createdBefore'];
    expect(without(parameters, [...query, ...cursors])).toEqual([]);
    expect(without(query, [...parameters, ...cursors])).toEqual([]);
  });
});

/** The decisions that show every field between them. */
const VARIANTS: readonly (DialectName | DialectOptions)[] = [
  ...DIALECTS,
  { extends: 'field', approvalPlace: 'receipt' },
  { extends: 'field', approvalPlace: 'details' },
];

const RESPONSES = [
  ['Onramp', onrampShape],
  ['Transfer', transferShape],
  ['TransferBatch', transferBatchShape],
  ['Bridge', bridgeShape],
  ['Offramp', offrampShape],
  ['TransferApproval', transferApprovalShape],
  ['ApprovalDecision', approvalDecisionShape],
  ['Account', accountShape],
  ['ExternalWallet', externalWalletShape],
  ['KycInformation', kycInformationShape],
  ['MetricResults', metricResultsShape()],
] as const;

/** A vote of the spec, whose fields it does not show, and the values of a metric, which are named by the metric. */
const OWN = /(^|\.)votes\.\[\]\.decision$|^data\.\[\]\.(transactionCount|grossVolume|transactionType)$/;
const notOwn = (paths: readonly string[]) => paths.filter((path) => !OWN.test(path));

describe.each(RESPONSES)('%s', (type, shape) => {
  it('has the fields of its schema, and no other', () => {
    const fields = sorted(fieldsOf(type));
    expect(fields.length).toBeGreaterThan(3);
    expect(sorted(zodPaths(shape.schema()))).toEqual(fields);
  });

  it('has the fields that the emulator describes, and no other', async () => {
    const fields = fieldsOf(type);
    const described: string[] = [];
    for (const dialect of VARIANTS) {
      const { schemas } = (await documentOf(dialect)).components;
      const written = notOwn(pathsOf(schemas, schemas[type]));
      expect([dialect, without(written, fields)]).toEqual([dialect, []]);
      described.push(...written);
    }
    const remedy =
      'the emulator does not describe these fields: add them to src/emulator/openapi/, and send them from its service or dialect';
    expect(without(fields, described), remedy).toEqual([]);
  });
});

/** The events, the types of their data, and what the emulator adds for the five kinds of the spec. */
const EVENTS = [
  ['ONRAMP.TRANSACTION.CREATED', 'OnrampEventData', []],
  ['ONRAMP.STATUS.COMPLETED', 'OnrampEventData', []],
  ['OFFRAMP.STATUS.COMPLETED', 'OfframpEventData', []],
  ['WALLET.TRANSFER.UPDATE', 'TransferEventData', []],
  ['WALLET.TRANSFER.BATCH', 'TransferEventData', []],
  ['WALLET.BRIDGE.UPDATE', 'BridgeEventData', []],
  ['ACCOUNT.ONRAMP.UPDATE', 'AccountEventData', ['rail', 'type']],
  [
    'TRANSFER.APPROVAL.REJECTED',
    'RejectionEventData',
    ['approvalId', 'chain', 'currency', 'status', 'transferType'],
  ],
] as const;

it.each(EVENTS)('the data of %s has only fields of %s', async (kind, type, more) => {
  const { webhooks, components } = await documentOf('field');
  const event = webhooks[kind]?.post.requestBody.content['application/json'].schema;
  const data = pathsOf(components.schemas, event).flatMap((path) => /^data\.(.+)/.exec(path)?.[1] ?? []);
  expect(data.length).toBeGreaterThan(3);
  expect(without(data, fieldsOf(type))).toEqual(more);
});

describe.each(DIALECTS)('every response of the dialect %s', (dialect) => {
  it('passes the strict checks without drift, and has only fields of its type', async () => {
    const { drift, received, approvals, wallets } = await playAll(dialect);
    expect(drift).toEqual([]);
    expect([approvals, wallets]).toEqual([6, 12]);
    expect(sorted(received.map(({ type }) => type))).toEqual(sorted(RESPONSES.map(([type]) => type)));
    for (const { type, value } of received) {
      expect([type, without(notOwn(receivedPaths(value)), fieldsOf(type))]).toEqual([type, []]);
    }
  });
});

describe('names stand in one list each', () => {
  it('the statuses that the emulator describes are those of the client', async () => {
    const known = new Set<string>([
      ...Object.values(OnrampStatus),
      ...Object.values(TransferStatus),
      ...Object.values(AccountStatus),
      ...Object.values(ApprovalStatus),
      ...texts('BridgeDetails', 'status'),
      ...texts('OfframpDetails', 'status'),
    ]);
    for (const dialect of DIALECTS) {
      const { schemas } = (await documentOf(dialect)).components;
      const described = JSON.stringify([
        schemas.Onramp,
        schemas.Transfer,
        schemas.Bridge,
        schemas.Offramp,
        schemas.Account,
        schemas.TransferApproval,
      ]);
      const statuses = [...described.matchAll(/"status":\{"type":"string","enum":(\[[^\]]*\])/g)].flatMap(
        ([, list = '[]']) => JSON.parse(list) as string[],
      );
      expect(statuses.length).toBeGreaterThan(20);
      expect([...new Set(statuses)].filter((status) => !known.has(status))).toEqual([]);
    }
  });

  it('the emulator knows every region, fiat currency, chain and stablecoin of the types', async () => {
    const { schemas } = (await documentOf('field')).components;
    const regions = (schemas.AccountsCreateRequest?.anyOf ?? []).flatMap(({ properties }) =>
      properties?.type?.const === undefined ? [] : [properties.type.const],
    );
    expect(texts('AccountCreateParams', 'type').filter((region) => !regions.includes(region))).toEqual([]);
    const currencies = schemas.OnrampsCreateRequest?.properties?.source?.properties?.currency?.enum ?? [];
    expect(texts('OnrampSource', 'currency').filter((currency) => !currencies.includes(currency))).toEqual(
      [],
    );
    const emulator = createEmulator();
    const { userId } = emulator.createUser();
    const payments = client(emulator.fetch);
    for (const chain of texts('TransferCreateParams', 'chain')) {
      for (const currency of texts('TransferCreateParams', 'currency')) {
        const transfer = { source: { userId }, destination: { userId }, amount: 1, currency, chain };
        expect((await payments.transfers.create(transfer)).transferDetails).toMatchObject({
          currency,
          chain,
        });
      }
    }
  });

  it('a type of the emulator has no name that means something else in another entry', () => {
    const namesOf = (path: string) =>
      new Set(
        [...readFileSync(path, 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
          names.split(',').flatMap(
            (name) =>
              name
                .replace(/\btype\b/, '')
                .trim()
                .split(/ as /)
                .at(-1) || [],
          ),
        ),
      );
    const own = namesOf('src/emulator/index.ts');
    expect(own.size).toBeGreaterThan(40);
    for (const other of ['src/index.ts', 'src/payouts/index.ts', 'src/webhooks/index.ts']) {
      expect([...namesOf(other)].filter((name) => own.has(name))).toEqual([]);
    }
  });
});

function client(fetch: typeof globalThis.fetch) {
  return new PaymentsClient({ baseUrl: 'http://localhost', accessToken: 'token', fetch });
}
