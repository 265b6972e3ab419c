import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { RequestOptions } from '../../src/client/index.ts';
import { clientAt, failure } from '../client/support.ts';

let service: ChildProcess;
let baseUrl = '';

/**
 * Responds after 100 ms to a path with "slow" and never to one with "never", in a process of its own. It prints its port,
 * and a line for each request.
 */
const program = `
const http = require('node:http');
const server = http.createServer((request, response) => {
  console.log('received');
  if (request.url.includes('never')) return;
  setTimeout(() => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ userId: 'slow', kycInfo: {} }));
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

/** Stops the whole process, as a long computation does, after which the event loop looks at its timers first. */
const block = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
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
