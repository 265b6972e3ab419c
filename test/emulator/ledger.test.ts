import * as fc from 'fast-check';
import type { FaultKind } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';
import { batch, bench, bridge, offramp, onramp, transfer, withUser } from './support.ts';

/** The kinds of faults that end at once. */
const kinds: readonly FaultKind[] = [
  'reset-before-commit',
  'reset-after-commit',
  'cut-body',
  'status',
  'malformed-json',
  'unknown-enum',
  'unknown-field',
  'missing-field',
  'wrong-type',
];

const CREATES = [
  ['/v2/onramps', onramp],
  ['/v2/wallets/transfers', transfer],
  ['/v2/wallets/transfers/batches', batch],
  ['/v2/wallets/bridges', bridge],
  ['/v2/offramps', offramp],
] as const;

describe.each(CREATES)('a repeated requestId at %s', (path, make) => {
  it('replays the first answer, byte for byte, and makes nothing', async () => {
    const { call, emulator } = bench();
    const request = make(emulator.createUser({ rails: ['usd'] }).userId);
    const first = await call('POST', path, request);
    emulator.clock.advance('2d');
    const reordered = Object.fromEntries(Object.entries(request).reverse());
    const second = await call('POST', path, reordered);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(first.headers.has('idempotent-replay')).toBe(false);
    const { onramps, transfers } = emulator.state();
    expect([...onramps, ...transfers]).toHaveLength(1);
  });

  it('is refused where duplicates are', async () => {
    const { call, emulator } = bench({ dialect: { duplicates: 'refuse' } });
    const request = make(emulator.createUser({ rails: ['usd'] }).userId);
    await call('POST', path, request);
    const { status, body } = await call('POST', path, request);
    expect([status, body.error.code]).toEqual([409, 'TRANSACTION_REQUEST_ALREADY_EXISTS']);
  });

  it.each(['replay', 'refuse'] as const)('is refused with another payload under %s', async (duplicates) => {
    const { call, emulator } = bench({ dialect: { duplicates } });
    const request = make(emulator.createUser({ rails: ['usd'] }).userId);
    await call('POST', path, request);
    const { status, body } = await call('POST', path, { ...request, fee: { type: 'FIX', value: 1 } });
    expect([status, body.error.code]).toEqual([409, 'RESOURCE_CONFLICT']);
    const { onramps, transfers } = emulator.state();
    expect([...onramps, ...transfers]).toHaveLength(1);
  });
});

describe('the ledger', () => {
  const scripts = cases(150, 2_500);

  it('is one for all operations and for both cases of a UUID', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const request = { ...transfer(userId), requestId: 'abcdefab-0000-4000-8000-000000000001' };
    await call('POST', '/v2/wallets/transfers', request);
    const { requestId } = request;
    expect((await call('POST', '/v2/offramps', offramp(userId, { requestId }))).status).toBe(409);
    const shouted = { ...request, requestId: request.requestId.toUpperCase() };
    const replayed = await call('POST', '/v2/wallets/transfers', shouted);
    expect([replayed.status, replayed.headers.get('idempotent-replay')]).toEqual([201, 'true']);
    expect((await call('POST', '/v2/wallets/transfers', { ...shouted, amount: 26 })).status).toBe(409);
    expect(emulator.state().transfers).toHaveLength(1);
  });

  it('leaves an id free whose request was refused', async () => {
    const { call, userId } = withUser();
    const request = transfer(userId, { source: { userId: 'nobody' } });
    expect((await call('POST', '/v2/wallets/transfers', request)).status).toBe(404);
    expect((await call('POST', '/v2/wallets/transfers', { ...request, source: { userId } })).status).toBe(
      201,
    );
  });

  it('makes one transfer of requests that arrive together', async () => {
    const { call, emulator } = bench();
    const request = transfer(emulator.createUser().userId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/v2/wallets/transfers', request)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(emulator.state().transfers).toHaveLength(1);
  });

  it(`agrees with the transfers after ${4 * scripts} requests with faults and repeats`, async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const random = fc.sample(fc.tuple(fc.nat(4), fc.nat(9), fc.nat(kinds.length - 1), fc.nat(3)), {
      seed: 7,
      numRuns: scripts,
    });
    const accepted = new Map<string, number>();
    let sent = 0;
    for (const [which, faulty, fault, more] of random) {
      const [path, make] = CREATES[which] ?? CREATES[0];
      const request = make(userId);
      const kind = kinds[fault];
      if (faulty < 3 && kind !== undefined) emulator.faults.inject({ kind, operation: '*' });
      for (let attempt = 0; attempt < more + 3; attempt += 1) {
        sent += 1;
        const answer = await call('POST', path, request).catch(() => undefined);
        if (answer?.status === 201)
          accepted.set(request.requestId, Number(answer.body.transferDetails?.amount ?? 0));
      }
    }
    const { onramps, transfers } = emulator.state();
    const ids = [...onramps, ...transfers].map(({ requestId }) => requestId);
    expect(sent).toBeGreaterThanOrEqual(4 * scripts);
    expect(ids).toHaveLength(scripts);
    expect(new Set(ids)).toEqual(new Set(accepted.keys()));
    const { data } = (await call('GET', `/v2/reporting/metrics/${emulator.state().metrics[0]?.id}/results`))
      .body;
    const volume = data.reduce((sum: number, row: { grossVolume: number }) => sum + row.grossVolume, 0);
    expect(volume).toBe(transfers.reduce((sum, { transferDetails }) => sum + transferDetails.amount, 0));
  });
});
