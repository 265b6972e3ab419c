import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CustomResource, isPaymentsError, PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOperations } from '../../src/generate/client-operations.ts';
import { GenerateError } from '../../src/generate/description.ts';
import { operations as ownOperations } from '../client/operations.ts';
import { largeDescription } from './large-description.ts';
import { oddDescription } from './odd-description.ts';
import { generated } from './support.ts';
import { typeErrors } from './type-errors.ts';

const { parseYaml }: { parseYaml(text: string): unknown } = createRequire(import.meta.url)(
  '@redocly/openapi-core',
);
type Service = Record<string, CustomResource<Record<string, (...args: unknown[]) => Promise<unknown>>>>;

const load = async (file: string): Promise<Service> =>
  (await import(/* @vite-ignore */ pathToFileURL(file).href)).service;

/** Calls every operation of a service, and returns what was sent. */
async function callAll(service: Service): Promise<string[]> {
  const sent: string[] = [];
  const payments = new PaymentsClient({
    baseUrl: 'https://service.example/v2',
    accessToken: 'token',
    retries: 0,
    fetch: async (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`);
      const list = current?.paginate === undefined ? undefined : [{ id: 'item' }];
      if (init.method === 'DELETE') return new Response(null, { status: 204 });
      const body =
        list === undefined || current?.key === undefined
          ? (list ?? { id: 'record' })
          : { [current.key]: list };
      return Response.json(body);
    },
  });
  let current: CustomResource['operations'][string] | undefined;
  const client: Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>> = Object(
    payments.with(service),
  );
  for (const [namespace, resource] of Object.entries(service)) {
    for (const [name, definition] of Object.entries(resource.operations)) {
      current = definition;
      const path = [...definition.path.matchAll(/\{/g)].map((_match, index) => `id-${index}`);
      const upload = /file|document/i.test(name) ? new FormData() : { name: 'a body' };
      const args = [...path, ...(definition.body === undefined ? [] : [upload])];
      await client[namespace]?.[name]?.(...args);
    }
  }
  return sent;
}

describe('the operations of the client', () => {
  it('are those that its methods send', () => {
    const sent = ownOperations.map(
      ({ method, template }) => `${method} ${template.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    const remedy = 'src/generate/client-operations.ts lists each operation of test/client/operations.ts';
    expect([...clientOperations].sort(), remedy).toEqual([...new Set(sent)].sort());
  });
});

describe('the emulator’s own description', () => {
  it('has only operations that the client has', async () => {
    const response = await createEmulator().fetch('http://localhost/_emulator/openapi.json');
    const { status, stdout, text } = await generated(await response.json());
    expect(status).toBe(0);
    expect(stdout).toContain('0 operations');
    expect(text).not.toContain('defineResource');
  });

  it('gives methods that work with the emulator when all are asked for', async () => {
    const emulator = createEmulator({ dialect: 'field' });
    const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 3 });
    const response = await emulator.fetch('http://localhost/_emulator/openapi.json');
    const { status, out } = await generated(await response.json(), ['--all']);
    expect(status).toBe(0);
    const client = Object(
      new PaymentsClient({ baseUrl: 'http://localhost', accessToken: 'token', fetch: emulator.fetch }).with(
        await load(out),
      ),
    );
    const wallets: unknown[] = [];
    for await (const wallet of client.wallet.externalWalletsList(userId, {})) wallets.push(wallet);
    expect(wallets).toHaveLength(3);
  });
});

describe('a large description', () => {
  let large: Awaited<ReturnType<typeof generated>>;
  let service: Service;
  let text: string;
  beforeAll(async () => {
    large = await generated(largeDescription);
    text = large.text;
    service = await load(large.out);
  });

  it('gives typed methods, as the emulator’s does: they compile, and a wrong argument does not', async () => {
    expect(large.status).toBe(0);
    const response = await createEmulator({ dialect: 'field' }).fetch(
      'http://localhost/_emulator/openapi.json',
    );
    const ours = await generated(await response.json(), ['--all']);
    const use = large.out.replace('service.ts', 'use.ts');
    await writeFile(
      use,
      `import { PaymentsClient } from 'stablecoin-payments';
import { service } from './service.ts';
declare const options: ConstructorParameters<typeof PaymentsClient>[0];
const payments = new PaymentsClient(options).with(service);
export const user = payments.user.create({ email: 'ada@example.com' });
export const id: string = (await user).userId;
for await (const wallet of payments.wallet.listWallets({ limit: 5 })) wallet.createdAt?.trim();
await payments.transfer.create({ kind: 'bank', accountId: 'a' });
await payments.payment.createKeyed({ amount: 1 });
// @ts-expect-error: a field of another type
await payments.user.create({ email: 1 });
// @ts-expect-error: a field that is missing
await payments.payment.createKeyed({});
// @ts-expect-error: a query that does not exist
payments.wallet.listWallets({ size: 5 });
`,
    );
    expect(await typeErrors([large.out, use, ours.out])).toBe('');
  });

  it('is called in full, each operation as the description has it', async () => {
    const sent = await callAll(service);
    const operations = Object.values(service).flatMap(({ operations: defined }) => Object.values(defined));
    expect(operations.length).toBeGreaterThan(75);
    expect(sent).toEqual(
      operations.map(({ method, path }) => {
        const parts = path.split(/\{\w+\}/);
        return `${method} ${parts.map((part, index) => (index === 0 ? part : `id-${index - 1}${part}`)).join('')}`;
      }),
    );
    expect(sent).toContain('POST /v2/users/id-0/documents');
  });

  it('leaves out what the client has', () => {
    expect(sourceOf('POST', '/v2/onramps')).toBeUndefined();
    expect(sourceOf('GET', '/v2/users/{user}/kyc')).toBeUndefined();
  });

  const sourceOf = (method: string, path: string) =>
    Object.values(service)
      .flatMap(({ operations: defined }) => Object.values(defined))
      .find((one) => one.method === method && one.path === path);

  it.each([
    ['POST', '/v2/users', { idempotencyKey: { field: 'requestId' } }],
    ['POST', '/v2/transfers', { idempotencyKey: { field: 'requestId' } }],
    ['POST', '/v2/payments/keyed', { idempotencyKey: { header: 'Idempotency-Key' } }],
    ['POST', '/v2/payments/by-region', { retrySafety: 'once' }],
    ['PATCH', '/v2/trees', { idempotencyKey: { header: 'idempotency-key' } }],
    ['PUT', '/v2/wallets/{walletId}', { retrySafety: 'once' }],
    ['PATCH', '/v2/wallets/{walletId}', { retrySafety: 'once' }],
  ])('%s %s has its safety', (method, path, safety) => {
    const { idempotencyKey, retrySafety } = sourceOf(method, path) ?? {};
    expect({ idempotencyKey, retrySafety }).toEqual({
      idempotencyKey: undefined,
      retrySafety: undefined,
      ...safety,
    });
  });

  it.each([
    ['/v2/wallets', { paginate: 'cursor', key: 'data' }],
    ['/v2/users', { paginate: 'offset', key: 'users' }],
    ['/v2/accounts/search', { paginate: 'page', key: 'items' }],
    ['/v2/transfers', { paginate: 'cursor' }],
    ['/v2/transfers/nested', { paginate: 'cursor', key: 'records', cursorParam: 'after' }],
    ['/v2/users/{userId}/documents', {}],
  ])('GET %s is walked as its parameters say', (path, paging) => {
    const { paginate, key, cursorParam } = sourceOf('GET', path) ?? {};
    expect(JSON.parse(JSON.stringify({ paginate, key, cursorParam }))).toEqual(paging);
  });

  it('resolves names that clash or are taken', () => {
    expect(Object.keys(service)).toContain('moreAccounts');
    expect(Object.keys(service)).not.toContain('accounts');
    expect(Object.keys(service.user?.operations ?? {})).toEqual(
      expect.arrayContaining(['list', 'create', 'get', 'upload', 'usersControllerGet']),
    );
    expect(Object.keys(service)).toContain('constructorOperation');
  });

  it('says what a reader must know', () => {
    expect(text).toContain('@deprecated');
    expect(text).toContain('A form with the fields purpose, file.');
    expect(text).toContain('The response is application/pdf. Read its bytes with `.asResponse()`.');
    expect(text).toContain('The service requires X-Region: pass the option `headers`.');
    expect(text).toContain('Uploads a document. *\\/');
    expect(text).toContain('// - POST /v2/payments/{id}:cancel');
    expect(large.stderr).toContain('Not generated: POST /v2/payments/{id}:cancel');
    expect(text).not.toContain('Unused');
  });

  it('is the same every time, and --check tells when it is not', async () => {
    expect((await generated(largeDescription)).text).toBe(text);
    expect(await large.run(['--check'])).toMatchObject({ status: 0 });
    await writeFile(large.out, `${text}\n// changed by hand`);
    const { status, stdout } = await large.run(['--check']);
    expect(status).toBe(1);
    expect(stdout).toContain('differs');
    expect(await readFile(large.out, 'utf8')).toContain('changed by hand');
    expect(await large.run()).toMatchObject({ status: 0 });
    expect(await readFile(large.out, 'utf8')).toBe(text);
  });

  it.each([
    [['--only', 'wallet'], ['wallet'], 6],
    [['--only', 'wallet.list*', '--only', 'swap.createSwap'], ['swap', 'wallet'], 2],
    [['--only', '/v2/users*', '--except', 'user.upload'], ['user'], 6],
  ])('%j chooses', async (args, namespaces, count) => {
    const { text: chosen, stdout } = await generated(largeDescription, args);
    expect(stdout).toContain(`${count} operations.`);
    expect([...chosen.matchAll(/defineResource\('(\w+)'/g)].map(([, name]) => name)).toEqual(namespaces);
  });
});

describe('an odd description in YAML', () => {
  let odd: Awaited<ReturnType<typeof generated>>;
  let service: Service;
  beforeAll(async () => {
    odd = await generated(oddDescription);
    service = await load(odd.out);
  });

  it('compiles under strict settings, and each operation can be called', async () => {
    expect(odd.stderr).toBe(
      ['/größe/{größe}', '/reports/{id}.csv']
        .map((path) => `Not generated: GET ${path}. Use payments.request for it.\n`)
        .join(''),
    );
    expect([odd.status, await typeErrors([odd.out])]).toEqual([0, '']);
    const sent = await callAll(service);
    expect(sent).toEqual([
      'POST /v2/default',
      'PATCH /v2/default',
      'GET /v2/class',
      'HEAD /v2/class',
      'GET /v2/request',
      'GET /v2/tree',
      'POST /v2/tree',
      'GET /v2/users/',
      'GET /v2/users/id-0',
      'PUT /v2/users/id-0',
      'DELETE /v2/users/id-0',
      'GET /v2/users/id-0/avatar',
      'POST /v2/users/id-0/avatar',
      'GET /v2/users/id-0/friends/id-1',
    ]);
  });

  it('says that a response may have no body', () => {
    expect(odd.text).toContain("['delete']['responses'][200]['content']['application/json'] | undefined>");
  });

  it('is the same from JSON, with a mark at its beginning, and every time', async () => {
    const json = `\uFEFF${JSON.stringify(parseYaml(oddDescription))}`;
    expect((await generated(json)).text).toBe(odd.text);
    expect(await odd.run(['--check'])).toMatchObject({ status: 0 });
  });
});

describe('what cannot be used is refused with what to do', () => {
  const small = (more: object = {}) => ({
    openapi: '3.1.0',
    info: { title: 'small', version: '1' },
    paths: { '/v2/x': { get: { responses: { 200: { description: 'Done.' } } } } },
    ...more,
  });

  it.each([
    ['YAML without operations', 'openapi: 3.1.0\n', [], 'not an OpenAPI 3 description'],
    ['a text that is no YAML', 'openapi: [\n', [], 'neither JSON nor YAML'],
    ['JSON that is cut off', '{ "openapi": "3.1.0", ', [], 'not valid JSON'],
    ['Swagger 2', { swagger: '2.0', paths: {} }, [], 'Swagger 2'],
    ['another file', { some: 'json' }, [], 'not an OpenAPI 3 description'],
    [
      'a reference to another file',
      small({ paths: { '/v2/x': { $ref: 'other.json' } } }),
      [],
      'Bundle it first',
    ],
    [
      'a reference that leads nowhere',
      small({ paths: { '/v2/x': { $ref: '#/nowhere' } } }),
      [],
      'leads nowhere',
    ],
    [
      'a reference to itself',
      small({ paths: { '/v2/x': { $ref: '#/paths/~1v2~1x' } } }),
      [],
      'leads to itself',
    ],
    [
      'a reference that is no address',
      small({ paths: { '/v2/x': { $ref: '#/paths/%E0%A4%A' } } }),
      [],
      'The reference #/paths/%E0%A4%A cannot be read',
    ],
    [
      'a file in a folder that does not exist',
      small(),
      ['--out', join(tmpdir(), 'no-such-folder', 'service.ts')],
      'cannot be written',
    ],
    ['a filter that matches nothing', small(), ['--only', 'walet'], "No operation matches 'walet'"],
    ['an unknown flag', small(), ['--output', 'x'], '--output'],
  ])('%s', async (_what, description, args, words) => {
    const { status, stderr, text } = await generated(description, args);
    expect(status).toBe(2);
    expect(stderr).toContain(words);
    expect(text).toBe('');
  });

  it('but schemas that are made of each other are read once', async () => {
    const refs = ['A', 'B', 'C'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schemas = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, { anyOf: refs, allOf: refs }]));
    const requestBody = { content: { 'application/json': { schema: refs[0] } } };
    const paths = { '/v2/x': { post: { requestBody, responses: {} } } };
    const description = small({ paths, components: { schemas } });
    const { status, text } = await generated(description, [], { typesOf: async () => '' });
    expect(status).toBe(0);
    expect(text).toContain("retrySafety: 'once'");
  });

  it('and keep the key of a base that names its variants', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const card = { allOf: [ref('Payment'), { properties: { card: { type: 'string' } } }] };
    const payment = { properties: { requestId: { type: 'string' } }, oneOf: [ref('Card')] };
    const post = (name: string) => ({
      post: { requestBody: { content: { 'application/json': { schema: ref(name) } } }, responses: {} },
    });
    const paths = { '/v2/a': post('Payment'), '/v2/b': post('Card') };
    const description = small({ paths, components: { schemas: { Payment: payment, Card: card } } });
    const { text } = await generated(description, [], { typesOf: async () => '' });
    expect(text.match(/idempotencyKey: \{ field: 'requestId' \}/g)).toHaveLength(2);
    expect(text).not.toContain("retrySafety: 'once'");
  });

  it('YAML without a reader says how to get one', async () => {
    const readYaml = () =>
      Promise.reject(new GenerateError('Install it: npm install --save-dev openapi-typescript'));
    const { status, stderr } = await generated('openapi: 3.1.0\n', [], { readYaml });
    expect(status).toBe(2);
    expect(stderr).toContain('npm install --save-dev openapi-typescript');
  });

  it('a command without openapi-typescript says how to install it', async () => {
    const typesOf = () =>
      Promise.reject(new GenerateError('Install it: npm install --save-dev openapi-typescript'));
    const { status, stderr } = await generated(small(), [], { typesOf });
    expect(status).toBe(2);
    expect(stderr).toContain('npm install --save-dev openapi-typescript');
  });
});

it('an error of the service is an error of the client, with its outcome', async () => {
  const { out } = await generated(largeDescription, ['--only', 'user.create']);
  const { user } = Object(
    new PaymentsClient({
      baseUrl: 'https://service.example',
      accessToken: 'token',
      retries: 0,
      fetch: async () => Response.json({ error: 'USER_FROZEN' }, { status: 400 }),
    }).with(await load(out)),
  );
  const error: unknown = await user.create({ email: 'ada@example.com' }).catch((thrown: unknown) => thrown);
  expect(isPaymentsError(error) && error.outcome).toBe('rejected');
});
