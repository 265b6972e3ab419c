import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { AFRICA_ACCOUNT, bench, bridge, type Call, caller, offramp, onramp, withUser } from './support.ts';

/** A script through most of the service; the transcript is what came over the wire. */
async function play(call: Call): Promise<string[]> {
  const transcript: string[] = [];
  const say: Call = async (...args) => {
    const answer = await call(...args);
    transcript.push(`${args[0]} ${args[1]} ${answer.status} ${answer.text}`);
    return answer;
  };
  const id = (n: number) => `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`;
  const { userId } = (await say('POST', '/_emulator/users', { rails: ['usd', 'africa'] })).body;
  const account = (await say('POST', `/v2/users/${userId}/accounts`, AFRICA_ACCOUNT)).body.id;
  await say('POST', '/_emulator/clock', { advance: '10s' });
  const source = { currency: 'ugx', amount: 70_000, accountId: account };
  const open = (await say('POST', '/v2/onramps', { ...onramp(userId, source), requestId: id(1) })).body
    .transferDetails.id;
  await say('POST', `/v2/onramps/${open}/quote/refresh`);
  const once = (await say('POST', '/v2/onramps', { ...onramp(userId), requestId: id(2) })).body
    .transferDetails.id;
  await say('POST', `/_emulator/onramps/${once}/deposit`, {});
  await say('POST', '/_emulator/faults', { kind: 'wrong-type' });
  const waiting = bridge(userId, { requireApproval: true, requestId: id(3) });
  await say('POST', '/v2/wallets/bridges', waiting);
  const { approvals } = (await say('GET', '/v2/transfer-approvals')).body;
  await say('POST', `/v2/transfer-approvals/${approvals[0].id}/approve`);
  const metric = (await say('POST', '/_emulator/metrics')).body.id;
  await say('GET', `/v2/reporting/metrics/${metric}/results`);
  await say('GET', `/v2/users/${userId}/kyc`);
  await say('GET', `/v2/users/${userId}/wallets/external?limit=1`);
  await say('GET', '/_emulator/events');
  await say('GET', '/_emulator/state');
  await say('GET', '/_emulator/snapshot');
  return transcript;
}

const fresh = (seed: string | number) => {
  const emulator = createEmulator({ seed });
  return { emulator, call: caller(emulator.fetch, 'http://a.test') };
};

describe('the same script', () => {
  it('gets the same bytes under the same seed, and again after a reset', async () => {
    const first = fresh(42);
    const transcript = await play(first.call);
    expect(await play(fresh('42').call)).toEqual(transcript);
    await first.call('POST', '/_emulator/reset');
    expect(await play(first.call)).toEqual(transcript);
    expect(first.emulator.clock.frozen).toBe(true);
  });

  it('gets other ids under another seed, or none', async () => {
    const [one, two, none] = [fresh(1), fresh(2), createEmulator()];
    const ids = [one.emulator, two.emulator, none].map((emulator) => emulator.createUser().userId);
    expect(new Set(ids).size).toBe(3);
    expect(none.clock.frozen).toBe(false);
    expect(none.seed).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a snapshot', () => {
  it('brings everything back, here or in another emulator', async () => {
    const { call, emulator } = bench({ settlementStep: '1h' });
    await play(call);
    const state = emulator.state();
    const snapshot = (await call('GET', '/_emulator/snapshot')).body;
    await play(call).catch(() => {});
    emulator.clock.advance('3h');
    expect(emulator.state()).not.toEqual(state);
    expect((await call('PUT', '/_emulator/snapshot', snapshot)).status).toBe(200);
    expect(emulator.state()).toEqual(state);
    const other = bench({ seed: 'another', settlementStep: '1h' });
    other.emulator.restore(snapshot);
    expect(other.emulator.state()).toEqual(state);
    expect(other.emulator.createUser().userId).toBe(emulator.createUser().userId);
    for (const each of [emulator, other.emulator]) each.clock.advance('5h');
    expect(other.emulator.state()).toEqual(emulator.state());
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
  });

  it('survives another order of its keys, and keeps its requestIds and faults', async () => {
    const { call, emulator, userId } = withUser();
    const request = offramp(userId);
    const first = await call('POST', '/v2/offramps', request);
    emulator.faults.inject({ kind: 'status', status: 429, operation: 'approvals.list' });
    const snapshot = emulator.snapshot();
    const { emulator: other, call: callOther } = bench();
    other.restore(Object.fromEntries(Object.entries(snapshot).reverse()));
    expect((await callOther('POST', '/v2/offramps', request)).text).toBe(first.text);
    expect((await callOther('GET', '/v2/transfer-approvals')).status).toBe(429);
    expect(other.faults.inject({ kind: 'latency' }).id).toBe('fault-2');
  });

  it.each<[string, (snapshot: object) => unknown]>([
    ['nothing', () => undefined],
    ['a list', () => []],
    ['another version', (snapshot) => ({ ...snapshot, version: 99 })],
    ['one that was edited', (snapshot) => ({ ...snapshot, users: [] })],
    ['one without its checksum', (snapshot) => ({ ...snapshot, checksum: undefined })],
  ])('is refused when it is %s, and nothing changes', async (_title, spoil) => {
    const { call, emulator } = bench();
    emulator.createUser();
    const before = emulator.state();
    const { status, body } = await call('PUT', '/_emulator/snapshot', spoil(emulator.snapshot()));
    expect([status, body.error.code]).toEqual([400, 'INVALID_SNAPSHOT']);
    expect(emulator.state()).toEqual(before);
  });
});

it('a restored emulator lets what is due at one time happen in the same order', async () => {
  const options = {
    dialect: { acceptQuotes: ['bridges'], eventKinds: 'all' },
    settlementStep: '1m',
  } as const;
  const { call, emulator, userId } = withUser({}, options);
  for (const _ of [1, 2]) await call('POST', '/v2/wallets/bridges', bridge(userId));
  for (const { id } of emulator.state().transfers.reverse()) emulator.acceptQuote(id);
  const restored = bench(options).emulator;
  restored.restore(emulator.snapshot());
  for (const each of [emulator, restored]) each.clock.advance('1m');
  expect(restored.events.list()).toEqual(emulator.events.list());
});
