import type { FaultList } from '../http/faults.ts';
import { invalidField } from '../http/problem.ts';
import { wholeNumber } from '../http/query.ts';
import { check, object, text } from '../http/request-body.ts';
import type { RequestLog } from '../http/request-log.ts';
import { eventState, transferState, userState } from '../state/state.ts';
import type { World } from '../state/world.ts';

export const LISTS = [
  'approvals',
  'transfers',
  'onramps',
  'accounts',
  'events',
  'requests',
  'users',
  'externalWallets',
  'faults',
  'metrics',
] as const;
type ListName = (typeof LISTS)[number];

/** What the page asks for every second: how much there is of everything, and the newest few of it. */
export interface EmulatorView {
  now: string;
  frozen: boolean;
  seed: string;
  /** Whether every bearer token is accepted, so that a sample may show one. */
  anyToken: boolean;
  /** A user for the samples. */
  latestUserId: string | null;
  counts: Record<ListName | 'pendingApprovals', number>;
  /** The newest records, newest first, of every list or of the one that was asked for. */
  lists: Partial<Record<ListName, readonly { id: string }[]>>;
  /** What each of the listed approvals is about: its record does not say how much. */
  amounts: Record<string, { amount: number; currency: string | null; chain: string | null }>;
}

export interface ViewParts {
  world: World;
  faults: FaultList;
  requests: RequestLog;
  anyToken: boolean;
}

const viewQuery = object({ newest: wholeNumber(1, 1000).default(100), list: text.optional() });

/** Answers `?newest=100&list=onramps`. Its cost depends on what is asked for and hardly on what the emulator holds. */
export function viewOf(
  { world, faults, requests, anyToken }: ViewParts,
  query: URLSearchParams,
): EmulatorView {
  const count = check(viewQuery, Object.fromEntries(query)).newest;
  const asked = query.get('list');
  const names = LISTS.filter((name) => asked === null || name === asked);
  if (names.length === 0) throw invalidField('list', `must be one of ${LISTS.join(', ')}`);
  const waiting = faults.list();
  const pending = world.approvals.list().filter(({ status }) => status === 'PENDING');
  const approvals = [...world.approvals.list().filter(({ status }) => status !== 'PENDING'), ...pending];
  const take: Record<ListName, () => readonly { id: string }[]> = {
    approvals: () => newest(approvals, count),
    onramps: () => newest(world.onramps.list(), count),
    transfers: () => newest(world.transfers.list(), count).map(transferState),
    accounts: () => newest(world.accounts.list(), count),
    users: () => newest(world.users.list(), count).map(userState),
    externalWallets: () => newest(world.externalWallets.list(), count),
    events: () => world.events.newest(count).map(eventState),
    faults: () => newest(waiting, count),
    requests: () => requests.newest(count),
    metrics: () => newest(world.metrics.list(), count),
  };
  const shown = names.includes('approvals') ? newest(approvals, count) : [];
  return {
    now: world.clock.iso(),
    frozen: world.clock.frozen,
    seed: world.ids.seed,
    anyToken,
    latestUserId: world.users.list().at(-1)?.id ?? null,
    counts: {
      approvals: approvals.length,
      pendingApprovals: pending.length,
      onramps: world.onramps.size,
      transfers: world.transfers.size,
      accounts: world.accounts.size,
      users: world.users.size,
      externalWallets: world.externalWallets.size,
      events: world.events.size,
      faults: waiting.length,
      requests: requests.size,
      metrics: world.metrics.size,
    },
    lists: Object.fromEntries(names.map((name) => [name, take[name]()])),
    amounts: Object.fromEntries(
      shown.flatMap(({ id, transferId }) => {
        const details = world.transfers.get(transferId)?.transferDetails;
        if (details === undefined) return [];
        const { amount, currency, chain } = details;
        return [[id, { amount, currency, chain }]];
      }),
    ),
  };
}

function newest<T>(records: readonly T[], count: number): T[] {
  return records.slice(-count).reverse();
}
