import type { Did, Moment } from '../src/emulator/page/timeline.ts';
import { responseSeen, shortened } from './format.ts';

/** One row of a timeline: what the client saw, and what the service did then. */
export interface Row {
  at: string;
  /** A request of the client, or an event that its webhook received. */
  client: Moment | undefined;
  service: readonly Moment[];
}

/** The rows of a timeline: what happened during a request stands beside it, and so does what happened at one time. */
export function rowsOf(timeline: readonly Moment[]): Row[] {
  const rows: { at: string; client: Moment | undefined; service: Moment[] }[] = [];
  const byRequest = new Map<string, Moment[]>();
  for (const moment of timeline) {
    const beside = moment.during === undefined ? undefined : byRequest.get(moment.during);
    const last = rows.at(-1);
    if (beside !== undefined) beside.push(moment);
    else if (moment.what === 'request' || moment.what === 'attempt') {
      const row = { at: moment.at, client: moment, service: [] };
      rows.push(row);
      if (moment.what === 'request') byRequest.set(moment.id, row.service);
    } else if (last?.client === undefined && last?.at === moment.at) last.service.push(moment);
    else rows.push({ at: moment.at, client: undefined, service: [moment] });
  }
  return rows;
}

/** What the service did with a request, where nothing else in the row says it. */
const DID: Record<Did, string> = {
  changed: 'Carried out',
  returned: 'Returned the record that this key had made; nothing new was made',
  refused: 'Refused',
  stopped: 'Not carried out: the fault stopped the request',
  nothing: 'Changed nothing',
};

/** What the client saw in words: the request or the receiver, the response, and the fault that applied. */
export function seenIn({ what, title, result = '', fault = '' }: Moment) {
  return {
    what: what === 'attempt' ? 'Webhook receiver' : shortened(title),
    response: responseSeen(result === 'no response' ? '' : result, fault),
    fault,
  };
}

/** What the service did in words, beside the statuses and events of the row. */
export function doneIn({ client, service }: Row): { words: string; facts: string } {
  const facts = (client?.facts ?? []).join(', ');
  if (client?.what === 'attempt') return { words: `Sent ${client.title}`, facts };
  return { words: service.length > 0 || client?.did === undefined ? '' : DID[client.did], facts };
}
