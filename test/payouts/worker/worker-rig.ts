import type { Database, Sql } from 'stablecoin-payments/payouts';
import { vi } from 'vitest';
import type { Finding } from '../../../src/payouts/rules/see-attempt.ts';
import { pausesFrom } from '../../../src/payouts/rules/see-attempt.ts';
import { Worker } from '../../../src/payouts/worker/worker.ts';

export const served: Finding = { finding: 'made', reading: { transferId: 't1', state: 'paid' } };
const rules = {
  pauses: pausesFrom(),
  maxFailures: 25,
  maxRefusals: 25,
  keyLifetime: 86_400_000,
  payers: ['payer'],
};
export const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A worker over rows that only say what is asked of them, in simulated time. */
export function rig(
  names: readonly string[] = [],
  options: { concurrency?: number; pollInterval?: number } = {},
) {
  const started = performance.now();
  const at = () => Math.round(performance.now() - started);
  const waiting = [...names];
  const takes: [number, number][] = [];
  const noted: string[][] = [];
  const errors: [number, unknown][] = [];
  const calls = new Map<string, (result: Finding) => void>();
  const signals: AbortSignal[] = [];
  /** Fails statements, by their text and values. */
  const faults = { fails: (_text: string, _values: string): boolean => false };
  /** How long a transaction takes until its COMMIT, milliseconds. */
  const delays = { commit: 0 };
  const rowsFor = (text: string, values: readonly unknown[]): object[] => {
    if (text.includes('as asked'))
      return [{ payer: 'payer', refusals: 0, pauses: 0, command: '0', rests: false }];
    if (text.includes('as may')) {
      takes.push([at(), Number(values[2])]);
      return waiting.splice(0, Number(values[2])).map((name) => {
        const body = JSON.stringify({ requestId: name, destination: { userId: name } });
        return {
          request_id: name,
          payer: 'payer',
          attempts: 0,
          doubts: 0,
          is_over: false,
          is_held: false,
          body,
        };
      });
    }
    if (!text.startsWith('update payout_attempt')) return [];
    const closed: { request_id: string }[] = JSON.parse(String(values[0]));
    noted.push(closed.map(({ request_id }) => request_id));
    return closed;
  };
  const sql: Sql = {
    query: async (text, values = []) => {
      if (faults.fails(text, JSON.stringify(values))) throw new Error('down');
      return JSON.parse(JSON.stringify({ rows: rowsFor(text.trim(), values) }));
    },
  };
  const db: Database = {
    ...sql,
    transaction: async (work) => {
      const result = await work(sql);
      if (delays.commit > 0) await new Promise((resolve) => setTimeout(resolve, delays.commit));
      return result;
    },
  };
  const worker = new Worker(
    {
      store: { db, onChange: undefined },
      rules,
      request: ({ requestId }, signal) => {
        signals.push(signal);
        return new Promise((resolve) => calls.set(requestId, resolve));
      },
    },
    {
      concurrency: 4,
      pollInterval: 500,
      onError: (error) => errors.push([at(), error instanceof Error ? error.message : error]),
      ...options,
    },
  );
  const end = (id: string, result = served) => {
    calls.get(id)?.(result);
    calls.delete(id);
  };
  return { worker, takes, noted, errors, calls, signals, faults, delays, end };
}
export const many = (count: number, name = 'p') =>
  Array.from({ length: count }, (_, place) => `${name}${place}`);
