import { describe, expect, test } from 'vitest';
import { groupsOf } from '../../../page/fields.ts';
import { amountOf, lengthOf, mood, responseSeen, since } from '../../../page/format.ts';
import { rowsOf } from '../../../page/moments.ts';
import { paymentOf, titleOf, whoOf } from '../../../page/payment.ts';
import type { Moment } from '../../../src/emulator/page/timeline.ts';

const AMINA = 'e7d62515-2bc2-401f-adda-8d1750dc4d4d';
const KOFI = '1e7c9f31-8eb0-4248-b030-5910970bbc88';
const names = { [AMINA]: 'Amina Otieno', [KOFI]: 'Kofi Mensah', 'account-1': 'MTN ugx' };

describe('the title of a payment says what happened', () => {
  const transfer = {
    transferType: 'WALLET.TRANSFER',
    transferDetails: {
      amount: 12_000,
      currency: 'usdc',
      chain: 'POLYGON',
      source: { userId: AMINA },
      destination: { userId: KOFI },
    },
  };
  const { transferDetails: details } = transfer;
  const recipients = (count: number) => Array.from({ length: count }, () => ({ userId: KOFI, amount: '1' }));
  test.each([
    ['12,000.00 USDC, Amina Otieno → Kofi Mensah', {}],
    ['12,000.00 USDC, Amina Otieno → Amina Otieno', { destination: { userId: AMINA } }],
    [
      '12,000.00 USDC, Amina Otieno → 0xf5ee…95ed',
      { destination: { walletAddress: '0xf5eeb41a85fb8164052524db40f326ba3a3b95ed' } },
    ],
    [
      '12,000.00 USDC, Amina Otieno → 11111111',
      { destination: { userId: `${'1'.repeat(8)}-1111-4111-8111-111111111111` } },
    ],
    ['0.000001 USDC, Amina Otieno → Kofi Mensah', { amount: 0.000001 }],
  ])('%s', (title, change) => {
    expect(titleOf(paymentOf({ ...transfer, transferDetails: { ...details, ...change } }, names))).toBe(
      title,
    );
  });

  test.each([
    [
      '12,000.00 USDC, Amina Otieno → 1 recipient',
      'WALLET.TRANSFER.BATCH',
      { destination: { batch: recipients(1) } },
    ],
    [
      '12,000.00 USDC, Amina Otieno → 50 recipients',
      'WALLET.TRANSFER.BATCH',
      { destination: { batch: recipients(50) } },
    ],
    [
      '800.00 USDT, Kofi Mensah, ETHEREUM → POLYGON',
      'WALLET.BRIDGE',
      {
        amount: 800,
        currency: 'usdt',
        source: { userId: KOFI, chain: 'ETHEREUM', currency: 'usdt' },
        destination: { userId: KOFI, chain: 'POLYGON', currency: 'usdt' },
      },
    ],
    [
      '340.25 USDC → 1,259,576.93568 UGX, Amina Otieno → MTN ugx',
      'OFFRAMP',
      {
        source: { userId: AMINA, amount: 340.25, currency: 'usdc', chain: 'POLYGON' },
        destination: { userId: AMINA, accountId: 'account-1', currency: 'ugx' },
        quoteInformation: { receiveNet: { amount: '1259576.93568', currency: 'ugx' } },
      },
    ],
    [
      '25,000.00 USD → 24,975.00 USDC, Amina Otieno',
      'ONRAMP',
      {
        source: { userId: AMINA, amount: 25_000, currency: 'usd', transferType: 'ach' },
        destination: { userId: AMINA, amount: 24_975, currency: 'usdc', chain: 'POLYGON' },
      },
    ],
    [
      '25,000.00 USD → USDC, Amina Otieno → Kofi Mensah',
      'ONRAMP',
      {
        source: { userId: AMINA, amount: 25_000, currency: 'usd', transferType: 'ach' },
        destination: { userId: KOFI, amount: null, currency: 'usdc', chain: 'POLYGON' },
      },
    ],
  ])('%s', (title, transferType, change) => {
    const record = { transferType, transferDetails: { ...details, ...change } };
    expect(titleOf(paymentOf(record, names))).toBe(title);
  });

  test('a record of nothing breaks nothing', () => {
    expect(titleOf(paymentOf({}, {}))).toBe('');
    expect(whoOf(paymentOf(null, {}))).toBe('');
  });
});

test('the rail of an onramp and both chains of a bridge are told, one chain once', () => {
  const via = (source: object, destination: object, chain?: string) =>
    paymentOf({ transferDetails: { chain, source, destination } }, {}).via;
  expect(via({ transferType: 'ach' }, { chain: 'POLYGON' })).toBe('ACH → POLYGON');
  expect(via({ chain: 'BASE' }, { chain: 'POLYGON' })).toBe('BASE → POLYGON');
  expect(via({ chain: 'BASE' }, { chain: 'BASE' })).toBe('BASE');
  expect(via({}, {}, 'SOLANA')).toBe('SOLANA');
});

test.each([
  [12_000, '12,000.00'],
  ['1259576.93568', '1,259,576.93568'],
  [0.1 + 0.2, '0.30'],
  [0, '0.00'],
  ['', '—'],
  [null, '—'],
  ['much', '—'],
])('the amount %j reads %s', (amount, text) => expect(amountOf(amount)).toBe(text));

test.each([
  ['00:00:00.000', '+0 ms'],
  ['00:00:00.250', '+250 ms'],
  ['00:00:02.500', '+2.5 s'],
  ['00:01:00.000', '+1 m'],
  ['03:20:09.000', '+3 h 20 m'],
])('from midnight to %s it is %s', (time, text) =>
  expect(since('2026-01-01T00:00:00.000Z', `2026-01-01T${time}Z`)).toBe(text),
);

test('a length of time has its two largest units', () => {
  expect(lengthOf(90_061_000)).toBe('1 d 1 h');
  expect(lengthOf(-5)).toBe('0 s');
});

test.each([
  ['', 'reset-after-commit', 'response lost', 'bad'],
  ['', 'reset-before-commit', 'connection reset', 'bad'],
  ['', '', 'no response', 'bad'],
  ['201', 'cut-body', 'response cut off', 'bad'],
  ['503', 'status', '503', 'bad'],
  ['201', 'latency', '201', 'good'],
  ['404', '', '404', 'bad'],
])('of the status %j under the fault %j the client saw %s', (status, fault, seen, color) => {
  expect(responseSeen(status, fault)).toBe(seen);
  expect(mood(seen)).toBe(color);
});

describe('the fields of a record', () => {
  const onramp = {
    id: 'onramp-1',
    transferDetails: {
      id: 'onramp-1',
      failedReason: null,
      source: { userId: AMINA, accountId: null, bankInfo: { bankName: 'Example Bank', imad: '' } },
      receipt: { transactionHash: '0x1', approval: { votes: [{ comment: 'fine' }] } },
      depositInfo: null,
    },
  };
  test('stand in groups, the ids once, what is empty apart', () => {
    expect(groupsOf(onramp)).toEqual([
      { title: 'Record', fields: [['id', 'onramp-1']], empty: ['failedReason', 'depositInfo'] },
      { title: 'Source', fields: [['userId', AMINA]], empty: ['accountId'] },
      { title: 'Bank', fields: [['bankName', 'Example Bank']], empty: ['imad'] },
      { title: 'Receipt', fields: [['transactionHash', '0x1']], empty: [] },
      { title: 'Approval', fields: [['votes.0.comment', 'fine']], empty: [] },
    ]);
  });
  test('leave out what has a card of its own', () => {
    const delivery = { id: 'd', attempts: [{ attempt: 1 }], url: 'http://r.test', isSent: false };
    expect(groupsOf(delivery, ['attempts'])).toEqual([
      {
        title: 'Record',
        fields: [
          ['id', 'd'],
          ['url', 'http://r.test'],
          ['isSent', false],
        ],
        empty: [],
      },
    ]);
  });
});

test('a row has what the client saw, and beside it what the service did then', () => {
  const moment = (what: Moment['what'], id: string, rest: Partial<Moment> = {}): Moment => ({
    ...{
      what,
      list: what === 'request' ? 'requests' : 'transfers',
      id,
      at: '2026-01-01T00:00:00.000Z',
      title: id,
    },
    ...rest,
  });
  const lost = moment('request', 'request-1', { fault: 'reset-after-commit' });
  const created = moment('status', 'transfer', { during: 'request-1' });
  const event = moment('event', 'event', { during: 'request-1' });
  const sent = moment('attempt', 'delivery');
  const alone = moment('status', 'transfer');
  const together = moment('event', 'event-2');
  const later = moment('status', 'transfer', { at: '2026-01-01T00:00:20.000Z' });
  const hidden = moment('status', 'transfer', { during: 'request-9' });
  expect(rowsOf([lost, sent, created, event, alone, together, later])).toEqual([
    { at: lost.at, client: lost, service: [created, event] },
    { at: sent.at, client: sent, service: [] },
    { at: alone.at, client: undefined, service: [alone, together] },
    { at: later.at, client: undefined, service: [later] },
  ]);
  // The request during which it happened is a control call that is not shown.
  expect(rowsOf([hidden])).toEqual([{ at: hidden.at, client: undefined, service: [hidden] }]);
});
