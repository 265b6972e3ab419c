import type { DedupeStore } from 'stablecoin-payments/webhooks';
import type { Sql } from './data/database.ts';

/** Remembers handled events in the fleet's own database; a claim of a process that died lapses after a minute. */
export function postgresDedupe(db: Sql): DedupeStore {
  return {
    async claim(eventId, owner) {
      const claimed = await db.query(
        `insert into webhook_event as event (id, owner, lapses_at)
         values ($1, $2, clock_timestamp() + interval '1 minute')
         on conflict (id) do update set owner = excluded.owner, lapses_at = excluded.lapses_at
           where not event.handled and event.lapses_at < clock_timestamp()
         returning id`,
        [eventId, owner],
      );
      if (claimed.rows.length > 0) return 'claimed';
      const { rows } = await db.query<{ handled: boolean }>(
        'select handled from webhook_event where id = $1',
        [eventId],
      );
      return rows[0]?.handled === true ? 'committed' : 'in-progress';
    },
    async commit(eventId) {
      await db.query('update webhook_event set handled = true where id = $1', [eventId]);
    },
    async release(eventId, owner) {
      await db.query('delete from webhook_event where id = $1 and owner = $2 and not handled', [
        eventId,
        owner,
      ]);
    },
  };
}
