import { isPaymentsError, type PaymentsError } from 'stablecoin-payments';
import { type Boss, type Database, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, bossByHand, type Job, makeBench, makeBenchByHand, openBoss } from './bench.ts';

/**
 * design.md, *What a database gives*: it "passes one schema for each kind of row before anything is decided by it …; a row that
 * does not fit stops the step before any call, and the error names the column, what came and the remedy."
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
  await makeBench(opened);
});
afterAll(() => opened.close());

type Row = Record<string, unknown>;
type Change = (rows: Row[], text: string) => unknown;

/** The database behind a driver that gives rows in its own form, from a moment on. */
function driver(change: Change, isOn: () => boolean = () => true): Database {
  const over = (sql: Sql): Sql => ({
    async query(text, values) {
      const result = await sql.query<Row>(text, values);
      return (isOn() ? change(result.rows, text) : result) as never;
    },
  });
  return { ...over(opened.db), transaction: (work) => opened.db.transaction((sql) => work(over(sql))) };
}
const eachValue =
  (of: (value: unknown, name: string) => unknown): Change =>
  (rows) => ({
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, of(value, name)])),
    ),
  });
const eachName =
  (of: (name: string) => string): Change =>
  (rows) => ({
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [of(name), value])),
    ),
  });
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
const flags = (yes: unknown, no: unknown) =>
  eachValue((value) => (value === true ? yes : value === false ? no : value));

/** Forms in which a row cannot be read, and what the error says of it. */
const wrong: [string, Change, RegExp][] = [
  [
    'renames columns to humps',
    eachName(camel),
    /the column `is_held` is missing, and `isHeld` came.*`transform` of postgres\.js/,
  ],
  [
    'renames columns to capitals',
    eachName((name) => name.toUpperCase()),
    /`is_held` is missing, and `IS_HELD` came/,
  ],
  ["gives booleans as 't'", flags('t', 'f'), /`is_held` must be true or false, but is a string/],
  ["gives booleans as 'true'", flags('true', 'false'), /`is_held` must be true or false, but is a string/],
  ['gives booleans as 1', flags(1, 0), /`is_held` must be true or false, but is a number/],
  [
    'gives rows as arrays',
    (rows) => ({ rows: rows.map((row) => Object.values(row)) }),
    /A row of a probe is an array/,
  ],
  ['gives the rows alone', (rows) => rows, /gave an array.*return `\{ rows \}`/],
  ['gives no rows', () => ({ rowCount: 1 }), /an object without a list of `rows`/],
  ['gives nothing', () => undefined, /gave missing/],
  [
    'drops a column',
    (rows) => ({ rows: rows.map(({ is_held: _held, ...row }) => row) }),
    /`is_held` is missing\. The driver/,
  ],
  [
    'gives numbers as words',
    eachValue((value) => (typeof value === 'number' ? 'seven' : value)),
    /`version` must be a whole number, but is a string/,
  ],
  [
    'gives null for a number',
    eachValue((value, name) => (name === 'version' ? null : value)),
    /`version` must be a whole number, but is null/,
  ],
  [
    'gives text as bytes',
    eachValue((value, name) => (name === 'order_text' ? Buffer.from(String(value)) : value)),
    /`order_text` must be text, but is an object/,
  ],
  [
    'parses text that looks like JSON',
    eachValue((value, name) => (name === 'order_text' ? JSON.parse(String(value)) : value)),
    /`order_text` must be text, but is an object/,
  ],
  ['gives nothing for null', eachValue((value) => value ?? ''), /came back changed/],
  [
    'gives capitals',
    eachValue((value, name) => (name === 'job_id' ? String(value).toUpperCase() : value)),
    /came back changed/,
  ],
];

describe.each(wrong)('a driver that %s', (_name, change, message) => {
  const expected = (error: unknown) => {
    if (!isPaymentsError(error)) throw error;
    expect([error.name, error.code]).toEqual(['ConfigurationError', 'configuration']);
    expect(error.message).toMatch(message);
    expect(error.message).toContain('Nothing is paid');
  };

  it('is found by `migrate`, and by `work`, which starts nothing', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    const { boss, run } = bossByHand();
    const payouts = payoutsOnPgBoss({ boss, db: driver(change), payments: bench.payments });
    expected(await payouts.migrate().catch((thrown: unknown) => thrown));
    expected(await payouts.work().catch((thrown: unknown) => thrown));
    await expect(run({ id: 'any' })).rejects.toThrow('no job');
  });
});

/** The same while it pays: a driver that changes after the start must not pay what is held. */
describe.each(wrong.slice(0, 12))('a worker whose driver later %s', (_name, change) => {
  it('pays nothing that is held, cancels nothing, and says why', async () => {
    const errors: PaymentsError[] = [];
    let isWrong = false;
    const { planned, run, ...made } = await makeBenchByHand(opened, {
      db: driver(change, () => isWrong),
      onError: (error) => errors.push(error as PaymentsError),
    });
    bench = made.bench;
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.hold({}, { by: 'Ada', reason: 'wrong file' });
    isWrong = true;
    expect(await run(planned[0])).toBe('failed');
    isWrong = false;
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
    expect(errors.map(({ code }) => code)).toEqual(['configuration']);
  });
});

/** The gate alone: what it decides by must be a boolean. */
describe('the gate', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['f', 'f'],
    ['0', 0],
    ['empty', ''],
    ['false as text', 'false'],
    ['an object', {}],
  ])('pays on false alone, and not on %s', async (_name, value) => {
    for (const column of ['is_held', 'is_cancelled']) {
      const errors: unknown[] = [];
      let isWrong = false;
      const change = eachValue((own, name) => (name === column ? value : own));
      const { planned, run, ...made } = await makeBenchByHand(opened, {
        db: driver(
          (rows, text) => (text.includes('cancelled_by is not null') ? change(rows, text) : { rows }),
          () => isWrong,
        ),
        onError: (error) => errors.push(error),
      });
      bench = made.bench;
      await bench.payouts.enqueue([bench.order('a')]);
      isWrong = true;
      expect(await run(planned[0])).toBe('failed');
      expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
      expect(String(errors[0])).toContain(`\`${column}\``);
      isWrong = false;
      await run(planned[0]);
      expect(await bench.states()).toEqual(['accepted -']);
    }
  });

  it('calls nothing where the row is not found, and cancels nothing', async () => {
    let isWrong = false;
    const { planned, run, ...made } = await makeBenchByHand(opened, {
      db: driver(
        (rows, text) => ({ rows: text.startsWith('select p.cancelled_by') ? [] : rows }),
        () => isWrong,
      ),
    });
    bench = made.bench;
    await bench.payouts.enqueue([bench.order('a')]);
    isWrong = true;
    expect(await run(planned[0])).toBe('failed');
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
  });
});

describe('a driver whose values have another form and the same meaning', () => {
  it.each<[string, Change]>([
    [
      'BigInts',
      eachValue((value) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value)),
    ],
    ['numbers as text', eachValue((value) => (typeof value === 'number' ? String(value) : value))],
    [
      'numbers as text with an exponent',
      eachValue((value) => (typeof value === 'number' ? value.toExponential() : value)),
    ],
    [
      'times as Dates',
      eachValue((value, name) =>
        ['now', 'since', 'at', 'oldest'].includes(name) ? new Date(Number(value)) : value,
      ),
    ],
    [
      'more columns',
      (rows) => ({ rows: rows.map((row) => ({ ...row, extra: 'x', is_Held: null })), rowCount: 1 }),
    ],
    [
      'rows without a prototype',
      (rows) => ({ rows: rows.map((row) => Object.assign(Object.create(null), row)) }),
    ],
  ])('pays: %s', async (_name, change) => {
    const db = driver(change);
    const { planned, run, ...made } = await makeBenchByHand(opened, { db });
    bench = made.bench;
    await bench.payouts.enqueue([bench.order('a'), bench.order('b')]);
    await bench.payouts.hold({ id: 'b' }, { by: 'Ada', reason: 'x' });
    for (const job of planned.slice(0, 2)) await run(job);
    expect(await bench.states()).toEqual(['accepted -', 'queued HELD']);
    const { lines, toReview, oldestQueued } = await bench.payouts.summary();
    expect(lines.map(({ recipients, amount }) => [recipients, amount])).toEqual([
      [1, '25.5'],
      [1, '25.5'],
    ]);
    // Issue 63: "what it lists is counted in `summary`", a hold, too.
    expect([toReview, oldestQueued?.getFullYear()]).toEqual([1, new Date().getFullYear()]);
    expect(await bench.review()).toMatchObject([{ kind: 'hold', at: expect.any(Date) }]);
  });
});

describe('what payouts have stored themselves', () => {
  const stored = async () => {
    const { rows } = await bench.db.query<{ situation: string }>('select situation from payout');
    return JSON.parse(rows[0]?.situation ?? '');
  };
  it.each<[string, (situation: never) => unknown, string]>([
    ['is cut', (situation) => JSON.stringify(situation).slice(0, -5), '`JSON` must be a payout'],
    [
      'has a payment without a time',
      ({ parts: [part], ...more }: { parts: object[] }) => ({ ...more, parts: [{ ...part, due: 'soon' }] }),
      '`JSON.parts[0].due`',
    ],
    [
      'has a payment in no known state',
      ({ parts: [part], ...more }: { parts: object[] }) => ({ ...more, parts: [{ ...part, state: 'held' }] }),
      '`JSON.parts[0].state` must be',
    ],
    ['has no payments', ({ parts: _parts, ...more }: { parts: object[] }) => more, '`JSON.parts`'],
    ['is nothing', () => 'null', '`JSON` must be a payout'],
  ])('a situation that %s stops the step, and names the place', async (_name, change, place) => {
    const errors: unknown[] = [];
    const { planned, run, ...made } = await makeBenchByHand(opened, {
      onError: (error) => errors.push(error),
    });
    bench = made.bench;
    await bench.payouts.enqueue([bench.order('a')]);
    const changed = change((await stored()) as never);
    await bench.db.query('update payout set situation = $1', [
      typeof changed === 'string' ? changed : JSON.stringify(changed),
    ]);
    expect(await run(planned[0])).toBe('failed');
    expect(bench.emulator.requests()).toEqual([]);
    expect(String(errors[0])).toContain(`the column \`situation\` is not what payouts store: ${place}`);
    expect(String(errors[0])).not.toContain(bench.payee);
  });

  it('a message that is no JSON is read with a notice', async () => {
    const { planned, run, ...made } = await makeBenchByHand(opened);
    bench = made.bench;
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(
      `insert into payout_message (id, key, message) select 'm', key, '{"type":' from payout`,
    );
    await run(planned[0]);
    expect(await bench.review()).toMatchObject([{ kind: 'notice', notice: 'MESSAGE_NOT_READABLE' }]);
    expect(await bench.states()).toEqual(['accepted -']);
  });

  it('a pause of a payer that is no pause stops the step', async () => {
    const { planned, run, ...made } = await makeBenchByHand(opened);
    bench = made.bench;
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(
      `insert into payout_payer (payer, brake) select payer, '{"pausedUntil":"tomorrow"}' from payout`,
    );
    expect(await run(planned[0])).toBe('failed');
    expect(bench.emulator.requests()).toEqual([]);
  });
});

describe('a job of pg-boss', () => {
  it.each<[string, unknown, RegExp]>([
    ['without an id', { data: { key: 'k' } }, /`id` is missing/],
    ['of another program', { id: 'j', data: { to: 'Ann' } }, /`data.key` must be text, but is missing/],
    ['whose data is text', { id: 'j', data: '{"key":"k"}' }, /`data` must be an object, but is a string/],
    ['whose data is nothing', { id: 'j', data: null }, /`data` must be an object, but is null/],
    ['that is a list', ['j'], /is an array/],
  ])('%s is named', async (_name, job, message) => {
    const errors: unknown[] = [];
    const made = await makeBenchByHand(opened, { onError: (error) => errors.push(error) });
    bench = made.bench;
    expect(await made.run(job as Job)).toBe('failed');
    expect(String(errors[0])).toMatch(message);
  });
});

describe('an engine of another version', () => {
  // Their methods; pg-boss 10 and 11 have no `findJobs`, and 10 takes the jobs of `insert` as its first parameter.
  it.each(['createQueue', 'insert', 'work', 'offWork', 'notifyWorker', 'findJobs'])(
    'without %s is named when payouts are made',
    (name) => {
      const { boss } = bossByHand();
      const older = { ...boss, [name]: undefined } as unknown as Boss;
      const { payments } = bench;
      expect(() => payoutsOnPgBoss({ boss: older, db: opened.db, payments })).toThrow(
        `\`boss\` must be a PgBoss of pg-boss 12.38 or later: the function \`${name}\` is missing`,
      );
    },
  );
});
