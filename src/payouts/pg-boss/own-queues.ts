import { type Boss, type Database, type Sql, sqlOf } from './engine.ts';
import { select } from './query.ts';
import { schemaRow } from './rows.ts';

/**
 * pg-boss with queues of the payouts' own: their names contain the schema of the tables, so that two systems on one pg-boss do
 * not take each other's jobs. In the schema `public` the names are `payouts` and `payouts-repair`.
 */
export function ownQueues(boss: Boss, db: Database): Boss {
  let suffix: string | undefined;
  // Within a transaction its own connection is asked: a database may have no other one.
  const own = async (name: string, sql: Sql = db) => {
    if (suffix === undefined) {
      const [row] = await select(sql, schemaRow, 'select current_schema()::text as schema');
      const schema = row?.schema ?? 'public';
      suffix = schema === 'public' ? '' : `.${schema.replaceAll(/[^a-z0-9_]/gi, asCode)}`;
    }
    return `${name}${suffix}`;
  };
  return {
    createQueue: async (name, options) => boss.createQueue(await own(name), options),
    updateQueue: async (name, options) => boss.updateQueue(await own(name), options),
    insert: async (name, jobs, options) => boss.insert(await own(name, sqlOf(options)), jobs, options),
    work: async (name, options, handler) => boss.work(await own(name), options, handler),
    offWork: async (name, options) => boss.offWork(await own(name), options),
    notifyWorker: (id) => boss.notifyWorker(id),
    findJobs: async (name, options) => boss.findJobs(await own(name), options),
  };
}

/** Names of queues have letters, digits, `_`, `-`, `.` and `/`. */
const asCode = (letter: string): string => `-${letter.codePointAt(0)?.toString(16)}-`;
