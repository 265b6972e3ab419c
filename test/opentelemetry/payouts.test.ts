import { readFileSync } from 'node:fs';
import {
  type Attributes,
  type BatchObservableCallback,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  type MetricOptions,
  metrics,
  type Observable,
} from '@opentelemetry/api';
import { openTelemetryMetrics, openTelemetryPayouts } from 'stablecoin-payments/opentelemetry';
import { payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench, openBoss } from '../payouts/bench.ts';

/**
 * Issue 63: "The metrics of OpenTelemetry for payouts: by state, age of the oldest open, pauses, calls, lookups, notices; a
 * dashboard to paste in `examples/`."
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());
afterEach(() => metrics.disable());

interface Instrument {
  readonly kind: 'counter' | 'upDownCounter' | 'histogram' | 'gauge';
  readonly unit: string | undefined;
  readonly attributes: Set<string>;
}

/** A provider that keeps its instruments, and collects as an SDK does. */
function recorder() {
  const instruments = new Map<string, Instrument>();
  const names = new Map<unknown, string>();
  const callbacks = new Set<BatchObservableCallback>();
  const make =
    (kind: Instrument['kind']) =>
    (name: string, { unit }: MetricOptions = {}) => {
      const attributes = new Set<string>();
      instruments.set(name, { kind, unit, attributes });
      const record = (_value: number, given: Attributes = {}) => {
        for (const key of Object.keys(given)) attributes.add(key);
      };
      const made = { add: record, record };
      names.set(made, name);
      return made;
    };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), {
    createHistogram: make('histogram'),
    createUpDownCounter: make('upDownCounter'),
    createCounter: make('counter'),
    createObservableGauge: make('gauge'),
    addBatchObservableCallback: (callback: BatchObservableCallback) => callbacks.add(callback),
    removeBatchObservableCallback: (callback: BatchObservableCallback) => callbacks.delete(callback),
  });
  const provider: MeterProvider = { getMeter: () => meter };
  const collect = async () => {
    const values: Record<string, number> = {};
    const observe = (instrument: Observable, value: number, attributes: Attributes = {}) => {
      const name = names.get(instrument) ?? '';
      for (const key of Object.keys(attributes)) instruments.get(name)?.attributes.add(key);
      values[[name.replace('payments.payouts.', ''), ...Object.values(attributes)].join(' ')] = value;
    };
    for (const callback of callbacks) await callback({ observe });
    return values;
  };
  return { provider, instruments, collect };
}

const none = {
  'open_recipients queued': 0,
  'open_recipients awaiting_approval': 0,
  'open_recipients accepted': 0,
  'open_recipients undecided': 0,
  'oldest_open.age queued': 0,
  'oldest_open.age awaiting_approval': 0,
  'oldest_open.age accepted': 0,
  'oldest_open.age undecided': 0,
  'to_review undecided': 0,
  'to_review notice': 0,
  'to_review problem': 0,
  'to_review hold': 0,
};

describe('the metrics of payouts', () => {
  it('show what is open and for how long, what a person must look at, and who is paused', async () => {
    const { provider, instruments, collect } = recorder();
    bench = await makeBench(opened, { maxFailures: 1 });
    const watching = openTelemetryPayouts(bench.payouts, { meterProvider: provider });
    expect(await collect()).toEqual(none);
    bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit', times: 1 });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    const recipients = [1, 2].map(() => ({ userId: bench.payee, amount: '1' }));
    await bench.payouts.enqueue([bench.order('b', { recipients }), bench.order('c')]);
    await bench.work();
    await bench.payouts.hold({ payer: bench.payer }, { by: 'Ada', reason: 'x' });
    await bench.payouts.enqueue([bench.order('d')]);
    await bench.db.query(
      "update payout_recipient set since = since - interval '1 hour' where id in ('b', 'c')",
    );
    const brake = JSON.stringify({ pausedUntil: Date.now() + 60_000, reason: 'INSUFFICIENT_BALANCE' });
    await bench.db.query("insert into payout_payer (payer, brake) values ('p1', $1), ('p2', $1)", [brake]);
    const values = await collect();
    expect(values).toEqual({
      ...none,
      'open_recipients queued': 1,
      'open_recipients accepted': 3,
      'open_recipients undecided': 1,
      'oldest_open.age queued': expect.closeTo(30, -2),
      'oldest_open.age accepted': expect.closeTo(3600, -2),
      'oldest_open.age undecided': expect.closeTo(30, -2),
      'to_review undecided': 1,
      'to_review hold': 1,
      'paused_payers INSUFFICIENT_BALANCE': 2,
    });
    expect([...instruments].map(([name, { kind, unit }]) => [name, kind, unit])).toEqual([
      ['payments.payouts.open_recipients', 'gauge', '{recipient}'],
      ['payments.payouts.oldest_open.age', 'gauge', 's'],
      ['payments.payouts.to_review', 'gauge', '{item}'],
      ['payments.payouts.paused_payers', 'gauge', '{payer}'],
    ]);
    watching.stop();
    expect(await collect()).toEqual({});
  });

  it('are read by indexes, however many payouts are paid', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await opened.lite.exec(
      `insert into payout_recipient (key, place, payer, id, recipient, amount, currency, request_id, state, since)
       select gen_random_uuid(), 0, payer, n::text, n::text, '1', 'usdc', gen_random_uuid(), 'paid', now()
       from generate_series(1, 20000) n, (select payer from payout limit 1) as one;
       analyze`,
    );
    const statements: [string, unknown[] | undefined][] = [];
    const db: Sql & typeof bench.db = {
      ...bench.db,
      query: (text, values) => {
        statements.push([text, values]);
        return bench.db.query(text, values);
      },
    };
    const { provider, collect } = recorder();
    const { payments } = bench;
    openTelemetryPayouts(payoutsOnPgBoss({ boss: opened.boss, db, payments }), { meterProvider: provider });
    expect(await collect()).toMatchObject({ 'open_recipients queued': 1, 'open_recipients accepted': 0 });
    const ofRecipients = statements.filter(([text]) => text.includes('from payout_recipient'));
    expect(ofRecipients).toHaveLength(4);
    for (const [text, values] of ofRecipients) {
      const { rows } = await bench.db.query(`explain ${text}`, values);
      expect(JSON.stringify(rows)).toContain('payout_recipient_state');
    }
  });

  it('are those of the global provider, and report a database that fails', async () => {
    const { provider, collect } = recorder();
    metrics.setGlobalMeterProvider(provider);
    openTelemetryPayouts({ summary: () => Promise.reject(new Error('no database')) });
    await expect(collect()).rejects.toThrow('no database');
  });

  it('refuse what is wrong by its name', () => {
    const make = (...given: unknown[]) =>
      openTelemetryPayouts(...(given as Parameters<typeof openTelemetryPayouts>));
    expect(() => make({})).toThrow('`payouts` must be what `payoutsOnPgBoss` returns');
    expect(() => make({ summary: () => {} }, { provider: {} })).toThrow(
      'openTelemetryPayouts: `provider` is not an option. Did you mean `meterProvider`?',
    );
  });
});

/** The names that Prometheus gives to an instrument. */
function prometheusNames(name: string, { kind, unit }: Instrument): string[] {
  const plain = `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}`;
  if (kind === 'histogram') return ['_bucket', '_sum', '_count'].map((end) => plain + end);
  return [kind === 'counter' ? `${plain}_total` : plain];
}

describe('the dashboard of the example', () => {
  interface Panel {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }
  const dashboard: { panels: Panel[] } = JSON.parse(
    readFileSync(new URL('../../examples/payouts/dashboard.json', import.meta.url), 'utf8'),
  );
  const targets = dashboard.panels.flatMap((panel) => panel.targets);

  it('asks for metrics and attributes that are recorded, and for each of those of payouts', async () => {
    const { provider, instruments, collect } = recorder();
    const hooks = openTelemetryMetrics({ meterProvider: provider });
    bench = await makeBench(opened, { client: { hooks } });
    openTelemetryPayouts(bench.payouts, { meterProvider: provider });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    const brake = JSON.stringify({ pausedUntil: Date.now() + 60_000, reason: 'x' });
    await bench.db.query("insert into payout_payer (payer, brake) values ('p1', $1)", [brake]);
    await collect();
    const recorded = new Map(
      [...instruments].flatMap(([name, one]) =>
        prometheusNames(name, one).map((given) => [
          given,
          new Set(['le', ...[...one.attributes].map((key) => key.replaceAll('.', '_'))]),
        ]),
      ),
    );
    const asked = new Set<string>();
    for (const { expr, legendFormat } of targets) {
      // A metric stands before its labels, its range or a parenthesis.
      const [name = ''] = expr.match(/\bpayments_(?:payouts|client)_\w+/) ?? [];
      asked.add(name);
      expect([...recorded.keys()]).toContain(name);
      const labels = [
        ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
        ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
        ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
      ];
      expect([...(recorded.get(name) ?? [])], expr).toEqual(expect.arrayContaining(labels));
    }
    const ofPayouts = [...recorded.keys()].filter((name) => name.startsWith('payments_payouts_'));
    expect([...asked]).toEqual(expect.arrayContaining(ofPayouts));
    expect(targets.every(({ expr }) => expr.match(/\bpayments_(?:payouts|client)_/g)?.length === 1)).toBe(
      true,
    );
  });

  it('counts the calls and lookups that payouts make, by their operations', async () => {
    const operations = new Set<string>();
    const { payments } = bench;
    const seen = payments.withOptions({
      hooks: { response: ({ operation }) => void operations.add(operation) },
    });
    await seen.transfers.create({
      source: { userId: bench.payer },
      destination: { userId: bench.payee },
      amount: 1,
      currency: 'usdc',
      chain: 'POLYGON',
    });
    const example = readFileSync(new URL('../../examples/payouts/src/payouts.ts', import.meta.url), 'utf8');
    const [, lookup = ''] = /operation: '([^']*)'/.exec(example) ?? [];
    operations.add(lookup);
    const asked = targets.flatMap(({ expr }) =>
      [...expr.matchAll(/payments_operation(=~|=)"([^"]*)"/g)].map(
        ([, , words = '']) => new RegExp(`^${words}$`),
      ),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const one of asked) expect([...operations].some((operation) => one.test(operation))).toBe(true);
  });
});
