import type { Database } from './database.ts';

/** Where a payout stands. Everything but the first two is an end. */
export const STATES = ['queued', 'awaiting_approval', 'paid', 'rejected', 'expired', 'unknown'] as const;
export type State = (typeof STATES)[number];

const statements = [
  // Below a thousand million, six decimals survive the way through a JSON number.
  `create table if not exists payout (
    month text not null,
    employee text not null,
    batch integer,
    request_id uuid not null,
    payee text not null,
    amount numeric(20, 6) not null check (amount > 0 and amount < 1000000000),
    currency text not null,
    chain text not null,
    needs_approval boolean not null default false,
    state text not null default 'queued'
      check (state in ('queued', 'awaiting_approval', 'paid', 'rejected', 'expired', 'unknown')),
    reason text,
    in_doubt boolean not null default false,
    attempts integer not null default 0,
    transfer_id text,
    approval_id text,
    expires_at timestamptz,
    seen_pending_at timestamptz,
    missing_since timestamptz,
    created_at timestamptz not null default now(),
    last_attempt_at timestamptz,
    settled_at timestamptz,
    primary key (month, employee)
  )`,
  'create index if not exists payout_request on payout (request_id)',
  'create index if not exists payout_transfer on payout (transfer_id) where transfer_id is not null',
  `create index if not exists payout_open on payout (state) where state in ('queued', 'awaiting_approval')`,
  // One row that every worker reads: whether the fleet pauses, and how much it may do at once.
  `create table if not exists fleet (
    singleton boolean primary key default true check (singleton),
    paused_until timestamptz,
    pause_reason text,
    concurrency integer not null check (concurrency > 0)
  )`,
  // The decision on a transfer, kept also when it is heard of before the worker has noted the transfer.
  `create table if not exists approval_decision (
    transfer_id text primary key,
    decision text not null check (decision in ('APPROVED', 'REJECTED')),
    contradicted boolean not null default false,
    event_id text not null,
    received_at timestamptz not null default now()
  )`,
  `create table if not exists webhook_event (
    id text primary key,
    owner text not null,
    handled boolean not null default false,
    lapses_at timestamptz not null
  )`,
];

/** Creates what is missing of the tables. `concurrency` is the first value of the fleet's; later it is changed by hand. */
export async function createTables(db: Database, concurrency = 96): Promise<void> {
  await db.transaction(async (sql) => {
    // Processes that start together would otherwise create the same table at the same time.
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('payout-fleet schema', 0))`);
    for (const statement of statements) await sql.query(statement);
    await sql.query('insert into fleet (concurrency) values ($1) on conflict do nothing', [concurrency]);
  });
}
