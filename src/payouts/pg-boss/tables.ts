import type { Database } from './engine.ts';

/**
 * The tables of payouts. The row of a payout is the only truth; its situation is text, for `jsonb` would reorder the bodies of
 * requests. Statements are plain, for the distributed databases that pg-boss runs on.
 */
const tables: readonly string[] = [
  `create table if not exists payout (
     key uuid primary key,
     payer text not null,
     id text not null,
     group_name text,
     round integer not null,
     order_text text not null,
     situation text not null,
     version integer not null default 0,
     is_done boolean not null default false,
     needs_review boolean not null default false,
     problem text,
     cancelled_by text,
     job_id uuid not null,
     next_at timestamptz not null,
     created_at timestamptz not null default now(),
     unique (payer, id, round)
   )`,
  'create index if not exists payout_open on payout (next_at) where not is_done',
  'create index if not exists payout_review on payout (payer, id) where needs_review',
  `create table if not exists payout_recipient (
     key uuid not null,
     place integer not null,
     is_latest boolean not null default true,
     payer text not null,
     id text not null,
     group_name text,
     recipient text not null,
     amount text not null,
     currency text not null,
     request_id uuid not null,
     state text not null,
     reason text,
     evidence text,
     transfer_id text,
     since timestamptz not null,
     primary key (key, place)
   )`,
  'create index if not exists payout_recipient_list on payout_recipient (payer, id, key, place)',
  'create index if not exists payout_recipient_group on payout_recipient (group_name, payer, id)',
  'create index if not exists payout_recipient_state on payout_recipient (state, reason)',
  'create table if not exists payout_request (request_id uuid primary key, key uuid not null)',
  'create table if not exists payout_transfer (transfer_id text primary key, request_id uuid not null)',
  `create table if not exists payout_name (
     scope text not null,
     folded text not null,
     name text not null,
     key uuid not null,
     primary key (scope, folded)
   )`,
  'create index if not exists payout_name_key on payout_name (key)',
  `create table if not exists payout_message (
     id text primary key,
     key uuid,
     request_id uuid,
     transfer_id text,
     message text not null,
     at timestamptz not null default now(),
     read_at timestamptz
   )`,
  'create index if not exists payout_message_unread on payout_message (key) where read_at is null',
  'create index if not exists payout_message_transfer on payout_message (transfer_id) where key is null',
  'create table if not exists payout_payer (payer text primary key, brake text not null, version integer not null default 0)',
  `create table if not exists payout_hold (
     hold_id uuid primary key,
     payer text,
     group_name text,
     id text,
     held_by text not null,
     reason text not null,
     at timestamptz not null default now()
   )`,
];

/**
 * Makes the tables. Again, it changes nothing, and waits for nobody: `create index if not exists` would wait for each open
 * transaction of another process even where the index exists.
 */
export async function makeTables(db: Database): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema()
     union all select indexname as name from pg_indexes where schemaname = current_schema()`,
    [],
  );
  const made = new Set(rows.map(({ name }) => name));
  for (const statement of tables) {
    const [, name = ''] = /if not exists (\w+)/.exec(statement) ?? [];
    if (!made.has(name)) await db.query(statement);
  }
}
