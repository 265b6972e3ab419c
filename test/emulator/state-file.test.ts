import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { type EmulatorServerOptions, startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coreOf } from '../../src/emulator/core.ts';
import type { Change } from '../../src/emulator/state/change-tracker.ts';
import { bench, caller, newId, onramp, START, transfer, US_ACCOUNT } from './support.ts';

let folder: string;
let file: string;
const cleanups: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulator-state-'));
  file = join(folder, 'state.json');
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  await rm(folder, { recursive: true });
});

const FROZEN = { clock: { start: START, frozen: true } };

async function start(options: EmulatorServerOptions = {}) {
  const server = await startEmulatorServer({ seed: 'kept', ...FROZEN, stateFile: file, ...options });
  cleanups.push(() => server.close().catch(() => {}));
  return { server, emulator: server.emulator, call: caller(fetch, server.url) };
}

describe('a state file', () => {
  it('keeps everything across a restart', async () => {
    const webhook = { url: 'http://127.0.0.1:1/', fetch: async () => new Response(null, { status: 503 }) };
    const first = await start({ webhook });
    const { userId } = first.emulator.createUser({ rails: ['usd'] });
    first.emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 100 });
    const paid = transfer(userId, { requireApproval: true });
    const answer = await first.call('POST', '/v2/wallets/transfers', paid);
    await first.call('POST', '/v2/onramps', onramp(userId));
    await first.emulator.delivered();
    await first.call('POST', '/_emulator/events/hold');
    await first.call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    await first.call('POST', '/_emulator/faults', {
      kind: 'status',
      status: 429,
      times: 3,
      operation: 'kyc.retrieve',
    });
    first.emulator.setDialect('field');
    await first.call('POST', '/_emulator/clock', { advance: '3s' });
    await first.emulator.delivered();
    const before = first.emulator.snapshot();
    expect(before.held?.length).toBe(2);
    expect(before.deliveries[0]).toMatchObject({ status: 'retrying', attempts: [{ status: 503 }] });
    await first.server.close();

    const second = await start({ webhook, seed: 'other' });
    const { checksum: _, ...after } = second.emulator.snapshot();
    const { checksum: __, ...same } = before;
    expect(after).toEqual({ ...same, tasks: expect.any(Array) });
    expect(new Set(after.tasks.map(({ id }) => id))).toEqual(new Set(same.tasks.map(({ id }) => id)));
    expect(second.emulator.dialect.duplicates).toBe('refuse');
    second.emulator.setDialect('spec');
    expect(second.emulator.webhookSecret).toBe(first.emulator.webhookSecret);
    const again = await second.call('POST', '/v2/wallets/transfers', paid);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([answer.text, 'true']);
    expect(second.emulator.events.release()).toBe(2);
    second.emulator.clock.advance('2s');
    await second.emulator.delivered();
    expect(second.emulator.deliveries.list()[0]?.attempts).toHaveLength(2);
  });

  it('lets a running clock run on while the process is down, and keeps how far it was moved', async () => {
    let real = Date.parse(START);
    const clock = { source: () => real };
    const first = await start({ clock });
    await first.call('POST', '/_emulator/clock', { advance: '1d' });
    await first.server.close();
    real += 3_600_000;
    const second = await start({ clock });
    expect(second.emulator.clock.now().toISOString()).toBe('2026-03-05T13:00:00.000Z');
  });

  it('follows a reset and a restored snapshot', async () => {
    const { emulator, call, server } = await start();
    emulator.createUser();
    const { text } = await call('GET', '/_emulator/snapshot');
    await call('POST', '/_emulator/users');
    await call('POST', '/_emulator/reset');
    await call('PUT', '/_emulator/snapshot', text);
    await server.close();
    const second = await start();
    expect(second.emulator.state().users).toHaveLength(1);
    second.emulator.reset();
    await second.server.close();
    expect((await start()).emulator.state().users).toEqual([]);
  });

  it('is private to its owner, and is written beside itself first', async () => {
    await start();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(stat(`${file}.tmp`)).rejects.toThrow('ENOENT');
  });

  it('with an unfinished last write loads without it', async () => {
    const { emulator, call, server } = await start();
    await call('POST', '/_emulator/users');
    await server.close();
    for (const torn of ['0123456789abcdef [["users"', '0123456789abcdef [["users","x",{}]]\n']) {
      await appendFile(file, torn);
      const next = await start();
      expect(next.emulator.state().users).toEqual(emulator.state().users);
      await next.server.close();
    }
  });

  it.each([
    ['is not a state file', 'hello'],
    ['was edited', '{"version":2}\n'],
    ['was written by another version', '{"version":99}\n'],
  ])('%s: the server does not start, and the file stays as it is', async (message, text) => {
    await writeFile(file, text);
    await expect(start()).rejects.toThrow(message);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('that is damaged before its end is told by the line', async () => {
    const { call, server } = await start();
    await call('POST', '/_emulator/users');
    await call('POST', '/_emulator/users');
    await server.close();
    const lines = (await readFile(file, 'utf8')).split('\n');
    const damaged = lines
      .map((line, place) => (place === 2 ? line.replace('users', 'uzers') : line))
      .join('\n');
    await writeFile(file, damaged);
    await expect(start()).rejects.toThrow('is damaged at line 3');
  });

  it('that cannot be written stops the start, and an empty one is a new one', async () => {
    await expect(start({ stateFile: join(folder, 'none', 'state') })).rejects.toThrow('ENOENT');
    await writeFile(file, '');
    expect((await start()).emulator.state().users).toEqual([]);
  });

  it('that another process replaced is not acknowledged any more', async () => {
    const { call } = await start();
    await copyFile(file, `${file}.other`);
    await rm(file);
    await copyFile(`${file}.other`, file);
    const { status, body } = await call('POST', '/_emulator/users');
    expect([status, body.error]).toEqual([500, 'STATE_NOT_STORED']);
    expect(body.errorDetails).toContain('was replaced or deleted by another process');
    expect((await call('POST', '/_emulator/users')).status).toBe(500);
  });

  it('stays with the first of two starts of the same command', async () => {
    const { server, call } = await start();
    await expect(start({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect((await call('POST', '/_emulator/users')).status).toBe(201);
  });

  it('is written anew once its changes outgrow it', { timeout: 30_000 }, async () => {
    const { call, emulator, server } = await start({ historyLimit: 2 });
    const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 0 });
    const { body: account } = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    const invalidFields = Array.from({ length: 1000 }, (_, place) => `${place}`.padEnd(450, 'x'));
    let written = 0;
    for (let count = 0; count < 12; count += 1) {
      const before = (await stat(file)).size;
      const validation = { status: count % 2 === 0 ? 'REJECTED' : 'PENDING', invalidFields };
      await call('POST', `/_emulator/accounts/${account.id}/validate`, validation);
      written += Math.max(0, (await stat(file)).size - before);
    }
    expect(written).toBeGreaterThan(4 * 1024 * 1024);
    expect((await stat(file)).size).toBeLessThan(written);
    const state = emulator.state();
    await server.close();
    expect((await start({ historyLimit: 2 })).emulator.state()).toEqual(state);
  });
});

describe('changes', () => {
  it('tell every step of any script, so that snapshot and changes together are the state', async () => {
    const step = fc.constantFrom(
      ...([
        'user',
        'transfer',
        'approval',
        'approve',
        'reject',
        'onramp',
        'deposit',
        'account',
        'delete',
      ] as const),
      ...([
        'balance',
        'hold',
        'release',
        'fault',
        'advance',
        'freeze',
        'read',
        'wallet',
        'delivered',
      ] as const),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.boolean(),
        async (steps, small) => {
          const webhook = { url: 'http://r.test', fetch: async () => new Response(null, { status: 500 }) };
          const { emulator, call } = bench({ webhook, ...(small ? { historyLimit: 3 } : {}) });
          const core = coreOf(emulator);
          const base = core.snapshot();
          const changes: Change[] = [];
          const tracker = core.keep(async () => {
            changes.push(...tracker.take());
          });
          const { userId } = emulator.createUser({ rails: ['usd'] });
          const run: Record<typeof step extends fc.Arbitrary<infer S> ? S & string : never, () => unknown> = {
            user: () => call('POST', '/_emulator/users'),
            transfer: () => call('POST', '/v2/wallets/transfers', transfer(userId)),
            approval: () => call('POST', '/v2/offramps', { ...transfer(userId), requireApproval: true }),
            approve: () =>
              call('POST', `/_emulator/approvals/${emulator.state().approvals.at(-1)?.id}/approve`),
            reject: () => call('POST', `/_emulator/approvals/${emulator.state().approvals.at(0)?.id}/reject`),
            onramp: () => call('POST', '/v2/onramps', onramp(userId)),
            deposit: () => call('POST', `/_emulator/onramps/${emulator.state().onramps.at(-1)?.id}/deposit`),
            account: () => call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT),
            delete: () =>
              call('DELETE', `/v2/users/${userId}/accounts/${emulator.state().accounts.at(0)?.id}`),
            balance: () =>
              call('POST', '/_emulator/balances', { userId, currency: 'usdc', chain: 'POLYGON', amount: 60 }),
            hold: () => call('POST', '/_emulator/events/hold'),
            release: () => call('POST', '/_emulator/events/release'),
            fault: () => call('POST', '/_emulator/faults', { kind: 'status', times: 2 }),
            advance: () => call('POST', '/_emulator/clock', { advance: '1d' }),
            freeze: () => call('POST', '/_emulator/clock', { frozen: true }),
            read: () => call('GET', '/v2/transfer-approvals'),
            wallet: () => call('POST', `/_emulator/users/${userId}/external-wallets`),
            delivered: () => emulator.delivered(),
          };
          for (const name of steps) await run[name]();
          await emulator.delivered();
          await core.tick();
          changes.push(...tracker.take());
          const expected = core.snapshot();
          const stored = JSON.parse(JSON.stringify(changes));
          const twin = bench({ webhook, ...(small ? { historyLimit: 3 } : {}) }).emulator;
          coreOf(twin).load({ snapshot: base, changes: stored });
          const comparable = ({ checksum: _, tasks, events, history, ...rest }: typeof expected) => ({
            ...rest,
            tasks: [...tasks].sort((a, b) => (a.id < b.id ? -1 : 1)),
            events: events.slice(-3),
            history: [...history].sort((a, b) => (a.id < b.id ? -1 : 1)),
          });
          expect(comparable(twin.snapshot())).toEqual(comparable(expected));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a killed emulator', { timeout: 60_000 }, () => {
  const CLI = fileURLToPath(new URL('../../src/cli/cli.ts', import.meta.url));
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function serve() {
    const args = [CLI, 'emulator', '--port', '0', '--json', '--state', file, '--clock', 'frozen'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = await once(child.stdout, 'data');
    child.stdout.resume();
    const { url } = JSON.parse(String(line).split('\n')[0] ?? '');
    return { child, call: caller(fetch, url) };
  }

  it('has lost nothing that it acknowledged, however often and whenever it is killed', async () => {
    const acknowledged = new Map<string, string>();
    let userId = '';
    let users = 0;
    for (let round = 0; round < 5; round += 1) {
      const { child, call } = await serve();
      if (round === 0) {
        userId = (await call('POST', '/_emulator/users', { rails: ['usd'] })).body.userId;
        users += 1;
        await call('POST', '/_emulator/balances', {
          userId,
          currency: 'usdc',
          chain: 'POLYGON',
          amount: 1e6,
        });
      }
      const { body: state } = await call('GET', '/_emulator/state');
      const kept = new Map(
        state.transfers.map((record: { requestId: string; id: string }) => [record.requestId, record.id]),
      );
      for (const [requestId, id] of acknowledged) expect(kept.get(requestId)).toBe(id);
      expect(state.users.length).toBeGreaterThanOrEqual(users);
      const spent = state.transfers.length * 25;
      expect(Number(state.balances[0].amount)).toBe(1e6 - spent + 25 * completed(state));
      let dead = false;
      const worker = async () => {
        while (!dead) {
          const body = transfer(userId, { requestId: newId(), destination: { userId } });
          try {
            const made = await call('POST', '/v2/wallets/transfers', body);
            expect(made.status).toBe(201);
            acknowledged.set(body.requestId, made.body.transferDetails.id);
            if (acknowledged.size % 7 === 0) {
              await call('POST', '/_emulator/users');
              users += 1;
            }
          } catch (error) {
            if (error instanceof TypeError) return;
            throw error;
          }
        }
      };
      const workers = Array.from({ length: 4 }, worker);
      const before = acknowledged.size;
      while (acknowledged.size < before + 40 + round * 13)
        await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await once(child, 'exit');
      dead = true;
      await Promise.all(workers);
    }
    expect(acknowledged.size).toBeGreaterThan(200);
    const { call } = await serve();
    for (const [requestId, id] of acknowledged) {
      const again = await call('POST', '/v2/wallets/transfers', transfer(userId, { requestId }));
      expect([again.headers.get('idempotent-replay'), again.body.transferDetails.id]).toEqual(['true', id]);
    }
  });

  /** The transfers whose amount has arrived again where it came from. */
  function completed(state: { transfers: { transferDetails: { status: string } }[] }): number {
    return state.transfers.filter(({ transferDetails }) => transferDetails.status === 'COMPLETED').length;
  }
});
