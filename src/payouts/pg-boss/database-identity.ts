import { causesOf, peek } from '../../shared/errors/foreign-values.ts';
import { hasCode } from './again.ts';
import type { Sql } from './engine.ts';
import { select } from './query.ts';
import { identityRow } from './rows.ts';

/** What a database says of itself. Null where it does not say: then nothing is noticed. */
export interface DatabaseIdentity {
  readonly system_identifier: string | null;
  /** The history of its writes: a promoted standby and a recovery begin another one. */
  readonly timeline: string | null;
}

const UNKNOWN: DatabaseIdentity = { system_identifier: null, timeline: null };

/**
 * What PostgreSQL says of itself, as two columns of a statement. `pg_control_checkpoint()` would lag behind a promotion.
 */
const COLUMNS = `(select system_identifier::text from pg_control_system()) as system_identifier,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)::text as timeline`;

const NOTHING = 'null::text as system_identifier, null::text as timeline';

/** What an engine without these functions says, and one that does not let everybody call them. */
const NEVER_SAYS: readonly string[] = ['42883', '42501', '0A000'];

/** A code of the SQL standard, but of no connection, no resources or a shutdown: a question that was lost has no answer. */
const isAnswer = (error: unknown): boolean =>
  causesOf(error, 3).some((one) => /^(?!08|53|57)[\dFHPX][\dA-Z]{4}$/.test(String(peek(one, 'code'))));

/**
 * Asks the database who it is, together with something else. An engine that does not say is not asked again. One that has said
 * it says it each time: a question that fails then fails for another reason, and nothing may be called without its answer.
 */
export function identityAsker() {
  /** Whether the database says who it is; undefined until that is known. */
  let says: boolean | undefined;
  return {
    /**
     * Runs a statement with the columns `system_identifier` and `timeline`.
     *
     * @param run - Runs the statement with these columns in it.
     */
    async with<T>(run: (columns: string) => Promise<T>): Promise<T> {
      if (says === false) return run(NOTHING);
      try {
        const result = await run(COLUMNS);
        says = true;
        return result;
      } catch (error) {
        if (says === true || !isAnswer(error)) throw error;
        // What fails without these columns, too, has failed for another reason.
        const result = await run(NOTHING);
        if (hasCode(error, NEVER_SAYS)) says = false;
        return result;
      }
    },
    async ask(sql: Sql): Promise<DatabaseIdentity> {
      const [row] = await this.with((columns) => select(sql, identityRow, `select ${columns}`));
      return row ?? UNKNOWN;
    },
  };
}

export type IdentityAsker = ReturnType<typeof identityAsker>;

/** Returns true if both say who they are, and are not the same. */
export const isAnother = (one: DatabaseIdentity, other: DatabaseIdentity): boolean =>
  differs(one.system_identifier, other.system_identifier) || differs(one.timeline, other.timeline);

const differs = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;
