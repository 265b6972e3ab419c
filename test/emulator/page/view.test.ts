import { createEmulator } from 'stablecoin-payments/emulator';
import { expect, test } from 'vitest';
import { AFRICA_ACCOUNT, bench, newId, onramp, transfer } from '../support.ts';

test('the page runs only its own script and style, named by their hashes, and may not be framed', async () => {
  const { emulator } = bench();
  const response = await emulator.fetch('http://payments.test/_emulator');
  const html = await response.text();
  expect(html).toContain('<title>Payments emulator</title>');
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const tag of ['script', 'style']) {
    const inline = new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? '';
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(inline));
    expect(inline.length).toBeGreaterThan(1000);
    expect(policy).toContain(`${tag}-src 'sha256-${Buffer.from(digest).toString('base64')}'`);
  }
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('cache-control')).toBe('no-store');
  // The names of SVG and MathML are no addresses.
  expect([...html.matchAll(/https?:\/\/(?!www\.w3\.org\/)[^"\s]+/g)].map(String)).toEqual([]);
});

test('the view holds the newest records first, pending approvals before all others, and counts the rest', async () => {
  const { emulator, call } = bench();
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { body } = await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
    ids.push(body.transferDetails.receipt.approval.id);
  }
  const [oldest = '', second = '', third = '', fourth = '', fifth = '', newest = ''] = ids;
  emulator.approve(newest, { comment: 'fine' });
  emulator.reject(second);
  const { body: view } = await call('GET', '/_emulator/view');
  expect(view.lists.approvals.map(({ id }: { id: string }) => id)).toEqual([
    ...[fifth, fourth, third, oldest],
    newest,
  ]);
  expect(view.counts).toMatchObject({
    approvals: 6,
    pendingApprovals: 4,
    transfers: 6,
    users: 1,
    onramps: 0,
  });
  const { transferId } = view.lists.approvals.at(-1);
  expect(view.payments[transferId].transferDetails).toMatchObject({ amount: 25, currency: 'usdc' });
  expect(view.lists.transfers).toHaveLength(5);
  expect(Object.keys(view.lists.transfers[0])).toEqual([
    'id',
    'requestId',
    'transferType',
    'transferDetails',
  ]);
  expect(view.lists.users[0]).not.toHaveProperty('statedKyc');
  expect(view).toMatchObject({ frozen: true, seed: 'tests' });
});

test('the view of one list holds that list alone, and what it costs does not grow with the history', async () => {
  const { emulator, call } = bench();
  const { userId } = emulator.createUser({ rails: ['usd'] });
  for (let count = 0; count < 150; count += 1) await call('POST', '/v2/onramps', onramp(userId));
  const one = await call('GET', '/_emulator/view?list=onramps');
  expect(Object.keys(one.body.lists)).toEqual(['onramps']);
  expect(one.body.lists.onramps).toHaveLength(100);
  expect(one.body.counts.onramps).toBe(150);
  expect(one.body.lists.onramps[0].id).toBe(emulator.state().onramps.at(-1)?.id);
  const overview = await call('GET', '/_emulator/view');
  expect(overview.text.length).toBeLessThan(40_000);
});

test('a view of what does not exist is refused by the name of the field', async () => {
  const { call } = bench();
  const { status, fields } = await call('GET', '/_emulator/view?list=secrets');
  expect(status).toBe(400);
  expect(fields).toMatchObject([{ field: 'list' }]);
});

test('the latest thousand requests are kept, and the looks of the page are not among them', async () => {
  const { emulator, call } = bench();
  for (let count = 0; count < 1003; count += 1) await call('GET', '/v2/transfer-approvals');
  await call('GET', '/_emulator/view');
  const { body } = await call('GET', '/_emulator/view?list=requests');
  expect(body.lists.requests[0].id).toBe('request-1003');
  expect(body.counts.requests).toBe(1000);
  expect(emulator.requests()[0]?.id).toBe('request-4');
  emulator.reset();
  expect((await call('GET', '/_emulator/view?list=requests')).body.lists.requests).toEqual([]);
});

test('an approval is decided by hand where no token is at hand, and no fault befalls it', async () => {
  const { emulator, call } = bench({ token: 'only' });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const create = async () => {
    const body = transfer(userId, { requestId: newId(), requireApproval: true });
    const answer = await call('POST', '/v2/wallets/transfers', body, { authorization: 'Bearer only' });
    return answer.body.transferDetails.receipt.approval.id;
  };
  const [first, second] = [await create(), await create()];
  emulator.faults.inject({ kind: 'status', operation: 'approvals.approve' });
  const approved = await call('POST', `/_emulator/approvals/${first}/approve`, { comment: 'fine' });
  expect(approved.status).toBe(200);
  expect(approved.body).toMatchObject({ id: first, status: 'APPROVED', votes: [{ comment: 'fine' }] });
  const rejected = await call('POST', `/_emulator/approvals/${second}/reject`);
  expect(rejected.body).toMatchObject({ id: second, status: 'REJECTED', votes: [{ comment: null }] });
  expect(emulator.state().transfers.map(({ transferDetails }) => transferDetails.status)).toEqual([
    'COMPLETED',
    'REJECTED',
  ]);
  expect(emulator.faults.list()).toHaveLength(1);
  expect((await call('POST', `/_emulator/approvals/${first}/reject`)).status).toBe(409);
  expect((await call('POST', '/_emulator/approvals/none/approve')).status).toBe(404);
  const long = await call('POST', `/_emulator/approvals/${first}/approve`, { comment: 'x'.repeat(1001) });
  expect(long.fields).toEqual([{ field: 'comment', message: 'is longer than 1000 characters' }]);
});

test('in the process an approval is decided as over HTTP, and the answer is a copy', () => {
  const emulator = createEmulator({ seed: 1 });
  expect(() => emulator.approve('none')).toThrow('There is no approval with the id none');
  expect(() => emulator.reject('none', { comment: 'x'.repeat(1001) })).toThrow(
    'comment: is longer than 1000',
  );
});

test('a status finds the state of a payment or of any other record', async () => {
  const { emulator, call } = bench();
  const { userId } = emulator.createUser({ rails: ['usd'] });
  await call('POST', '/v2/wallets/transfers', transfer(userId));
  const { body: waits } = await call(
    'POST',
    '/v2/wallets/transfers',
    transfer(userId, { requireApproval: true }),
  );
  const found = async (query: string) => {
    const { body } = await call('GET', `/_emulator/view?${query}`);
    const [records] = Object.values<{ id: string }[]>(body.lists);
    return records?.map(({ id }) => id);
  };
  expect(await found('list=transfers&status=PENDING_APPROVAL')).toEqual([waits.transferDetails.id]);
  expect(await found('list=approvals&status=PENDING')).toEqual([waits.transferDetails.receipt.approval.id]);
  expect(await found('list=approvals&status=APPROVED')).toEqual([]);
  expect(await found('list=requests&status=2xx')).toHaveLength(2);
  expect(await found('list=users&status=ACTIVE')).toEqual([]);
});

test('requests to the own routes of the emulator are hidden until they are asked for', async () => {
  const { call } = bench();
  await call('POST', '/_emulator/users', {});
  await call('GET', '/v2/transfer-approvals');
  const pathsOf = (view: { lists: { requests: { path: string }[] } }) =>
    view.lists.requests.map(({ path }) => path);
  const { body: overview } = await call('GET', '/_emulator/view');
  expect(pathsOf(overview)).toEqual(['/v2/transfer-approvals']);
  expect(overview.counts).toMatchObject({ requests: 1, controlCalls: 1 });
  const { body: shown } = await call('GET', '/_emulator/view?list=requests&control=shown');
  expect(pathsOf(shown)).toEqual(['/v2/transfer-approvals', '/_emulator/users']);
});

test('the view names every operation once: lookups, accepted quotes and added ones too', async () => {
  const { emulator, call } = bench();
  emulator.route({
    operation: 'refunds.create',
    method: 'POST',
    path: '/v2/refunds',
    handle: () => ({ body: {} }),
  });
  const replaced = { method: 'GET', path: '/v2/users/{userId}/kyc', handle: () => ({ body: {} }) } as const;
  emulator.route({ operation: 'kyc.retrieve', ...replaced });
  const { body } = await call('GET', '/_emulator/view');
  for (const operation of ['transfers.retrieve', 'onramps.acceptQuote', 'refunds.create', 'kyc.retrieve'])
    expect(body.operations.filter((name: string) => name === operation)).toEqual([operation]);
});

test.each([
  [{ firstName: 'Ada', lastName: 'Byron', businessName: null }, 'Ada Byron'],
  [{ firstName: 'Ada', lastName: '', businessName: null }, 'Ada'],
  [{ firstName: null, lastName: 5, businessName: 'Doe Ltd' }, 'Doe Ltd'],
])('a user with %j is offered as %s', async (kyc, name) => {
  const { emulator, call } = bench();
  const { userId } = emulator.createUser({ rails: ['usd'], kyc });
  const { body } = await call('GET', '/_emulator/view');
  expect(body.users).toEqual([{ id: userId, rails: ['usd'], name }]);
});

async function threePayments() {
  const { emulator, call } = bench();
  const person = (firstName: string, email: string) =>
    emulator.createUser({ rails: ['usd'], kyc: { firstName, lastName: 'Otieno', email } }).userId;
  const [amina, kofi] = [person('Amina', 'amina@books.test'), person('Kofi', 'kofi@shop.test')];
  const made: string[] = [];
  for (const [amount, destination, requireApproval] of [
    [1250, kofi, false],
    [12.5, kofi, true],
    [99, amina, false],
  ] as const) {
    const body = transfer(amina, { destination: { userId: destination }, amount, requireApproval });
    made.push((await call('POST', '/v2/wallets/transfers', body)).body.transferDetails.id);
  }
  const [first = '', second = '', third = ''] = made;
  const view = async (query: Record<string, string>) =>
    (await call('GET', `/_emulator/view?${new URLSearchParams(query)}`)).body;
  const idsIn = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  return { emulator, amina, kofi, first, second, third, view, idsIn };
}

test('a list is of one user, and turned round, also where a record names the user only by its payment', async () => {
  const { emulator, amina, kofi, first, second, third, view, idsIn } = await threePayments();
  const transfers = async (query: Record<string, string>) =>
    idsIn((await view({ list: 'transfers', ...query })).lists.transfers);
  expect(await transfers({ user: amina })).toEqual([third, second, first]);
  expect(await transfers({ user: kofi })).toEqual([second, first]);
  expect(await transfers({ user: kofi, order: 'oldest' })).toEqual([first, second]);
  expect(await transfers({ user: newId() })).toEqual([]);
  const approvals = async (user: string) => idsIn((await view({ list: 'approvals', user })).lists.approvals);
  const approval = emulator.state().approvals[0]?.id;
  expect(await approvals(kofi)).toEqual([approval]);
  expect(await approvals(newId())).toEqual([]);
});

test.each([
  ['KOFI', ['first', 'second']],
  ['kofi@shop', ['first', 'second']],
  ['Otieno Amina', ['first', 'second', 'third']],
  ['kofi 1,250.00', ['first']],
  ['1250', ['first']],
  ['12', []],
  ['125', []],
  ['kofi books', ['first', 'second']],
  ['kofi nobody', []],
])('a search for %j finds the transfers %j', async (text, expected) => {
  const made = await threePayments();
  const { lists } = await made.view({ text });
  const names = new Map([
    [made.first, 'first'],
    [made.second, 'second'],
    [made.third, 'third'],
  ]);
  expect(
    made
      .idsIn(lists.transfers)
      .map((id) => names.get(id))
      .sort(),
  ).toEqual(expected);
});

test('a search finds users, and the approval and the event of a payment, by a name', async () => {
  const { emulator, kofi, view, idsIn } = await threePayments();
  const { lists, exact } = await view({ text: 'Kofi' });
  expect(idsIn(lists.users)).toEqual([kofi]);
  expect(idsIn(lists.approvals)).toEqual(idsIn(emulator.state().approvals));
  expect(idsIn(lists.events)).toEqual(idsIn(emulator.state().events));
  expect(exact).toBeNull();
});

test('a search for an id or its start is exact, and finds what names it', async () => {
  const { second, view, idsIn } = await threePayments();
  for (const text of [second, second.slice(0, 8)]) {
    const { exact, lists } = await view({ text });
    expect(exact).toEqual({ list: 'transfers', id: second });
    expect(idsIn(lists.transfers)).toEqual([second]);
  }
});

test('what is listed has its names beside it: of users, of an account, of a wallet', async () => {
  const { emulator, call } = bench({ dialect: 'field' });
  const { userId } = emulator.createUser({ rails: ['africa'], kyc: { firstName: 'Ada', lastName: 'Byron' } });
  const { body } = await call('POST', `/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
  const wallet = emulator.addExternalWallet({ userId, name: 'cold' });
  const { body: view } = await call('GET', '/_emulator/view?list=accounts');
  expect(view.names).toEqual({ [userId]: 'Ada Byron', [body.id ?? body.accountId]: 'MTN ugx' });
  const transferred = transfer(userId, { destination: { walletAddress: wallet.address } });
  await call('POST', '/v2/wallets/transfers', transferred);
  expect((await call('GET', '/_emulator/view?list=transfers')).body.names).toEqual({ [userId]: 'Ada Byron' });
});
