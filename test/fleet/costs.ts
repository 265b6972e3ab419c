import { PaymentsClient } from 'stablecoin-payments';
import { createPayouts, type TransferRecord } from 'stablecoin-payments/payouts';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { withScratchDatabase } from './server.ts';

/** Seconds and sizes of a payroll. */
export interface Costs {
  readonly enqueue: number;
  /** One sweep over all payouts, each of which is open, with a `lookupMany` that finds all of them completed. */
  readonly sweep: number;
  readonly list: number;
  /** Payouts that the sweep found to be paid. */
  readonly paid: number;
  /** Kilobytes on disk for each payout, with its indexes. */
  readonly kilobytes: number;
}

/** Measures what a payroll of this size costs on one database. No transfer is requested. */
export function measureCosts(count: number, batchSize = 1): Promise<Costs> {
  return withScratchDatabase(async (connectionString) => {
    const db = openPostgres(connectionString, 4);
    const record = (requestId: string): TransferRecord => ({
      transferDetails: { id: `t-${requestId}`, requestId, status: 'COMPLETED' },
    });
    const noApprovals = async () => Response.json({ count: 0, approvals: [] });
    const payouts = createPayouts({
      db,
      payments: new PaymentsClient({
        baseUrl: 'https://service.test',
        accessToken: () => 'token',
        fetch: noApprovals,
      }),
      userId: 'payer',
      lookupMany: async (queries) => new Map(queries.map(({ requestId }) => [requestId, record(requestId)])),
    });
    const sizes = async () => {
      const { rows } = await db.query<{ bytes: number }>(
        'select pg_database_size(current_database())::float8 as bytes',
      );
      return rows[0]?.bytes ?? 0;
    };
    try {
      await payouts.migrate();
      const before = await sizes();
      const orders = Array.from({ length: count }, (_, place) => ({
        employee: `E${place}`,
        payee: `payee-${place % 100}`,
        amount: '10.5',
      }));
      const payroll = { month: '2026-11', currency: 'usdc', chain: 'POLYGON', batchSize, orders };
      const enqueue = await secondsOf(() => payouts.enqueue(payroll));
      // As the workers leave them: called once, and accepted.
      await db.query(
        `with begun as (update payout_payment set state = 'accepted', evidence = 'response', attempts = 1,
           last_attempt_at = clock_timestamp() returning request_id)
         insert into payout_attempt (request_id, number, settled_at, finding)
         select request_id, 1, clock_timestamp(), 'made' from begun`,
      );
      const sweep = await secondsOf(() => payouts.sweep());
      let paid = 0;
      const list = await secondsOf(async () => {
        for await (const { state } of payouts.list({ month: '2026-11' })) if (state === 'paid') paid += 1;
      });
      return { enqueue, sweep, list, paid, kilobytes: ((await sizes()) - before) / count / 1024 };
    } finally {
      await db.close();
    }
  });
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
