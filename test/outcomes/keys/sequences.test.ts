import { describe, expect, it } from 'vitest';
import type { ClientOptions, PaymentsClient } from '../../../src/client/index.ts';
import { cases } from '../../cases.ts';
import { clientOf, failure, type Seen, scripted } from '../../client/support.ts';
import { type Changing, changing, type Fate, fates, meets, payments } from '../calls.ts';
import { callOf, type Ending, KeyEntries } from '../model.ts';

const patient: ClientOptions = { retries: { limit: 2, minDelay: 0, maxDelay: 0 } };
const once: ClientOptions = { retries: 0 };

/** Every list of three. */
function triples<T>(of: readonly T[]): T[][] {
  const all: T[][] = [];
  for (const first of of) for (const second of of) for (const third of of) all.push([first, second, third]);
  return all;
}

const endingOf = (call: Promise<unknown>): Promise<Ending> =>
  call.then(
    () => 'resolved',
    async (error: unknown) => (await failure(Promise.reject(error))).outcome,
  );

describe('three attempts of one call', () => {
  it.each(triples(fates))('%s, %s, %s', async (...three) => {
    for (const operation of changing) {
      const fetch = scripted(...three.map((fate) => meets(fate, operation)));
      const expected = callOf(three, { isRepeatable: operation.isRepeatable, retries: 2 });
      const call = operation.call(clientOf(fetch, patient));
      expect(await endingOf(call), operation.name).toBe(expected.ending);
      expect(fetch.seen, operation.name).toHaveLength(expected.attempts);
      expect(new Set(fetch.seen.map(({ body }) => body)).size).toBe(1);
    }
  });
});

/** Three calls under one key, and which of them are in doubt. */
const calls = triples(fates).flatMap((three) =>
  triples([false, true]).map((inDoubt) => ({ three, inDoubt })),
);

/** One of a list, in turn; at night all of them. */
const oneInTurn = <T>(all: readonly T[], place: number): readonly T[] =>
  all.filter((_one, index) => index === place % all.length || cases(1, all.length) > 1);

describe('three calls under one key, one after the other', () => {
  it.each(calls.map((one, place) => ({ ...one, place })))(
    '$three, in doubt $inDoubt',
    async ({ three, inDoubt, place }) => {
      for (const operation of oneInTurn(payments, place)) {
        const client = clientOf(scripted(...three.map((fate) => meets(fate, operation))), once);
        const entries = new KeyEntries();
        for (const [index, fate] of three.entries()) {
          entries.begin(inDoubt[index] === true);
          const expected = entries.end(callOf([fate], { isRepeatable: true, retries: 0 }).ending);
          const call = operation.call(client, { inDoubt: inDoubt[index] });
          expect(await endingOf(call), `${operation.name} ${index}`).toBe(expected);
        }
      }
    },
  );
});

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

describe('three calls under one key, at once', () => {
  it.each(calls.map((one, place) => ({ ...one, place })))(
    '$three, in doubt $inDoubt',
    async ({ three, inDoubt, place }) => {
      for (const order of oneInTurn(orders, place))
        for (const operation of oneInTurn(payments, place)) await atOnce(operation, three, order, inDoubt);
    },
  );
});

/** Starts three calls, and lets their responses come in an order. */
async function atOnce(
  operation: Changing,
  three: readonly Fate[],
  order: readonly number[],
  inDoubt: readonly boolean[],
): Promise<void> {
  const waiting = new Map<string, () => void>();
  const fetch = async (url: string, init: RequestInit) => {
    const number = new Headers(init.headers).get('x-call') ?? '';
    await new Promise<void>((resolve) => waiting.set(number, resolve));
    const seen: Seen = { url, method: 'POST', headers: {}, body: '', signal: new AbortController().signal };
    return meets(three[Number(number)] ?? 'lost', operation)(seen);
  };
  const client = clientOf(fetch, once);
  const entries = new KeyEntries();
  const calls = three.map((_fate, index) => {
    entries.begin(inDoubt[index] === true);
    return endingOf(
      operation.call(client, { inDoubt: inDoubt[index], headers: { 'x-call': String(index) } }),
    );
  });
  while (waiting.size < 3) await Promise.resolve();
  for (const index of order) {
    waiting.get(String(index))?.();
    const own = callOf([three[index] ?? 'lost'], { isRepeatable: true, retries: 0 }).ending;
    expect(await calls[index], `${operation.name} ${three} ${order} ${inDoubt} ${index}`).toBe(
      entries.end(own),
    );
  }
}

describe('an operation without a key, in doubt', () => {
  it.each(fates)('is unknown after every failure: %s', async (fate) => {
    for (const operation of changing.filter(({ isKeyed }) => !isKeyed)) {
      const client = (): PaymentsClient => clientOf(scripted(meets(fate, operation)), once);
      const expected = fate === 'made' ? 'resolved' : 'unknown';
      expect(await endingOf(operation.call(client(), { inDoubt: true })), operation.name).toBe(expected);
      // It has no key, so that nothing is remembered of it.
      const one = client();
      await endingOf(operation.call(one, { inDoubt: true }));
      const later = callOf([fate], { isRepeatable: operation.isRepeatable, retries: 0 }).ending;
      expect(await endingOf(operation.call(one)), operation.name).toBe(later);
    }
  });
});
