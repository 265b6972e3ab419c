import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../types/compile.ts';
import { typesOf } from './description.ts';

const source = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Calls of a description of 70 operations: each line is right, or is marked as an error. */
const calls = `
import { PaymentsClient, type PagePromise } from 'stablecoin-payments';
import type { components, paths } from './service.d.ts';

type Schemas = components['schemas'];
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <A, B>(_same: Equal<A, B>): void => undefined;

const payments = new PaymentsClient();
const api = payments.api<paths>();

const user = await api.GET('/v2/users/{userId}', { params: { path: { userId: 'u' } } });
is<typeof user, Schemas['User']>(true);
const created = await api.POST('/v2/users', { body: { email: 'a@example.com', requestId: 'r' } });
is<typeof created, Schemas['User']>(true);
const wallet = await api.POST('/v2/wallets', { body: { name: 'w' }, retrySafety: 'refresh' }, { timeout: 5_000 });
is<typeof wallet, Schemas['Wallet']>(true);
const none = await api.DELETE('/v2/wallets/{id}', { params: { path: { id: 'w' } } });
is<typeof none, undefined>(true);
const listed = await api.GET('/v2/wallets');
is<typeof listed.data, Schemas['Wallet'][]>(true);
const filtered = await api.GET('/v2/wallets', { params: { query: { status: ['a', 'b'] } } });
is<typeof filtered.nextCursor, string | undefined>(true);
await api.GET('/v2/users', { params: { query: { created: { gte: 1 }, metadata: { a: 'b' }, email: null } } });
const accepted = await api.POST('/v2/offramps/{offrampId}/quote/accept', { params: { path: { offrampId: 'o' } } });
is<typeof accepted, Schemas['Wallet'] | Schemas['Deposit']>(true);
const up = await api.GET('/v2/health');
is<typeof up.up, boolean | undefined>(true);
const file = await api.GET('/v2/statements/{month}/{number}', { params: { path: { month: '2026-11', number: 7 } } });
is<typeof file, unknown>(true);
await api.PUT('/v2/rules/{id}', { params: { path: { id: 'r' } }, body: { name: 'x' } });
await api.PATCH('/v2/rules/{id}', { params: { path: { id: 'r' } } });
await api.POST('/v2/users/{user-id}/documents', { params: { path: { 'user-id': 'u' } }, body: new FormData() });
await api.POST('/v2/payments/keyed', { params: { header: { 'Idempotency-Key': 'k' } }, body: { amount: 1 } });
await payments.withOptions({}).api<paths>().POST('/v2/payments/{id}:cancel', { params: { path: { id: 'p' } } });
const pages = payments.paginate<Schemas['Wallet']>({ path: '/v2/wallets', next: () => undefined });
is<typeof pages, PagePromise<Schemas['Wallet']>>(true);

// @ts-expect-error the path parameter is missing
await api.GET('/v2/users/{userId}');
// @ts-expect-error a path parameter of another name
await api.GET('/v2/users/{userId}', { params: { path: { id: 'u' } } });
// @ts-expect-error the path does not exist
await api.GET('/v2/user/{userId}', { params: { path: { userId: 'u' } } });
// @ts-expect-error the path has no such method
await api.POST('/v2/users/{userId}', { params: { path: { userId: 'u' } } });
// @ts-expect-error the body is missing
await api.POST('/v2/wallets');
// @ts-expect-error a field that the description does not have
await api.POST('/v2/wallets', { body: { name: 'w', nmae: 'w' } });
// @ts-expect-error a field of another type
await api.POST('/v2/wallets', { body: { name: 7 } });
// @ts-expect-error a query parameter that does not exist
await api.GET('/v2/wallets', { params: { query: { sattus: ['a'] } } });
// @ts-expect-error a part of a query parameter that does not exist
await api.GET('/v2/users', { params: { query: { created: { gtee: 1 } } } });
// @ts-expect-error JSON where the description has a form
await api.POST('/v2/users/{user-id}/documents', { params: { path: { 'user-id': 'u' } }, body: { purpose: 'a' } });
// @ts-expect-error the header is missing
await api.POST('/v2/payments/keyed', { body: { amount: 1 } });
// @ts-expect-error an operation without a body
await api.POST('/v2/payments/{id}:cancel', { params: { path: { id: 'p' } }, body: {} });
// @ts-expect-error a form is no JSON
await api.POST('/v2/users/{user-id}/documents', { params: { path: { 'user-id': 'u' } }, body: 'text' });
// @ts-expect-error an unknown retry safety
await api.POST('/v2/wallets', { body: { name: 'w' }, retrySafety: 'always' });
// @ts-expect-error an option of the call is no input
await api.GET('/v2/wallets', { timeout: 5_000 });
`;

test('a description of 70 operations types its calls', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'api-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const types = await typesOf();
  expect(types.match(/^ {8}(get|put|post|delete|patch): /gm)).toHaveLength(70);
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(join(directory, 'service.d.ts'), types);
  await writeFile(join(directory, 'calls.ts'), calls);
  const compilerOptions = {
    paths: { 'stablecoin-payments': [source('src/client/index.ts')] },
    typeRoots: [source('node_modules/@types')],
  };
  const config = { extends: source('tsconfig.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  expect(await compile(directory)).toBe('');
});
