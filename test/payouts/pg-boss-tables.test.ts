import { isPaymentsError } from 'stablecoin-payments';
import { type Boss, type PgBossPayouts, payoutsOnPgBoss } from 'stablecoin-payments/payouts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';
import { bossByHand, openBoss } from './bench.ts';

/**
 * design.md: "`migrate` compares before it makes: a table, view or column of another's under one of our names is an error that
 * names it, and nothing is made. A start that fails has stopped what it started."
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
let payouts: PgBossPayouts;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.lite.exec('create schema app; set search_path to app');
  payouts = payoutsOn(bossByHand().boss);
});
afterEach(() => opened.lite.exec('set search_path to public; drop schema app cascade'));

const payments = clientOf(async () => Response.json({}));
const payoutsOn = (boss: Boss) => payoutsOnPgBoss({ boss, db: opened.db, payments });

/** All that the schema has: relations with their columns, and indexes with their tables. */
const everything = async () => {
  const { rows } = await opened.lite.query(
    `select c.relname, c.relkind, a.attname, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'app'::regnamespace order by 1, 3`,
  );
  return rows;
};
const ours = (name: string, change: (columns: string) => string) =>
  opened.lite.exec(change(`create table ${name} (${COLUMNS[name]})`));
const COLUMNS: Readonly<Record<string, string>> = {
  payout_payer: 'payer text primary key, brake text not null, version integer not null default 0',
  payout_transfer: 'transfer_id text primary key, request_id uuid not null',
  payout_hold:
    'hold_id uuid primary key, payer text, group_name text, id text, held_by text not null, reason text not null, at timestamptz not null default now()',
};

describe('migrate, where a name is another’s, makes and changes nothing', () => {
  it.each<[string, string, string, string]>([
    ['a table', 'create table payout (id serial primary key, amount numeric)', 'payout', 'no column `key`'],
    [
      'a table with many of the columns',
      'create table payout (key uuid, payer text, id text, group_name text, round integer, needs_review boolean, next_at timestamptz, is_done boolean)',
      'payout',
      'no column `order_text`',
    ],
    ['a table that is empty', 'create table payout_name ()', 'payout_name', 'no column `scope`'],
    ['a view', 'create view payout_hold as select 1 as hold_id', 'payout_hold', 'it is a view'],
    [
      'a materialized view',
      'create materialized view payout_message as select 1 as id',
      'payout_message',
      'a materialized view',
    ],
    ['a sequence', 'create sequence payout_request', 'payout_request', 'it is a sequence'],
    ['a type', "create type payout_payer as enum ('a')", 'payout_payer', 'it is a type'],
    ['a composite type', 'create type payout_payer as (a int)', 'payout_payer', 'it is a type'],
    ['a domain', 'create domain payout_transfer as text', 'payout_transfer', 'it is a type'],
    [
      'an index',
      'create table own (a int); create index payout_open on own (a)',
      'payout_open',
      'an index of the table `own`',
    ],
    [
      'an index under the name of a table',
      'create table own (a int); create index payout on own (a)',
      'payout',
      'it is an index',
    ],
    [
      'a table under the name of an index',
      'create table payout_to_review (a int)',
      'payout_to_review',
      'it is a table',
    ],
  ])('%s', async (_name, statements, name, what) => {
    await opened.lite.exec(statements);
    const before = await everything();
    const error = await payouts.migrate().catch((thrown: unknown) => thrown);
    expect(isPaymentsError(error) && [error.name, error.code]).toEqual([
      'ConfigurationError',
      'configuration',
    ]);
    expect(String(error)).toContain(`\`app\` has something else under the name \`${name}\``);
    expect(String(error)).toContain(what);
    expect(String(error)).toContain(
      'Nothing was made or changed. Give payouts a schema of their own: create one, and set `search_path`',
    );
    expect(await everything()).toEqual(before);
    await expect(payouts.work()).rejects.toThrow(name);
  });

  it.each<[string, string, (statement: string) => string, string]>([
    [
      'a type of a column',
      'payout_payer',
      (text) => text.replace('brake text', 'brake jsonb'),
      '`brake` is of the type jsonb, not text',
    ],
    [
      'a number that is text',
      'payout_payer',
      (text) => text.replace('version integer', 'version text'),
      '`version` is of the type text',
    ],
    ['no key', 'payout_payer', (text) => text.replace(' primary key', ' not null'), '(payer) is not unique'],
    [
      'another key',
      'payout_transfer',
      (text) => text.replace(' primary key', '').replace('not null)', 'primary key)'),
      '(transfer_id) is not unique',
    ],
    [
      'a key of a part of the rows',
      'payout_payer',
      (text) =>
        `${text.replace(' primary key', ' not null')}; create unique index one on payout_payer (payer) where version > 0`,
      '(payer) is not unique',
    ],
    [
      'a column that must be given',
      'payout_transfer',
      (text) => text.replace(')', ', amount numeric not null)'),
      'another column `amount`',
    ],
    [
      'times without a zone',
      'payout_hold',
      (text) => text.replace('timestamptz', 'timestamp'),
      '`at` is of the type timestamp without time zone',
    ],
  ])('a table that is almost ours: %s', async (_name, table, change, what) => {
    await ours(table, change);
    const before = await everything();
    await expect(payouts.migrate()).rejects.toThrow(what);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['payout_open', 'on payout (id)', 'it is an index on (id)'],
    ['payout_name_key', 'on payout_name (name, key)', 'it is an index on (name, key)'],
    ['payout_message_unread', 'on payout (key)', 'an index of the table `payout`'],
  ])('also among our own tables: %s %s', async (name, on, what) => {
    await payouts.migrate();
    await opened.lite.exec(`drop index ${name}; create index ${name} ${on}; drop table payout_hold`);
    const before = await everything();
    await expect(payouts.migrate()).rejects.toThrow(what);
    expect(await everything()).toEqual(before);
  });

  it('a search_path without a schema', async () => {
    await opened.lite.exec('set search_path to nowhere');
    await expect(payouts.migrate()).rejects.toThrow(
      '`search_path` of the connection names no schema that exists',
    );
    await opened.lite.exec('set search_path to app');
  });
});

describe('migrate', () => {
  it('makes what is missing, and finds its own tables again, also with columns of a later release', async () => {
    await ours('payout_payer', (text) => text);
    await payouts.migrate();
    const made = await everything();
    await payouts.migrate();
    expect(await everything()).toEqual(made);
    await opened.lite.exec(
      'alter table payout add note text; alter table payout_hold add more integer not null default 0; alter table payout alter version type bigint',
    );
    await payouts.migrate();
    await payouts.work();
  });

  it('makes its tables in a schema of their own, beside those of the application', async () => {
    await opened.lite.exec('create table payout (id serial); create schema pay; set search_path to pay, app');
    await payouts.migrate();
    await payouts.enqueue([
      { id: 'a', payer: 'p', recipients: [{ userId: 'u', amount: '1' }], currency: 'usdc', chain: 'POLYGON' },
    ]);
    const { rows } = await opened.lite.query('select id from pay.payout');
    expect(rows).toEqual([{ id: 'a' }]);
    expect((await opened.lite.query('select * from app.payout')).rows).toEqual([]);
    await opened.lite.exec('drop schema pay cascade');
  });
});

describe('before migrate', () => {
  const key = '0b5cbb47-8ae0-5a5c-8a7e-6a7d0a1b2c3d';
  const ada = { by: 'Ada' };
  const who = { ...ada, reason: 'x' };
  const event = {
    eventType: 'WALLET.TRANSFER.UPDATE',
    data: { id: 't', requestId: key, status: 'COMPLETED' },
  };
  it.each<[string, () => Promise<unknown>]>([
    [
      'enqueue',
      () =>
        payouts.enqueue([
          {
            id: 'a',
            payer: 'p',
            recipients: [{ userId: 'u', amount: '1' }],
            currency: 'usdc',
            chain: 'POLYGON',
          },
        ]),
    ],
    ['work', () => payouts.work()],
    ['list', () => payouts.list()[Symbol.asyncIterator]().next()],
    ['summary', () => payouts.summary()],
    ['commands', () => payouts.commands()[Symbol.asyncIterator]().next()],
    ['review', () => payouts.review()[Symbol.asyncIterator]().next()],
    ['archive', () => payouts.archive({ before: new Date() })],
    ['settle', () => payouts.settle(key, { ...ada, state: 'rejected' })],
    ['payAgain', () => payouts.payAgain(key, ada)],
    ['hold', () => payouts.hold({}, who)],
    ['hold of a payer', () => payouts.hold({ payer: 'p' }, who)],
    ['resume', () => payouts.resume({}, ada)],
    ['cancel', () => payouts.cancel({ id: 'a' }, who)],
    ['message', () => payouts.message(key, 'm', { type: 'wake' })],
    ['an event', () => payouts.webhookHandlers['WALLET.TRANSFER.*'](event, { id: 'e' })],
  ])('%s says so', async (_name, command) => {
    const error = await command().catch((thrown: unknown) => thrown);
    expect(isPaymentsError(error) && error.code).toBe('configuration');
    expect(String(error)).toContain('Call `migrate()` first');
  });

  it('of the half of its tables, too', async () => {
    await payouts.migrate();
    await opened.lite.exec('drop table payout_hold');
    await expect(payouts.work()).rejects.toThrow(
      'The table `payout_hold` of payouts is missing. No worker was started.',
    );
  });
});

describe('a start that fails has stopped what it started', () => {
  const working = () => opened.boss.getWipData().filter(({ name }) => name.startsWith('payouts'));

  it('before migrate', async () => {
    await expect(payoutsOn(opened.boss).work()).rejects.toThrow('migrate()');
    expect(working()).toEqual([]);
  });

  it('where a queue is missing', async () => {
    const own = payoutsOn(opened.boss);
    await own.migrate();
    await opened.boss.deleteQueue('payouts-repair.app');
    await expect(own.work()).rejects.toThrow('payouts-repair.app');
    expect(working()).toEqual([]);
    await opened.boss.deleteQueue('payouts.app');
  });

  it('where the second worker does not start', async () => {
    await payouts.migrate();
    await payoutsOn(opened.boss).migrate();
    const boss: Boss = {
      ...bossByHand().boss,
      insert: async () => {},
      work: (name, options, handler) =>
        name === 'payouts.app'
          ? opened.boss.work(name, options, handler)
          : Promise.reject(new Error('no connection')),
      offWork: (name, options) => opened.boss.offWork(name, options),
      notifyWorker: (id) => opened.boss.notifyWorker(id),
    };
    await expect(payoutsOn(boss).work()).rejects.toThrow('no connection');
    expect(working()).toEqual([]);
  });
});
