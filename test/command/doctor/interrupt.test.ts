import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FetchLike } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { serve } from '../../servers.ts';
import { isCreate, type Request, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, run } from './support.ts';

const args = ['--sandbox-writes', '--yes', '--user', USER];

const cli = fileURLToPath(new URL('../../../src/command/cli.ts', import.meta.url));

const sources = fileURLToPath(new URL('../../examples/from-source.ts', import.meta.url));

/** Runs the doctor, and presses Ctrl-C at a request; `hangs`: the request never ends by itself. */
async function interruptedAt(isIt: (request: Request, count: number) => boolean, hangs = false) {
  let interrupt = () => {};
  let count = 0;
  const service = sandboxService({
    instead: (request) => {
      if (isIt(request, count)) {
        count += 1;
        interrupt();
        if (hangs) return { status: 599, body: {} };
      }
      return undefined;
    },
  });
  const plain = inProcess(service.handle);
  const fetch: FetchLike = async (input, init) => {
    const response = await plain(input, init);
    if (response.status !== 599) return response;
    return new Promise((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      if (init.signal?.aborted) reject(init.signal.reason);
    });
  };
  const waits: number[] = [];
  const result = await run({
    args: [...args],
    fetch,
    sleep: async (milliseconds) => void waits.push(milliseconds),
    onInterrupt: (callback) => {
      interrupt = callback;
      return () => {};
    },
  });
  const open = service.approvals.filter(({ status }) => status === 'PENDING').length;
  return { ...result, service, open, waits };
}

describe('Ctrl-C', () => {
  it('while the service is read prints what was found, and makes nothing', async () => {
    const { status, stdout, service } = await interruptedAt(({ path }) => path.endsWith('/external'), true);
    expect(status).toBe(130);
    expect(stdout).toContain('ok       accounts.list');
    expect(stdout).toMatch(/0 failures, 0 warnings\. Interrupted: the other checks were not made\.\n$/);
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('after a transfer was sent rejects it', async () => {
    const { status, stdout, open, service } = await interruptedAt(isCreate);
    expect([status, open, service.approvals.length]).toEqual([130, 0, 1]);
    expect(stdout).toContain('ok       approvals.reject');
    expect(stdout).not.toContain('Left behind');
  });

  it('while two transfers are sent at once rejects what they made', async () => {
    const { status, open, service } = await interruptedAt(
      (request) => isCreate(request) && String(request.body.requestId).charAt(14) === '5',
    );
    expect([status, open, service.approvals.length]).toEqual([130, 0, 2]);
  });

  it('while a transfer gets no response ends after ten seconds, and says what is left', async () => {
    const { status, stdout, waits } = await interruptedAt(isCreate, true);
    expect([status, waits]).toEqual([130, [10_000]]);
    expect(stdout).toMatch(/Left behind\n {2}transfers\.create: may have been made\. requestId [\w-]+\n/);
  });

  it('while an account is made deletes it', async () => {
    const { status, service } = await interruptedAt(
      ({ method, path }) => method === 'POST' && path.endsWith('/accounts'),
    );
    expect([status, service.accounts.length]).toEqual([130, 5]);
  });

  it('in the program exits with 130 and leaves no approval', async () => {
    const service = sandboxService();
    const { url: baseUrl } = await serve(async (request, response) => {
      let sent = '';
      for await (const chunk of request) sent += chunk;
      const url = new URL(request.url ?? '/', 'http://localhost');
      const { status = 200, body } = service.handle(url, request, sent);
      const respond = () => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (child.killed || !url.pathname.endsWith('/transfers')) return respond();
      child.kill('SIGINT');
      setImmediate(respond);
    });
    const child = spawn(process.execPath, ['--no-warnings', '--import', sources, cli, 'doctor', ...args], {
      env: { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_ACCESS_TOKEN: 'planted-token' },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    await once(child, 'close');
    expect(stderr).toContain('Interrupted: rejecting what is open.');
    expect(child.exitCode).toBe(130);
    expect(new Set(service.approvals.map(({ status }) => status))).toEqual(new Set(['REJECTED']));
    expect(stdout).toContain('ok       approvals.reject');
  });
});
