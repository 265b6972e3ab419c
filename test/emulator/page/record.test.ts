import type { EmulatorOptions } from 'stablecoin-payments/emulator';
import { expect, test } from 'vitest';
import { bench, newId, onramp, transfer, US_ACCOUNT } from '../support.ts';

async function prepared(options: EmulatorOptions = {}) {
  const { emulator, call } = bench({
    webhook: { url: 'http://localhost/hooks', fetch: async () => new Response() },
    ...options,
  });
  const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 1 });
  const look = async (id: string) => (await call('GET', `/_emulator/records/${encodeURIComponent(id)}`)).body;
  return { emulator, call, userId, look };
}

test('every kind of record is found by its id', async () => {
  const { emulator, call, userId, look } = await prepared();
  const account = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  const made = await call('POST', '/v2/onramps', onramp(userId));
  emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 5 });
  const fault = emulator.faults.inject({ kind: 'status', operation: 'kyc.retrieve' });
  const { balances, events } = emulator.state();
  const deliveries = emulator.deliveries.list();
  for (const [kind, id] of [
    ['accounts', account.body.id ?? account.body.accountId],
    ['onramps', made.body.transferDetails.id],
    ['balances', balances[0]?.id],
    ['events', events[0]?.eventId],
    ['deliveries', deliveries[0]?.id],
    ['faults', fault.id],
  ])
    expect(await look(id), kind).toMatchObject({ kind, record: { id } });
});

test('an id of no record is refused with 404', async () => {
  const { call } = await prepared();
  expect((await call('GET', '/_emulator/records/none')).status).toBe(404);
});

test('an onramp that was sent back and forth is shown with why it failed', async () => {
  const { emulator, call, userId, look } = await prepared();
  const { body: made } = await call('POST', '/v2/onramps', onramp(userId));
  const { id } = made.transferDetails;
  emulator.advanceOnramp(id, { status: 'EXPIRED' });
  expect((await look(id)).record.transferDetails).toMatchObject({
    error: 'EXPIRED',
    errorDetails: 'The onramp failed in EXPIRED',
    failedReason: 'The onramp failed in EXPIRED',
  });
  emulator.advanceOnramp(id, { status: 'FIAT_RETURNED' });
  expect((await look(id)).record.transferDetails.error).toBe('INTERNAL_ERROR');
});

/** The timeline of a record in short: what happened, in order. */
async function storyOf(look: (id: string) => Promise<Looked>, id: string): Promise<string[]> {
  const { timeline } = await look(id);
  return timeline.map(({ what, title, list }) => `${what} ${title} → ${list}`);
}

interface Looked {
  kind: string;
  record: { id: string };
  timeline: { what: string; title: string; list: string; id: string; at: string; isControl?: boolean }[];
  links: Record<string, { list: string; id: string }>;
}

test.each(['spec', 'field'] as const)(
  'a payment, its approval, a request, an event and a delivery share one timeline in the dialect %s',
  async (dialect) => {
    const { emulator, call, userId, look } = await prepared({ dialect, settlementStep: '1m' });
    const requestId = newId();
    const { body } = await call(
      'POST',
      '/v2/wallets/transfers',
      transfer(userId, { requestId, requireApproval: true }),
    );
    const transferId = body.transferDetails.id;
    const approvalId = emulator.state().approvals[0]?.id ?? '';
    await call('POST', '/v2/wallets/transfers', transfer(newId(), { requireApproval: true }));
    await call('POST', `/v2/transfer-approvals/${approvalId}/approve`, {});
    emulator.clock.advance('1h');
    await emulator.delivered();
    const story = await storyOf(look, transferId);
    expect(story.filter((line) => line.startsWith('request'))).toEqual([
      'request POST /v2/wallets/transfers → requests',
      `request POST /v2/transfer-approvals/${approvalId}/approve → requests`,
    ]);
    expect(story[0]).toBe('request POST /v2/wallets/transfers → requests');
    expect(story.slice(0, 2)).toContain('status PENDING_APPROVAL → transfers');
    expect(story).toContain('status APPROVED → approvals');
    expect(story).toContain('status COMPLETED → transfers');
    expect(story).toContain('event TRANSFER.APPROVAL.PENDING → events');
    expect(story).toContain('attempt TRANSFER.APPROVAL.PENDING → deliveries');
    const statuses = story.filter((line) => /^status .* → transfers/.test(line));
    expect(statuses[0]).toBe('status PENDING_APPROVAL → transfers');
    expect(statuses[1]).toBe('status APPROVED → transfers');
    expect(statuses.at(-1)).toBe('status COMPLETED → transfers');
    const event = emulator.events.list().find(({ eventType }) => eventType === 'TRANSFER.APPROVAL.APPROVED');
    const delivery = emulator.deliveries.list().find(({ eventId }) => eventId === event?.eventId);
    for (const id of [approvalId, requestId, 'request-1', event?.eventId ?? '', delivery?.id ?? ''])
      expect(await storyOf(look, id), id).toEqual(story);
  },
);

test.each(['spec', 'field'] as const)(
  'every id in a record leads to the right kind of record in the dialect %s',
  async (dialect) => {
    const { emulator, call, userId, look } = await prepared({ dialect });
    const { body: account } = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    const accountId = account.id ?? account.accountId;
    const requestId = newId();
    const { body } = await call('POST', '/v2/onramps', { ...onramp(userId), requestId });
    const onrampId = body.transferDetails.id;
    const { links } = await look('request-2');
    expect(links[onrampId]).toEqual({ list: 'onramps', id: onrampId });
    expect(links[requestId]).toEqual({ list: 'onramps', id: onrampId });
    expect(links[userId]).toEqual({ list: 'users', id: userId });
    expect((await look('request-1')).links[accountId]).toEqual({ list: 'accounts', id: accountId });
    expect((await look(onrampId)).links).not.toHaveProperty([onrampId]);
    await emulator.delivered();
    for (const { id, eventId } of emulator.deliveries.list())
      expect((await look(id)).links[eventId]).toEqual({ list: 'events', id: eventId });
    for (const { eventId, data } of emulator.events.list()) {
      const named = String(data.accountId ?? data.id ?? data.userId);
      const list = { [accountId]: 'accounts', [onrampId]: 'onramps', [userId]: 'users' }[named];
      expect((await look(eventId)).links[named]).toEqual({ list, id: named });
    }
  },
);

test('an account and an onramp have their statuses, and a user the story of what is theirs', async () => {
  const { emulator, call, userId, look } = await prepared({ accountValidation: '3s' });
  const { body: account } = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  emulator.clock.advance('1m');
  const { body } = await call('POST', '/v2/onramps', onramp(userId));
  await call('POST', `/_emulator/onramps/${body.transferDetails.id}/deposit`, {});
  await emulator.delivered();
  expect(await storyOf(look, account.id)).toEqual([
    `request POST /v2/users/${userId}/accounts → requests`,
    'status PENDING → accounts',
    'event ACCOUNT.ONRAMP.CREATE → events',
    'attempt ACCOUNT.ONRAMP.CREATE → deliveries',
    'status ACTIVE → accounts',
    'event ACCOUNT.ONRAMP.UPDATE → events',
    'attempt ACCOUNT.ONRAMP.UPDATE → deliveries',
  ]);
  const story = await storyOf(look, body.transferDetails.id);
  expect(story[1]).toBe('status AWAITING_FUNDS → onramps');
  expect(story.at(-1)).toBe('status COMPLETED → onramps');
  const { timeline }: Looked = await look(body.transferDetails.id);
  expect(timeline.find(({ isControl }) => isControl)?.title).toMatch(/\/deposit$/);
  const whole = await storyOf(look, userId);
  expect(whole).toEqual(expect.arrayContaining(story));
  expect(whole).toContain('status ACTIVE → accounts');
});

test('the history of a record survives a snapshot', async () => {
  const { emulator, call, userId, look } = await prepared();
  const { body } = await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
  const snapshot = emulator.snapshot();
  emulator.reset();
  emulator.restore(snapshot);
  expect(await storyOf(look, body.transferDetails.id)).toContain('status PENDING_APPROVAL → transfers');
});

test('a record is found by its requestId in any case, by the start of its id, and by the id of a wallet', async () => {
  const { call, userId, emulator, look } = await prepared();
  const requestId = '0A0B0C0D-0000-4000-8000-0000000000AB';
  const { body } = await call('POST', '/v2/wallets/transfers', transfer(userId, { requestId }));
  const { id } = body.transferDetails;
  for (const text of [requestId, requestId.toLowerCase(), id.toUpperCase(), id.slice(0, 8)])
    expect(await look(text), text).toMatchObject({ kind: 'transfers', record: { id } });
  const refused = newId();
  await call('POST', '/v2/wallets/transfers', { requestId: refused, amount: -1 });
  expect(await look(refused)).toMatchObject({ kind: 'requests', record: { id: 'request-2' } });
  const { body: account } = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  await call('DELETE', `/v2/users/${userId}/accounts/${account.id}`);
  expect(await look(account.id)).toMatchObject({ kind: 'requests', record: { method: 'DELETE' } });
  const wallet = emulator.state().externalWallets[0]?.id ?? '';
  expect(await look(wallet)).toMatchObject({ kind: 'users', record: { id: userId } });
  expect((await call('GET', '/_emulator/records/0')).status).toBe(404);
});

test.each(['request-', 'no-such-record'])('%s names no one record, and is refused with 404', async (text) => {
  const { call } = await prepared();
  await call('GET', '/v2/transfer-approvals');
  await call('GET', '/v2/transfer-approvals');
  expect((await call('GET', `/_emulator/records/${text}`)).status).toBe(404);
});

test('the timeline of a payee shows the payment that the payee receives', async () => {
  const { emulator, call, userId, look } = await prepared();
  const payee = emulator.createUser().userId;
  await call('POST', '/v2/wallets/transfers', transfer(userId, { destination: { userId: payee } }));
  await call('POST', '/v2/wallets/transfers', transfer(userId));
  const paid = emulator.state().transfers[0]?.id;
  const { timeline } = await look(payee);
  expect(
    new Set(
      timeline
        .filter(({ list }: { list: string }) => list === 'transfers')
        .map(({ id }: { id: string }) => id),
    ),
  ).toEqual(new Set([paid]));
});

test.each([
  ['reset-after-commit', {}, 'changed'],
  ['reset-before-commit', {}, 'stopped'],
  ['stall-headers', {}, 'changed'],
  ['cut-body', {}, 'changed'],
  ['latency', { latency: 1 }, 'changed'],
  ['status', { status: 503 }, 'stopped'],
  ['status', { status: 503, commit: true }, 'changed'],
] as const)('a request under the fault %s %j: the service %s', async (kind, more, did) => {
  const { emulator, call, userId, look } = await prepared();
  const requestId = newId();
  // Sent as the page sends it: whatever the fault does to the response, this call has one.
  const send = (amount = 25) =>
    call('POST', '/_emulator/requests', {
      method: 'POST',
      path: '/v2/wallets/transfers',
      body: transfer(userId, { requestId, amount }),
    });
  emulator.faults.inject({ kind, ...more });
  await send();
  await send();
  await send(26);
  const { timeline } = await look('request-1');
  const requests = timeline.filter(({ did }: { did?: string }) => did !== undefined);
  const again = did === 'changed' ? 'returned' : 'changed';
  expect(requests.map((request: { did: string }) => request.did)).toEqual([did, again, 'refused']);
  const [created] = timeline.filter(({ title }: { title: string }) => title === 'CREATED');
  // The calls by which the page sends are logged after what they sent.
  expect(created.during).toBe(did === 'changed' ? 'request-1' : 'request-3');
});

test('two requests with one key at one time: one changed something, the other returned its record', async () => {
  const { call, userId, look } = await prepared();
  const body = transfer(userId, { requestId: newId() });
  await Promise.all([body, body].map((same) => call('POST', '/v2/wallets/transfers', same)));
  const { timeline } = await look('request-1');
  const did = timeline.flatMap((moment: { did?: string }) => moment.did ?? []);
  expect(did.sort()).toEqual(['changed', 'returned']);
});

test('an attempt to deliver that failed says how it ended, and only the last one that it goes on', async () => {
  const statuses = [503, 503];
  const { emulator, call, userId, look } = await prepared({
    webhook: {
      url: 'http://localhost/hooks',
      fetch: async () => new Response(null, { status: statuses.shift() ?? 200 }),
    },
  });
  const { body } = await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
  await emulator.delivered();
  const attempts = async () =>
    (await look(body.transferDetails.id)).timeline
      .filter(({ what }: { what: string }) => what === 'attempt')
      .map(({ result, facts }: { result: string; facts: string[] }) => [result, ...facts].join(', '));
  expect(await attempts()).toEqual(['503, attempt 1, to be sent again']);
  emulator.clock.advance('2m');
  await emulator.delivered();
  expect(await attempts()).toEqual([
    '503, attempt 1, sent again',
    '503, attempt 2, sent again',
    '200, attempt 3, delivered',
  ]);
});

test('an approval has its payment beside it, and links to who pays', async () => {
  const { emulator, call, userId, look } = await prepared();
  await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
  const [approval] = emulator.state().approvals;
  const { payments, links } = await look(approval?.id ?? '');
  expect(payments[approval?.transferId ?? '']).toMatchObject({ transferDetails: { amount: 25 } });
  expect(links[userId]).toEqual({ list: 'users', id: userId });
});
