import type { Database, Sql } from '../database.ts';
import { type BatchAmounts, writeBody } from '../rules/body.ts';
import { payoutMigrations } from './migrations.ts';

/**
 * Brings the tables of the payouts up to date. Processes that start together wait for each other.
 *
 * @param db - The database.
 * @returns The version of the tables.
 * @throws Error where a newer version of the package has already changed the tables.
 * @example
 * ```ts
 * import { migratePayouts } from 'stablecoin-payments/payouts';
 *
 * await migratePayouts(db);
 * ```
 */
export async function migratePayouts(db: Database): Promise<number> {
  const newest = payoutMigrations.length;
  await db.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('payout migrations', 0))`);
    await sql.query(
      'create table if not exists payout_migration (version integer primary key, at timestamptz not null default now())',
    );
    const { rows } = await sql.query<{ version: number }>(
      'select coalesce(max(version), 0)::int as version from payout_migration',
    );
    const present = rows[0]?.version ?? 0;
    if (present > newest) {
      throw new Error(
        `The payout tables are at version ${present}; this package knows ${newest}. Nothing was changed: update the package.`,
      );
    }
    for (const { version, statements } of payoutMigrations) {
      if (version <= present) continue;
      for (const statement of statements) await sql.query(statement);
      await sql.query('insert into payout_migration (version) values ($1)', [version]);
    }
  });
  return newest;
}

/** Payments to a statement. */
const CHUNK = 500;

interface Adopted {
  readonly request_id: string;
  readonly batch: string | null;
  readonly employee: string;
  readonly payee: string;
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly needs_approval: boolean;
}

/** Gives the payments of version 1 their payer and their body, which is the one that version 1 sent. */
export async function adopt(sql: Sql, payer: string, batchAmounts: BatchAmounts): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<Adopted>(
      `select o.request_id, p.batch, o.employee, o.payee, o.amount::text, o.currency, o.chain, o.needs_approval
       from payout_order o join (select request_id, batch from payout_payment where payer = ''
         order by request_id limit ${CHUNK} for update) p using (request_id)`,
    );
    if (rows.length === 0) return;
    const bodies = [];
    const places = [];
    for (const [requestId, members] of Map.groupBy(rows, ({ request_id }) => request_id)) {
      members.sort((a, b) => (a.employee < b.employee ? -1 : 1));
      for (const [place, { employee }] of members.entries())
        places.push({ request_id: requestId, employee, place });
      const [first] = members;
      if (first === undefined) continue;
      const { batch, currency, chain, needs_approval: needsApproval } = first;
      const parts = { requestId, payer, currency, chain, needsApproval, isBatch: batch !== null };
      bodies.push({
        request_id: requestId,
        body: writeBody({ ...parts, recipients: members }, batchAmounts),
      });
    }
    await sql.query(
      `update payout_payment p set payer = $1, body = c.body
       from jsonb_to_recordset($2::jsonb) as c (request_id uuid, body text) where p.request_id = c.request_id`,
      [payer, JSON.stringify(bodies)],
    );
    await sql.query(
      `update payout_order o set payer = $1, place = c.place
       from jsonb_to_recordset($2::jsonb) as c (request_id uuid, employee text, place integer)
       where o.request_id = c.request_id and o.employee = c.employee`,
      [payer, JSON.stringify(places)],
    );
    for (const table of ['payout_past', 'payout_notice'])
      await sql.query(`update ${table} set payer = $1 where payer = ''`, [payer]);
  }
}
