import type { DeliveryAttempt } from '../delivery/delivery-records.ts';
import { isControlCall, type TracedRequest } from '../http/request-log.ts';
import type { World } from '../state/world.ts';
import { findRecord, type RecordPlace } from './find-record.ts';
import type { ListName, Sources } from './kinds.ts';

/** One thing that happened to a record, and the record that tells more about it. */
export interface Moment extends RecordPlace {
  what: 'request' | 'status' | 'event' | 'attempt';
  at: string;
  /** The method and the path, the status, or the type of the event. */
  title: string;
  /** The response: the HTTP status, or why there was none. */
  result?: string;
  /** More about it, such as the error of a refusal, or how an attempt ended. */
  facts?: string[];
  /** Of a request: the fault that applied. */
  fault?: string;
  /** Of a request: what the service did, whatever its client saw. */
  did?: Did;
  /** The request during which it happened, if it did not happen by itself. */
  during?: string;
  /** True for a request to the emulator's own routes. */
  isControl?: true;
}

/**
 * What the service did with a request: a fault stopped it, it was refused, it changed something, it returned the record
 * that its key had made before, or it changed nothing else.
 */
export type Did = 'stopped' | 'refused' | 'changed' | 'returned' | 'nothing';

/** The longest timeline: the newest entries of it. */
const MOST = 200;

/** Everything that happened to a record and to what belongs to it, oldest first. */
export function timelineOf(sources: Sources, place: RecordPlace): Moment[] {
  const { world, requests } = sources;
  const ids = relatedTo(sources, place);
  const noted = [...ids].flatMap((id) => timelineHistoryOf(world, id));
  const events = new Map(
    noted.flatMap(({ order, moment }) => (moment.what === 'event' ? [[moment.id, order] as const] : [])),
  );
  const wanted = new Set([...ids].map((id) => id.toLowerCase()));
  const shown = requests
    .traced()
    .filter(({ record, ids: shown }) => wanted.has(record.id) || [...shown].some((id) => wanted.has(id)));
  const moments = [
    ...shown.map((request) => momentOfRequest(world, request)),
    ...noted.map((placed) => duringOne(shown, placed)),
    ...attemptsOf(world, events),
  ];
  return moments
    .sort((one, other) =>
      one.moment.at < other.moment.at ? -1 : one.moment.at > other.moment.at ? 1 : one.order - other.order,
    )
    .slice(-MOST)
    .map(({ moment }) => moment);
}

interface Placed {
  order: number;
  moment: Moment;
}

/** The ids of a record and of what belongs to it: of a payment its `requestId` and its approval. */
function relatedTo(sources: Sources, { list, id }: RecordPlace): Set<string> {
  const { world, requests } = sources;
  if (list === 'transfers' || list === 'onramps') return new Set(idsOfPayment(world, id));
  const approval = list === 'approvals' ? world.approvals.peek(id) : undefined;
  if (approval !== undefined) return new Set(idsOfPayment(world, approval.transferId));
  if (list === 'users') return new Set(idsOfUser(world, id));
  const delivery = list === 'deliveries' ? world.deliveries.peek(id) : undefined;
  if (delivery !== undefined) return relatedTo(sources, { list: 'events', id: delivery.eventId });
  if (list === 'events') return subjectOf(sources, id);
  const request = list === 'requests' ? requests.traced().find(({ record }) => record.id === id) : undefined;
  if (request === undefined) return new Set([id]);
  // A request about a payment or an account is about its user only in passing.
  const subjects = [...request.ids]
    .map((named) => findRecord(sources, named))
    .filter((place) => place !== undefined)
    .filter(({ list: kind }) => ['transfers', 'onramps', 'accounts', 'approvals'].includes(kind));
  const key = request.record.requestId;
  return new Set([
    id,
    ...(typeof key === 'string' ? [key] : []),
    ...subjects.filter(isMain).flatMap((place) => [...relatedTo(sources, place)]),
  ]);

  /** An account that pays a payment is no subject of the payment's request. */
  function isMain({ list: kind }: RecordPlace): boolean {
    return kind !== 'accounts' || subjects.every((subject) => subject.list === 'accounts');
  }
}

/** The ids of the record that an event is about. */
function subjectOf(sources: Sources, eventId: string): Set<string> {
  const history = sources.world.history
    .list()
    .find(({ entries }) => entries.some((entry) => 'eventId' in entry && entry.eventId === eventId));
  const place = history === undefined ? undefined : findRecord(sources, history.id);
  return place === undefined ? new Set([eventId]) : relatedTo(sources, place);
}

function idsOfPayment({ transfers, onramps }: World, id: string): string[] {
  const transfer = transfers.peek(id);
  const approval = transfer?.transferDetails.receipt.approval?.id;
  const requestId = transfer?.requestId ?? onramps.peek(id)?.requestId;
  return [id, requestId, approval].filter((part) => part !== undefined);
}

/** The ids of a user, the user's accounts, and the newest payments that the user makes or receives. */
function idsOfUser(world: World, userId: string): string[] {
  const accounts = world.accounts.list().filter((account) => account.userId === userId);
  const transfers = world.transfers
    .list()
    .filter(
      ({ transferDetails, parts }) =>
        transferDetails.source.userId === userId || parts.some((part) => part.userId === userId),
    );
  const onramps = world.onramps
    .list()
    .filter(({ transferDetails: { source, destination } }) =>
      [source.userId, destination.userId].includes(userId),
    );
  // No older payment has a place in the timeline.
  const newest = [...transfers.slice(-MOST), ...onramps.slice(-MOST)];
  const payments = newest.flatMap(({ id }) => idsOfPayment(world, id));
  return [userId, ...accounts.map(({ id }) => id), ...payments];
}

function momentOfRequest(world: World, request: TracedRequest): Placed {
  const { record, began, order } = request;
  const { id, method, path, status, fault, error } = record;
  const moment: Moment = {
    what: 'request',
    list: 'requests',
    id,
    at: began,
    title: `${method} ${path}`,
    result: status === null ? 'no response' : String(status),
    facts: error === null ? [] : [error],
  };
  if (fault !== null) moment.fault = fault;
  if (isControlCall(record)) moment.isControl = true;
  else moment.did = didOf(world, request);
  return { order, moment };
}

function didOf(world: World, { record: { fault, requestId }, handled }: TracedRequest): Did {
  if (handled === undefined) return fault === null ? 'refused' : 'stopped';
  if (handled.status >= 400) return 'refused';
  if (handled.until > handled.after) return 'changed';
  const isKnown = requestId !== null && world.ledger.peek(requestId.toLowerCase()) !== undefined;
  return isKnown ? 'returned' : 'nothing';
}

/** What happened, with the request during which it happened. */
function duringOne(requests: readonly TracedRequest[], { order, moment }: Placed): Placed {
  const request = requests.find(
    ({ handled }) => handled !== undefined && handled.after < order && order < handled.until,
  );
  return { order, moment: request === undefined ? moment : { ...moment, during: request.record.id } };
}

function timelineHistoryOf(world: World, id: string): Placed[] {
  const list = timelineList(world, id);
  return (world.history.peek(id)?.entries ?? []).flatMap((entry): Placed[] => {
    const { at, order } = entry;
    if ('status' in entry) {
      return list === undefined
        ? []
        : [{ order, moment: { what: 'status', list, id, at, title: entry.status } }];
    }
    const event = world.collections.events.peek(entry.eventId);
    if (event === undefined) return [];
    const { eventId, eventType } = event;
    return [{ order, moment: { what: 'event', list: 'events', id: eventId, at, title: eventType } }];
  });
}

function timelineList(world: World, id: string): ListName | undefined {
  const lists = ['transfers', 'onramps', 'accounts', 'approvals'] as const;
  return lists.find((list) => world[list].peek(id) !== undefined);
}

/** The attempts to deliver events, each after its event. A delivery without an attempt stands once. */
function attemptsOf(world: World, events: ReadonlyMap<string, number>): Placed[] {
  return world.deliveries
    .list()
    .flatMap(({ id, eventId, eventType, status, createdAt, attempts }): Placed[] => {
      const eventOrder = events.get(eventId);
      if (eventOrder === undefined) return [];
      const about = { what: 'attempt', list: 'deliveries', id, title: eventType } as const;
      // An attempt is made after its event, and before what follows.
      const order = eventOrder + 0.25;
      if (attempts.length === 0) return [{ order, moment: { ...about, at: createdAt, facts: [status] } }];
      return attempts.map((attempt) => {
        const result = attempt.status === null ? 'no response' : String(attempt.status);
        const facts = [`attempt ${attempt.attempt}`, endOf(attempt, attempt === attempts.at(-1))];
        if (attempt.error !== null) facts.push(attempt.error);
        return { order, moment: { ...about, at: attempt.at, result, facts } };
      });
    });
}

/** How an attempt ended: only the last one can still wait for another. */
function endOf({ outcome }: DeliveryAttempt, isLast: boolean): string {
  if (outcome !== 'retrying') return outcome;
  return isLast ? 'to be sent again' : 'sent again';
}
