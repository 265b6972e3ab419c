import { accountRoutes } from './accounts.ts';
import { approvalRoutes } from './approvals.ts';
import { onrampRoutes } from './onramps.ts';
import { readRoutes } from './read-only.ts';
import type { Route } from './route.ts';
import { transferRoutes } from './transfers.ts';

/** Every endpoint of the service. */
export const serviceRoutes: readonly Route[] = [
  ...onrampRoutes,
  ...accountRoutes,
  ...transferRoutes,
  ...approvalRoutes,
  ...readRoutes,
];
