import { deliveryState } from '../delivery/delivery-records.ts';
import type { RequestLog } from '../http/request-log.ts';
import { notFound } from '../problem.ts';
import { executeMetric } from '../service/reporting/metrics.ts';
import { eventState, transferState, userState } from '../state/emulator-state.ts';
import type { FaultList } from '../state/faults.ts';
import type { StateChange } from '../state/history.ts';
import type { World } from '../state/world.ts';
import type { ListName } from './view.ts';

/** A record with its states and with what belongs to it, newest first and at most 50 of a kind. */
export interface RecordView {
  now: string;
  kind: ListName;
  record: { id: string };
  states: readonly StateChange[];
  related: Partial<Record<ListName, readonly { id: string }[]>>;
  /** The results of a metric. */
  results?: Record<string, unknown>;
}

interface Parts {
  world: World;
  faults: FaultList;
  requests: RequestLog;
}

const MOST_RELATED = 50;

/** The number of records to search for related ones. Limited, since the page asks every second. */
const MOST_SEARCHED = 2000;

export function recordView(parts: Parts, id: string): RecordView {
  const { world } = parts;
  const found = find(parts, id);
  if (found === undefined) throw notFound('record', id);
  const { kind, record } = found;
  return {
    now: world.clock.iso(),
    kind,
    record,
    states: world.history.peek(id)?.states ?? [],
    related: relatedTo(parts, found),
    ...(kind === 'metrics' ? { results: executeMetric(world, id) } : {}),
  };
}

interface Found {
  kind: ListName;
  record: { id: string };
}

function find({ world, faults, requests }: Parts, id: string): Found | undefined {
  const { transfers, onramps, approvals, accounts, users, externalWallets, balances, metrics, deliveries } =
    world;
  const transfer = transfers.peek(id);
  if (transfer !== undefined) return { kind: 'transfers', record: transferState(transfer) };
  const user = users.peek(id);
  if (user !== undefined) return { kind: 'users', record: userState(user) };
  const delivery = deliveries.peek(id);
  if (delivery !== undefined) return { kind: 'deliveries', record: deliveryState(delivery) };
  const plain = { onramps, approvals, accounts, externalWallets, balances, metrics };
  for (const [kind, collection] of Object.entries(plain)) {
    const record = collection.peek(id);
    if (record !== undefined) return { kind: kind as keyof typeof plain, record };
  }
  const event = world.events.find(({ eventId }) => eventId === id);
  if (event !== undefined) return { kind: 'events', record: eventState(event) };
  if (requests.get(id) !== undefined) return { kind: 'requests', record: requests.detail(id) };
  const fault = faults.list().find((candidate) => candidate.id === id);
  return fault === undefined ? undefined : { kind: 'faults', record: fault };
}

/** Records that name this one, or that this one names. Ids are unique, so that a text tells. */
function relatedTo({ world, requests }: Parts, { kind, record }: Found): RecordView['related'] {
  const text = JSON.stringify(record);
  const isRelated = (other: { id: string }): boolean =>
    other.id !== record.id &&
    (text.includes(`"${other.id}"`) || JSON.stringify(other).includes(`"${record.id}"`));
  const pick = <T extends { id: string }>(records: readonly T[]): T[] =>
    records.slice(-MOST_SEARCHED).reverse().filter(isRelated).slice(0, MOST_RELATED);
  const requestId = 'requestId' in record ? record.requestId : undefined;
  const sent = requests
    .newest(MOST_SEARCHED)
    .filter(({ id, path, requestId: other }) => {
      if (id === record.id) return false;
      return (typeof requestId === 'string' && other === requestId) || path.includes(record.id);
    })
    .slice(0, MOST_RELATED);
  const payment = typeof requestId === 'string' && kind === 'requests';
  const made = (other: { requestId: string }) =>
    payment && other.requestId.toLowerCase() === requestId.toLowerCase();
  return {
    users: pick(world.users.list().map(userState)),
    transfers: [
      ...pick(world.transfers.list().map(transferState)),
      ...world.transfers.list().filter(made).map(transferState),
    ],
    onramps: [...pick(world.onramps.list()), ...world.onramps.list().filter(made)],
    approvals: pick(world.approvals.list()),
    accounts: pick(world.accounts.list()),
    externalWallets: kind === 'users' ? pick(world.externalWallets.list()) : [],
    balances: kind === 'users' ? pick(world.balances.list()) : [],
    events: pick(world.events.newest(MOST_SEARCHED).reverse().map(eventState)),
    deliveries: pick(world.deliveries.list().map(deliveryState)),
    requests: sent,
  };
}
