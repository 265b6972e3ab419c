import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { createPayouts } from 'stablecoin-payments/payouts';
import { createWebhookReceiver, signWebhook, standardWebhooks } from 'stablecoin-payments/webhooks';
import { expect, test, vi } from 'vitest';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { openQueue } from '../../examples/payout-fleet/src/queue.ts';
import { lookupOver } from '../../examples/payout-fleet/src/settings.ts';
import { measureCosts } from './costs.ts';
import { withScratchDatabase } from './server.ts';

const SECRET = `whsec_${Buffer.from('a secret for this test alone, 32 bytes').toString('base64')}`;
const MONTH = '2026-11';

type Fetch = typeof globalThis.fetch;

/** Payouts on a real server, with the queue of the example. */
async function withFleet(
  work: (at: Awaited<ReturnType<typeof fleet>>) => Promise<void>,
  through?: (emulator: ReturnType<typeof createEmulator>) => Fetch,
): Promise<void> {
  await withScratchDatabase(async (connectionString) => {
    const at = await fleet(connectionString, through);
    try {
      await work(at);
    } finally {
      await at.close();
    }
  });
}

async function fleet(
  connectionString: string,
  through?: (emulator: ReturnType<typeof createEmulator>) => Fetch,
) {
  const db = openPostgres(connectionString, 10);
  const { boss, queue, stop, onGivenUp } = await openQueue({ connectionString });
  const emulator = createEmulator();
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const payee = emulator.createUser().userId;
  const payments = new PaymentsClient({
    baseUrl: 'https://service.test',
    accessToken: () => 'token',
    fetch: through?.(emulator) ?? ((url, init) => emulator.fetch(url, init)),
  });
  const payouts = createPayouts({
    db,
    queue,
    payments,
    userId,
    pause: { firstSeconds: 0.05, mostSeconds: 0.1 },
  });
  await payouts.migrate();
  const handle = createWebhookReceiver({ verifier: standardWebhooks({ secret: SECRET }) }).handler(
    payouts.webhookHandlers,
  );
  const deliver = async (kind: string, transferId: string, eventId: string): Promise<number> => {
    const event = { eventId, eventType: `TRANSFER.APPROVAL.${kind}`, data: { transferId } };
    const { body, headers } = await signWebhook(event, { standardWebhooks: { secret: SECRET } });
    return (await handle(new Request('https://receiver.test/', { method: 'POST', body, headers }))).status;
  };
  const enqueue = (orders: { needsApproval?: boolean; payee?: string }[]) =>
    payouts.enqueue({
      month: MONTH,
      currency: 'usdc',
      chain: 'POLYGON',
      orders: orders.map((order, place) => ({ employee: `E${place + 1}`, payee, amount: '10', ...order })),
    });
  const states = async () => {
    const { rows } = await db.query<{ state: string }>('select state from payout order by employee');
    return rows.map(({ state }) => state);
  };
  const close = async (): Promise<void> => {
    await stop();
    await db.close();
  };
  return { db, boss, queue, payouts, emulator, deliver, enqueue, states, onGivenUp, close };
}

test('three workers that share a queue pay each payout once', () =>
  withFleet(async ({ payouts, emulator, enqueue, states }) => {
    await enqueue(Array.from({ length: 150 }, () => ({})));
    const workers = [1, 2, 3].map(() => payouts.startWorker({ concurrency: 8, pollSeconds: 0.02 }));
    await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(['accepted'])), {
      timeout: 60_000,
    });
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(emulator.state().transfers).toHaveLength(150);
    expect(emulator.requests()).toHaveLength(150);
  }));

test('a decision that arrives while the worker notes the transfer is never lost', () => {
  let deliver = async (_kind: string, _transferId: string, _id: string): Promise<number> => 0;
  const deliveries: Promise<number>[] = [];
  return withFleet(
    async (at) => {
      deliver = at.deliver;
      await at.enqueue(Array.from({ length: 60 }, () => ({ needsApproval: true })));
      const worker = at.payouts.startWorker({ concurrency: 8, pollSeconds: 0.02 });
      await vi.waitFor(() => expect(deliveries).toHaveLength(120), { timeout: 60_000 });
      expect(new Set(await Promise.all(deliveries))).toEqual(new Set([200]));
      await vi.waitFor(async () => expect(await at.states()).not.toContain('queued'), { timeout: 60_000 });
      await worker.stop();
      expect(new Set(await at.states())).toEqual(new Set(['accepted']));
      const { rows } = await at.db.query('select id from payout_event');
      expect(rows).toHaveLength(60);
    },
    (emulator) => async (url, init) => {
      const response = await emulator.fetch(url, init);
      const { transferDetails } = JSON.parse(await response.clone().text());
      // Twice at the same time, while the response is on its way to the worker.
      for (const _ of [1, 2])
        deliveries.push(deliver('APPROVED', transferDetails.id, `e-${transferDetails.id}`));
      return response;
    },
  );
});

test('the worker and the receiver take turns, whichever of them commits last', () =>
  withFleet(async ({ db, payouts, emulator, deliver, enqueue, states }) => {
    await enqueue([{ needsApproval: true }]);
    const worker = payouts.startWorker({ pollSeconds: 0.02 });
    await vi.waitFor(async () => expect(await states()).toEqual(['awaiting_approval']), { timeout: 60_000 });
    await worker.stop();
    const transferId = emulator.state().transfers[0]?.id ?? '';
    // A worker that is about to note the transfer holds the transfer's lock, and its row does not show it yet.
    await db.query(`update payout_payment set state = 'queued', transfer_id = null, evidence = null`);
    let delivered: Promise<number> | undefined;
    await db.transaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [transferId]);
      delivered = deliver('APPROVED', transferId, 'e1');
      await vi.waitFor(async () => {
        const { rows } = await db.query(`select from pg_locks where locktype = 'advisory' and not granted`);
        expect(rows).toHaveLength(1);
      });
      await sql.query(`update payout_payment set state = 'awaiting_approval', transfer_id = $1`, [
        transferId,
      ]);
    });
    expect(await delivered).toBe(200);
    expect(await states()).toEqual(['accepted']);
  }));

test('rows and jobs commit together', () =>
  withFleet(async ({ db, queue, enqueue, payouts }) => {
    await enqueue([{}]);
    const all = async () => (await db.query(`select from pgboss.job where name = 'payouts'`)).rows.length;
    expect(await all()).toBe(1);
    const failing = db.transaction(async (sql) => {
      await queue.add(sql, [{ requestId: '00000000-0000-4000-8000-000000000001', afterSeconds: 0 }]);
      throw new Error('the transaction fails');
    });
    await expect(failing).rejects.toThrow('the transaction fails');
    expect(await all()).toBe(1);
    // Taken and rolled back, the job is there again.
    const taking = db.transaction(async (sql) => {
      expect(await queue.take(sql, 10)).toHaveLength(1);
      throw new Error('rolled back');
    });
    await expect(taking).rejects.toThrow('rolled back');
    const [job] = await db.transaction((sql) => queue.take(sql, 10));
    expect(job).toBeDefined();
    expect(await queue.pending?.([job?.requestId ?? ''])).toEqual(new Set([job?.requestId]));
    await queue.keepAlive?.(job === undefined ? [] : [job]);
    await queue.finish(db, job === undefined ? [] : [job]);
    expect(await queue.pending?.([job?.requestId ?? ''])).toEqual(new Set());
    expect(await payouts.summary(MONTH)).toMatchObject({ payouts: 1 });
  }));

test('a job that its workers die with again and again leaves its payout undecided', () =>
  withFleet(async ({ db, boss, queue, enqueue, payouts, onGivenUp, states }) => {
    await enqueue([{}]);
    await onGivenUp((requestId) => payouts.giveUp(requestId));
    await db.transaction((sql) => queue.take(sql, 1));
    // The queue's own supervision moves a job without life and without retries to the dead letters.
    await db.query(`update pgboss.job set retry_limit = 0 where name = 'payouts'`);
    const { rows } = await db.query<{ id: string }>(`select id from pgboss.job where name = 'payouts'`);
    await boss.fail('payouts', rows[0]?.id ?? '');
    await vi.waitFor(async () => expect(await states()).toEqual(['undecided']), { timeout: 60_000 });
  }));

test('a connection that breaks within a transaction ends no process, and is replaced', () =>
  withFleet(async ({ db }) => {
    const broken = db.transaction(async (sql) => {
      const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
      await db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      // The server closes the connection while nothing is under way on it: the driver tells of it by an event.
      await vi.waitFor(async () => {
        const alive = await db.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid]);
        expect(alive.rows).toEqual([]);
      });
      await new Promise(setImmediate);
      await sql.query('select 1');
    });
    await expect(broken).rejects.toThrow();
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await db.transaction(async () => 'works')).toBe('works');
  }));

test('a lookup under a path that the service does not have does not say that there is no transfer', async () => {
  const emulator = createEmulator();
  const query = { requestId: crypto.randomUUID(), transferId: undefined };
  const lookedUp = async (fetch: Fetch) =>
    lookupOver(
      new PaymentsClient({ baseUrl: 'https://service.test', accessToken: 'token', fetch }),
      '/v2/transfers?requestId={requestId}',
    )(query);
  await expect(lookedUp(emulator.fetch)).rejects.toThrow('KEY_DOES_NOT_EXIST');
  const name = 'TRANSACTION_NOT_FOUND';
  for (const body of [
    { status: 'error', error: { code: name, message: 'no such transfer' } },
    { code: 400001, error: name, errorDetails: 'no such transfer' },
  ])
    expect(await lookedUp(async () => Response.json(body, { status: 404 }))).toBeNull();
});

test('a sweep takes 50,000 open payouts within a minute, where the service can list', async () => {
  const { sweep, paid } = await measureCosts(50_000);
  expect(paid).toBe(50_000);
  expect(sweep).toBeLessThan(60);
}, 240_000);
