import { accountRoutes } from './accounts.ts';
import { approvalRoutes } from './approvals.ts';
import { onrampRoutes, transferRoutes } from './payments.ts';
import { readRoutes } from './read-only.ts';
import type { Route } from './route.ts';

/** Every endpoint of the service. */
export const serviceRoutes: readonly Route[] = [
  ...onrampRoutes,
  ...accountRoutes,
  ...transferRoutes,
  ...approvalRoutes,
  ...readRoutes,
];
