import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientOptions, RequestOptions } from '../../src/client/index.ts';
import { clientAt, failure } from '../client/support.ts';

let service: ChildProcess;
let baseUrl = '';

/**
 * Responds after 100 ms to a path with "slow" and never to one with "never", in a process of its own. To one with "drip" it
 * sends a byte every 20 ms. It prints its port, and a line for each request. A query has the size of the response in bytes,
 * and whether it is compressed.
 */
const program = `
const http = require('node:http');
const body = (size) => JSON.stringify({ userId: 'slow', kycInfo: {}, more: require('node:crypto').randomBytes(size / 2).toString('hex') });
const plain = Object.fromEntries([10, 1_000_000].map((size) => [size, Buffer.from(body(size))]));
const packed = Object.fromEntries(Object.entries(plain).map(([size, text]) => [size, require('node:zlib').gzipSync(text)]));
const server = http.createServer((request, response) => {
  console.log('received');
  if (request.url.includes('never')) return;
  if (request.url.includes('drip')) {
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
    return;
  }
  const query = new URL(request.url, 'http://service').searchParams;
  const size = query.get('size') ?? 10;
  setTimeout(() => {
    response.setHeader('content-type', 'application/json');
    if (query.has('packed')) response.setHeader('content-encoding', 'gzip');
    response.end((query.has('packed') ? packed : plain)[size]);
  }, 100);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

beforeAll(async () => {
  service = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    service.stdout?.once('data', (data) => resolve(String(data))),
  );
  baseUrl = `http://127.0.0.1:${port.trim()}`;
});
afterAll(() => {
  service.kill();
});

/** Waits until the service has received so many requests. */
const received = (requests: number): Promise<void> =>
  new Promise((resolve) => {
    let lines = 0;
    const count = (data: unknown) => {
      lines += String(data).split('\n').length - 1;
      if (lines < requests) return;
      service.stdout?.off('data', count);
      resolve();
    };
    service.stdout?.on('data', count);
  });

/** Stops the whole process, as a long computation does. */
const freeze = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Stops the whole process, after which the event loop looks at its timers first. */
const block = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      freeze(milliseconds);
      resolve();
    });
  });

/** Ways to end a call after a time, with its error if no response has arrived. */
const endings: Record<string, (milliseconds: number) => { options: RequestOptions; error: object }> = {
  timeout: (timeout) => ({ options: { timeout }, error: { limit: 'attempt' } }),
  deadline: (deadline) => ({ options: { deadline }, error: { limit: 'deadline' } }),
  'AbortSignal.timeout': (milliseconds) => ({
    options: { signal: AbortSignal.timeout(milliseconds) },
    error: { name: 'AbortedError' },
  }),
  abort: (milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds);
    return { options: { signal: controller.signal }, error: { name: 'AbortedError' } };
  },
};

it.each([
  ['long after', 400],
  ['just after', 5],
])(
  'a response that has arrived wins over a limit or an abort that is noticed %s its time',
  async (_, late) => {
    const client = clientAt(baseUrl);
    const first = received(1);
    await client.kyc.retrieve('slow');
    await first;
    const limit = 800;
    const startedAt = performance.now();
    const all = received(2 * Object.keys(endings).length);
    const calls = Object.entries(endings).flatMap(([name, end]) =>
      ['slow', 'never'].map(async (userId) => {
        const { options, error } = end(limit);
        const arrived = { userId: 'slow' };
        const result = await client.kyc.retrieve(userId, options).catch((thrown: unknown) => thrown);
        expect(result, name).toMatchObject(userId === 'slow' ? arrived : error);
      }),
    );
    await all;
    await block(startedAt + limit + late - performance.now());
    await Promise.all(calls);
  },
);

describe.each<[string, ClientOptions]>([
  ['the dispatcher of Node', {}],
  ['a `fetch`', { fetch: (url, init) => fetch(url, init) }],
])('a response that has arrived wins with its whole body, over %s', (_way, options) => {
  const bodies: readonly Record<string, string | number>[] = [
    { size: 10 },
    { size: 1_000_000 },
    { size: 1_000_000, packed: 'yes' },
  ];
  const read = async (query: Record<string, string | number>, more?: RequestOptions) => {
    const client = clientAt(baseUrl, options);
    const call = () => client.request({ method: 'GET', path: '/v2/slow', query }, more);
    expect(await call()).toMatchObject({ userId: 'slow' });
  };

  it.each(bodies)('over limits that ran out meanwhile: %j', async (query) => {
    await read(query);
    const { abort, timeout, deadline } = endings;
    const arrive = received(3);
    const calls = [abort, timeout, deadline].map((end) => read(query, end?.(250).options));
    await arrive;
    await block(400);
    await Promise.all(calls);
  });

  /** Freezes the process, and aborts before the event loop has looked at any socket. */
  const abortions: Record<string, (abort: () => void) => Promise<unknown>> = {
    'between files that are read': (abort) =>
      new Promise<void>((resolve) => {
        stat('.', () => {
          freeze(400);
          abort();
          resolve();
        });
      }),
    'after a promise': async (abort) => {
      await block(400);
      abort();
    },
  };
  it.each(Object.entries(abortions).flatMap(([name, run]) => bodies.map((query) => ({ name, run, query }))))(
    'over an abort $name: $query',
    async ({ run, query }) => {
      await read(query);
      const controller = new AbortController();
      const arrives = received(1);
      const call = read(query, { signal: controller.signal });
      await arrives;
      await run(() => controller.abort());
      await call;
    },
  );
});

it.each([
  ['the dispatcher of Node', {}],
  ['a `fetch`', { fetch: (url, init) => fetch(url, init) } satisfies ClientOptions],
])('a body that drips ends at its timeout, over %s', async (_way, options: ClientOptions) => {
  const arrives = received(1);
  const call = failure(clientAt(baseUrl, options).kyc.retrieve('drip', { timeout: 300 }));
  const startedAt = performance.now();
  await arrives;
  await block(400);
  expect(await call).toMatchObject({ limit: 'attempt' });
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

it('sends nothing after a limit or an abort that came while there was no token', async () => {
  const fetch = vi.fn(globalThis.fetch);
  const client = clientAt(baseUrl, {
    accessToken: () => new Promise((resolve) => setTimeout(() => resolve('token'), 130)),
    fetch,
  });
  const calls = Object.values(endings).map(async (end) => {
    const { options, error } = end(100);
    const thrown = await failure(client.kyc.retrieve('slow', options));
    expect(thrown).toMatchObject({ ...error, outcome: 'not-sent' });
  });
  await block(160);
  await Promise.all(calls);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(fetch).not.toHaveBeenCalled();
});
