/** One version of the tables. */
export interface PayoutMigration {
  /** The version: the place in the list, from 1. */
  readonly version: number;
  /** The statements that lead from the version before to this one. */
  readonly statements: readonly string[];
}

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
      // Below a thousand million, six decimals survive a JSON number.
      `create table payout (
        month text not null,
        employee text not null,
        batch text,
        request_id uuid not null,
        payee text not null,
        amount numeric(20, 6) not null check (amount > 0 and amount < 1000000000),
        currency text not null,
        chain text not null,
        needs_approval boolean not null,
        state text not null default 'queued' check (state in
          ('queued', 'awaiting_approval', 'made', 'accepted', 'paid', 'rejected', 'expired', 'undecided')),
        reason text,
        evidence text check (evidence in ('response', 'event', 'lookup', 'person')),
        settled_by text,
        doubts integer not null default 0 check (doubts >= 0),
        in_doubt boolean generated always as (doubts > 0) stored,
        refused_before boolean not null default false,
        attempts integer not null default 0,
        fence integer not null default 0,
        failures integer not null default 0,
        pauses integer not null default 0,
        again integer not null default 0,
        transfer_id text,
        approval_id text,
        expires_at timestamptz,
        missing_since timestamptz,
        looked_up_at timestamptz,
        undecided_since timestamptz,
        undecided_for text check (undecided_for in ('operator', 'approvers')),
        created_at timestamptz not null default now(),
        last_attempt_at timestamptz,
        due_at timestamptz not null default now(),
        settled_at timestamptz,
        primary key (month, employee),
        check ((state = 'undecided') = (undecided_since is not null))
      ) with (fillfactor = 80)`,
      // The same key for two payouts of one person means that the key lacks what tells them apart.
      'create unique index payout_request on payout (request_id, employee)',
      'create index payout_transfer on payout (transfer_id) where transfer_id is not null',
      `create index payout_open on payout (state, due_at)
        where state in ('queued', 'awaiting_approval', 'made', 'accepted', 'undecided')`,
      // What a payout leaves behind when it is paid again under another key, or when its batch is split.
      `create table payout_past (
        month text not null,
        employee text not null,
        request_id uuid not null,
        transfer_id text,
        state text not null,
        reason text,
        at timestamptz not null default clock_timestamp(),
        primary key (request_id, employee)
      )`,
      'create index payout_past_transfer on payout_past (transfer_id) where transfer_id is not null',
      // A decision is kept by transfer, also when it arrives before the worker has noted the transfer.
      `create table payout_decision (
        transfer_id text primary key,
        decision text not null check (decision in ('APPROVED', 'REJECTED', 'EXPIRED')),
        contradicted boolean not null default false,
        event_id text not null,
        received_at timestamptz not null default clock_timestamp()
      )`,
      `create table payout_event (
        id text primary key,
        handled_at timestamptz not null default clock_timestamp()
      )`,
      'create index payout_event_age on payout_event (handled_at)',
      // What a person must see although the state of the payout does not change.
      `create table payout_notice (
        id bigint generated always as identity primary key,
        month text not null,
        employee text not null,
        kind text not null,
        detail text not null,
        at timestamptz not null default clock_timestamp(),
        seen_at timestamptz,
        unique (month, employee, kind, detail)
      )`,
      `create table payout_sweep (
        singleton boolean primary key default true check (singleton),
        lease_until timestamptz not null default '-infinity',
        finished_at timestamptz,
        problems text[] not null default '{}'
      )`,
      'insert into payout_sweep default values',
    ],
  },
  {
    // The payment becomes the unit: a key, a payer and a body. Payouts belong to payments.
    version: 2,
    statements: [
      `create table payout_payment (
        request_id uuid primary key,
        payer text not null,
        month text not null,
        batch text,
        size integer not null,
        body text,
        needs_approval boolean not null,
        state text not null default 'queued' check (state in ('queued', 'awaiting_approval', 'made', 'accepted',
          'paid', 'rejected', 'expired', 'undecided', 'replaced')),
        reason text,
        evidence text check (evidence in ('response', 'event', 'lookup', 'person')),
        settled_by text,
        attempts integer not null default 0,
        doubts integer not null default 0 check (doubts >= 0),
        doubt_since timestamptz,
        refused boolean not null default false,
        fence integer not null default 0,
        failures integer not null default 0,
        pauses integer not null default 0,
        again integer not null default 0,
        transfer_id text,
        approval_id text,
        expires_at timestamptz,
        missing_since timestamptz,
        look_at timestamptz not null default now(),
        looks integer not null default 0,
        undecided_since timestamptz,
        undecided_for text check (undecided_for in ('operator', 'approvers')),
        created_at timestamptz not null default now(),
        last_attempt_at timestamptz,
        due_at timestamptz not null default now(),
        settled_at timestamptz,
        check ((state = 'undecided') = (undecided_since is not null))
      ) with (fillfactor = 70)`,
      // Version 1 did not store who pays, and built the body for each call: adopting fills both in.
      `insert into payout_payment (request_id, payer, month, batch, size, needs_approval, state, reason, evidence,
         settled_by, attempts, doubts, doubt_since, refused, fence, failures, pauses, again, transfer_id, approval_id,
         expires_at, missing_since, undecided_since, undecided_for, created_at, last_attempt_at, due_at, settled_at)
       select distinct on (request_id) request_id, '', month, batch, count(*) over (partition by request_id),
         needs_approval, state, reason, evidence, settled_by, max(attempts) over same, max(doubts) over same,
         case when max(doubts) over same > 0 then created_at end, bool_or(refused_before) over same,
         max(fence) over same, max(failures) over same, max(pauses) over same, max(again) over same, transfer_id,
         approval_id, expires_at, missing_since, undecided_since, undecided_for, created_at, last_attempt_at,
         max(due_at) over same, settled_at
       from payout window same as (partition by request_id)
       order by request_id, case state when 'undecided' then 0 when 'queued' then 1 else 2 end, employee`,
      // One transfer settles one payment. Version 1 allowed more: those stay with the oldest.
      `update payout_payment p set transfer_id = null, state = 'undecided', reason = 'TRANSFER_OF_ANOTHER_PAYMENT',
         undecided_since = now(), undecided_for = 'operator', settled_at = null
       where transfer_id is not null and exists (select from payout_payment o where o.transfer_id = p.transfer_id
         and (o.created_at, o.request_id) < (p.created_at, p.request_id))`,
      'create unique index payout_payment_transfer on payout_payment (transfer_id) where transfer_id is not null',
      `create index payout_payment_before on payout_payment (request_id) where payer = ''`,
      `create index payout_payment_queued on payout_payment (due_at) where state = 'queued'`,
      `create index payout_payment_looks on payout_payment (look_at)
        where state in ('awaiting_approval', 'made', 'accepted', 'undecided') or (state = 'queued' and failures >= 3)`,
      'alter table payout rename to payout_before',
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
        created_at timestamptz not null default now(),
        primary key (payer, month, employee)
      )`,
      `insert into payout_order (payer, month, employee, request_id, payee, amount, currency, chain, needs_approval,
         created_at)
       select '', month, employee, request_id, payee, amount, currency, chain, needs_approval, created_at
       from payout_before`,
      'drop table payout_before',
      'create index payout_order_request on payout_order (request_id)',
      // An attempt is settled once: a result that is delivered again finds it settled.
      `create table payout_attempt (
        request_id uuid not null,
        number integer not null,
        began_at timestamptz not null default clock_timestamp(),
        settled_at timestamptz,
        finding text check (finding in ('made', 'known', 'refused', 'not-reached', 'open')),
        reason text,
        primary key (request_id, number)
      )`,
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
      `alter table payout_past add column payer text not null default ''`,
      `alter table payout_notice add column payer text not null default ''`,
      'alter table payout_notice drop constraint payout_notice_month_employee_kind_detail_key',
      'alter table payout_notice add unique (payer, month, employee, kind, detail)',
      `create view payout as select o.payer, o.month, o.employee, p.batch, o.request_id, o.payee, o.amount, o.currency,
         o.chain, o.needs_approval, p.state, p.reason, p.evidence, p.settled_by, p.attempts, p.doubts,
         p.doubts > 0 as in_doubt, p.failures, p.pauses, p.transfer_id, p.approval_id, p.expires_at,
         p.undecided_since, p.undecided_for, p.created_at, p.last_attempt_at, p.due_at, p.settled_at
       from payout_order o join payout_payment p using (request_id)`,
    ],
  },
  {
    // Events that show a transfer before the worker has noted it.
    version: 3,
    statements: [
      `create table payout_news (
        event_id text primary key,
        transfer_id text not null,
        record text not null,
        received_at timestamptz not null default clock_timestamp()
      )`,
      'create index payout_news_transfer on payout_news (transfer_id)',
    ],
  },
];
