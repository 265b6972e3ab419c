import type { TransferApproval } from 'stablecoin-payments';
import { transferOf } from '../../fixtures/params.ts';
import { type Case, equal } from './check.ts';
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
];
