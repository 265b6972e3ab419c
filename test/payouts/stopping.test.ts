import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, PaymentsClient } from 'stablecoin-payments';
import { createPayouts } from 'stablecoin-payments/payouts';
import { Agent } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bench, MONTH, usingDatabase } from './support.ts';

const db = usingDatabase();
/** Requests that the service has at once. */
const MOST = 4;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

/** A service that keeps each request until it is told to respond, and notes whom it pays. */
async function service() {
  const waiting: (() => void)[] = [];
  const keys: string[] = [];
  const paid: string[] = [];
  let isOpen = false;
  const server = createServer(async (request, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { requestId, destination } = JSON.parse(text);
    if (!keys.includes(requestId))
      paid.push(...(destination.batch ?? [destination]).map(({ userId }: { userId: string }) => userId));
    keys.push(requestId);
    const details = { id: `t-${requestId}`, requestId, status: 'COMPLETED' };
    const respond = () => response.end(JSON.stringify({ transferDetails: details }));
    response.setHeader('content-type', 'application/json');
    if (isOpen) respond();
    else waiting.push(respond);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    keys,
    paid,
    release() {
      for (const respond of waiting.splice(0)) respond();
    },
    open() {
      isOpen = true;
    },
  };
}

const limits = (): Partial<ClientOptions> => {
  const dispatcher = new Agent({ connections: MOST });
  cleanups.push(() => dispatcher.destroy());
  return { dispatcher };
};

/** Two payers with payouts that a worker has taken, of which the service has the first few. */
async function underWay(count: number, batchSize: number) {
  const at = await bench(db(), { payers: ['second'] });
  const to = await service();
  const over = (options: Partial<ClientOptions>) => {
    const payments = new PaymentsClient({ baseUrl: to.baseUrl, accessToken: 'token', ...options });
    return createPayouts({ db: db(), payments, userId: at.userId, payers: ['second'] });
  };
  const payouts = over(limits());
  const orders = Array.from({ length: count }, (_, place) => ({
    payee: `p${place}`,
    ...(place % 2 === 1 && { payer: 'second' }),
  }));
  await at.enqueue(orders, batchSize);
  const worker = payouts.startWorker({ pollInterval: 10, concurrency: 1000 });
  cleanups.push(() => worker.stop(0));
  const until = async (condition: string, rows: number) =>
    vi.waitFor(
      async () => {
        const found = await db().query(`select from payout_payment where ${condition}`);
        expect(found.rows).toHaveLength(rows);
      },
      { timeout: 50_000, interval: 50 },
    );
  await until('attempts = 1', count / batchSize);
  await vi.waitFor(() => expect(to.keys).toHaveLength(MOST), { timeout: 20_000 });
  return { ...at, payouts, worker, until, unlimited: over({}), ...to };
}

describe.each([
  [5000, 50],
  [200, 1],
] as const)('calls that wait for a connection, of %i payouts in groups of %i,', (count, size) => {
  test('never reach the service after a hold, and are made once after its end', async () => {
    const at = await underWay(count, size);
    expect(await at.payouts.hold()).toEqual({ payouts: count, unconfirmed: 0 });
    at.release();
    await at.until(`state = 'paid'`, MOST);
    await at.until('doubts = 0 and pauses = 0', count / size);
    await at.worker.stop();
    expect(at.keys).toHaveLength(MOST);

    at.open();
    const worker = at.unlimited.startWorker({ pollInterval: 10, concurrency: 200 });
    expect(await at.payouts.resume()).toEqual({ payouts: count - MOST * size, holds: 2 });
    await at.until(`state = 'paid'`, count / size);
    await worker.stop();
    expect(at.keys).toHaveLength(count / size);
    expect(new Set(at.paid).size).toBe(count);
    expect(at.paid).toHaveLength(count);
  });

  test('never reach the service after a cancellation, and pay nobody', async () => {
    const at = await underWay(count, size);
    const { cancelled, inDoubt, ...others } = await at.payouts.cancel({ month: MONTH, by: 'Ada' });
    expect(others).toEqual({ tooLate: 0 });
    expect(cancelled + inDoubt).toBe(count);
    expect(inDoubt).toBeGreaterThanOrEqual(MOST * size);
    at.release();
    await at.until(`state = 'paid'`, MOST);
    await at.until(`state = 'rejected' and reason = 'CANCELLED'`, count / size - MOST);
    await at.payouts.resume();
    await at.worker.stop();
    expect(at.keys).toHaveLength(MOST);
    expect(at.paid).toHaveLength(MOST * size);
  });
});
