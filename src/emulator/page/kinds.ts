import { deliveryState } from '../delivery/delivery-records.ts';
import { isControlCall, type RequestLog } from '../http/request-log.ts';
import { eventState, transferState, userState } from '../state/emulator-state.ts';
import type { FaultList } from '../state/faults.ts';
import type { World } from '../state/world.ts';

/** The sources of the page's records. */
export interface Sources {
  world: World;
  faults: FaultList;
  requests: RequestLog;
  /** The names of all operations, for faults. */
  operations: () => readonly string[];
  /** True to list also requests to the emulator's own routes. */
  withControlCalls?: boolean;
}

/** A record as the page shows it. */
export interface Shown {
  id: string;
}

/** The records to list: the newest ones that pass, or the oldest ones. */
interface Wanted {
  max: number;
  passes: (record: Shown) => boolean;
  order?: 'oldest' | undefined;
}

interface Kind {
  count: (sources: Sources) => number;
  list: (sources: Sources, wanted: Wanted) => Shown[];
}

function kind<T extends object>(
  records: (sources: Sources) => readonly T[],
  show: (record: T) => Shown,
): Kind {
  return {
    count: (sources) => records(sources).length,
    list: (sources, { max, passes, order }) => {
      const listed: Shown[] = [];
      const all = records(sources);
      for (const record of order === 'oldest' ? all : all.toReversed()) {
        if (listed.length === max) break;
        const shown = show(record);
        if (passes(shown)) listed.push(shown);
      }
      return listed;
    },
  };
}

const itself = <T extends Shown>(record: T): T => record;

/** Every kind of record that the page shows, by the name of its list. */
export const KINDS = {
  approvals: kind(({ world }) => pendingLast(world), itself),
  transfers: kind(({ world }) => world.transfers.list(), transferState),
  onramps: kind(({ world }) => world.onramps.list(), itself),
  accounts: kind(({ world }) => world.accounts.list(), itself),
  users: kind(({ world }) => world.users.list(), userState),
  balances: kind(({ world }) => world.balances.list(), itself),
  events: kind(({ world }) => world.collections.events.list(), eventState),
  deliveries: kind(({ world }) => world.deliveries.list(), deliveryState),
  requests: kind(({ requests, withControlCalls }) => {
    const all = requests.all();
    return withControlCalls === true ? all : all.filter((request) => !isControlCall(request));
  }, itself),
  faults: kind(({ faults }) => faults.list(), itself),
} satisfies Record<string, Kind>;

export type ListName = keyof typeof KINDS;

function isListName(name: string): name is ListName {
  return Object.hasOwn(KINDS, name);
}

export const LISTS = Object.keys(KINDS).filter(isListName);

/** The approvals with the pending ones last, which are listed first. */
function pendingLast({ approvals }: World) {
  const isPending = ({ status }: { status: string }) => status === 'PENDING';
  const all = approvals.list();
  return [...all.filter((approval) => !isPending(approval)), ...all.filter(isPending)];
}
