import { InvalidRequestError } from '../../shared/errors/index.ts';

/** Another process changed something at the same time: what it stored is read in another turn. */
export class Again extends InvalidRequestError {
  constructor(problem: string) {
    super(problem, { outcome: 'unknown' });
  }
}

/** Runs a transaction again while another process is first. */
export async function inTurns<T>(run: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Again) || turn === 5) throw error;
    }
  }
}
