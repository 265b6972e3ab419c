import fc from 'fast-check';
import { PaginationError, type PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';
import { clientOf } from '../client/support.ts';

/** Pending approvals that others decide and add to before each request is served. */
class ChangingList {
  ids: string[];
  readonly stayed: Set<string>;
  requests = 0;
  #added = 0;
  readonly #change: (list: ChangingList, request: number) => void;
  readonly #mostPerPage: number;

  constructor(count: number, change: (list: ChangingList, request: number) => void, mostPerPage = 100) {
    this.ids = Array.from({ length: count }, (_item, index) => `a${index}`);
    this.stayed = new Set(this.ids);
    this.#change = change;
    this.#mostPerPage = mostPerPage;
  }

  remove(index: number): void {
    for (const id of this.ids.splice(index, 1)) this.stayed.delete(id);
  }

  add(): void {
    this.ids.unshift(`new${this.#added}`);
    this.#added += 1;
  }

  client(): PaymentsClient {
    return clientOf(async (url) => {
      if (this.requests > 0) this.#change(this, this.requests);
      this.requests += 1;
      if (this.requests > 5_000) throw new Error('the walk does not end');
      const { searchParams } = new URL(url);
      const offset = Number(searchParams.get('offset') ?? 0);
      const limit = Math.min(Number(searchParams.get('limit') ?? 20), this.#mostPerPage);
      const approvals = this.ids.slice(offset, offset + limit).map((id) => ({
        id,
        transferId: `t-${id}`,
        transferType: 'WALLET.TRANSFER',
        status: 'PENDING',
        createdAt: '2026-11-20T10:00:00.000Z',
      }));
      return Response.json({ success: true, count: this.ids.length, approvals });
    });
  }

  /** Walks the list and holds what came to what stayed. */
  async check(params: { limit?: number; offset?: number } = {}): Promise<void> {
    const skipped = new Set(this.ids.slice(0, params.offset ?? 0));
    const seen: string[] = [];
    let isComplete = true;
    try {
      for await (const { id } of this.client().approvals.list(params)) seen.push(id);
    } catch (error) {
      // A walk from an offset says so when nothing that it read is left to go on from.
      if (!(error instanceof PaginationError && params.offset !== undefined)) throw error;
      isComplete = false;
    }
    expect(new Set(seen).size).toBe(seen.length);
    const delivered = new Set(seen);
    if (isComplete)
      expect([...this.stayed].filter((id) => !skipped.has(id) && !delivered.has(id))).toEqual([]);
    expect(seen.filter((id) => skipped.has(id))).toEqual([]);
  }
}

/** The same numbers from 0 to 1 for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a walk through approvals that others decide meanwhile', () => {
  it.each([0.1, 0.3, 1, 3, 7, 15, 19])('ends and is complete at %d removals a request', async (rate) => {
    for (let seed = 1; seed <= cases(15, 40); seed += 1) {
      const next = random(seed);
      const list = new ChangingList(300, (changing) => {
        const count = Math.floor(rate) + (next() < rate % 1 ? 1 : 0);
        for (let index = 0; index < count; index += 1)
          changing.remove(Math.floor(next() * changing.ids.length));
      });
      await list.check();
      expect(list.requests).toBeLessThan(150);
    }
  });

  it.each(Array.from({ length: 19 }, (_item, index) => index + 1))(
    'ends and is complete at %i removals a request, all at the front or all at the back',
    async (rate) => {
      for (const place of ['front', 'back', 'around the page']) {
        const list = new ChangingList(500, (changing, request) => {
          for (let index = 0; index < rate; index += 1) {
            const last = changing.ids.length - 1;
            changing.remove(place === 'front' ? 0 : place === 'back' ? last : Math.min(last, 15 * request));
          }
        });
        await list.check();
        expect(list.requests).toBeLessThan(200);
      }
    },
  );

  it('makes no request more than before for a list that stands still', async () => {
    const list = new ChangingList(300, () => undefined);
    await list.check();
    expect(list.requests).toBe(16);
  });

  it('is complete for every schedule of removals and additions', async () => {
    const change = fc.record({
      removals: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 6 }),
      additions: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 120 }),
        fc.integer({ min: 8, max: 30 }),
        fc.integer({ min: 8, max: 40 }),
        fc.nat({ max: 15 }),
        fc.array(change, { maxLength: 40 }),
        async (count, limit, mostPerPage, offset, changes) => {
          const list = new ChangingList(
            count,
            (changing, request) => {
              const { removals, additions } = changes[request - 1] ?? { removals: [], additions: 0 };
              for (const place of removals) changing.remove(Math.floor(place * changing.ids.length));
              for (let index = 0; index < additions; index += 1) changing.add();
            },
            mostPerPage,
          );
          await list.check(offset === 0 ? { limit } : { limit, offset });
        },
      ),
      { numRuns: cases(60, 1_000) },
    );
  }, 60_000);
});
