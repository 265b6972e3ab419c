import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { PaymentsClient } from 'stablecoin-payments';
import {
  type KnownPayment,
  lookupFromList,
  newPayment,
  type PaymentBody,
  type PaymentSight,
  reducePayment,
  type TransferRecord,
} from 'stablecoin-payments/payouts';

/** Milliseconds without a call before a lookup that finds nothing counts. A call lasts up to `timeout`. */
const QUIET = Number(process.env.QUIET_MS ?? 120_000);
const PAY = 'pay';
const LOOK = 'look';

interface Row {
  readonly body: PaymentBody & { readonly source: { readonly userId: string } };
  readonly known: KnownPayment;
  readonly created_at: Date;
  /** True if no call was made in the last QUIET milliseconds. */
  readonly quiet: boolean;
}

/** Opens the database, the engine and the client, from the environment. */
export async function open() {
  const connectionString = process.env.DATABASE_URL ?? '';
  const pool = new pg.Pool({ connectionString, max: 8 });
  pool.on('error', () => {});
  await pool.query(`create table if not exists durable_payment (request_id uuid primary key, body json not null,
    known json not null, is_over boolean not null default false, created_at timestamptz not null default now(),
    called_at timestamptz)`);
  const boss = new PgBoss({
    connectionString,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  boss.on('error', (error) => console.error('engine:', error.name));
  await boss.start();
  // A job whose worker died comes back. That is safe: what became of a payment is in its row, and not in the job.
  for (const name of [PAY, LOOK])
    await boss.createQueue(name, { retryLimit: 1000, retryDelay: 1, expireInSeconds: 15 });
  const payments = new PaymentsClient({ accessToken: 'token', timeout: 5000 });
  const lookupMany = lookupFromList({
    list: async ({ userId, limit, createdBefore }) => {
      const query = { userId, limit, ...(createdBefore !== undefined && { createdBefore }) };
      const page = await payments.request<{ records: TransferRecord[] }>({
        ...{ method: 'GET', path: '/v2/wallets/transfers', query },
      });
      return page.records;
    },
  });

  /** Runs work in a transaction, with the row locked and jobs that commit with it. */
  async function within<T>(
    requestId: string,
    work: (row: Row, client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<Row>(
        `select *, coalesce(called_at < now() - make_interval(secs => $2), true) as quiet from durable_payment
         where request_id = $1 for update`,
        [requestId, QUIET / 1000],
      );
      const [row] = rows;
      if (row === undefined) throw new Error(`There is no payment ${requestId}.`);
      const result = await work(row, client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  const plan = (client: pg.PoolClient, name: string, requestId: string, milliseconds: number) =>
    boss.send(
      name,
      { requestId },
      {
        startAfter: new Date(Date.now() + milliseconds),
        db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) },
      },
    );

  /** Notes what was seen, and plans the job that follows, in one transaction. */
  async function note({ known }: Row, client: pg.PoolClient, seen: PaymentSight): Promise<void> {
    const { payment, retryIn, next } = reducePayment(known, seen, { pause: { first: 200, most: 2000 } });
    const { requestId, state, evidence } = payment;
    // A refusal counts only after a quiet lookup: another worker may have paid under the same key meanwhile.
    const isOver =
      state === 'paid' ||
      next !== undefined ||
      (state !== 'queued' && seen.type === 'lookup' && seen.record === null);
    await client.query('update durable_payment set known = $2, is_over = $3 where request_id = $1', [
      ...[requestId, JSON.stringify(payment), isOver],
    ]);
    if (state === 'queued') await plan(client, PAY, requestId, retryIn ?? 0);
    else if (!isOver) await plan(client, LOOK, requestId, evidence === 'lookup' ? 1000 : 100);
  }

  /** One attempt: it is stored before the call, and its result after it. */
  async function pay(requestId: string): Promise<void> {
    const begun = await within(requestId, async (row, client) => {
      if (row.known.state !== 'queued') return undefined;
      const { payment } = reducePayment(row.known, { type: 'begin' });
      await client.query('update durable_payment set known = $2, called_at = now() where request_id = $1', [
        ...[requestId, JSON.stringify(payment)],
      ]);
      return { body: row.body, attempt: payment.attempts, inDoubt: row.known.doubts > 0 };
    });
    if (begun === undefined) return;
    const { body, attempt, inDoubt } = begun;
    const options = { retries: 0, ...(inDoubt && { inDoubt }) };
    const seen = await ('batch' in body.destination
      ? payments.transfers.createBatch({ ...body, destination: body.destination }, options)
      : payments.transfers.create(JSON.parse(JSON.stringify(body)), options)
    ).then(
      (record): PaymentSight => ({ type: 'response', attempt, body, record }),
      (error: unknown): PaymentSight => ({ type: 'error', attempt, error }),
    );
    await within(requestId, (row, client) => note(row, client, seen));
  }

  /** One lookup: it is the evidence. Whatever an event says, it only wakes this up. */
  async function look(requestId: string): Promise<void> {
    const asked = await within(requestId, async (row) => row);
    const { known, body, created_at: since } = asked;
    const query = { requestId, transferId: known.transferId ?? undefined, payer: body.source.userId, since };
    const record = (await lookupMany([query])).get(requestId);
    await within(requestId, async (row, client) => {
      const isCurrent = row.known.attempts === known.attempts && asked.quiet;
      if (record !== undefined && (record !== null || isCurrent))
        return note(row, client, { type: 'lookup', body, record });
      await plan(client, LOOK, requestId, 1000);
    });
  }

  return {
    /** Adds a payment together with its first job. A second one with the same key changes nothing. */
    async add(body: Row['body']): Promise<void> {
      const { rowCount } = await pool.query(
        'insert into durable_payment (request_id, body, known) values ($1, $2, $3) on conflict do nothing',
        [body.requestId, JSON.stringify(body), JSON.stringify(newPayment(body.requestId))],
      );
      if (rowCount === 1) await boss.send(PAY, { requestId: body.requestId });
    },
    /** For the receiver of webhooks: an event wakes the lookup up, and proves nothing. */
    wake: (requestId: string) => boss.send(LOOK, { requestId }),
    async work(): Promise<void> {
      const options = { batchSize: 1, pollingIntervalSeconds: 0.5 };
      for (let turn = 0; turn < 4; turn += 1) {
        await boss.work<{ requestId: string }>(PAY, options, async ([job]) => job && pay(job.data.requestId));
        await boss.work<{ requestId: string }>(
          LOOK,
          options,
          async ([job]) => job && look(job.data.requestId),
        );
      }
    },
    /** The states, and whether each of them is the last. */
    async states() {
      const { rows } = await pool.query<{ state: string; reason: string | null; is_over: boolean }>(
        `select known->>'state' as state, known->>'reason' as reason, is_over from durable_payment order by request_id`,
      );
      return rows;
    },
    async close(): Promise<void> {
      await boss.stop({ graceful: true, timeout: 5000 });
      await pool.end();
    },
  };
}
