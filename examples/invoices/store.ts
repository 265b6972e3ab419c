import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { requestIdFrom } from 'stablecoin-payments';

/** The states of an invoice. The last five are final: nothing more is paid under the key of the invoice. */
const states = [
  'new', // entered, never sent
  'sending', // the service may have the payment: a lookup, or a retry with the same key, tells
  'refused', // the service refused the call: nothing was paid
  'approval', // the service holds the transfer until a person approves it
  'executing', // the service executes the transfer
  'paid',
  'declined', // a person rejected the approval
  'expired', // nobody decided in time
  'failed', // it failed or was cancelled: no money moved
  'check', // it failed on the way: a person finds out where the money is
] as const;
export type State = (typeof states)[number];

/** One row. The row contains what is sent, so that a retry sends the same bytes. `amount` is decimal text. */
export interface Invoice {
  readonly id: string;
  readonly payee: string;
  readonly amount: string;
  readonly needsApproval: boolean;
  readonly requestId: string;
  readonly state: State;
  /** True if an earlier call may have paid: its end is not known, or the process died during it. */
  readonly inDoubt: boolean;
  readonly transferId: string | null;
  readonly approvalId: string | null;
  readonly note: string | null;
}

/** What a user enters. */
export type Entry = Pick<Invoice, 'id' | 'payee' | 'amount' | 'needsApproval'>;

export type Store = ReturnType<typeof openStore>;

/** Opens the invoices in a SQLite file. A commit is on disk before the statement returns. */
export function openStore(path: string) {
  const db = new DatabaseSync(path);
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists invoice (
      id text primary key,
      payee text not null,
      amount text not null,
      needs_approval integer not null,
      round integer not null default 1,
      request_id text not null unique,
      state text not null default 'new',
      in_doubt integer not null default 0,
      transfer_id text,
      approval_id text,
      note text,
      changed_at integer not null
    ) strict;`);
  const select = (where: string, ...values: (string | number)[]) =>
    db
      .prepare(`select * from invoice where ${where}`)
      .all(...values)
      .map(toInvoice);

  return {
    /** Returns false if the id is taken. */
    add({ id, payee, amount, needsApproval }: Entry): boolean {
      const columns = 'id, payee, amount, needs_approval, request_id, changed_at';
      const insert = db.prepare(`insert or ignore into invoice (${columns}) values (?, ?, ?, ?, ?, ?)`);
      return insert.run(id, payee, amount, Number(needsApproval), keyOf(id, 1), Date.now()).changes === 1;
    },
    get: (id: string) => select('id = ?', id)[0],
    /** Invoices whose end is not known. */
    open: () => select("state in ('sending', 'approval', 'executing') order by changed_at"),
    /** Invoices that a person checks: in one open state for longer than these milliseconds, or failed on the way. */
    stuck: (milliseconds: number) =>
      select(
        "state = 'check' or (state in ('sending', 'executing') and changed_at < ?)",
        Date.now() - milliseconds,
      ),
    /** Marks an invoice as being sent, before it is sent. After a refusal the key stays the same. */
    begin(id: string): Invoice | undefined {
      change("state = 'sending', note = null", "id = ? and state in ('new', 'refused')", id);
      return select("id = ? and state = 'sending'", id)[0];
    },
    /** Starts a new payment after one that ended unpaid. It needs a new key, so a person must ask for it. */
    renew(id: string): void {
      const [row] = db.prepare('select round from invoice where id = ?').all(id);
      const round = Number(row?.round) + 1;
      change(
        "state = 'new', in_doubt = 0, round = ?, request_id = ?, transfer_id = null, approval_id = null",
        "id = ? and state in ('declined', 'expired', 'failed')",
        round,
        keyOf(id, round),
        id,
      );
    },
    /** Counts a call that may pay, before it is made. Returns true if another one may have paid: it died, or it still runs. */
    beginCall(requestId: string): boolean {
      const count = 'update invoice set in_doubt = in_doubt + 1 where request_id = ? returning in_doubt';
      return Number(db.prepare(count).get(requestId)?.in_doubt) > 1;
    },
    /** Takes a call back that did not pay. */
    endCall: (requestId: string) =>
      void db.prepare('update invoice set in_doubt = in_doubt - 1 where request_id = ?').run(requestId),
    /** Stores that nothing was paid, unless another call may have paid. */
    refuse: (requestId: string, note: string) =>
      change(
        "state = 'refused', note = ?",
        "request_id = ? and state = 'sending' and transfer_id is null and in_doubt = 0",
        note,
        requestId,
      ),
    note: (requestId: string, note: string) =>
      void db.prepare('update invoice set note = ? where request_id = ?').run(note, requestId),
    /** Stores what the service says about a transfer. A final state never changes. */
    settle: (requestId: string, state: State, transferId: string, approvalId: string | null) =>
      change(
        'state = ?, transfer_id = ?, approval_id = ?, note = null',
        "request_id = ? and state not in ('paid', 'declined', 'expired', 'failed', 'check') and (state <> ? or transfer_id is null)",
        state,
        transferId,
        approvalId,
        requestId,
        state,
      ),
    /** For the webhook events that were handled. */
    database: db,
    close: () => db.close(),
  };

  function change(set: string, where: string, ...values: (string | number | null)[]): void {
    db.prepare(`update invoice set changed_at = ${Date.now()}, ${set} where ${where}`).run(...values);
  }
}

const keyOf = (id: string, round: number): string => requestIdFrom('invoice', id, round);

function toInvoice(row: Record<string, SQLOutputValue>): Invoice {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  const state = states.find((one) => one === row.state);
  if (state === undefined) throw new Error(`Invoice ${row.id} has the state ${row.state}.`);
  return {
    id: String(row.id),
    payee: String(row.payee),
    amount: String(row.amount),
    needsApproval: row.needs_approval === 1,
    requestId: String(row.request_id),
    state,
    inDoubt: row.in_doubt !== 0,
    transferId: text('transfer_id'),
    approvalId: text('approval_id'),
    note: text('note'),
  };
}
