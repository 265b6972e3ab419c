import fc from 'fast-check';
import { PaginationError, type PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { cases } from '../../cases.ts';
import { clientOf } from '../support.ts';

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

  /** Walks the list, and compares what came with what stayed. */
  async check(params: { limit?: number } = {}): Promise<void> {
    expect(await this.#walk(params)).toBe(true);
  }

  /** As `check`. The walk may also fail, since a list that changes with every request cannot always be read. */
  async checkUnlessItFails(params: { limit?: number } = {}): Promise<boolean> {
    return this.#walk(params);
  }

  async #walk(params: { limit?: number }): Promise<boolean> {
    const seen: string[] = [];
    try {
      for await (const { id } of this.client().approvals.list(params)) seen.push(id);
    } catch (error) {
      if (!(error instanceof PaginationError)) throw error;
      expect(new Set(seen).size).toBe(seen.length);
      return false;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...this.stayed].filter((id) => !seen.includes(id))).toEqual([]);
    return true;
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
  it('finds each of 120 that stay, once, whatever vanishes between the pages', {
    timeout: 300_000,
  }, async () => {
    for (let seed = 1; seed <= cases(150, 1_000); seed += 1) {
      const next = random(seed);
      const limit = [1, 2, 7, 20, 100][seed % 5] ?? 20;
      // Up to 15 removals before a request, until a random number of approvals has vanished.
      let left = Math.floor(next() * 60);
      const most = 1 + Math.floor(next() * 15);
      const list = new ChangingList(120, (changing) => {
        const count = next() < 0.3 ? Math.min(left, Math.ceil(next() * most)) : 0;
        left -= count;
        for (let index = 0; index < count; index += 1)
          changing.remove(Math.floor(next() * changing.ids.length));
      });
      await list.check({ limit });
    }
  });

  it.each([0.1, 0.3, 1, 3, 7, 15, 19])(
    'ends at %d removals a request, complete or with an error',
    async (rate) => {
      for (let seed = 1; seed <= cases(8, 40); seed += 1) {
        const next = random(seed);
        const list = new ChangingList(300, (changing) => {
          const count = Math.floor(rate) + (next() < rate % 1 ? 1 : 0);
          for (let index = 0; index < count; index += 1)
            changing.remove(Math.floor(next() * changing.ids.length));
        });
        await list.checkUnlessItFails();
        expect(list.requests).toBeLessThan(600);
      }
    },
  );

  it.each(['front', 'back'])(
    'ends where all removals are at the %s, complete or with an error',
    async (place) => {
      for (const rate of [1, 2, 5, 10, 19]) {
        const list = new ChangingList(500, (changing) => {
          for (let index = 0; index < rate; index += 1)
            changing.remove(place === 'front' ? 0 : changing.ids.length - 1);
        });
        await list.checkUnlessItFails();
      }
    },
  );

  it('makes no request more than its pages need for a list that stands still', async () => {
    const list = new ChangingList(300, () => undefined);
    await list.check();
    // Pages of 20 new approvals, and the one that shows that there are no more.
    expect(list.requests).toBe(16);
  });

  it('is complete, or fails, for every schedule of removals and additions', async () => {
    const change = fc.record({
      removals: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 6 }),
      additions: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 120 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 8, max: 40 }),
        fc.array(change, { maxLength: 40 }),
        async (count, limit, mostPerPage, changes) => {
          const list = new ChangingList(
            count,
            (changing, request) => {
              const { removals, additions } = changes[request - 1] ?? { removals: [], additions: 0 };
              for (const place of removals) changing.remove(Math.floor(place * changing.ids.length));
              for (let index = 0; index < additions; index += 1) changing.add();
            },
            mostPerPage,
          );
          await list.checkUnlessItFails({ limit });
        },
      ),
      { numRuns: cases(60, 1_000) },
    );
  });
});
