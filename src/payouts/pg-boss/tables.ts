const TIME = 'timestamp with time zone';

/** A column: its type, what else is said of it, and the version of the tables that adds it where it is not the first. */
type Column = readonly [type: string, more: string, since?: number];

/** The version of the tables that this release makes. What is added or changed gets the next one. */
export const TABLES_VERSION = 2;

/** A table, as it is made. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** The primary key, and other lists of columns that are unique. */
  readonly keys: readonly (readonly string[])[];
}

const own = {
  payout: {
    columns: {
      key: ['uuid', 'not null'],
      payer: ['text', 'not null'],
      id: ['text', 'not null'],
      group_name: ['text', ''],
      round: ['integer', 'not null'],
      order_text: ['text', 'not null'],
      situation: ['text', 'not null'],
      version: ['integer', 'not null default 0'],
      is_done: ['boolean', 'not null default false'],
      needs_review: ['boolean', 'not null default false'],
      undecided: ['integer', 'not null default 0', 2],
      notices: ['integer', 'not null default 0', 2],
      problem: ['text', ''],
      cancelled_by: ['text', ''],
      job_id: ['uuid', 'not null'],
      next_at: [TIME, 'not null'],
      /** What wakes a row that has no job: the id of a hold, or `payer`. */
      waits_for: ['text', '', 2],
      created_at: [TIME, 'not null default now()'],
      /** The newest call. */
      called_at: [TIME, '', 2],
      /** The last command `restored` that its situation knows. */
      restored: ['integer', 'not null default 0', 2],
    },
    keys: [['key'], ['payer', 'id', 'round']],
  },
  payout_recipient: {
    columns: {
      key: ['uuid', 'not null'],
      place: ['integer', 'not null'],
      is_latest: ['boolean', 'not null default true'],
      payer: ['text', 'not null'],
      id: ['text', 'not null'],
      group_name: ['text', ''],
      recipient: ['text', 'not null'],
      amount: ['text', 'not null'],
      currency: ['text', 'not null'],
      request_id: ['uuid', 'not null'],
      state: ['text', 'not null'],
      reason: ['text', ''],
      evidence: ['text', ''],
      transfer_id: ['text', ''],
      since: [TIME, 'not null'],
    },
    keys: [['key', 'place']],
  },
  payout_request: {
    columns: { request_id: ['uuid', 'not null'], key: ['uuid', 'not null'] },
    keys: [['request_id']],
  },
  payout_transfer: {
    columns: { transfer_id: ['text', 'not null'], request_id: ['uuid', 'not null'] },
    keys: [['transfer_id']],
  },
  payout_name: {
    columns: {
      scope: ['text', 'not null'],
      folded: ['text', 'not null'],
      name: ['text', 'not null'],
      key: ['uuid', 'not null'],
    },
    keys: [['scope', 'folded']],
  },
  payout_message: {
    columns: {
      id: ['text', 'not null'],
      key: ['uuid', ''],
      request_id: ['uuid', ''],
      transfer_id: ['text', ''],
      message: ['text', 'not null'],
      at: [TIME, 'not null default now()'],
      read_at: [TIME, ''],
    },
    keys: [['id']],
  },
  payout_payer: {
    columns: {
      payer: ['text', 'not null'],
      brake: ['text', 'not null'],
      version: ['integer', 'not null default 0'],
      /** The job that wakes the payouts which wait for the payer; null while none waits. */
      job_id: ['uuid', '', 2],
      next_at: [TIME, '', 2],
    },
    keys: [['payer']],
  },
  /** The versions that `migrate` has made. The first one did not note itself. */
  payout_migration: {
    columns: { version: ['integer', 'not null'], at: [TIME, 'not null default now()'] },
    keys: [['version']],
  },
  payout_hold: {
    columns: {
      hold_id: ['uuid', 'not null'],
      payer: ['text', ''],
      group_name: ['text', ''],
      id: ['text', ''],
      held_by: ['text', 'not null'],
      reason: ['text', 'not null'],
      at: [TIME, 'not null default now()'],
    },
    keys: [['hold_id']],
  },
  /** The book of commands. Nothing changes or deletes its rows. */
  payout_command: {
    columns: {
      command_id: ['uuid', 'not null'],
      at: [TIME, 'not null'],
      kind: ['text', 'not null'],
      decided_by: ['text', 'not null'],
      reason: ['text', ''],
      payer: ['text', ''],
      group_name: ['text', ''],
      id: ['text', ''],
      request_id: ['uuid', ''],
      state: ['text', ''],
      transfer_id: ['text', ''],
      new_request_id: ['uuid', ''],
    },
    keys: [['command_id']],
  },
  /** The commands `restored`, each with what the database said of itself. The first row, 0, is no command. */
  payout_restored: {
    columns: {
      number: ['integer', 'not null'],
      at: [TIME, 'not null default now()'],
      since: [TIME, 'not null default now()'],
      system_identifier: ['text', ''],
      timeline: ['text', ''],
    },
    keys: [['number']],
  },
  /** The walk of a payer's transfers after the last command. */
  payout_walk: {
    columns: {
      payer: ['text', 'not null'],
      number: ['integer', 'not null'],
      begun_at: [TIME, 'not null default now()'],
      is_over: ['boolean', 'not null default false'],
      is_whole: ['boolean', 'not null default false'],
      has_unknown: ['boolean', 'not null default true'],
    },
    keys: [['payer']],
  },
  /** The records that walks and messages have shown after a command, also those that no row knows. */
  payout_record: {
    columns: {
      transfer_id: ['text', 'not null'],
      request_id: ['uuid', 'not null'],
      record: ['text', 'not null'],
    },
    keys: [['transfer_id']],
  },
} satisfies Readonly<Record<string, Table>>;

/**
 * The tables of payouts. The row of a payout is the only truth; its situation is text, for `jsonb` would reorder the bodies of
 * requests. Statements are plain, for the distributed databases that pg-boss runs on.
 */
export const tables: Readonly<Record<string, Table>> = {
  ...own,
  // Rows that are archived, as they were.
  payout_archive: own.payout,
  payout_recipient_archive: own.payout_recipient,
};

/** An index, as it is made. */
export interface Index {
  readonly table: string;
  readonly columns: readonly string[];
  readonly where?: string;
}

export const indexes: Readonly<Record<string, Index>> = {
  payout_open: { table: 'payout', columns: ['next_at'], where: 'not is_done' },
  payout_waiting: {
    table: 'payout',
    columns: ['waits_for', 'payer', 'next_at'],
    where: 'waits_for is not null',
  },
  payout_payer_waking: { table: 'payout_payer', columns: ['next_at'], where: 'job_id is not null' },
  payout_to_review: { table: 'payout', columns: ['payer', 'id', 'round'], where: 'needs_review' },
  payout_recipient_list: { table: 'payout_recipient', columns: ['payer', 'id', 'key', 'place'] },
  payout_recipient_group: { table: 'payout_recipient', columns: ['group_name', 'payer', 'id'] },
  payout_recipient_state: { table: 'payout_recipient', columns: ['state', 'reason'] },
  payout_name_key: { table: 'payout_name', columns: ['key'] },
  payout_message_unread: { table: 'payout_message', columns: ['key'], where: 'read_at is null' },
  payout_message_at: { table: 'payout_message', columns: ['at'] },
  payout_hold_at: { table: 'payout_hold', columns: ['at', 'hold_id'] },
  payout_command_at: { table: 'payout_command', columns: ['at', 'command_id'] },
  payout_record_request: { table: 'payout_record', columns: ['request_id'] },
  payout_message_transfer: { table: 'payout_message', columns: ['transfer_id'], where: 'key is null' },
};

/** The names of all of them. */
export const names = [...Object.keys(tables), ...Object.keys(indexes)];
