import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator, type DialectOptions, type Emulator } from 'stablecoin-payments/emulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../cases.ts';
import { type Faults, isCreate, problem, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, run } from './support.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Executes source text as the doctor printed it. */
const executed = (code: string): Emulator =>
  new Function('createEmulator', `return ${code};`)(createEmulator);

/** Twenty services. The last ones differ in decisions that the doctor cannot see. */
const services: readonly DialectOptions[] = [
  {},
  { extends: 'field' },
  { extends: 'spec', accountForm: 'isValid', pageSize: 7 },
  { extends: 'spec', accountForm: 'accountId', duplicates: 'refuse' },
  {
    extends: 'spec',
    duplicates: 'refuse',
    duplicateStatus: 400,
    duplicateError: 'ORDER_IS_THERE',
    pageSize: 5,
  },
  { extends: 'spec', duplicates: 'refuse', duplicateStatus: 422, duplicateError: 'RESOURCE_CONFLICT' },
  { extends: 'spec', webhookScheme: 'jwt', eventKinds: 'all', pageSize: 12 },
  { extends: 'spec', webhookScheme: 'jwt', duplicates: 'refuse', accountForm: 'isValid' },
  { extends: 'field', duplicates: 'replay', pageSize: 25 },
  { extends: 'field', duplicateStatus: 409, accountForm: 'status' },
  { extends: 'field', duplicateStatus: 422, accountForm: 'isValid', pageSize: 3 },
  { extends: 'field', duplicateError: 'RESOURCE_CONFLICT', webhookScheme: 'standard-webhooks' },
  { extends: 'field', duplicateError: 'KEY_2_USED', duplicateStatus: 409, votesNeeded: 1 },
  { extends: 'field', duplicates: 'replay', accountForm: 'status', webhookScheme: 'standard-webhooks' },
  { extends: 'field', pageSize: 1, accountForm: 'accountId', duplicateStatus: 422 },
  { extends: 'spec', votesNeeded: 3, acceptQuotes: ['bridges'], pageSize: 9 },
  { extends: 'field', votesNeeded: 2, acceptQuotes: [], batchAmounts: 'number' },
  { extends: 'spec', batchAmounts: 'string', duplicateStatus: 422, duplicateError: 'KEY_IS_USED' },
  { extends: 'field', pageSize: 60, duplicateError: null, eventKinds: 'documented' },
  { extends: 'field', duplicates: 'replay', duplicateStatus: 422, acceptQuotes: ['onramps'] },
];

const holder = {
  type: 'individual',
  name: 'Planted Name',
  phone: '+15550100',
  email: 'planted@example.com',
  address: {
    addressLine1: '1 Road',
    city: 'Austin',
    stateProvinceRegion: 'TX',
    postalCode: '78701',
    country: 'USA',
  },
};
const us = {
  transferType: 'ach',
  accountType: 'checking',
  accountNumber: '000999888777',
  routingNumber: '021000021',
  bankName: 'Planted Bank',
  currency: 'usd',
};
const newAccount = { rail: 'onramp', type: 'us', accountHolder: holder, us };

type Ask = (method: string, path: string, body?: unknown) => Promise<Response>;

const askOf =
  ({ fetch }: Emulator): Ask =>
  (method, path, body) =>
    fetch(`http://localhost${path}`, {
      method,
      headers: { authorization: 'Bearer planted-token', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

/** The records that every service has when the doctor comes, and every emulator before the probes. */
async function filled(emulator: Emulator) {
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 31 });
  const ask = askOf(emulator);
  for (let place = 0; place < 28; place += 1) await ask('POST', `/v2/users/${userId}/accounts`, newAccount);
  for (let place = 0; place < 24; place += 1) {
    await ask('POST', '/v2/wallets/transfers', transferOf(userId, crypto.randomUUID()));
    emulator.clock.advance('1s');
  }
  return { userId, ask };
}

const transferOf = (userId: string, requestId: string, more: object = {}) => ({
  requestId,
  source: { userId },
  destination: { userId },
  amount: 2.5,
  currency: 'usdc',
  chain: 'POLYGON',
  requireApproval: true,
  ...more,
});

/** What two services must have in common: the status, the shape of the body, and what it says by name. */
async function likenessOf(response: Response) {
  const text = await response.text();
  return {
    status: response.status,
    replay: response.headers.get('idempotent-replay'),
    allow: response.headers.get('allow'),
    body: shapeOf(text === '' ? undefined : JSON.parse(text)),
  };
}

/** Fields whose texts are names, and no values of a record. */
const named = ['error', 'code', 'status', 'transferType', 'chain', 'currency', 'rail', 'vote'];

function shapeOf(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return [value.length, shapeOf(value[0])];
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner, name)]));
  if (typeof value === 'number') return field === 'count' || field === 'code' ? value : 'a number';
  if (typeof value !== 'string') return value;
  if (named.includes(field)) return value;
  const time = /^\d{4}-\d\d-\d\dT[\d:]+\.(\d+)(Z|\+00:00)$/.exec(value);
  return time === null ? 'a text' : `a time with ${time[1]?.length} decimals and ${time[2]}`;
}

interface Probe {
  readonly what: string;
  /** The decision that it is about, where it is about one that the doctor may not see. */
  readonly about?: keyof DialectOptions;
  readonly ask: (ask: Ask, userId: string) => Promise<Response>;
}

const probe = (what: string, ask: Probe['ask'], about?: keyof DialectOptions): Probe => ({
  what,
  ask,
  ...(about !== undefined && { about }),
});

const get = (path: (userId: string) => string): Probe =>
  probe(`GET ${path('{user}')}`, (ask, userId) => ask('GET', path(userId)));

const post = (path: string, body: (userId: string) => unknown, about?: keyof DialectOptions): Probe =>
  probe(
    `POST ${path} ${JSON.stringify(body('{user}'))}`,
    (ask, userId) => ask('POST', path, body(userId)),
    about,
  );

/** A second request for each of some operations, whose first response has an id. */
const then = (
  what: string,
  first: (userId: string) => readonly [method: string, path: string, body?: unknown],
  second: (id: string, userId: string) => readonly [method: string, path: string, body?: unknown],
  about?: keyof DialectOptions,
): Probe =>
  probe(
    what,
    async (ask, userId) => {
      const made = await ask(...first(userId));
      const id = /"(?:id|accountId)":"([\w-]{36})"/.exec(await made.text())?.[1] ?? '';
      return ask(...second(id, userId));
    },
    about,
  );

const key = () => crypto.randomUUID();
const lists = [
  (user: string) => `/v2/users/${user}/wallets/external`,
  (user: string) => `/v2/users/${user}/accounts`,
  (user: string) => `/v2/wallets/transfers?userId=${user}`,
  () => '/v2/onramps',
];
const limits = [
  '1',
  '2',
  '3',
  '4',
  '6',
  '7',
  '9',
  '10',
  '20',
  '27',
  '28',
  '31',
  '50',
  '100',
  '0',
  '101',
  'many',
];
const and = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** A page after the first one, by each name of the cursor. */
const secondPage = (list: (user: string) => string, name: string, limit: string): Probe =>
  probe(`the page after ${limit} of ${list('{user}')} by ${name}`, async (ask, userId) => {
    const first = await ask('GET', limit === '' ? list(userId) : and(list(userId), `limit=${limit}`));
    const cursor = /"nextCursor":"([^"]+)"/.exec(await first.text())?.[1] ?? '2026-01-01T00:00:00Z';
    return ask(
      'GET',
      and(list(userId), `${limit === '' ? '' : `limit=${limit}&`}${name}=${encodeURIComponent(cursor)}`),
    );
  });

const usdOnramp = (userId: string) => ({
  requestId: key(),
  source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
  destination: { userId, currency: 'usdc', chain: 'POLYGON' },
});
const batch = (userId: string, amount: unknown) => ({
  requestId: key(),
  source: { userId },
  currency: 'usdc',
  chain: 'POLYGON',
  destination: { batch: [{ userId, amount }] },
});
const bridge = (userId: string) => ({
  requestId: key(),
  amount: 5,
  source: { userId, chain: 'POLYGON', currency: 'usdc' },
  destination: { userId, chain: 'BASE', currency: 'usdc' },
});
const transferBodies: ((userId: string) => object)[] = [
  (user) => transferOf(user, key()),
  (user) => transferOf(user, key(), { requireApproval: false }),
  (user) => transferOf(user, key(), { amount: 0 }),
  (user) => transferOf(user, key(), { amount: 'much' }),
  (user) => transferOf(user, key(), { currency: 'USDC' }),
  (user) => transferOf(user, key(), { chain: 'polygon' }),
  (user) => transferOf(user, key(), { chain: 'POLYGON_MAINNET' }),
  (user) => transferOf(user, key(), { destination: {} }),
  (user) => transferOf(user, key(), { destination: { walletAddress: `0x${'1'.repeat(40)}` } }),
  (user) => transferOf(user, key(), { destination: { userId: key() } }),
  (user) => transferOf(user, key(), { source: { userId: key() } }),
  (user) => transferOf(user, 'no-uuid'),
  (user) => transferOf(user, key(), { note: 'unknown field' }),
  () => ({}),
];

const probes: readonly Probe[] = [
  ...lists.flatMap((list) => [
    get(list),
    ...limits.map((limit) => get((user) => and(list(user), `limit=${limit}`))),
    ...['createdBefore', 'cursor'].flatMap((name) =>
      ['', '1', '2', '5', '10', '31'].map((limit) => secondPage(list, name, limit)),
    ),
    get((user) => and(list(user), 'createdBefore=soon')),
    get((user) => and(list(user), 'after=soon')),
  ]),
  ...limits.map((limit) => get(() => `/v2/transfer-approvals?limit=${limit}`)),
  ...['0', '1', '20', '24', '99', '-1'].map((offset) => get(() => `/v2/transfer-approvals?offset=${offset}`)),
  get(() => '/v2/transfer-approvals'),
  get((user) => `/v2/users/${user}/kyc`),
  ...['kyc', 'accounts', 'wallets/external', `accounts/${key()}`].map((path) =>
    get(() => `/v2/users/00000000-0000-4000-8000-000000000000/${path}`),
  ),
  get((user) => `/v2/users/${user}/accounts/${key()}`),
  get((user) => `/v2/users/${user}/accounts?rail=offramp`),
  get((user) => `/v2/users/${user}/accounts?rail=onramp&type=us&limit=2`),
  get(() => `/v2/reporting/metrics/${key()}/results`),
  get(() => `/v2/wallets/transfers/${key()}`),
  get(() => '/v2/nothing'),
  probe('PUT of a list', (ask, user) => ask('PUT', `/v2/users/${user}/accounts`)),
  ...transferBodies.map((body) => post('/v2/wallets/transfers', body)),
  ...transferBodies.map((body) =>
    probe(`the same again: ${JSON.stringify(body('{user}'))}`, async (ask, user) => {
      const sent = body(user);
      await ask('POST', '/v2/wallets/transfers', sent);
      return ask('POST', '/v2/wallets/transfers', sent);
    }),
  ),
  ...[3, 4].map((amount) =>
    probe(
      `another payment of ${amount} under a used key`,
      async (ask, user) => {
        const id = key();
        await ask('POST', '/v2/wallets/transfers', transferOf(user, id));
        return ask('POST', '/v2/wallets/transfers', transferOf(user, id, { amount }));
      },
      'duplicateStatus',
    ),
  ),
  ...(['string', 'number'] as const).map((form) =>
    post(
      '/v2/wallets/transfers/batches',
      (user) => batch(user, form === 'string' ? '1.5' : 1.5),
      'batchAmounts',
    ),
  ),
  post('/v2/wallets/transfers/batches', (user) => batch(user, 0)),
  post('/v2/wallets/transfers/batches', () => ({})),
  post('/v2/onramps', usdOnramp, 'acceptQuotes'),
  post('/v2/onramps', (user) => ({
    ...usdOnramp(user),
    source: { userId: user, currency: 'xyz', amount: 1 },
  })),
  post('/v2/wallets/bridges', bridge, 'acceptQuotes'),
  post('/v2/wallets/bridges', (user) => ({ ...bridge(user), amount: -1 })),
  post(`/v2/onramps/${key()}/quote/refresh`, () => undefined),
  then(
    'a refreshed quote',
    (user) => ['POST', '/v2/onramps', usdOnramp(user)],
    (id) => ['POST', `/v2/onramps/${id}/quote/refresh`],
    'acceptQuotes',
  ),
  ...['approve', 'reject'].map((decision) => post(`/v2/transfer-approvals/${key()}/${decision}`, () => ({}))),
  ...['approve', 'reject'].flatMap((decision) =>
    [1, 2].map((times) =>
      probe(
        `${decision}, ${times} times`,
        async (ask) => {
          const text = await (await ask('GET', '/v2/transfer-approvals?limit=1')).text();
          const path = `/v2/transfer-approvals/${/"id":"([\w-]+)"/.exec(text)?.[1]}/${decision}`;
          if (times === 2) await ask('POST', path, {});
          return ask('POST', path, { comment: 'planted' });
        },
        decision === 'approve' ? 'votesNeeded' : undefined,
      ),
    ),
  ),
  probe('an account', (ask, user) => ask('POST', `/v2/users/${user}/accounts`, newAccount)),
  probe('an account without its part', (ask, user) =>
    ask('POST', `/v2/users/${user}/accounts`, { ...newAccount, us: undefined }),
  ),
  then(
    'a retrieved account',
    (user) => ['GET', `/v2/users/${user}/accounts?limit=1`],
    (id, user) => ['GET', `/v2/users/${user}/accounts/${id}`],
  ),
  then(
    'a deleted account',
    (user) => ['GET', `/v2/users/${user}/accounts?limit=1`],
    (id, user) => ['DELETE', `/v2/users/${user}/accounts/${id}`],
  ),
  then(
    'a transfer that is looked up',
    (user) => ['POST', '/v2/wallets/transfers', transferOf(user, key())],
    (id) => ['GET', `/v2/wallets/transfers/${id}`],
  ),
];

/** Saves a delivery of a service, as a user would: of a kind that is not documented, where the service sends one. */
async function captured(options: DialectOptions, file: string): Promise<void> {
  const saved: string[] = [];
  const emulator = createEmulator({
    dialect: options,
    webhook: {
      url: 'https://receiver.example.com/hooks',
      fetch: async (_url, init) => {
        const headers = Object.fromEntries(new Headers(init.headers));
        saved.push(JSON.stringify({ headers, body: init.body }));
        return new Response();
      },
    },
  });
  const { userId } = emulator.createUser();
  await askOf(emulator)('POST', '/v2/wallets/transfers', transferOf(userId, key()));
  await emulator.delivered();
  emulator.close();
  await writeFile(file, saved.find((text) => text.includes('WALLET.TRANSFER.CREATE')) ?? saved[0] ?? '');
}

describe('the emulator that is printed', () => {
  // Every third by day.
  it.each(
    services
      .map((options, place) => [place, options] as const)
      .filter(([place]) => place % cases(3, 1) === 0),
  )('for service %i behaves as the service does: %o', async (place, options) => {
    const file = join(directory, `delivery-${place}.json`);
    await captured(options, file);
    const service = createEmulator({ dialect: options, token: 'planted-token' });
    const { userId, ask } = await filled(service);
    const before = service.snapshot();
    const { report } = await run({
      args: ['--json', '--user', userId, '--sandbox-writes', '--yes', '--webhook', file],
      fetch: service.fetch,
    });
    const { code = '', notSeen = [], differs = [] } = report.emulator ?? {};
    expect(differs).toEqual([]);

    const emulator = executed(code);
    const unlike = Object.entries(service.dialect).flatMap(([name, value]) =>
      JSON.stringify(Object(emulator.dialect)[name]) === JSON.stringify(value) ? [] : name,
    );
    // Each decision is as it is in the service, or the report says that it was not seen.
    expect(unlike).toEqual(place < 15 ? [] : expect.any(Array));
    for (const name of unlike) expect(notSeen.some((line) => line.startsWith(`${name}: `))).toBe(true);

    service.restore(before);
    const other = await filled(emulator);
    const asked = probes.filter(({ about }) => about === undefined || !isUnlike(about, unlike));
    let compared = 0;
    for (const one of asked) {
      const [theirs, ours] = [await one.ask(ask, userId), await one.ask(other.ask, other.userId)];
      expect([one.what, await likenessOf(ours)]).toEqual([one.what, await likenessOf(theirs)]);
      compared += 1;
    }
    expect(compared).toBeGreaterThanOrEqual(200);
  });
});

/** A refusal of another payment has a status and a name. */
const isUnlike = (about: keyof DialectOptions, unlike: readonly string[]): boolean =>
  unlike.includes(about) || (about === 'duplicateStatus' && unlike.includes('duplicateError'));

describe('of a service that is no dialect', () => {
  const examined = async (faults: Faults, args: readonly string[] = ['--sandbox-writes', '--yes']) => {
    const { report } = await run({
      args: ['--json', ...args],
      env: { PAYMENTS_USER_ID: USER },
      fetch: inProcess(sandboxService(faults).handle),
    });
    const { code = '', notSeen = [], differs = [] } = report.emulator ?? {};
    return {
      code,
      dialect: executed(code).dialect,
      notSeen: notSeen.map((line) => line.split(':')[0]),
      differs,
    };
  };

  it('the nearest one is printed, with what it does otherwise', async () => {
    const { code, notSeen, differs } = await examined({ refusal: problem(403, 'KEY_IS_USED') });
    expect(code).toBe(
      "createEmulator({ dialect: { extends: 'field', duplicates: 'refuse', duplicateError: 'KEY_IS_USED', accountForm: 'status' } })",
    );
    expect(notSeen).toEqual([
      'votesNeeded',
      'acceptQuotes',
      'batchAmounts',
      'webhookScheme',
      'eventKinds',
      'pageSize',
    ]);
    expect(differs).toEqual([
      'the shape of HTTP 404: `{ code, error, errorDetails }`; the emulator: `{ status, error: { code, message } }`',
      'the status of a `limit` of 101: 200; the emulator: 400',
      'the form of times: 3 decimals and Z; the emulator: 6 decimals and +00:00',
      'the place of an approval: `receipt`; the emulator: `transferDetails`',
      'the form of chains: as sent; the emulator: with _MAINNET',
      'the status of a known `requestId`: 403; the emulator: 400, 409 or 422',
    ]);
  });

  it('a name that the emulator cannot have is told', async () => {
    const { dialect, differs } = await examined({ refusal: problem(409, 'key.is.used') });
    expect(dialect).toMatchObject({ duplicates: 'refuse', duplicateStatus: 409 });
    expect(differs).toContain('the name of a known `requestId`; the emulator: a name in capitals');
  });

  it.each([
    ['ignores `limit`', () => '2'],
    ['caps `limit`', (limit: number) => String(Math.min(limit, 3))],
  ])('a service that %s shows the size of its pages', async (_what, allowed) => {
    const { dialect } = await examined(
      {
        instead: ({ query }, right) => {
          query.set('limit', allowed(Number(query.get('limit') ?? 2)));
          return right();
        },
      },
      [],
    );
    expect(dialect.pageSize).toBe(2);
  });

  it('what only writes show is not seen without them', async () => {
    const { dialect, notSeen } = await examined({}, []);
    expect(dialect).toMatchObject({ name: 'field', accountForm: 'status' });
    expect(notSeen).toEqual(expect.arrayContaining(['duplicates', 'duplicateStatus', 'duplicateError']));
  });

  it('another status of a repeated request is told', async () => {
    const keys = new Set<unknown>();
    const { differs } = await examined({
      instead: (request, right) => {
        if (!isCreate(request)) return undefined;
        const status = keys.has(request.body.requestId) ? 208 : 201;
        keys.add(request.body.requestId);
        return { ...right(), status };
      },
    });
    expect(differs).toContain(
      'the status of a transfer that is sent again: 208; the emulator: as the first time',
    );
  });

  it('a list under another name is told', async () => {
    const { differs } = await examined({
      instead: ({ path }) =>
        path.endsWith('/accounts') ? { body: { results: [{ id: 'planted', isValid: true }] } } : undefined,
    });
    expect(differs.join()).toContain('the field with the accounts: `results`; the emulator: ');
  });

  it('an account that is made and deleted shows its form', async () => {
    const { code } = await examined({
      instead: ({ method, path }) => {
        if (method === 'DELETE')
          return { body: { id: path.split('/').at(-1), isValid: true, rail: 'onramp', status: 'INACTIVE' } };
        return method === 'GET' && path.endsWith('/accounts') ? { body: { banks: [] } } : undefined;
      },
    });
    expect(code).toContain("accountForm: 'isValid'");
  });

  it('nothing is claimed of a service that shows nothing', async () => {
    const { code, notSeen } = await examined(
      {
        instead: ({ path }) =>
          path.endsWith('/kyc')
            ? { body: { userId: USER, kycInfo: {} } }
            : { body: { externalWallets: [], count: 0 } },
      },
      [],
    );
    expect(code).toBe('createEmulator({ dialect: {} })');
    expect(notSeen).toEqual(
      expect.arrayContaining(['extends', 'duplicates', 'accountForm', 'webhookScheme', 'pageSize']),
    );
  });
});

it('the guide says of each decision what the doctor cannot tell', async () => {
  const guide = await readFile(new URL('../../../docs/guides/dialects.md', import.meta.url), 'utf8');
  const [, section = ''] = /## The dialect of your service\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const decisions = Object.keys(createEmulator().dialect).filter((name) => name !== 'name');
  const missing = ['extends', ...decisions].filter((name) => !section.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
