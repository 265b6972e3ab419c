import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type EmulatorServer, startEmulatorServer } from 'stablecoin-payments/emulator/node';

const folder = fileURLToPath(new URL('..', import.meta.url));
const command = createRequire(import.meta.url).resolve('next/dist/bin/next');

let service: EmulatorServer;
let app: ChildProcess | undefined;
let base = '';

/** Runs a command of Next.js. */
function next(
  words: string[],
  settings: Record<string, string>,
): { child: ChildProcess; output: () => string } {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...settings };
  const child = spawn(process.execPath, [command, ...words], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return { child, output: () => output };
}

/** Starts the application on a free port. */
async function start(): Promise<string> {
  const { child, output } = next(['start', '--port', '0', '--hostname', '127.0.0.1'], {
    PAYMENTS_BASE_URL: service.url,
    PAYMENTS_ACCESS_TOKEN: 'token-of-the-server',
  });
  app = child;
  for (;;) {
    const [url] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(output()) ?? [];
    if (url !== undefined && output().includes('Ready')) return url;
    if (child.exitCode !== null) throw new Error(`The application did not start.\n${output()}`);
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  }
}

before(async () => {
  // The service refuses every other token.
  service = await startEmulatorServer({ token: ['token-of-the-server', 'token-of-alice', 'token-of-bob'] });
  // A build that called the service would fail: nothing listens on this port.
  const { child, output } = next(['build'], {
    PAYMENTS_BASE_URL: 'http://127.0.0.1:9',
    PAYMENTS_ACCESS_TOKEN: 'token-of-the-build',
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, output());
  base = await start();
});

after(async () => {
  if (app?.exitCode === null) {
    app.kill();
    await once(app, 'exit');
  }
  await service.close();
});

const get = (path: string, session?: string) =>
  fetch(base + path, {
    redirect: 'manual',
    headers: session === undefined ? {} : { cookie: `session=${session}` },
  });

const post = (path: string, body: unknown) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Creates a transfer that waits for an approval, and returns the id of the approval. */
async function addApproval(): Promise<string> {
  const { userId } = service.emulator.createUser({ rails: ['usd'] });
  const response = await fetch(`${service.url}/v2/wallets/transfers`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-of-the-server', 'content-type': 'application/json' },
    body: JSON.stringify({
      requestId: crypto.randomUUID(),
      source: { userId },
      destination: { userId },
      amount: 5,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: true,
    }),
  });
  assert.ok(response.ok);
  return service.emulator.state().approvals.at(-1)?.id ?? '';
}

test('the build stores no page that calls the service', () => {
  const manifest: unknown = JSON.parse(readFileSync(`${folder}/.next/prerender-manifest.json`, 'utf8'));
  assert.ok(typeof manifest === 'object' && manifest !== null && 'routes' in manifest);
  const stored = Object.keys(Object(manifest.routes));
  assert.ok(stored.includes('/login'));
  for (const path of ['/', '/status', '/approvals']) assert.ok(!stored.includes(path), path);
});

test('`redirect` in `accessToken` sends a page and a route to the login', async () => {
  for (const path of ['/', '/approvals']) {
    const response = await get(path);
    assert.equal(response.status, 307, path);
    assert.match(response.headers.get('location') ?? '', /\/login$/);
  }
});

test('`cookies` in `accessToken` gives each user their own token', async () => {
  const id = await addApproval();
  for (const token of ['token-of-alice', 'token-of-bob']) {
    for (const path of ['/', '/approvals']) {
      const response = await get(path, token);
      assert.equal(response.status, 200);
      assert.match(await response.text(), new RegExp(id));
    }
  }
  assert.equal((await get('/approvals', 'token-of-nobody')).status, 500);
  assert.equal((await get('/', 'token-of-alice')).status, 200);
});

for (const path of ['/status', '/as-in-next-14']) {
  test(`each visit of ${path} calls the service`, async () => {
    const shown = async () => {
      const page = await (await get(path, 'token-of-alice')).text();
      const [, count] = /Pending approvals: (\d+)/.exec(page) ?? [];
      assert.ok(count !== undefined, page);
      return Number(count);
    };
    const before = await shown();
    const id = await addApproval();
    assert.equal(await shown(), before + 1);
    service.emulator.approve(id);
    assert.equal(await shown(), before);
  });
}

for (const path of ['/invoices/pay', '/as-in-next-14/pay']) {
  test(`${path} pays an invoice once, calls the service each time, and refuses what is no invoice`, async () => {
    const { userId } = service.emulator.createUser({ rails: ['usd'] });
    const invoice = { id: `invoice of ${path}`, payer: userId, payee: userId, amount: 25 };
    const transfers = service.emulator.state().transfers.length;
    const requests = service.emulator.requests().length;
    assert.equal((await post(path, invoice)).status, 201);
    assert.equal((await post(path, invoice)).status, 201);
    assert.equal(service.emulator.state().transfers.length, transfers + 1);
    assert.equal(service.emulator.requests().length, requests + 2);
    assert.equal((await post(path, { ...invoice, amount: 'much' })).status, 400);
  });
}
