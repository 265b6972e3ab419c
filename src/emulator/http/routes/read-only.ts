import { cursorPage, cursorQuery } from '../../dialect/lists.ts';
import { kycWire, metricWire, walletWire } from '../../dialect/wire.ts';
import { noBody } from '../../reading/check.ts';
import { executeMetric } from '../../service/reporting/metrics.ts';
import { walletsOf } from '../../service/transfers/wallets.ts';
import { findUser } from '../../service/users.ts';
import { NO_INPUT, ok, route } from './route.ts';

/** The operations that only read: KYC records, external wallets and metrics. */
export const readRoutes = [
  route({
    operation: 'kyc.retrieve',
    method: 'GET',
    path: '/v2/users/:userId/kyc',
    summary: 'Retrieves the KYC information of a user.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(kycWire(world.dialect, findUser(world, path('userId')))),
  }),
  route({
    operation: 'externalWallets.list',
    method: 'GET',
    path: '/v2/users/:userId/wallets/external',
    summary: 'Lists the external wallets of a user, newest first.',
    body: noBody,
    query: (dialect) => cursorQuery(dialect, {}),
    handle: ({ world, path, query }) => {
      const { dialect } = world;
      const wallets = walletsOf(world, findUser(world, path('userId')).id);
      const view = (wallet: (typeof wallets)[number]) => walletWire(dialect, wallet);
      return ok(cursorPage(dialect, 'externalWallets', wallets, query, view));
    },
  }),
  route({
    operation: 'reporting.retrieveResults',
    method: 'GET',
    path: '/v2/reporting/metrics/:id/results',
    summary: 'Executes a saved metric.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(metricWire(world.dialect, executeMetric(world, path('id')))),
  }),
];
