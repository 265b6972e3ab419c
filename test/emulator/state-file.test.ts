import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { type EmulatorServerOptions, startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emulatorCoreOf } from '../../src/emulator/create-emulator.ts';
import type { ChangeRow } from '../../src/emulator/state/changes.ts';
import { cases } from '../cases.ts';
import { serve as serveHttp } from '../servers.ts';
import { builtCommand } from './built-command.ts';
import {
  bench,
  bridge,
  caller,
  newId,
  offramp,
  onramp,
  START,
  transfer,
  US_ACCOUNT,
  wholeSnapshotOf,
} from './support.ts';

let folder: string;
let file: string;
const cleanups: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulator-state-'));
  file = join(folder, 'state.db');
});
afterEach(async () => {
  vi.restoreAllMocks();
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
    await first.call('POST', '/_emulator/clock', { advance: '3s' });
    await first.emulator.delivered();
    const before = wholeSnapshotOf(first.emulator);
    expect([before.holding, before.held.length]).toEqual([true, 2]);
    expect(before.deliveries[0]).toMatchObject({ status: 'retrying', attempts: [{ status: 503 }] });
    await first.server.close();

    const second = await start({ webhook, seed: 'other' });
    expect(wholeSnapshotOf(second.emulator)).toEqual(before);
    expect(second.emulator.webhookSecret).toBe(first.emulator.webhookSecret);
    const again = await second.call('POST', '/v2/wallets/transfers', paid);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([answer.text, 'true']);
    expect(second.emulator.events.release()).toBe(2);
    second.emulator.clock.advance('2s');
    await second.emulator.delivered();
    expect(second.emulator.deliveries.list()[0]?.attempts).toHaveLength(2);
  });

  it('keeps the order of retries', async () => {
    const received: string[] = [];
    let answerFirst = (): void => {};
    const isLate = new Promise<void>((resolve) => {
      answerFirst = resolve;
    });
    const webhook = {
      url: 'http://127.0.0.1:1/',
      fetch: async (_: string, { body }: RequestInit) => {
        received.push(JSON.parse(String(body)).eventId);
        if (received.length === 1) await isLate;
        if (received.length === 2) answerFirst();
        return new Response(null, { status: 503 });
      },
    };
    const first = await start({ webhook });
    const { userId } = first.emulator.createUser({ rails: ['usd'] });
    await first.call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    await first.call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    await first.emulator.delivered();
    const { body: before } = await first.call('GET', '/_emulator/snapshot');
    const [one, two] = received.splice(0);
    await first.server.close();
    const second = await start({ webhook, accountValidation: 'manual' });
    expect(wholeSnapshotOf(second.emulator).tasks).toEqual(before.tasks);
    received.push('', '');
    second.emulator.clock.advance('5s');
    await second.emulator.delivered();
    expect(received.filter((id) => id === one || id === two)).toEqual([two, one]);
  });

  it('starts again, and delivers, after an attempt came due while the process was down', async () => {
    let real = Date.parse(START);
    vi.spyOn(Date, 'now').mockImplementation(() => real);
    const clock = { start: START };
    const received: string[] = [];
    let up = false;
    const webhook = {
      url: 'http://127.0.0.1:1/',
      retryDelays: ['5s', '5s'],
      fetch: async (_: string, { body }: RequestInit) => {
        if (!up) return new Response(null, { status: 503 });
        received.push(JSON.parse(String(body)).data.transferId);
        return new Response(null);
      },
    } as const;
    const ids: string[] = [];
    const first = await start({ clock, webhook });
    const { userId } = first.emulator.createUser({ rails: ['usd'] });
    for (let count = 0; count < 3; count += 1) {
      const made = await first.call(
        'POST',
        '/v2/wallets/transfers',
        transfer(userId, { requireApproval: true }),
      );
      ids.push(made.body.transferDetails.id);
    }
    await first.emulator.delivered();
    await first.server.close();
    for (up of [false, true]) {
      real += 6000;
      const next = await start({ clock, webhook });
      await next.emulator.delivered();
      expect((await next.call('POST', '/_emulator/users')).status).toBe(201);
      await next.server.close();
    }
    expect(received.sort()).toEqual(ids.sort());
  });

  it('signs with the same key after a restart', async () => {
    const webhook = { url: 'http://127.0.0.1:1/', fetch: async () => new Response(null) };
    const options = { webhook, dialect: 'field' } as const;
    const first = await start(options);
    const key = await first.emulator.webhookPublicKey();
    expect(key).toContain('BEGIN PUBLIC KEY');
    await first.server.close();
    const second = await start(options);
    expect(await second.emulator.webhookPublicKey()).toBe(key);
    await second.server.close();
    expect(await (await start({ ...options, dialect: 'spec' })).emulator.webhookPublicKey()).toBe(key);
  });

  it('keeps the dialect, unless the next process is given one', async () => {
    const first = await start({ dialect: { extends: 'field', pageSize: 7 } });
    await first.server.close();
    const second = await start();
    expect(second.emulator.dialect).toMatchObject({ name: 'field', pageSize: 7 });
    await second.server.close();
    const third = await start({ dialect: 'spec' });
    expect(third.emulator.dialect).toMatchObject({ name: 'spec', pageSize: 20 });
    await third.server.close();
    expect((await start()).emulator.dialect.name).toBe('spec');
  });

  it.each([
    ['field', 'spec', 'SOURCE_PROCESSED', 'DESTINATION_INITIATED'],
    ['spec', 'field', 'INITIATED', 'PENDING'],
  ] as const)(
    'ends a transfer as it began, where the dialect is another one: %s, then %s',
    async (before, after, reached, next) => {
      const first = await start({ settlementStep: '1m', dialect: { extends: before, acceptQuotes: [] } });
      const { userId } = first.emulator.createUser();
      await first.call('POST', '/v2/wallets/bridges', bridge(userId));
      const status = () => first.emulator.state().transfers[0]?.transferDetails.status;
      for (let minutes = 0; status() !== reached && minutes < 9; minutes += 1)
        first.emulator.clock.advance('1m');
      await first.server.close();
      const { emulator } = await start({ settlementStep: '1m', dialect: after });
      emulator.clock.advance('1m');
      expect(emulator.state().transfers[0]?.transferDetails.status).toBe(next);
      emulator.clock.advance('1h');
      expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
    },
  );

  it('lets a running clock run on while the process is down, and keeps how far it was moved', async () => {
    let real = Date.parse(START);
    vi.spyOn(Date, 'now').mockImplementation(() => real);
    const clock = { start: START };
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

  it('is private to its owner', async () => {
    await start();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['by an earlier version', '{"version":3,"seed":"kept"}\n1 0123456789abcdef [["users","a",{}]]\n'],
    ['not a state file', 'hello'],
  ])('that was written %s stays as it is, and the server does not start', async (message, content) => {
    await writeFile(file, content);
    await expect(start()).rejects.toThrow(message);
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it.each([
    ['is not a state file', 'create table mine (a)'],
    ['was written by another version', 'pragma application_id = 0x656d756c; create table state (a)'],
  ])('that is another database %s, and the server does not start', async (message, sql) => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    const before = await readFile(file);
    await expect(start()).rejects.toThrow(message);
    expect(await readFile(file)).toEqual(before);
  });

  it('needs a Node with SQLite, and says which', async () => {
    const load = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    cleanups.push(() => load.mockRestore());
    await expect(start()).rejects.toThrow(
      `A state file needs Node 22.13 or newer, which has SQLite. This is Node ${process.versions.node}`,
    );
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

  it('refuses a second emulator while the first one serves, and takes one after it', async () => {
    const { server, call } = await start();
    const link = join(folder, 'link.json');
    await symlink(file, link);
    for (const options of [{}, { stateFile: link }, { port: server.port }])
      await expect(start(options)).rejects.toThrow('another emulator uses it');
    expect((await call('POST', '/_emulator/users')).status).toBe(201);
    await server.close();
    const next = await start({ stateFile: link });
    expect(next.emulator.state().users).toHaveLength(1);
    await next.server.close();
  });

  it('is free again after a start that failed', async () => {
    const taken = await startEmulatorServer();
    cleanups.push(() => taken.close());
    await expect(start({ port: taken.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await start();
  });
});

/** The rows that a database has in the end. */
function stored(rows: readonly ChangeRow[]): ChangeRow[] {
  const last = new Map<string, ChangeRow>();
  for (const row of rows) {
    const place = `${row[0]} ${row[1]}`;
    if (row[2] === null) last.delete(place);
    else last.set(place, JSON.parse(JSON.stringify(row)));
  }
  return [...last.values()];
}

describe('changes', () => {
  it('tell every step of any script, so that rows and changes together are the state', async () => {
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
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const webhook = { url: 'http://r.test', fetch: async () => new Response(null, { status: 500 }) };
        const { emulator, call } = bench({ webhook });
        const core = emulatorCoreOf(emulator);
        const rows: ChangeRow[] = [];
        const tracker = core.keep(async () => {
          rows.push(...tracker.take());
        });
        rows.push(...tracker.all());
        const { userId } = emulator.createUser({ rails: ['usd'] });
        const run: Record<typeof step extends fc.Arbitrary<infer S> ? S & string : never, () => unknown> = {
          user: () => call('POST', '/_emulator/users'),
          transfer: () => call('POST', '/v2/wallets/transfers', transfer(userId)),
          approval: () => call('POST', '/v2/offramps', offramp(userId, { requireApproval: true })),
          approve: () =>
            call('POST', `/_emulator/approvals/${emulator.state().approvals.at(-1)?.id}/approve`),
          reject: () => call('POST', `/_emulator/approvals/${emulator.state().approvals.at(0)?.id}/reject`),
          onramp: () => call('POST', '/v2/onramps', onramp(userId)),
          deposit: () => call('POST', `/_emulator/onramps/${emulator.state().onramps.at(-1)?.id}/deposit`),
          account: () => call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT),
          delete: () => call('DELETE', `/v2/users/${userId}/accounts/${emulator.state().accounts.at(0)?.id}`),
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
        rows.push(...tracker.take());
        const expected = wholeSnapshotOf(emulator);
        const twin = bench({ webhook }).emulator;
        emulatorCoreOf(twin).load(stored(rows));
        const comparable = ({ checksum: _, tasks, ...rest }: typeof expected) => ({
          ...rest,
          tasks: [...tasks].sort((a, b) => (a.id < b.id ? -1 : 1)),
        });
        expect(comparable(wholeSnapshotOf(twin))).toEqual(comparable(expected));
      }),
      { numRuns: cases(30, 300) },
    );
  });
});

describe('a killed emulator', () => {
  const command = builtCommand();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function serve(...more: string[]) {
    const args = [
      command(),
      'emulator',
      '--port',
      '0',
      '--json',
      '--state',
      file,
      '--clock',
      'frozen',
      ...more,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = await once(child.stdout, 'data');
    child.stdout.resume();
    const { url } = JSON.parse(String(line).split('\n')[0] ?? '');
    return { child, call: caller(fetch, url) };
  }

  /** A receiver of webhooks that is down at first. */
  async function receiver() {
    const received = new Set<string>();
    const state = { up: false };
    const { url } = await serveHttp(async (request, response) => {
      const body = await text(request);
      if (state.up) received.add(JSON.parse(body).data.transferId);
      response.writeHead(state.up ? 204 : 503).end();
    });
    return { received, state, url };
  }

  it('has lost nothing that it acknowledged, and no event of it, however often and whenever it is killed', async () => {
    const hook = await receiver();
    const acknowledged = new Map<string, string>();
    const held = new Set<string>();
    let userId = '';
    let users = 0;
    for (let round = 0; round < cases(4, 8); round += 1) {
      hook.state.up = round === 3;
      const { child, call } = await serve('--webhook-url', hook.url);
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
      // So that retries are due when the next process starts.
      await call('POST', '/_emulator/clock', { advance: '5s' });
      let dead = false;
      const enough = acknowledged.size + 40 + round * 7;
      const { promise: acknowledgedEnough, resolve } = Promise.withResolvers<void>();
      const worker = async () => {
        while (!dead) {
          const requireApproval = acknowledged.size % 3 === 0;
          const body = transfer(userId, { requestId: newId(), destination: { userId }, requireApproval });
          try {
            const made = await call('POST', '/v2/wallets/transfers', body);
            expect(made.status).toBe(201);
            acknowledged.set(body.requestId, made.body.transferDetails.id);
            if (acknowledged.size >= enough) resolve();
            if (requireApproval) held.add(made.body.transferDetails.id);
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
      // A worker that fails ends the wait, too.
      await Promise.race([acknowledgedEnough, Promise.all(workers)]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      dead = true;
      await Promise.all(workers);
    }
    expect(acknowledged.size).toBeGreaterThan(200);
    hook.state.up = true;
    const { call } = await serve('--webhook-url', hook.url);
    for (const [requestId, id] of acknowledged) {
      const requireApproval = held.has(id);
      const body = transfer(userId, { requestId, requireApproval });
      const again = await call('POST', '/v2/wallets/transfers', body);
      expect([again.headers.get('idempotent-replay'), again.body.transferDetails.id]).toEqual(['true', id]);
    }
    await call('POST', '/_emulator/clock', { advance: '1d' });
    await vi.waitFor(() => expect([...held].filter((id) => !hook.received.has(id))).toEqual([]), 30_000);
  });

  it.skipIf(process.platform === 'win32')(
    'prints no warning of Node, and where the disk is full says so and goes on',
    async () => {
      const args = [command(), 'emulator', '--port', '0', '--json', '--state', file];
      // Blocks of 512 or 1,024 bytes: room for the first users, and not for many.
      const limited = ['-c', 'ulimit -f 800; exec "$0" "$@"', process.execPath, ...args];
      const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      let printed = '';
      child.stderr.on('data', (chunk) => {
        printed += String(chunk);
      });
      const [line] = await once(child.stdout, 'data');
      child.stdout.resume();
      const call = caller(fetch, JSON.parse(String(line).split('\n')[0] ?? '').url);
      expect((await call('POST', '/_emulator/users')).status).toBe(201);
      expect(printed).toBe('');
      const kyc = { firstName: 'x'.repeat(100_000) };
      const make = () => call('POST', '/_emulator/users', { kyc });
      const made: number[] = [];
      while (made.at(-1) !== 500 && made.length < 30) made.push((await make()).status);
      const { status, body } = await call('GET', '/_emulator/view');
      expect([made.at(-1), status, body.error]).toEqual([500, 500, 'STATE_NOT_STORED']);
      expect(body.errorDetails).toMatch(/could not store its state.*(full|I\/O)/);
      expect(printed.match(/could not store its state/g)).toHaveLength(1);
      // What is deleted makes room again.
      await call('POST', '/_emulator/reset');
      expect((await call('POST', '/_emulator/users')).status).toBe(201);
    },
  );

  /** The transfers whose amount has arrived again where it came from. */
  function completed(state: { transfers: { transferDetails: { status: string } }[] }): number {
    return state.transfers.filter(({ transferDetails }) => transferDetails.status === 'COMPLETED').length;
  }
});
