import { describe, expect, it } from 'vitest';
import { clientOf } from '../support.ts';
import { ApprovalServer } from './approval-server.ts';

const idsUpTo = (count: number) => Array.from({ length: count }, (_item, index) => `a${index}`);

const deciders: readonly [which: string, decides: (index: number) => boolean][] = [
  ['none', () => false],
  ['all', () => true],
  ['every second', (index) => index % 2 === 0],
  ['only the first page', (index) => index < 20],
  ['only the last of each page', (index) => index % 20 === 19],
  ['only the first', (index) => index === 0],
];

describe('a walk through pending approvals', () => {
  const sizes = [undefined, 1, 2, 7, 20, 44, 45, 46, 100];
  const cases = deciders.flatMap(([which, decides]) => sizes.map((limit) => ({ which, limit, decides })));

  it.each(cases)(
    'sees each of 45 once when $which are decided, $limit a page',
    async ({ limit, decides }) => {
      const server = new ApprovalServer(45);
      const client = clientOf(server.fetch);
      const seen: string[] = [];
      for await (const { id } of client.approvals.list(limit === undefined ? {} : { limit })) {
        if (decides(seen.length)) await client.approvals.approve(id);
        seen.push(id);
      }
      expect([...seen].sort()).toEqual(idsUpTo(45).sort());
      expect(server.decided).toEqual(seen.filter((_id, index) => decides(index)));
      if (which(decides) === 'none') expect(seen).toEqual(idsUpTo(45));
    },
  );

  const which = (wanted: (index: number) => boolean) =>
    deciders.find(([, decides]) => decides === wanted)?.[0];

  it('asks for no page that nobody wants', async () => {
    const server = new ApprovalServer(45);
    const client = clientOf(server.fetch);
    for await (const { id } of client.approvals.list()) if (id === 'a3') break;
    expect(server.queries).toEqual(['']);
  });
});

describe('pages', () => {
  it.each([2, 3, 7, 20])(
    'taken one after the other skip none and give none twice when items are decided, %i a page',
    async (limit) => {
      for (const [, decides] of deciders) {
        const server = new ApprovalServer(45);
        const client = clientOf(server.fetch);
        const seen: string[] = [];
        let page = await client.approvals.list({ limit });
        for (;;) {
          for (const { id } of page.items) {
            if (decides(seen.length)) await client.approvals.approve(id);
            seen.push(id);
          }
          if (!page.hasNextPage()) break;
          page = await page.nextPage();
        }
        expect([...seen].sort()).toEqual(idsUpTo(45).sort());
      }
    },
  );
});
