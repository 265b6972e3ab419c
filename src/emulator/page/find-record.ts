import { uuidsIn } from '../http/request-ids.ts';
import { KINDS, LISTS, type ListName, type Sources } from './kinds.ts';
import { SHORTEST_START } from './search.ts';

/** A record, by the list that it stands in. */
export interface RecordPlace {
  list: ListName;
  id: string;
}

/** Finds the record that an id names: its own id, the `requestId` that made it, or the id of a user's wallet. */
export function findRecord(sources: Sources, id: string): RecordPlace | undefined {
  return findExact(sources, id) ?? findExact(sources, id.toLowerCase());
}

/** Finds a record as a person names it: also by the start of its id, if no other record's id starts so. */
export function searchRecord(sources: Sources, text: string): RecordPlace | undefined {
  const wanted = text.trim();
  const found = findRecord(sources, wanted);
  if (found !== undefined || wanted.length < SHORTEST_START) return found;
  const start = wanted.toLowerCase();
  const places = LISTS.flatMap((list) =>
    KINDS[list]
      .list(
        { ...sources, withControlCalls: true },
        { max: 2, passes: (record) => record.id.toLowerCase().startsWith(start) },
      )
      .map(({ id }) => ({ list, id })),
  );
  if (places.length > 0) return places.length === 1 ? places[0] : undefined;
  // A deleted account, or an id that the service never had: the last request that names it.
  const request = sources.requests.traced().findLast(({ ids }) => ids.has(start));
  return request === undefined ? undefined : { list: 'requests', id: request.record.id };
}

/** The records that the ids in a record, and in what it is about, name, by the ids as they stand there. */
export function linksOf(
  sources: Sources,
  record: { id: string },
  about?: unknown,
): Record<string, RecordPlace> {
  const text = JSON.stringify([record, about]);
  const requests = text.match(/\brequest-\d+\b/g) ?? [];
  const links: Record<string, RecordPlace> = {};
  for (const id of new Set([...uuidsIn(text), ...requests])) {
    const place = findRecord(sources, id);
    if (place !== undefined && place.id !== record.id) links[id] = place;
  }
  return links;
}

function findExact({ world, faults, requests }: Sources, id: string): RecordPlace | undefined {
  const { transfers, onramps, accounts, users, approvals, deliveries, balances, collections } = world;
  const collectionsByList: [ListName, { peek: (id: string) => unknown }][] = [
    ['transfers', transfers],
    ['onramps', onramps],
    ['accounts', accounts],
    ['users', users],
    ['approvals', approvals],
    ['events', collections.events],
    ['deliveries', deliveries],
    ['balances', balances],
  ];
  const found = collectionsByList.find(([, collection]) => collection.peek(id) !== undefined);
  if (found !== undefined) return { list: found[0], id };
  if (requests.has(id)) return { list: 'requests', id };
  if (id.startsWith('fault-') && faults.list().some((fault) => fault.id === id))
    return { list: 'faults', id };
  const wallet = world.externalWallets.peek(id);
  if (wallet !== undefined) return { list: 'users', id: wallet.userId };
  return madeUnder({ world, requests }, id);
}

/** The payment that a `requestId` made, or else the last request that carried it. */
function madeUnder(
  { world, requests }: Pick<Sources, 'world' | 'requests'>,
  requestId: string,
): RecordPlace | undefined {
  const wanted = requestId.toLowerCase();
  const isWanted = (record: { requestId: string | null }) => record.requestId?.toLowerCase() === wanted;
  if (world.ledger.peek(wanted) !== undefined) {
    const transfer = world.transfers.list().find(isWanted);
    if (transfer !== undefined) return { list: 'transfers', id: transfer.id };
    const onramp = world.onramps.list().find(isWanted);
    if (onramp !== undefined) return { list: 'onramps', id: onramp.id };
  }
  const request = requests.all().findLast(isWanted);
  return request === undefined ? undefined : { list: 'requests', id: request.id };
}
