/** One version of the tables. */
export interface PayoutMigration {
  /** The version: the place in the list, from 1. */
  readonly version: number;
  /** The statements that lead from the version before to this one. */
  readonly statements: readonly string[];
}

const evidence = `text check (evidence in ('response', 'event', 'lookup', 'person'))`;

/**
 * The versions of the tables, oldest first. A released version never changes.
 *
 * @example
 * ```ts
 * import { payoutMigrations } from 'stablecoin-payments/payouts';
 *
 * for (const { version, statements } of payoutMigrations) console.log(version, statements.join(';\n'));
 * ```
 */
export const payoutMigrations: readonly PayoutMigration[] = [
  {
    version: 1,
    statements: [
      // A key, a payer and a body. Payouts belong to payments.
      `create table payout_payment (
        request_id uuid primary key,
        payer text not null,
        month text not null,
        batch text,
        size integer not null,
        body text not null,
        needs_approval boolean not null,
        state text not null default 'queued' check (state in ('queued', 'awaiting_approval', 'made', 'accepted',
          'paid', 'rejected', 'expired', 'undecided', 'replaced')),
        reason text,
        evidence ${evidence},
        settled_by text,
        held boolean not null default false,
        shown boolean not null default false,
        attempts integer not null default 0,
        doubts integer not null default 0 check (doubts >= 0),
        doubt_since timestamptz,
        refused boolean not null default false,
        fence integer not null default 0,
        failures integer not null default 0,
        pauses integer not null default 0,
        transfer_id text,
        missing_since timestamptz,
        look_at timestamptz not null default now(),
        looks integer not null default 0,
        created_at timestamptz not null default now(),
        last_attempt_at timestamptz,
        due_at timestamptz not null default now(),
        state_at timestamptz not null default now()
      ) with (fillfactor = 70)`,
      'create unique index payout_payment_transfer on payout_payment (transfer_id) where transfer_id is not null',
      `create index payout_payment_due on payout_payment (payer, due_at) where state = 'queued' and not held`,
      `create index payout_payment_looks on payout_payment (look_at)
        where state in ('awaiting_approval', 'made', 'accepted', 'undecided') or (state = 'queued' and failures >= 3)`,
      `create index payout_payment_undecided on payout_payment (payer) where state = 'undecided'`,
      'create index payout_payment_month on payout_payment (payer, month)',
      // Below a thousand million, six decimals survive a JSON number. A recipient of a batch may have a state of its own.
      `create table payout_order (
        payer text not null,
        month text not null,
        employee text not null,
        request_id uuid not null references payout_payment,
        place integer not null default 0,
        payee text not null,
        amount numeric(20, 6) not null check (amount > 0 and amount < 1000000000),
        currency text not null,
        chain text not null,
        needs_approval boolean not null,
        state text check (state in ('accepted', 'paid', 'rejected', 'expired', 'undecided')),
        reason text,
        evidence ${evidence},
        settled_by text,
        shown boolean,
        state_at timestamptz,
        created_at timestamptz not null default now(),
        primary key (payer, month, employee)
      )`,
      'create index payout_order_request on payout_order (request_id)',
      `create index payout_order_undecided on payout_order (payer) where state = 'undecided'`,
      // The payments that a payout had before: its batch was split, it was paid again, or it was corrected.
      `create table payout_past (
        payer text not null,
        month text not null,
        employee text not null,
        request_id uuid not null,
        payee text not null,
        amount numeric(20, 6) not null,
        transfer_id text,
        state text not null,
        reason text,
        at timestamptz not null default clock_timestamp(),
        primary key (request_id, employee)
      )`,
      'create index payout_past_transfer on payout_past (transfer_id) where transfer_id is not null',
      // An attempt is settled once: a result that is delivered again finds it settled.
      `create table payout_attempt (
        request_id uuid not null,
        number integer not null,
        worker uuid,
        command bigint not null default 0,
        began_at timestamptz not null default clock_timestamp(),
        settled_at timestamptz,
        finding text check (finding in ('made', 'known', 'refused', 'not-reached', 'open')),
        reason text,
        status integer,
        name text,
        doubtful boolean,
        primary key (request_id, number)
      )`,
      'create index payout_attempt_unsettled on payout_attempt (request_id) where settled_at is null',
      `create index payout_attempt_named on payout_attempt (name, status) where finding = 'open' and name is not null`,
      `create table payout_payer (
        payer text primary key,
        refusals integer not null default 0,
        pauses integer not null default 0,
        paused_until timestamptz,
        reason text
      )`,
      `create table payout_hold (
        id bigint generated always as identity primary key,
        payer text not null,
        month text,
        employee text,
        request_id uuid,
        reason text not null,
        by text not null,
        at timestamptz not null default clock_timestamp()
      )`,
      // The number of the last command. Workers obey it before they send.
      'create table payout_command (singleton boolean primary key default true check (singleton), number bigint not null)',
      // Events that were handled. A decision is kept, also for a transfer that no worker has noted yet, as is a record until
      // then.
      `create table payout_event (
        id text primary key,
        transfer_id text not null,
        decision text check (decision in ('APPROVED', 'REJECTED', 'EXPIRED')),
        record text,
        handled_at timestamptz not null default clock_timestamp()
      )`,
      'create index payout_event_transfer on payout_event (transfer_id) where decision is not null or record is not null',
      'create index payout_event_age on payout_event (handled_at)',
      // What a person must see although the state of the payout does not change.
      `create table payout_notice (
        id bigint generated always as identity primary key,
        payer text not null,
        month text not null,
        employee text not null,
        kind text not null,
        detail text not null,
        at timestamptz not null default clock_timestamp(),
        seen_at timestamptz,
        unique (payer, month, employee, kind, detail)
      )`,
      'create index payout_notice_unseen on payout_notice (payer, month, employee) where seen_at is null',
      `create table payout_sweep (
        singleton boolean primary key default true check (singleton),
        lease_until timestamptz not null default '-infinity',
        finished_at timestamptz,
        problems text[] not null default '{}'
      )`,
      'insert into payout_sweep default values',
      `create view payout as select o.payer, o.month, o.employee, p.batch, o.request_id, o.payee, o.amount, o.currency,
         o.chain, o.needs_approval, coalesce(o.state, p.state) as state,
         case when o.state is null then p.reason else o.reason end as reason,
         case when o.state is null then p.evidence else o.evidence end as evidence,
         case when o.state is null then p.settled_by else o.settled_by end as settled_by,
         coalesce(o.shown, p.shown) as shown, p.held, p.attempts, p.doubts, p.doubts > 0 as in_doubt, p.failures, p.pauses,
         p.transfer_id,
         case when o.state is null then p.state_at else o.state_at end as state_at,
         p.created_at, p.last_attempt_at, p.due_at
       from payout_order o join payout_payment p using (request_id)`,
    ],
  },
];
