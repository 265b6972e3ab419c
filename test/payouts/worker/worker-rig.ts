import type { Database, NewPayoutJob, PayoutJob, PayoutQueue, Sql } from 'stablecoin-payments/payouts';
import { vi } from 'vitest';
import { pausesFrom } from '../../../src/payouts/rules/pause.ts';
import type { CallResult } from '../../../src/payouts/rules/see-result.ts';
import { Worker } from '../../../src/payouts/worker/worker.ts';

export const served: CallResult = { reading: { transferId: 't1', state: 'paid' } };
export const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A worker over a queue and a database that only write down what they are asked, in simulated time. */
export function rig(
  jobs: readonly (string | PayoutJob)[] = [],
  options: { concurrency?: number; pollSeconds?: number; keepAliveSeconds?: number } = {},
  life?: Pick<PayoutQueue, 'keepAlive'>,
) {
  const started = performance.now();
  const at = () => Math.round(performance.now() - started);
  const waiting: PayoutJob[] = jobs.map((job) =>
    typeof job === 'string' ? { id: job, requestId: job } : job,
  );
  const takes: [number, number][] = [];
  const finished: string[][] = [];
  const alive: [number, string[]][] = [];
  const errors: [number, unknown][] = [];
  const added: (readonly NewPayoutJob[])[] = [];
  const statements: string[] = [];
  const calls = new Map<string, (result: CallResult) => void>();
  const signals: AbortSignal[] = [];
  /** Says which statement fails. */
  const faults = { fails: (_text: string, _values: string): boolean => false, keepAlive: false };
  /** How long the queue takes for a statement, milliseconds. */
  const delays = { take: 0, finish: 0 };
  const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const sql: Sql = {
    query: async (text, values = []) => {
      statements.push(text.trim().slice(0, 6));
      if (faults.fails(text, JSON.stringify(values))) throw new Error('down');
      const ids: unknown = values[0];
      const rows =
        text.startsWith('with mine') && Array.isArray(ids)
          ? ids
              .filter((id) => !String(id).startsWith('idle'))
              .flatMap((id) =>
                (String(id).startsWith('batch') ? ['E1', 'E2'] : ['E1']).map((employee) => ({
                  request_id: id,
                  employee,
                  payee: String(id).replace(/ .*/, ''),
                  needs_approval: false,
                  attempts: 1,
                })),
              )
          : text.startsWith('select request_id, greatest') && Array.isArray(ids)
            ? ids
                .filter((id) => String(id).startsWith('idle early'))
                .map((id) => ({ request_id: id, seconds: 7 }))
            : [];
      return JSON.parse(JSON.stringify({ rows }));
    },
  };
  const db: Database = { ...sql, transaction: (work) => work(sql) };
  const worker = new Worker(
    {
      db,
      rules: { pauses: pausesFrom(), maxFailures: 25 },
      queue: {
        take: async (_sql, count) => {
          takes.push([at(), count]);
          if (delays.take > 0) await delay(delays.take);
          return waiting.splice(0, count);
        },
        finish: async (_sql, jobs) => {
          if (delays.finish > 0) await delay(delays.finish);
          finished.push(jobs.map(({ id }) => id));
        },
        add: async (_sql, jobs) => {
          added.push(jobs);
        },
        ...(life ?? {
          keepAlive: async (jobs: readonly PayoutJob[]) => {
            alive.push([at(), jobs.map(({ id }) => id)]);
            if (faults.keepAlive) throw new Error('no life');
          },
        }),
      },
      request: ({ job }, signal) => {
        signals.push(signal);
        return new Promise((resolve) => calls.set(job.id, resolve));
      },
    },
    {
      concurrency: 4,
      pollSeconds: 0.5,
      keepAliveSeconds: 3,
      onError: (error) => errors.push([at(), error instanceof Error ? error.message : error]),
      ...options,
    },
  );
  return {
    worker,
    takes,
    finished,
    alive,
    errors,
    added,
    statements,
    calls,
    signals,
    faults,
    delays,
    waiting,
    end: (id: string, result = served) => {
      calls.get(id)?.(result);
      calls.delete(id);
    },
  };
}
export const many = (count: number, name = 'p') =>
  Array.from({ length: count }, (_, place) => `${name}${place}`);
