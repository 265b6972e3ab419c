import * as z from 'zod/mini';
import { isRecord } from '../../shared/values.ts';
import { deliveryState } from '../delivery/delivery-records.ts';
import type { RequestLog } from '../http/request-log.ts';
import { invalidField } from '../problem.ts';
import { check, object, text, wholeNumberText } from '../reading/check.ts';
import { executeMetric } from '../service/reporting/metrics.ts';
import { eventState, transferState, userState } from '../state/emulator-state.ts';
import type { FaultList } from '../state/faults.ts';
import type { World } from '../state/world.ts';

const LISTS = [
  'approvals',
  'transfers',
  'onramps',
  'accounts',
  'users',
  'externalWallets',
  'balances',
  'events',
  'deliveries',
  'requests',
  'faults',
  'metrics',
] as const;
export type ListName = (typeof LISTS)[number];

interface ViewParts {
  world: World;
  faults: FaultList;
  requests: RequestLog;
  anyToken: boolean;
  webhook: boolean;
}

/** The number of records that a search reads. Limited, since it runs again every second. */
const MOST_SEARCHED = 10_000;

const viewQuery = object({
  newest: z._default(wholeNumberText(1, 1000), 100),
  list: z.optional(text),
  search: z.optional(text),
  status: z.optional(text),
});

/** The data that the page fetches every second. */
export type EmulatorView = ReturnType<typeof viewOf>;

/** Responds to `?newest=100&list=onramps&search=…&status=…`. Its cost depends on what is asked for and hardly on what the emulator holds. */
export function viewOf({ world, faults, requests, anyToken, webhook }: ViewParts, query: URLSearchParams) {
  const { newest: count, search, status } = check(viewQuery, Object.fromEntries(query));
  const matches = matcherOf(search, status);
  const newest = <T>(records: readonly T[], most: number): T[] =>
    matches === undefined
      ? records.slice(-most).reverse()
      : records.slice(-MOST_SEARCHED).reverse().filter(matches).slice(0, most);
  const asked = query.get('list');
  const names = LISTS.filter((name) => asked === null || name === asked);
  if (names.length === 0) throw invalidField('list', `must be one of ${LISTS.join(', ')}`);
  const [metric] = world.metrics.list();
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
    balances: () => newest(world.balances.list(), count),
    events: () =>
      newest(world.events.newest(matches ? MOST_SEARCHED : count).reverse(), count).map(eventState),
    deliveries: () => newest(world.deliveries.list(), count).map(deliveryState),
    faults: () => newest(waiting, count),
    requests: () => newest(requests.newest(matches ? MOST_SEARCHED : count).reverse(), count),
    metrics: () => newest(world.metrics.list(), count),
  };
  const lists: Partial<Record<ListName, readonly { id: string }[]>> = Object.fromEntries(
    names.map((name) => [name, take[name]()]),
  );
  const shown = names.includes('approvals') ? newest(approvals, count) : [];
  return {
    now: world.clock.iso(),
    frozen: world.clock.frozen,
    seed: world.ids.seed,
    /** True if every bearer token is accepted, so that a sample may show one. */
    anyToken,
    /** The number of events that are held back; `null` while deliveries are not held. */
    held: world.events.heldCount,
    /** True if events are sent to a webhook. */
    webhook,
    /** A user for the samples. */
    latestUserId: world.users.list().at(-1)?.id ?? null,
    counts: {
      approvals: approvals.length,
      pendingApprovals: pending.length,
      onramps: world.onramps.size,
      transfers: world.transfers.size,
      accounts: world.accounts.size,
      users: world.users.size,
      externalWallets: world.externalWallets.size,
      balances: world.balances.size,
      events: world.events.size,
      deliveries: world.deliveries.size,
      faults: waiting.length,
      requests: requests.size,
      metrics: world.metrics.size,
    },
    /** The newest records, newest first, of every list or of the one that was asked for. */
    lists,
    /** The results of the first metric, for a chart; `null` where another list was asked for, or there is no metric. */
    volume: asked === null && metric !== undefined ? executeMetric(world, metric.id) : null,
    /** The amount of each listed approval's transfer; the approval itself does not contain it. */
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

/** Returns a filter for records with a status and a text in any field, or `undefined` if every record passes. */
function matcherOf(
  search: string | undefined,
  status: string | undefined,
): ((record: unknown) => boolean) | undefined {
  if (search === undefined && status === undefined) return undefined;
  const wanted = search?.toLowerCase() ?? '';
  return (record) => {
    if (status !== undefined && !hasStatus(record, status)) return false;
    return wanted === '' || JSON.stringify(record).toLowerCase().includes(wanted);
  };
}

/** `4xx` stands for every status that starts with a 4, and `no response` for none. */
function hasStatus(record: unknown, wanted: string): boolean {
  const status = statusShown(record);
  if (wanted === 'no response') return status === 'null';
  return status === wanted || (/^[1-5]xx$/.test(wanted) && status.length === 3 && status[0] === wanted[0]);
}

function statusShown(record: unknown): string {
  const details = isRecord(record) && isRecord(record.transferDetails) ? record.transferDetails : record;
  return isRecord(details) ? String(details.status) : '';
}
