import type { WebhookDelivery } from './delivery/delivery.ts';
import type { RequestLog } from './http/log/request-log.ts';
import { storeFailure } from './http/respond.ts';
import { dialectFrom, type EmulatorOptions } from './options.ts';
import { recordView } from './page/record-view.ts';
import { viewOf } from './page/view.ts';
import { createMetric } from './service/reporting/metrics.ts';
import type { ChangeTracker } from './state/change-tracker.ts';
import { emulatorStateOf } from './state/emulator-state.ts';
import type { FaultList } from './state/faults.ts';
import { restoreSnapshot, takeSnapshot } from './state/snapshot.ts';
import type { World } from './state/world.ts';
import { paymentsOf } from './testing/payments.ts';

interface Parts {
  readonly options: EmulatorOptions;
  readonly seed: string;
  readonly world: World;
  readonly faults: FaultList;
  readonly requests: RequestLog;
  readonly keeper: Keeper;
  /** Lets happen what has become due. */
  readonly settle: () => void;
  readonly delivery: WebhookDelivery | undefined;
}

/** Reads, deletes, saves and restores all that an emulator holds. */
export function wholeState({ options, seed, world, faults, requests, keeper, settle, delivery }: Parts) {
  const replaced = () => {
    if (keeper.changes !== undefined) keeper.changes.replaced = true;
  };
  return {
    state: () => {
      settle();
      return emulatorStateOf(world, faults);
    },
    requests: () => requests.list(),
    payments: () => {
      settle();
      return structuredClone(paymentsOf(world));
    },
    view: (query: URLSearchParams) => {
      const { token } = options;
      const webhook = options.webhook !== undefined;
      return viewOf({ world, faults, requests, anyToken: token === undefined, webhook }, query);
    },
    record: (id: string) => recordView({ world, faults, requests }, id),
    reset: () => {
      replaced();
      delivery?.stop();
      world.ids.seed = seed;
      world.dialect = dialectFrom(options);
      world.ids.counters = {};
      world.clock.reset();
      for (const collection of replaceable(world, faults)) collection.replaceWith([]);
      createMetric(world, {});
      requests.clear();
    },
    snapshot: () => {
      settle();
      return takeSnapshot(world, faults);
    },
    restore: (snapshot: unknown) => {
      delivery?.stop();
      restoreSnapshot(world, faults, snapshot);
      replaced();
      delivery?.resume();
    },
  };
}

const replaceable = (world: World, faults: FaultList) => [
  world.users,
  world.accounts,
  world.onramps,
  world.transfers,
  world.approvals,
  world.externalWallets,
  world.metrics,
  world.balances,
  world.events,
  world.deliveries,
  world.history,
  world.ledger,
  world.tasks,
  faults,
];

/** Stores the state outside the process, if anything does. */
export interface Keeper {
  stored: () => Promise<void>;
  changes?: ChangeTracker;
}

/** The response, once what it tells is stored; a 500 where it cannot be. */
export async function acknowledged(response: Response, { stored }: Keeper): Promise<Response> {
  try {
    await stored();
    return response;
  } catch (error) {
    return storeFailure(error);
  }
}
