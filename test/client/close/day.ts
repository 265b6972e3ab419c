import type { ReconcileRow } from '../../../src/client/index.ts';

/** How the records of a day come: as the rows, later by up to an hour each, or in any order. */
export type RecordOrder = 'as the rows' | 'later by up to an hour' | 'in any order';

export interface DayOptions {
  readonly payments: number;
  readonly order: RecordOrder;
  /** Any whole number: another day. */
  readonly seed?: number;
  /** False for a day without discrepancies. */
  readonly isPlanted?: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const since = new Date('2026-11-20T00:00:00+09:00');
const until = new Date(since.getTime() + DAY);

/** What is planted, each at a payment of its own, as the item must say it. */
const planted: readonly (readonly [item: string, plant: Plant])[] = [
  ['differs paid amount', { details: { amount: 0.01 } }],
  ['differs paid currency', { details: { currency: 'usdt' } }],
  ['differs paid destination.userId', { details: { destination: { userId: 'another payee' } } }],
  ['differs paid source.userId', { details: { source: { userId: 'another payer' } } }],
  ['differs paid transferId', { row: { transferId: 'another' } }],
  ['differs paid recipients', { kind: 'batch with another payee' }],
  ['differs paid state', { row: { state: 'rejected' } }],
  ['differs not-paid state', { details: { status: 'FAILED' } }],
  ['differs check status', { kind: 'paid and refunded' }],
  ['missing -', { kind: 'never made' }],
  ['unordered paid', { kind: 'never ordered' }],
  ['second paid', { kind: 'made twice' }],
];

type Kind =
  | 'single'
  | 'batch'
  | 'batch with another payee'
  | 'paid and refunded'
  | 'never made'
  | 'never ordered'
  | 'made twice'
  | 'not called yet'
  | 'refused';

interface Payment {
  readonly kind: Kind;
  readonly row: ReconcileRow;
  readonly details: object;
}

/** How a payment differs from one that is all right. */
interface Plant {
  readonly kind?: Kind;
  readonly row?: Partial<ReconcileRow>;
  readonly details?: object;
}

/** Of these the service has nothing, as their rows say. */
const unmade: Readonly<Record<number, Kind>> = { 8: 'refused', 9: 'not called yet' };

/** Of these one side was read, since they were made outside the day: the close of another day finds both. */
const halves: Readonly<Record<number, Kind>> = { 4: 'never made', 5: 'never ordered' };

/** The rows and the records of a day: payments of which all agree, but for twelve. */
export function dayOf({ payments, order, seed = 1, isPlanted = true }: DayOptions) {
  /** The places of what is planted: anywhere, but each at a place of its own. */
  const plants = new Map(
    (isPlanted ? planted : []).map(([, plant], index) => [
      Math.floor(((index + fraction(seed, index)) * payments) / planted.length),
      plant,
    ]),
  );

  function paymentAt(place: number): Payment {
    // From an hour before the day to an hour after it: the row is made first, the record up to a minute later.
    const called = since.getTime() - HOUR + ((DAY + 2 * HOUR) * place) / payments;
    const number = fraction(seed, place);
    const amount = Math.floor(number * 1_000_000) / 100 + 0.01;
    const requestId = uuidOf(place, seed);
    const payer = `payer-${place % 7}`;
    const payee = { userId: `payee-${Math.floor(number * 1000)}` };
    const isFinal = place % 997 !== 5;
    const row = {
      requestId,
      amount: amount.toFixed(2),
      currency: 'usdc',
      source: { userId: payer },
      destination: payee,
      state: isFinal ? 'paid' : 'accepted',
      createdAt: new Date(called),
    };
    const details = {
      id: `t-${uuidOf(place, seed + 1)}`,
      requestId: requestId.toUpperCase(),
      status: isFinal ? 'COMPLETED' : 'PENDING',
      amount,
      currency: 'USDC',
      createdAt: inZone(called + number * 60_000, place),
      source: { userId: payer },
      destination: payee,
    };
    const isOutside = called < since.getTime() - 60_000 || called >= until.getTime();
    const alone = isOutside ? halves[place % 10] : undefined;
    const kind = place % 50 === 7 ? 'batch' : (alone ?? unmade[place % 500] ?? 'single');
    const plant = plants.get(place);
    if (plant === undefined) return { kind, row, details };
    // It is not planted outside the day, where nothing is told missing.
    const createdAt = new Date(Math.min(Math.max(called, since.getTime()), until.getTime() - 61_000));
    return {
      kind: plant.kind ?? 'single',
      row: { ...row, state: 'paid', createdAt, ...plant.row },
      details: { ...details, status: 'COMPLETED', createdAt: createdAt.toISOString(), ...plant.details },
    };
  }

  function* rows(): Generator<ReconcileRow> {
    for (let place = 0; place < payments; place += 1) {
      const { kind, row } = paymentAt(place);
      if (kind === 'never ordered') continue;
      if (kind === 'batch' || kind === 'batch with another payee') {
        for (const userId of ['a', 'b', 'c']) yield { ...row, destination: { userId } };
      } else if (kind === 'refused') yield { ...row, state: 'rejected' };
      else if (kind === 'not called yet') yield { ...row, state: 'queued' };
      else yield row;
    }
  }

  function* records(): Generator<unknown> {
    for (const place of placesOf(payments, order, seed)) {
      const { kind, details } = paymentAt(place);
      if (kind === 'never made' || kind === 'refused' || kind === 'not called yet') continue;
      const shown = (more: object = {}) => ({
        transferType: 'WALLET.TRANSFER',
        transferDetails: { ...details, ...more },
      });
      if (kind === 'batch' || kind === 'batch with another payee') {
        const last = kind === 'batch' ? 'c' : 'd';
        yield shown({ amount: null, destination: { batch: [last, 'b', 'a'].map((userId) => ({ userId })) } });
        continue;
      }
      if (place % 25 === 3) yield { eventType: 'WALLET.TRANSFER.CREATE', data: shown({ status: 'PENDING' }) };
      yield shown();
      if (kind === 'made twice') yield shown({ id: 'second' });
      if (kind === 'paid and refunded')
        yield { eventType: 'WALLET.TRANSFER.UPDATE', data: shown({ status: 'REFUNDED' }) };
    }
  }

  return { rows, records, window: { since, until }, expected: planted.map(([item]) => item) };
}

/** A number from 0 to 1 that is always the same for the same numbers. */
function fraction(seed: number, place: number): number {
  let mixed = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

function uuidOf(place: number, seed: number): string {
  const hex = (part: number) =>
    Math.floor(fraction(seed + part, place) * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  // The place itself is in it: no two are alike.
  const text = `${hex(10)}${hex(20)}${hex(30)}${place.toString(16).padStart(8, '0')}`;
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const zones = [
  { hours: 0, name: 'Z' },
  { hours: 9, name: '+09:00' },
  { hours: -11, name: '-11:00' },
  { hours: 5.5, name: '+0530' },
];

/** The time as one of the zones writes it. */
function inZone(time: number, place: number): string {
  const { hours, name } = zones[place % zones.length] ?? { hours: 0, name: 'Z' };
  return new Date(time + hours * HOUR).toISOString().replace('Z', name);
}

/** The places of the payments, in the order in which their records come. */
function* placesOf(payments: number, order: RecordOrder, seed: number): Generator<number> {
  if (order === 'as the rows') for (let place = 0; place < payments; place += 1) yield place;
  else if (order === 'in any order') {
    // A step that has no divisor in common with the number of payments reaches each place once.
    let step = Math.floor(payments * 0.6180339887) | 1;
    while (divisor(step, payments) !== 1) step += 2;
    for (let turn = 0; turn < payments; turn += 1)
      yield Number((BigInt(turn) * BigInt(step)) % BigInt(payments));
  } else {
    const hour = Math.ceil(payments / 26);
    // The turns in which a record may come, as a ring: each place goes to one of the next hour that is free.
    const ring = new Int32Array(2 * hour).fill(-1);
    let given = 0;
    for (let turn = 0; given < payments; turn += 1) {
      if (turn < payments) {
        let slot = (turn + Math.floor(fraction(seed, turn) * hour)) % ring.length;
        while (ring[slot] !== -1) slot = (slot + 1) % ring.length;
        ring[slot] = turn;
      }
      const place = ring[turn % ring.length] ?? -1;
      if (place === -1) continue;
      ring[turn % ring.length] = -1;
      given += 1;
      yield place;
    }
  }
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
