import { randomBytes } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type Emulator } from 'stablecoin-payments/emulator';
import { signWebhook } from 'stablecoin-payments/webhooks';
import type { Database } from '../src/data/database.ts';
import { openPostgres } from '../src/data/postgres.ts';
import { createTables, type State } from '../src/data/schema.ts';
import { withScratchDatabase } from '../src/data/scratch.ts';
import { enqueue, type PayoutOrder } from '../src/enqueue.ts';
import type { Payer } from '../src/pay.ts';
import { type QueuePace, startQueue } from '../src/queue.ts';
import { handlers, receiver } from '../src/receiver.ts';
import { required } from '../src/settings.ts';

export interface Fleet {
  readonly db: Database;
  readonly boss: PgBoss;
  readonly connectionString: string;
}

const pace: QueuePace = { heartbeatSeconds: 10, superviseSeconds: 1, retryLimit: 0, retryDelayMax: 1 };

/** A database of its own on the real server, with tables and queues, for the time of one test. */
export function withFleet(work: (fleet: Fleet) => Promise<void>): () => Promise<void> {
  return () =>
    withScratchDatabase(required('DATABASE_URL'), async (connectionString) => {
      const db = openPostgres(connectionString, 6);
      await createTables(db);
      const boss = await startQueue({ connectionString }, pace, { supervise: false, schedule: false });
      try {
        await work({ db, boss, connectionString });
      } finally {
        await boss.stop({ graceful: true, timeout: 5000 });
        await db.close();
      }
    });
}

export const MONTH = '2026-11';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

export interface Service {
  readonly emulator: Emulator;
  readonly payer: Payer;
  readonly payee: string;
  /** A client of its own, as another worker has one, through a door of your own. */
  payerThrough(fetch: typeof globalThis.fetch): Payer;
}

/** The emulated service, and a worker's way to it. */
export function service(db: Database, duplicates: 'replay' | 'refuse' = 'replay'): Service {
  const emulator = createEmulator({ duplicates });
  const userId = emulator.createUser({ rails: ['usd'] }).userId;
  const payee = emulator.createUser().userId;
  const payerThrough = (fetch: typeof globalThis.fetch): Payer => ({
    db,
    userId,
    payments: new PaymentsClient({
      baseUrl: 'http://localhost',
      accessToken: 'fleet',
      retries: 0,
      timeout: 300,
      fetch,
    }),
  });
  return { emulator, payer: payerThrough(emulator.fetch), payee, payerThrough };
}

/** Enqueues payouts for E1, E2 and so on; what the order does not say is 10 units to the payee. */
export const enqueueFor = (
  { db, boss }: Fleet,
  payee: string,
  orders: Partial<PayoutOrder>[],
  batchSize = 1,
) =>
  enqueue(db, boss, {
    month: MONTH,
    currency: 'usdc',
    chain: 'POLYGON',
    batchSize,
    orders: orders.map((order, place) => ({ employee: `E${place + 1}`, payee, amount: '10', ...order })),
  });

export interface Row {
  readonly employee: string;
  readonly state: State;
  readonly reason: string | null;
  readonly in_doubt: boolean;
  readonly attempts: number;
  readonly transfer_id: string | null;
  readonly batch: number | null;
  readonly request_id: string;
}

export async function rowsOf(db: Database): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select employee, state, reason, in_doubt, attempts, transfer_id, batch, request_id
     from payout order by employee`,
  );
  return rows;
}

export const key = (employee: string) => ({ month: MONTH, employee });
export const neverAborted = new AbortController().signal;

/** Delivers an event as the service does: signed, over the receiver's own door. */
export function deliverer(db: Database): (event: Record<string, unknown>) => Promise<number> {
  const handle = receiver(db, SECRET).handler(handlers(db));
  return async (event) => {
    const { body, headers } = await signWebhook(event, { standardWebhooks: { secret: SECRET } });
    const response = await handle(new Request('http://receiver.test/', { method: 'POST', body, headers }));
    return response.status;
  };
}

export const decision = (kind: 'APPROVED' | 'REJECTED' | 'PENDING', transferId: string, eventId: string) => ({
  eventId,
  eventType: `TRANSFER.APPROVAL.${kind}`,
  data: { transferId },
  createdAt: new Date().toISOString(),
});
