import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { type EmulatorServerOptions, startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emulatorCoreOf } from '../../src/emulator/create-emulator.ts';
import type { Change } from '../../src/emulator/state/change-tracker.ts';
import { cases } from '../cases.ts';
import { builtCommand } from './built-command.ts';
import {
  bench,
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
let foreign = '';
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

function warningsOfTheProcess(): string[] {
  const warnings: string[] = [];
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    warnings.push(String(warning));
  });
  cleanups.push(() => warn.mockRestore());
  return warnings;
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
    const before = wholeSnapshotOf(first.emulator);
    expect(before.held?.length).toBe(2);
    expect(before.deliveries[0]).toMatchObject({ status: 'retrying', attempts: [{ status: 503 }] });
    await first.server.close();

    const second = await start({ webhook, seed: 'other' });
    expect(wholeSnapshotOf(second.emulator)).toEqual(before);
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

  it.each(['closed', 'killed'])('keeps the order of retries if the emulator was %s', async (ending) => {
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
    if (ending === 'closed') await first.server.close();
    else await copyFile(file, join(folder, 'killed'));
    const stateFile = ending === 'closed' ? file : join(folder, 'killed');
    const second = await start({ webhook, stateFile, accountValidation: 'manual' });
    expect(wholeSnapshotOf(second.emulator).tasks).toEqual(before.tasks);
    received.push('', '');
    second.emulator.clock.advance('5s');
    await second.emulator.delivered();
    expect(received.filter((id) => id === one || id === two)).toEqual([two, one]);
  });

  it('starts again, and delivers, after an attempt came due while the process was down', async () => {
    let real = Date.parse(START);
    const clock = { now: () => real };
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

  it('lets a running clock run on while the process is down, and keeps how far it was moved', async () => {
    let real = Date.parse(START);
    const clock = { now: () => real };
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
    const warnings = warningsOfTheProcess();
    await appendFile(file, '2 0123456789abcdef [["users"');
    const next = await start();
    expect(next.emulator.state().users).toEqual(emulator.state().users);
    await next.server.close();
    expect(warnings).toEqual([]);
  });

  it('with a last line that does not fit its checksum loads without it, and says so', async () => {
    const { emulator, call, server } = await start();
    await call('POST', '/_emulator/users');
    await server.close();
    const warnings = warningsOfTheProcess();
    await appendFile(file, '3 0123456789abcdef [["users","x",{}]]\n');
    const next = await start();
    expect(next.emulator.state().users).toEqual(emulator.state().users);
    expect(warnings).toEqual([
      `The last line of the state file ${file} does not match its checksum, and was left out: a crash cut the write off, or the file was changed`,
    ]);
  });

  it.each([
    ['is not a state file', 'hello'],
    ['was edited', '{"version":3}\n'],
    ['was written by another version', '{"version":99}\n'],
  ])('%s: the server does not start, and the file stays as it is', async (message, text) => {
    await writeFile(file, text);
    await expect(start()).rejects.toThrow(message);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.each<[string, (lines: string[]) => string[], number]>([
    [
      'changed',
      (lines) => lines.map((line, place) => (place === 2 ? line.replace('users', 'uzers') : line)),
      3,
    ],
    ['dropped', (lines) => lines.toSpliced(2, 1), 3],
    ['doubled', (lines) => lines.toSpliced(3, 0, lines[2] ?? ''), 4],
    ['doubled at its end', (lines) => [...lines, lines.at(-1) ?? ''], 6],
    ['moved', (lines) => lines.toSpliced(2, 2, lines[3] ?? '', lines[2] ?? ''), 3],
    ['moved at its end', (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? ''), 4],
    ['of another file', (lines) => lines.toSpliced(3, 1, foreign), 4],
  ])('with a line %s is damaged, and the message names the line', async (_, edit, place) => {
    const { call, server } = await start();
    for (let count = 0; count < 3; count += 1) await call('POST', '/_emulator/users');
    await server.close();
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, 5);
    const other = join(folder, 'other.json');
    const second = await start({ stateFile: other, seed: 'another' });
    for (let count = 0; count < 3; count += 1) await second.call('POST', '/_emulator/users');
    await second.server.close();
    foreign = (await readFile(other, 'utf8')).split('\n')[3] ?? '';
    const damaged = `${edit(lines).join('\n')}\n`;
    await writeFile(file, damaged);
    await expect(start()).rejects.toThrow(`is damaged at line ${place}`);
    expect(await readFile(file, 'utf8')).toBe(damaged);
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
    // Each waits for two seconds whether somebody touches the lock.
    await Promise.all([
      expect(start()).rejects.toThrow(
        `The state file ${file} is in use by another emulator (process ${process.pid}).`,
      ),
      expect(start({ stateFile: link })).rejects.toThrow('is in use'),
      expect(start({ port: server.port })).rejects.toThrow('is in use'),
    ]);
    expect((await call('POST', '/_emulator/users')).status).toBe(201);
    await server.close();
    await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT');
    const next = await start({ stateFile: link });
    expect(next.emulator.state().users).toHaveLength(1);
    await next.server.close();
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it('is free again after a start that failed', async () => {
    const taken = await startEmulatorServer();
    cleanups.push(() => taken.close());
    await expect(start({ port: taken.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await writeFile(file, 'hello');
    await expect(start()).rejects.toThrow('is not a state file');
    await rm(file);
    await start();
  });

  it('takes over a lock whose holder has ended', async () => {
    const locks = {
      ended: JSON.stringify({ pid: 2 ** 22 + 7, host: hostname() }),
      'not an emulator': JSON.stringify({ pid: process.ppid, host: hostname() }),
      'on another machine': JSON.stringify({ pid: 1, host: 'elsewhere' }),
      'cut off': '',
    };
    const usable = async ([holder, text]: [string, string]) => {
      const stateFile = join(folder, holder);
      await writeFile(`${stateFile}.lock`, text);
      const { call } = await start({ stateFile });
      return [holder, (await call('POST', '/_emulator/users')).status];
    };
    const statuses = await Promise.all(Object.entries(locks).map(usable));
    expect(statuses).toEqual(Object.keys(locks).map((holder) => [holder, 201]));
  });

  it('that another emulator took over is not acknowledged any more', async () => {
    const { call, server } = await start();
    await rm(`${file}.lock`);
    const second = await start();
    const { status, body } = await call('POST', '/_emulator/users');
    expect([status, body.error]).toEqual([500, 'STATE_NOT_STORED']);
    expect(body.errorDetails).toContain('another emulator took over');
    await expect(server.close()).rejects.toThrow('took over');
    expect((await second.call('POST', '/_emulator/users')).status).toBe(201);
    await expect(start()).rejects.toThrow('is in use');
  });

  it('that cannot be written gives 500s and a warning, and the emulator goes on once it can be', async () => {
    const warnings = warningsOfTheProcess();
    const received: string[] = [];
    const webhook = {
      url: 'http://127.0.0.1:1/',
      fetch: async (_: string, { body }: RequestInit) => {
        received.push(JSON.parse(String(body)).eventType);
        return new Response(null);
      },
    };
    const { call, emulator } = await start({ webhook });
    await mkdir(`${file}.tmp`);
    expect((await call('POST', '/_emulator/reset')).status).toBe(500);
    const user = emulator.createUser({ rails: ['usd'] });
    const paid = transfer(user.userId, { requireApproval: true });
    const refused = await call('POST', '/v2/wallets/transfers', paid);
    expect([refused.status, refused.body.error]).toEqual([500, 'STATE_NOT_STORED']);
    await emulator.delivered();
    expect(received).toEqual([]);
    await rm(`${file}.tmp`, { recursive: true });
    const again = await call('POST', '/v2/wallets/transfers', paid);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([201, 'true']);
    await emulator.delivered();
    expect(received).toEqual(['TRANSFER.APPROVAL.PENDING']);
    expect(warnings).toEqual([expect.stringContaining(`could not store its state in ${file}`)]);
  });

  it('that a nearly full disk takes only in part is written on, or not acknowledged', async () => {
    const warnings = warningsOfTheProcess();
    const { call, server } = await start();
    const handle = await open(join(folder, 'another'), 'w');
    cleanups.push(() => handle.close());
    const disk = Object.getPrototypeOf(handle);
    const { write } = disk;
    const half = vi.spyOn(disk, 'write').mockImplementation(function (this: unknown, ...args) {
      const [bytes, from, length, place] = args;
      return write.call(this, bytes, from, Math.ceil(Number(length) / 2), place);
    });
    cleanups.push(() => half.mockRestore());
    const kept = await call('POST', '/_emulator/users');
    half.mockImplementationOnce(function (this: unknown, ...args) {
      const [bytes, from, , place] = args;
      return write.call(this, bytes, from, 7, place);
    });
    half.mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    const refused = await call('POST', '/_emulator/users');
    expect([kept.status, refused.status, warnings.length]).toEqual([201, 500, 1]);
    // As a crash would leave it.
    await copyFile(file, join(folder, 'crashed'));
    half.mockRestore();
    await server.close();
    const { emulator } = await start({ stateFile: join(folder, 'crashed') });
    expect(emulator.state().users.map(({ userId }) => userId)).toContain(kept.body.userId);
  });

  it.skipIf(process.platform === 'win32')(
    'whose disk does not respond gives 500s and a warning after ten seconds, and goes on once it does',
    async () => {
      const { call, emulator } = await start();
      const warnings = warningsOfTheProcess();
      // Opening a pipe that nobody reads takes for ever.
      execFileSync('mkfifo', [`${file}.tmp`]);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      cleanups.push(() => vi.useRealTimers());
      const { userId } = emulator.createUser({ rails: ['usd'] });
      const refused = Promise.all([
        call('POST', '/_emulator/reset'),
        call('POST', '/v2/wallets/transfers', transfer(userId)),
      ]);
      let isWaiting = true;
      refused.finally(() => {
        isWaiting = false;
      });
      while (isWaiting) {
        vi.advanceTimersByTime(1000);
        await new Promise(setImmediate);
      }
      for (const { status, body } of await refused) {
        expect([status, body.error]).toEqual([500, 'STATE_NOT_STORED']);
        expect(body.errorDetails).toContain('no response from the disk within 10 s');
      }
      expect(warnings).toEqual([expect.stringContaining(`could not store its state in ${file}`)]);
      vi.useRealTimers();
      const reader = await open(`${file}.tmp`, 'r');
      cleanups.push(() => reader.close());
      await rm(`${file}.tmp`);
      expect((await call('POST', '/_emulator/users')).status).toBe(201);
    },
  );

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
          const core = emulatorCoreOf(emulator);
          const base = wholeSnapshotOf(emulator);
          const changes: Change[] = [];
          const { changes: tracker } = core.keep(async () => {
            changes.push(...tracker.take());
          });
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
          const expected = wholeSnapshotOf(emulator);
          const stored = JSON.parse(JSON.stringify(changes));
          const twin = bench({ webhook, ...(small ? { historyLimit: 3 } : {}) }).emulator;
          emulatorCoreOf(twin).load({ snapshot: base, changes: stored });
          const comparable = ({ checksum: _, tasks, events, history, ...rest }: typeof expected) => ({
            ...rest,
            tasks: [...tasks].sort((a, b) => (a.id < b.id ? -1 : 1)),
            events: events.slice(-3),
            history: [...history].sort((a, b) => (a.id < b.id ? -1 : 1)),
          });
          expect(comparable(wholeSnapshotOf(twin))).toEqual(comparable(expected));
        },
      ),
      { numRuns: cases(30, 300) },
    );
  });
});

describe('a killed emulator', { timeout: 60_000 }, () => {
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
    const server = createServer(async (request, response) => {
      const body = await text(request);
      if (state.up) received.add(JSON.parse(body).data.transferId);
      response.writeHead(state.up ? 204 : 503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    return { received, state, url: `http://127.0.0.1:${port}/` };
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

  /** The transfers whose amount has arrived again where it came from. */
  function completed(state: { transfers: { transferDetails: { status: string } }[] }): number {
    return state.transfers.filter(({ transferDetails }) => transferDetails.status === 'COMPLETED').length;
  }
});
