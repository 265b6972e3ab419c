import * as z from 'zod/mini';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { isRecord } from '../../shared/values.ts';
import { isControlCall } from '../http/request-log.ts';
import { checkQuery, objectField, textField } from '../reading/check.ts';
import { listPendingApprovals } from '../service/transfers/approvals.ts';
import { aroundOf, withPayment } from './around.ts';
import { searchRecord } from './find-record.ts';
import { KINDS, LISTS, type ListName, type Shown, type Sources } from './kinds.ts';
import { userNameOf } from './names.ts';
import { searchFor } from './search.ts';

/** The numbers of records that the page shows: of one list, of each in a search, and of each in the overview. */
const IN_LIST = 100;
const IN_SEARCH = 20;
const IN_OVERVIEW = 5;

/** The number of the newest users to choose from in a form. */
const MOST_USERS = 50;

const viewQuery = objectField({
  list: z.optional(oneFrom(LISTS)),
  status: z.optional(textField),
  /** Lists what names this user. */
  user: z.optional(textField),
  order: z.optional(z.enum(['oldest'], { error: 'must be oldest' })),
  /** Lists what has these words. */
  text: z.optional(textField),
  /** Of requests: lists also those to the emulator's own routes. */
  control: z.optional(z.enum(['shown'], { error: 'must be shown' })),
});

/** The data that the page fetches every second. */
export type EmulatorView = ReturnType<typeof viewOf>;

/** Responds to `?list=onramps&status=…`, without a list with all of them. */
export function viewOf(given: Sources, query: URLSearchParams) {
  const { world, requests } = given;
  const { list, status, user, order, text, control } = checkQuery(viewQuery, query);
  const sources = { ...given, withControlCalls: control === 'shown' };
  const hasWords = text === undefined ? undefined : searchFor(text, world);
  const passes = (record: Shown): boolean =>
    (status === undefined || hasStatus(record, status)) &&
    (user === undefined || JSON.stringify(withPayment(world, record)).includes(user)) &&
    (hasWords === undefined || hasWords(withPayment(world, record)));
  const max = list === undefined ? (text === undefined ? IN_OVERVIEW : IN_SEARCH) : IN_LIST;
  const names = list === undefined ? LISTS : [list];
  const lists: Partial<Record<ListName, readonly Shown[]>> = Object.fromEntries(
    names.map((name) => [name, KINDS[name].list(sources, { max, passes, order })]),
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
    operations: sources.operations(),
    counts: {
      ...counts,
      pendingApprovals: listPendingApprovals(world).length,
      controlCalls: requests.all().filter(isControlCall).length,
    },
    /** The newest users, to choose from. */
    users: world.users
      .list()
      .slice(-MOST_USERS)
      .reverse()
      .map(({ id, rails, kycInfo }) => ({ id, rails, name: userNameOf(kycInfo) })),
    /** The records, newest first, of every list or of the one that was asked for. */
    lists,
    /** The one record that the text names by an id. */
    exact: text === undefined ? null : (searchRecord(sources, text) ?? null),
    ...aroundOf(world, [...(lists.approvals ?? []), ...(lists.events ?? [])], lists),
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
