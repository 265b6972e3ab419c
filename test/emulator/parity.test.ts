import { readFileSync } from 'node:fs';
import {
  AccountStatus,
  ApprovalStatus,
  OnrampStatus,
  PaymentsClient,
  TransferStatus,
} from 'stablecoin-payments';
import { createEmulator, type DialectName } from 'stablecoin-payments/emulator';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { caller, HOLDER, newId, US_ACCOUNT } from './support.ts';

const DIALECTS = ['spec', 'field'] as const;

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: string[];
  const?: string;
}

async function documentOf(dialect: DialectName) {
  const { body } = await caller(createEmulator({ dialect }).fetch, 'http://x')(
    'GET',
    '/_emulator/openapi.json',
  );
  return body as { components: { schemas: Record<string, Schema> } };
}

/** The paths of all fields of a schema, those of list items with `[]`. */
function pathsOf(schemas: Record<string, Schema>, schema: Schema | undefined, prefix = ''): string[] {
  if (schema === undefined) return [];
  if (schema.$ref !== undefined)
    return pathsOf(schemas, schemas[schema.$ref.split('/').at(-1) ?? ''], prefix);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      prefix + name,
      ...pathsOf(schemas, field, `${prefix}${name}.`),
    ]),
    ...pathsOf(schemas, schema.items, `${prefix}[].`),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => pathsOf(schemas, part, prefix)),
  ];
}

const program = ts.createProgram(['src/index.ts'], {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
});
const checker = program.getTypeChecker();
const index = program.getSourceFile('src/index.ts');
const publicTypes = new Map(
  (index === undefined
    ? []
    : checker.getExportsOfModule(checker.getSymbolAtLocation(index) ?? missing('index'))
  ).map((symbol) => [symbol.name, symbol]),
);

/** The paths of all fields of a public type. */
function fieldsOf(name: string): string[] {
  const symbol = publicTypes.get(name) ?? missing(name);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return [...new Set(walk(checker.getDeclaredTypeOfSymbol(target), ''))];
}

function walk(type: ts.Type, prefix: string): string[] {
  if (type.isUnion()) return type.types.flatMap((part) => walk(part, prefix));
  if (checker.isArrayType(type)) {
    return checker.getTypeArguments(type as ts.TypeReference).flatMap((item) => walk(item, `${prefix}[].`));
  }
  if (type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike)) return [];
  if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike)) return [];
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const inner = checker.getTypeOfSymbol(property);
    if (checker.getNonNullableType(inner).flags & ts.TypeFlags.Never) return [];
    return [prefix + property.name, ...walk(inner, `${prefix}${property.name}.`)];
  });
}

function missing(name: string): never {
  throw new Error(`There is no ${name}`);
}

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
  it.each(DIALECTS)('has no parameter that the emulator refuses in the dialect %s', async (dialect) => {
    const { schemas } = (await documentOf(dialect)).components;
    const accepted = new Set(pathsOf(schemas, schemas[schema]));
    expect(accepted.size).toBeGreaterThan(0);
    expect(fieldsOf(type).filter((path) => !accepted.has(path))).toEqual([]);
  });
});

const RESPONSES = [
  [['Onramp'], 'Onramp'],
  [['Transfer', 'TransferBatch', 'Bridge', 'Offramp'], 'Transfer'],
  [['TransferApproval'], 'TransferApproval'],
  [['ApprovalDecision'], 'ApprovalDecision'],
  [['Account'], 'Account'],
  [['ExternalWallet'], 'ExternalWallet'],
] as const;

/** Votes of the spec: it does not show their fields, and the emulator invents a form. */
const OWN = /(^|\.)votes\.\[\]\.decision$/;

describe.each(RESPONSES)('%j', (types, schema) => {
  it.each(DIALECTS)('has every field that the emulator writes in the dialect %s', async (dialect) => {
    const { schemas } = (await documentOf(dialect)).components;
    const known = new Set(types.flatMap((type) => fieldsOf(type)));
    expect(known.size).toBeGreaterThan(3);
    const written = pathsOf(schemas, schemas[schema]);
    expect(written.filter((path) => !known.has(path) && !OWN.test(path))).toEqual([]);
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

/** The texts that a field of a public type lists. */
function texts(name: string, field: string): string[] {
  const symbol = publicTypes.get(name) ?? missing(name);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const type = checker.getDeclaredTypeOfSymbol(target);
  const parts = type.isUnion() ? type.types : [type];
  return [
    ...new Set(
      parts.flatMap((part) => {
        const property = checker.getPropertyOfType(part, field);
        const inner = property === undefined ? undefined : checker.getTypeOfSymbol(property);
        const options = inner?.isUnion() ? inner.types : inner === undefined ? [] : [inner];
        return options.flatMap((option) => (option.isStringLiteral() ? [option.value] : []));
      }),
    ),
  ];
}

function client(fetch: typeof globalThis.fetch, drift: unknown[] = []) {
  return new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    fetch,
    responseValidation: 'strict',
    onDrift: (found) => void drift.push(found),
  });
}

it.each(DIALECTS)(
  'every response of the dialect %s passes the strict checks without drift',
  async (dialect) => {
    const emulator = createEmulator({ seed: 5, dialect, accountValidation: 0 });
    const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 12 });
    const drift: unknown[] = [];
    const payments = client(emulator.fetch, drift);
    const money = { currency: 'usdc', chain: 'POLYGON' };
    const fee = { type: 'PERCENT', value: 1 } as const;

    const account = await payments.accounts.create(userId, {
      ...US_ACCOUNT,
      rail: 'onramp',
      type: 'us',
      accountHolder: { ...HOLDER, type: 'individual' },
    });
    const accountId = account.id ?? '';
    await payments.accounts.retrieve(userId, accountId);
    for await (const _ of payments.accounts.list(userId));
    const onramp = await payments.onramps.create({
      source: { userId, currency: 'usd', amount: 100 },
      destination: { userId, ...money },
      fee,
    });
    if (onramp.transferDetails.status === 'OPEN_QUOTE') {
      await payments.onramps.refreshQuote(onramp.transferDetails.id);
      emulator.acceptQuote(onramp.transferDetails.id);
    }
    emulator.simulateDeposit(onramp.transferDetails.id);
    for (const requireApproval of [true, false]) {
      const source = { userId };
      await payments.transfers.create({
        source,
        destination: { userId },
        amount: 5,
        ...money,
        requireApproval,
        fee,
      });
      const destination = { batch: [{ userId, amount: '2.5' }] };
      await payments.transfers.createBatch({ source, destination, ...money, requireApproval });
      const far = { chain: 'BASE', currency: 'usdc' };
      await payments.bridges.create({
        amount: 5,
        source: { userId, ...money },
        destination: far,
        requireApproval,
      });
      await payments.offramps.create({
        requestId: newId(),
        source: { userId, ...money, amount: 5 },
        destination: { accountId, currency: 'usd' },
        requireApproval,
      });
    }
    const ids: string[] = [];
    for await (const { id } of payments.approvals.list()) ids.push(id);
    expect(ids).toHaveLength(4);
    for (const [place, id] of ids.entries()) {
      if (place % 2 === 0) await payments.approvals.approve(id, { comment: 'c' });
      else await payments.approvals.reject(id, { reason: 'r' });
    }
    await payments.kyc.retrieve(userId);
    let wallets = 0;
    for await (const _ of payments.externalWallets.list(userId)) wallets += 1;
    expect(wallets).toBe(12);
    const { id } = emulator.createMetric({ breakdowns: ['transactionType'] });
    await payments.reporting.retrieveResults(id);
    await payments.accounts.delete(userId, accountId);
    expect(drift).toEqual([]);
  },
);
