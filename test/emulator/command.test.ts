import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createWebhookReceiver, jwtBearer, memoryDedupe } from 'stablecoin-payments/webhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLookup } from '../../examples/invoices/lookup.ts';
import type { Invoice } from '../../examples/invoices/store.ts';
import { runCommand } from '../../src/command/emulator/command.ts';
import { parseCommand } from '../../src/command/emulator/command-options.ts';
import { clientAt } from '../client/support.ts';
import { serve } from '../servers.ts';
import { builtCommand } from './built-command.ts';
import { caller, offramp, transfer } from './support.ts';

/** Runs the command in this process; `end` is what a signal would do. */
function run(...args: string[]) {
  const out = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  let end = (): void => {};
  const write = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[stream] += text;
      for (const check of waiting) check();
      return true;
    },
  });
  const status = runCommand(args, {
    stdout: write('stdout'),
    stderr: write('stderr'),
    onEnd: (callback) => {
      end = callback;
      return () => {};
    },
  });
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const check = (): void => {
        const match = pattern.exec(out.stdout);
        if (match !== null) resolve(match);
      };
      waiting.add(check);
      check();
    });
  return { out, status, printed, end: () => end() };
}

describe('the command', () => {
  it('prints where it listens, samples that work, and a line per request', async () => {
    const { out, printed, status, end } = run('--port', '0', '--seed', 'x');
    const [, url = ''] = await printed(/listens on (http:\/\/127\.0\.0\.1:\d+)\n/);
    await printed(/See it all/);
    expect(out.stdout).toContain('Its seed is x, and the clock stands still at 2026-01-01T00:00:00.000Z');
    expect(out.stdout).toContain(`curl ${url}/v2/transfer-approvals -H "Authorization: Bearer any-token"`);
    await fetch(`${url}/_emulator/faults`, { method: 'POST', body: '{"kind":"status"}' });
    await fetch(`${url}/v2/transfer-approvals`, { headers: { authorization: 'Bearer any-token' } });
    expect(out.stdout).toMatch(
      /\nGET \/v2\/transfer-approvals 500 [\d.]+ ms approvals\.list \(fault: status\)\n$/,
    );
    end();
    expect(await status).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('takes its options, prints no secret it was given, and the one it made', async () => {
    const received: string[] = [];
    const { url: hook } = await serve((request, response) => {
      received.push(String(request.headers['webhook-signature']));
      response.end();
    });
    const options =
      '--port 0 --token s3cret --dialect {"duplicates":"refuse"} --clock 2030-05-06 --account-validation manual --settlement-step 2h'.split(
        ' ',
      );
    const made = run(...options, '--webhook-url', hook);
    const [, url = ''] = await made.printed(/listens on (\S+)/);
    await made.printed(/signed with the secret whsec_\S+/);
    const headers = { authorization: 'Bearer s3cret' };
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const { userId } = await (await post('/_emulator/users', {})).json();
    const transfer = {
      requestId: crypto.randomUUID(),
      source: { userId },
      destination: { userId },
      amount: 1,
      currency: 'usdc',
      chain: 'BASE',
      requireApproval: true,
    };
    const created = await (await post('/v2/wallets/transfers', transfer)).json();
    expect(created.transferDetails.createdAt).toBe('2030-05-06T00:00:00.000Z');
    expect((await post('/v2/wallets/transfers', transfer)).status).toBe(409);
    expect(
      (await fetch(`${url}/v2/transfer-approvals`, { headers: { authorization: 'Bearer other' } })).status,
    ).toBe(401);
    await made.printed(/webhook TRANSFER\.APPROVAL\.PENDING \S+ attempt 1: 200, delivered\n/);
    expect(received).toEqual([expect.stringMatching(/^v1,/)]);
    expect(made.out.stdout).not.toContain('s3cret');
    made.end();
    const given = run('--port', '0', '--webhook-url', hook, '--webhook-secret', 'whsec_c2VjcmV0');
    await given.printed(/See it all/);
    expect(given.out.stdout).not.toContain('whsec_');
    given.end();
    expect([await made.status, await given.status]).toEqual([0, 0]);
  });

  it('writes a JSON object per line on request', async () => {
    const { out, printed, status, end } = run(
      '--port=0',
      '--json',
      '--clock',
      'frozen',
      '--webhook-url',
      'http://127.0.0.1:9/',
    );
    const [line = ''] = await printed(/^\{.*\}\n/);
    const { url, ...rest } = JSON.parse(line);
    expect(rest).toEqual({
      type: 'listening',
      port: expect.any(Number),
      host: '127.0.0.1',
      seed: expect.any(String),
      webhookSecret: expect.stringMatching(/^whsec_/),
    });
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer x' },
        body: JSON.stringify(body),
      });
    const { userId } = await (await post('/_emulator/users', {})).json();
    await post('/v2/offramps', offramp(userId, { requireApproval: true }));
    await printed(/"type":"webhook"/);
    const lines = out.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'request', method: 'POST', path: '/v2/offramps', status: 201 }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        type: 'webhook',
        eventType: 'TRANSFER.APPROVAL.PENDING',
        status: null,
        outcome: 'retrying',
      }),
    );
    end();
    expect(await status).toBe(0);
  });

  it('has the lookups that most services have, by id and in a list by user', async () => {
    const made = run('--port', '0');
    const [, url = ''] = await made.printed(/listens on (\S+)/);
    const call = caller(fetch, url);
    const { userId } = (await call('POST', '/_emulator/users')).body;
    const ids: string[] = [];
    let sent = transfer(userId);
    for (const amount of [1, 2]) {
      sent = transfer(userId, { amount });
      ids.push((await call('POST', '/v2/wallets/transfers', sent)).body.transferDetails.id);
    }
    const { body } = await call('GET', `/v2/wallets/transfers/${ids[0]}`);
    expect(body.transferDetails).toMatchObject({ id: ids[0], status: 'COMPLETED' });
    const list = async (query: string) =>
      (await call('GET', `/v2/wallets/transfers?${query}`)).body.records.map(
        ({ transferDetails }: { transferDetails: { id: string } }) => transferDetails.id,
      );
    expect(await list(`userId=${userId}`)).toEqual([...ids].reverse());
    expect(await list('userId=another')).toEqual([]);
    expect(await list('createdBefore=2000-01-01')).toEqual([]);
    // The example of the invoices learns from them how a payment ended.
    const payments = clientAt(url);
    const invoice = { requestId: sent.requestId, transferId: null } as Invoice;
    const found = await createLookup(payments, userId).of(invoice);
    expect(found?.transferDetails).toMatchObject({ id: ids[1], status: 'COMPLETED' });
    const missing = await call('GET', '/v2/onramps/none');
    expect([missing.status, missing.body.error.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
    made.end();
    expect(await made.status).toBe(0);
  });

  it('has the options of createEmulator that can be written as text', async () => {
    const made = run(...['--port', '0', '--clock', 'frozen', '--no-lookups'], ...['--quote-lifetime', 'N/A']);
    const [, url = ''] = await made.printed(/listens on (\S+)/);
    const call = caller(fetch, url);
    expect((await call('GET', '/v2/onramps/none')).body.error.code).toBe('ROUTE_NOT_FOUND');
    const { userId } = (await call('POST', '/_emulator/users', { rails: ['usd'] })).body;
    const { body } = await call('POST', '/v2/offramps', offramp(userId));
    const { transferDetails } = (await call('GET', `/_emulator/records/${body.transferDetails.id}`)).body
      .record;
    expect(transferDetails.quoteInformation.expiresAt).toBe('N/A');
    made.end();
    expect(await made.status).toBe(0);
    expect(parseCommand(['--deposit-window', '2d', '--quote-lifetime', '90s'])).toMatchObject({
      depositWindow: 172_800_000,
      quoteLifetime: 90_000,
    });
  });

  it.each([[], ['--json']])(
    'prints and serves the public key that verifies its tokens (%j)',
    async (...more) => {
      const deliveries: Request[] = [];
      const { url: hook } = await serve(async (request, response) => {
        const headers = { authorization: request.headers.authorization ?? '' };
        deliveries.push(
          new Request('http://r.test/', { method: 'POST', headers, body: await text(request) }),
        );
        response.end();
      });
      const { out, printed, status, end } = run(
        ...['--port', '0', '--dialect', 'field', '--webhook-url', hook],
        ...more,
      );
      const [url = ''] = await printed(/http:\/\/127\.0\.0\.1:\d+/);
      await printed(more.length > 0 ? /\}\n/ : /See it all/);
      expect(out.stdout).not.toContain('whsec_');
      const [, json = ''] = /"webhookPublicKey":("[^"]+")/.exec(out.stdout) ?? [];
      const [pem = ''] = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----\n/.exec(out.stdout) ?? [];
      const publicKey: string = more.length > 0 ? JSON.parse(json) : pem;
      const { webhook } = await (await fetch(`${url}/_emulator/webhook`)).json();
      expect(webhook).toEqual({ url: hook, scheme: 'jwt', secret: null, publicKey });
      await fetch(`${url}/_emulator/users`, { method: 'POST' });
      await printed(/webhook/);
      await vi.waitFor(() => expect(deliveries).not.toEqual([]));
      const receive = createWebhookReceiver({
        verifier: jwtBearer({ publicKey, bodyBinding: 'required' }),
        dedupe: memoryDedupe(),
      }).handler({ otherwise: () => {} });
      const [delivery] = deliveries;
      if (delivery === undefined) throw new Error('No event was delivered.');
      expect((await receive(delivery)).status).toBeLessThan(300);
      end();
      expect(await status).toBe(0);
    },
  );

  it('shows its help', async () => {
    for (const args of [['--help'], ['-h']]) {
      const { out, status } = run(...args);
      expect(await status).toBe(0);
      expect(out.stdout).toMatch(/^Usage: stablecoin-payments emulator \[options\]/);
      for (const option of ['port', 'host', 'token', 'webhook-url', 'webhook-secret', 'seed', 'json']) {
        expect(out.stdout).toContain(`--${option}`);
      }
    }
  });

  it.each([
    [['now'], "'now'"],
    [['--prot', '1'], '--prot'],
    [['--port'], '--port'],
    [['--port', '70000'], '--port must be a whole number from 0 to 65535'],
    [['--port', '0x10'], '--port'],
    [['--duplicates', 'refuse'], '--duplicates'],
    [['--dialect', '{"duplicateStatus":204}'], '`dialect.duplicateStatus` must be 400, 409 or 422'],
    [['--dialect', '{'], '--dialect'],
    [['--webhook-url', 'ftp://x'], '--webhook-url'],
    [['--webhook-secret', 'whsec_c2VjcmV0cw=='], '--webhook-secret needs'],
    [
      ['--dialect', 'field', '--webhook-url', 'http://x', '--webhook-secret', 'whsec_c2VjcmV0cw=='],
      '--webhook-secret has no effect with this dialect',
    ],
    [
      [
        ...['--dialect', '{"webhookScheme":"jwt"}', '--webhook-url', 'http://x'],
        ...['--webhook-secret', 'whsec_c2VjcmV0cw=='],
      ],
      '--webhook-secret has no effect with this dialect',
    ],
    [['--webhook-retry-4xx'], '--webhook-retry-4xx needs'],
    [['--webhook-url', 'http://x', '--webhook-secret', 'hunter2'], '--webhook-secret must be'],
    [['--token', ''], '--token'],
    [['--clock', 'fast'], '--clock'],
    [['--settlement-step', 'slow'], '--settlement-step'],
    [['--quote-lifetime', 'NA'], '--quote-lifetime must be'],
    [['--deposit-window', '1y'], '--deposit-window must be'],
    [['--webhook-url', 'http://x', '--webhook-secret', 'whsec_eA=='], '--webhook-secret must be'],
    [['--account-validation', '1y'], '--account-validation'],
    [['--state', ' '], '--state must be the path of a file'],
    [['--seed', ''], '--seed must be a text'],
    [['--dialect', 'klingon'], '--dialect must be spec, field or single decisions'],
    [['--dialect', 'klingon'], "Run 'stablecoin-payments emulator --help'"],
  ])('refuses %j with the exit status 2', async (args, message) => {
    const { out, status } = run(...args);
    expect(await status).toBe(2);
    expect(out.stderr).toContain(message);
    expect(out.stderr).not.toContain('hunter2');
    expect(out.stdout).toBe('');
  });

  it('ends with 1 where it cannot listen', async () => {
    const first = run('--port', '0', '--clock', 'real', '--account-validation', '500', '--host', 'localhost');
    const [, port = ''] = await first.printed(/listens on http:\/\/localhost:(\d+)/);
    const second = run('--port', port, '--host', 'localhost');
    expect(await second.status).toBe(1);
    expect(second.out.stderr).toContain('EADDRINUSE');
    expect(second.out.stderr).toContain('Choose another port with --port');
    first.end();
    expect(await first.status).toBe(0);
  });

  it.each(['/nowhere/state.json', '/'])('ends with 1 where it cannot keep its state in %s', async (file) => {
    const { out, status } = run('--port', '0', '--state', file);
    expect(await status).toBe(1);
    expect(out.stderr).toContain(`The state file ${file} cannot be used`);
  });
});

describe('the command as a process', () => {
  const command = builtCommand();
  const children: ReturnType<typeof spawn>[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [command(), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return child;
  };

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends cleanly on %s, also while a fault holds a request',
    async (signal) => {
      const child = start('emulator', '--port', '0', '--json');
      const [first] = await once(child.stdout, 'data');
      const { url } = JSON.parse(String(first).split('\n')[0] ?? '');
      await fetch(`${url}/_emulator/faults`, { method: 'POST', body: '{"kind":"stall-headers"}' });
      const held = fetch(`${url}/v2/transfer-approvals`, { headers: { authorization: 'Bearer x' } }).catch(
        () => 'gone',
      );
      await once(child.stdout, 'data');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(await held).toBe('gone');
    },
  );

  it('ends quietly when its reader has seen enough', async () => {
    const child = start('emulator', '--port', '0');
    const [first] = await once(child.stdout, 'data');
    const [url = ''] = /http:\S+/.exec(String(first)) ?? [];
    let complaints = '';
    child.stderr.on('data', (data) => {
      complaints += String(data);
    });
    child.stdout.destroy();
    const ended = once(child, 'exit');
    await fetch(`${url}/_emulator/state`).catch(() => {});
    expect(await ended).toEqual([0, null]);
    expect(complaints).toBe('');
  });

  it('ends with 2 and a message where it is not understood', async () => {
    const child = start('emulate');
    const [[text], [status]] = await Promise.all([once(child.stderr, 'data'), once(child, 'exit')]);
    expect([status, String(text)]).toEqual([2, expect.stringContaining("no command 'emulate'")]);
  });
});
