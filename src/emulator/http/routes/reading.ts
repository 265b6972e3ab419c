import { metricResults } from '../../service/reporting/metrics.ts';
import { listExternalWallets } from '../../service/transfers/wallets.ts';
import { findUser } from '../../service/users.ts';
import { ok, type Route, wholeNumber } from './route.ts';

/** What is only read: KYC records, external wallets and metrics. */
export const readRoutes: readonly Route[] = [
  {
    operation: 'kyc.retrieve',
    method: 'GET',
    path: '/v2/users/:userId/kyc',
    handle: ({ world, path }) => {
      const { userId, kycInfo } = findUser(world, path('userId'));
      return ok({ userId, kycInfo });
    },
  },
  {
    operation: 'externalWallets.list',
    method: 'GET',
    path: '/v2/users/:userId/wallets/external',
    handle: ({ world, path, query }) => {
      const limit = wholeNumber(query, 'limit', { least: 1, most: 100, otherwise: 20 });
      const cursor = query.get('cursor') ?? query.get('createdBefore') ?? undefined;
      return ok(listExternalWallets(world, path('userId'), { cursor, limit }));
    },
  },
  {
    operation: 'reporting.retrieveResults',
    method: 'GET',
    path: '/v2/reporting/metrics/:id/results',
    handle: ({ world, path }) => ok(metricResults(world, path('id'))),
  },
];
