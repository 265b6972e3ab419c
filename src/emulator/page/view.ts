import * as z from 'zod/mini';
import { isRecord } from '../../shared/values.ts';
import { checkQuery, object, text, wholeNumberText } from '../reading/check.ts';
import { listPendingApprovals } from '../service/transfers/approvals.ts';
import { KINDS, LISTS, type ListName, type Shown, type Sources } from './kinds.ts';

/** The number of records that a search reads. Limited, since it runs again every second. */
const MOST_SEARCHED = 10_000;

const viewQuery = object({
  newest: z._default(wholeNumberText(1, 1000), 100),
  list: z.optional(z.enum(LISTS, { error: `must be one of ${LISTS.join(', ')}` })),
  search: z.optional(text),
  status: z.optional(text),
});

/** The data that the page fetches every second. */
export type EmulatorView = ReturnType<typeof viewOf>;

/** Responds to `?newest=100&list=onramps&search=…&status=…`. Its cost depends on what is asked for and hardly on what the emulator holds. */
export function viewOf(sources: Sources, query: URLSearchParams) {
  const { world } = sources;
  const { newest, list, search, status } = checkQuery(viewQuery, query);
  const wanted = { most: newest, passes: matcherOf(search, status), searched: MOST_SEARCHED };
  const names = list === undefined ? LISTS : [list];
  const lists: Partial<Record<ListName, readonly Shown[]>> = Object.fromEntries(
    names.map((name) => [name, KINDS[name].list(sources, wanted)]),
  );
  // Each list has its count, which the compiler does not follow through entries.
  const counts = Object.fromEntries(LISTS.map((name) => [name, KINDS[name].count(sources)])) as Record<
    ListName,
    number
  >;
  return {
    now: world.clock.iso(),
    frozen: world.clock.frozen,
    seed: world.ids.seed,
    /** The number of events that are held back; `null` while deliveries are not held. */
    held: world.events.holding ? world.collections.held.list().length : null,
    counts: { ...counts, pendingApprovals: listPendingApprovals(world).length },
    /** The newest records, newest first, of every list or of the one that was asked for. */
    lists,
    /** The amount of each listed approval's transfer; the approval itself does not contain it. */
    amounts: Object.fromEntries(
      (lists.approvals ?? []).flatMap(({ id }) => {
        const transferId = world.approvals.peek(id)?.transferId ?? '';
        const details = world.transfers.peek(transferId)?.transferDetails;
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
