import { causesOf, peek } from '../../shared/errors/foreign-values.ts';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import type { Database } from './engine.ts';

/** Another process changed something at the same time: what it stored is read in another turn. */
export class Again extends InvalidRequestError {
  constructor(problem: string) {
    super(problem, { outcome: 'unknown' });
  }
}

const TURNS = 5;

/** Runs a transaction again while another process is first. */
export async function inTurns<T>(
  run: () => Promise<T>,
  isFirst: (error: unknown) => boolean = (error) => error instanceof Again,
): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isFirst(error) || turn === TURNS) throw error;
    }
  }
}

/** Returns true for an error with one of these codes of the SQL standard, whatever the driver puts around it. */
export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  causesOf(error, 3).some((one) => codes.some((code) => code === peek(one, 'code')));

/** A transaction that could not be put in an order with the others, and a deadlock: the database has rolled back. */
const COLLISIONS: readonly string[] = ['40001', '40P01'];

/** A database that runs again what it may always refuse. Nothing of it is stored, so that it may. */
export function patient(db: Database): Database {
  const collides = (error: unknown) => hasCode(error, COLLISIONS);
  return {
    query: (text, values) => inTurns(() => db.query(text, values), collides),
    transaction: (work) => inTurns(() => db.transaction(work), collides),
  };
}
