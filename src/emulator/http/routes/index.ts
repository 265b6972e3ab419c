import { accountRoutes } from './accounts.ts';
import { approvalRoutes } from './approvals.ts';
import { lookupRoutes } from './lookups.ts';
import { onrampRoutes, transferRoutes } from './payments.ts';
import { readRoutes } from './read-only.ts';
import type { Route } from './route.ts';

const documentedRoutes: readonly Route[] = [
  ...onrampRoutes,
  ...accountRoutes,
  ...transferRoutes,
  ...approvalRoutes,
  ...readRoutes,
];

/** Every endpoint of the service, with the lookups where it has them. */
export const serviceRoutes = (lookups: boolean): readonly Route[] =>
  lookups ? [...documentedRoutes, ...lookupRoutes] : documentedRoutes;
