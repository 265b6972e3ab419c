import type { Database, NewPayoutJob, PayoutJob, PayoutQueue, Sql } from 'stablecoin-payments/payouts';
import { vi } from 'vitest';
import type { Finding } from '../../../src/payouts/rules/see-attempt.ts';
import { pausesFrom } from '../../../src/payouts/rules/see-attempt.ts';
import type { FleetRules } from '../../../src/payouts/store/attempts.ts';
import { Worker } from '../../../src/payouts/worker/worker.ts';

export const served: Finding = { finding: 'made', reading: { transferId: 't1', state: 'paid' } };
export const fleetRules: FleetRules = {
  pauses: pausesFrom(),
  maxFailures: 25,
  maxRefusals: 25,
  keyLifetime: 86_400,
  payers: ['payer'],
};
/** A key for a job's name: the worker leaves jobs alone whose key is no UUID. */
const keyOf = (name: string): string =>
  `00000000-0000-4000-8000-${[...name]
    .map((one) => one.charCodeAt(0).toString(16))
    .join('')
    .padStart(12, '0')
    .slice(-12)}`;
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
    typeof job === 'string' ? { id: job, requestId: keyOf(job) } : job,
  );
  const takes: [number, number][] = [];
  const finished: string[][] = [];
  const alive: [number, string[]][] = [];
  const errors: [number, unknown][] = [];
  const added: (readonly NewPayoutJob[])[] = [];
  const statements: string[] = [];
  const calls = new Map<string, (result: Finding) => void>();
  const signals: AbortSignal[] = [];
  /** Says which statement fails. */
  const faults = {
    fails: (_text: string, _values: string): boolean => false,
    keepAlive: false,
    finish: false,
  };
  /** How long the queue takes for a statement, milliseconds. */
  const delays = { take: 0, finish: 0, commit: 0 };
  const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** The jobs by their key, in the order in which they are taken. */
  const names = new Map<string, string[]>();
  const rowsFor = (text: string, values: readonly unknown[]): object[] => {
    const ids = Array.isArray(values[0]) ? values[0].map(String) : [];
    if (text.includes('from unnest($1::text[]) as asked'))
      return [{ payer: 'payer', seconds: 0, refusals: 0, pauses: 0, stopped: false }];
    if (text.trim().startsWith('select p.*')) {
      return ids.flatMap((id) => {
        const name = names.get(id)?.[0] ?? '';
        if (name.startsWith('idle') && !name.startsWith('idle early')) return [];
        const due_in = name.startsWith('idle early') ? 7 : 0;
        const userId = name.replace(/ .*/, '');
        const body = JSON.stringify({ requestId: id, destination: { userId } });
        const recipients = JSON.stringify([{ userId }]);
        const row = { request_id: id, payer: 'payer', attempts: 0, doubts: 0, due_in, held: false };
        return [{ ...row, body, recipients }];
      });
    }
    if (text.trim().startsWith('update payout_attempt')) return JSON.parse(String(values[0]));
    return [];
  };
  const sql: Sql = {
    query: async (text, values = []) => {
      statements.push(text.trim().slice(0, 6));
      if (faults.fails(text, JSON.stringify(values))) throw new Error('down');
      const rows = rowsFor(text, values);
      return JSON.parse(JSON.stringify({ rows }));
    },
  };
  const db: Database = {
    ...sql,
    transaction: async (work) => {
      const result = await work(sql);
      if (delays.commit > 0) await delay(delays.commit);
      return result;
    },
  };
  const worker = new Worker(
    {
      db,
      rules: fleetRules,
      queue: {
        take: async (_sql, count) => {
          takes.push([at(), count]);
          if (delays.take > 0) await delay(delays.take);
          const taken = waiting.splice(0, count);
          for (const { id, requestId } of taken) names.set(requestId, [...(names.get(requestId) ?? []), id]);
          return taken;
        },
        finish: async (_sql, jobs) => {
          if (delays.finish > 0) await delay(delays.finish);
          if (faults.finish) throw new Error('no queue');
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
      request: ({ requestId }, signal) => {
        signals.push(signal);
        return new Promise((resolve) => calls.set(names.get(requestId)?.shift() ?? requestId, resolve));
      },
    },
    {
      concurrency: 4,
      pollInterval: 500,
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
