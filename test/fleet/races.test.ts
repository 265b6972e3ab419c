import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { createPayouts } from 'stablecoin-payments/payouts';
import { createWebhookReceiver, signWebhook, standardWebhooks } from 'stablecoin-payments/webhooks';
import { expect, test, vi } from 'vitest';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { listOver } from '../../examples/payout-fleet/src/settings.ts';
import { pausesFrom } from '../../src/payouts/rules/see-attempt.ts';
import { take } from '../../src/payouts/store/attempts.ts';
import { readBrakes, waitForCommands } from '../../src/payouts/store/brakes.ts';
import { measureCosts } from './costs.ts';
import { withScratchDatabase } from './server.ts';

const SECRET = `whsec_${Buffer.from('a secret for this test alone, 32 bytes').toString('base64')}`;
const MONTH = '2026-11';

type Fetch = typeof globalThis.fetch;

/** Payouts on a real server. */
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
    payments,
    userId,
    pause: { first: 50, most: 100 },
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
    await db.close();
  };
  return { db, userId, payouts, emulator, deliver, enqueue, states, close };
}

test('three workers pay each payout once', () =>
  withFleet(async ({ payouts, emulator, enqueue, states }) => {
    await enqueue(Array.from({ length: 150 }, () => ({})));
    const workers = [1, 2, 3].map(() => payouts.startWorker({ concurrency: 8, pollInterval: 20 }));
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
      const worker = at.payouts.startWorker({ concurrency: 8, pollInterval: 20 });
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
    const worker = payouts.startWorker({ pollInterval: 20 });
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

test('a payment that one worker is taking is skipped by the others, and nobody waits for it', () =>
  withFleet(async ({ db, userId, enqueue }) => {
    await enqueue([{}, {}, {}]);
    const rules = {
      ...{ pauses: pausesFrom(), payers: [userId] },
      ...{ maxFailures: 25, maxRefusals: 25, keyLifetime: 86_400_000 },
    };
    const taking = (most: number, meanwhile: () => Promise<unknown> = async () => {}) =>
      db.transaction(async (sql) => {
        await waitForCommands(sql);
        const { attempts } = await take(sql, most, await readBrakes(sql, [userId], 25), rules);
        await meanwhile();
        return attempts.map(({ requestId }) => requestId);
      });
    const others: string[] = [];
    const first = await taking(2, async () => {
      await db.transaction(async (sql) => {
        await sql.query(`set local lock_timeout = '2s'`);
        others.push(...(await taking(3)));
      });
    });
    expect(first).toHaveLength(2);
    expect(others).toHaveLength(1);
    expect(first).not.toContain(others[0]);
    const { rows } = await db.query('select from payout_attempt where number > 1');
    expect(rows).toEqual([]);
  }));

test('a hold waits for a worker that is about to call, and then no call begins', () =>
  withFleet(async ({ db, userId, payouts, enqueue }) => {
    await enqueue([{}]);
    const rules = {
      ...{ pauses: pausesFrom(), payers: [userId] },
      ...{ maxFailures: 25, maxRefusals: 25, keyLifetime: 86_400_000 },
    };
    let isHeld = false;
    let held: Promise<unknown> | undefined;
    await db.transaction(async (sql) => {
      await waitForCommands(sql);
      held = payouts.hold({ month: MONTH }).then(() => {
        isHeld = true;
      });
      await vi.waitFor(async () => {
        const { rows } = await db.query(`select from pg_locks where locktype = 'advisory' and not granted`);
        expect(rows).toHaveLength(1);
      });
      await take(sql, 1, await readBrakes(sql, [userId], 25), rules);
      expect(isHeld).toBe(false);
    });
    await held;
    const { rows } = await db.query('select from payout_attempt');
    expect(rows).toHaveLength(1);
  }));

test('commands, workers and a sweep that meet never wait for each other for ever', () =>
  withFleet(async ({ payouts, enqueue, states, emulator }) => {
    await enqueue(Array.from({ length: 300 }, () => ({})));
    const errors: unknown[] = [];
    const workers = [1, 2, 3].map(() =>
      payouts.startWorker({ concurrency: 16, pollInterval: 20, onError: (error) => errors.push(error) }),
    );
    for (let turn = 0; turn < 15; turn += 1) {
      const scope = turn % 2 === 0 ? {} : { month: MONTH };
      await Promise.all([payouts.hold(scope), payouts.hold({ employee: `E${turn + 1}` }), payouts.sweep()]);
      await Promise.all([payouts.resume(scope), payouts.resume({ employee: `E${turn + 1}` })]);
    }
    await payouts.resume();
    await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(['accepted'])), {
      timeout: 60_000,
    });
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(errors).toEqual([]);
    expect(emulator.state().transfers).toHaveLength(300);
  }));

test('what is due, unsettled or to be reviewed is found by an index', () =>
  withFleet(async ({ db }) => {
    const mine = `payer = 'payer'`;
    for (const [index, statement] of [
      [
        'payout_payment_due',
        `payout_payment where ${mine} and state = 'queued' and not held and due_at <= now()`,
      ],
      ['payout_attempt_unsettled', 'payout_attempt where settled_at is null'],
      ['payout_notice_unseen', `payout_notice where ${mine} and seen_at is null`],
      ['payout_payment_undecided', `payout_payment where ${mine} and state = 'undecided'`],
    ] as const) {
      const plan = await db.transaction(async (sql) => {
        await sql.query('set local enable_seqscan = off');
        return (await sql.query(`explain select from ${statement}`)).rows;
      });
      expect(JSON.stringify(plan)).toContain(index);
    }
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

test('a list under a path that the service does not have does not say that there is no transfer', async () => {
  const emulator = createEmulator();
  const payments = new PaymentsClient({
    baseUrl: 'https://service.test',
    accessToken: 'token',
    fetch: emulator.fetch,
  });
  const query = { requestId: crypto.randomUUID(), transferId: undefined, payer: 'p', since: new Date() };
  await expect(listOver(payments, '/v2/transfers')([query])).rejects.toThrow('HTTP 404');
});

test('a sweep takes 50,000 open payouts within a minute, where the service can list', async () => {
  const { sweep, paid } = await measureCosts(50_000);
  expect(paid).toBe(50_000);
  expect(sweep).toBeLessThan(60);
}, 240_000);
