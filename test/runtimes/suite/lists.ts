import type { TransferApproval } from 'stablecoin-payments';
import { transferOf } from './calls.ts';
import { type Case, equal, failsWith, holds } from './check.ts';
import type { Scene } from './scene.ts';

/** Lists are walked to their end, and no further than wanted. */
export const lists: readonly Case<Scene>[] = [
  {
    title: 'walks cursors through 45 wallets, each once',
    run: async (scene) => {
      const userId = await scene.createUser({ externalWallets: 45 });
      const addresses = new Set<string>();
      for await (const wallet of scene.client().externalWallets.list(userId, { limit: 20 }))
        addresses.add(String(wallet.address));
      equal(addresses.size, 45, 'wallets');
      equal(await scene.arrivals('externalWallets.list'), 3, 'requests');
    },
  },
  {
    title: 'stops where the caller stops, and goes page by page',
    run: async (scene) => {
      const userId = await scene.createUser({ externalWallets: 45 });
      const { externalWallets } = scene.client();
      equal(
        (await externalWallets.list(userId, { limit: 20 }).toArray({ limit: 30 })).length,
        30,
        'collected',
      );
      for await (const wallet of externalWallets.list(userId, { limit: 20 })) if (wallet) break;
      equal(await scene.arrivals('externalWallets.list'), 3, 'requests');
      const page = await externalWallets.list(userId, { limit: 20 });
      const next = await page.nextPage();
      equal([page.items.length, page.hasNextPage(), next.items.length], [20, true, 20], 'pages');
    },
  },
  {
    title: 'decides every approval of a list that shrinks meanwhile',
    run: async (scene) => {
      const userId = await scene.createUser({ rails: ['usd'] });
      const { approvals, transfers } = scene.client();
      for (let made = 0; made < 5; made += 1)
        await transfers.create({ ...transferOf(userId), requireApproval: true });
      const decided: TransferApproval[] = [];
      for await (const approval of approvals.list({ limit: 2 })) {
        await approvals.approve(approval.id);
        decided.push(approval);
      }
      equal(new Set(decided.map(({ id }) => id)).size, 5, 'approvals decided');
      equal((await approvals.list().toArray()).length, 0, 'approvals left');
    },
  },
  {
    title: 'ends a cursor that goes in circles with an error',
    run: async (scene) => {
      const walk = scene.troubled('circle').externalWallets.list('u').toArray();
      await failsWith(walk, 'PaginationError', 'succeeded');
      holds((await scene.troubles('circle')) <= 3, 'and soon');
    },
  },
];
