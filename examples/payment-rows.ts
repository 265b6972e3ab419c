/** Your table of payments: a row for each `requestId`. Each method commits before it returns. */
export interface PaymentRows {
  /**
   * Counts a call before it is made, and returns its number. From the second call on, an earlier one may have paid:
   * `insert into payment (id, calls) values ($1, 1) on conflict (id) do update set calls = payment.calls + 1 returning calls`
   */
  begin(requestId: string): Promise<number>;
  /**
   * Stores what a call came to, and returns true if a row was changed. `not-made` may be stored only if no other call has
   * begun since, as that one may pay:
   * `update payment set state = $3 where id = $1 and ($3 = 'accepted' or (calls = $2 and state is distinct from 'accepted'))`
   */
  end(requestId: string, call: number, state: 'accepted' | 'not-made'): Promise<boolean>;
}

/** The same, with the lists of payees that were begun. */
export interface ListRows extends PaymentRows {
  /**
   * Stores a list as text, unless one is stored, and returns what is stored:
   * `insert into list (id, text) values ($1, $2) on conflict do nothing`, then `select text from list where id = $1`
   */
  keep(id: string, text: string): Promise<string>;
}

/** Rows for a first try. After a restart they are gone: use a table. */
export function memoryRows(): ListRows {
  const lists = new Map<string, string>();
  const rows = new Map<string, { calls: number; state?: 'accepted' | 'not-made' }>();
  return {
    async begin(requestId) {
      const row = rows.get(requestId) ?? { calls: 0 };
      rows.set(requestId, { ...row, calls: row.calls + 1 });
      return row.calls + 1;
    },
    async end(requestId, call, state) {
      const row = rows.get(requestId) ?? { calls: call };
      const isStored = state === 'accepted' || (row.calls === call && row.state !== 'accepted');
      if (isStored) rows.set(requestId, { ...row, state });
      return isStored;
    },
    async keep(id, text) {
      const kept = lists.get(id) ?? text;
      lists.set(id, kept);
      return kept;
    },
  };
}
