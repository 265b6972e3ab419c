import type * as z from 'zod/mini';
import type { ResponseIssue } from '../../shared/errors/index.ts';
import { issuesOf } from '../call/judge.ts';
import type { ResponseCheck } from '../call/types.ts';
import { findItems } from './find-items.ts';

/** The reason why the items of a response cannot be told. */
export interface ListFault {
  readonly why: string;
  readonly cause?: unknown;
}

/** The response of a list: its items, and the whole body with its envelope. */
export interface ReceivedPage<T> {
  readonly items: readonly T[];
  /** The items before a schema of the caller's changed them: pages are told apart by them. */
  readonly received: readonly unknown[];
  readonly body: unknown;
  readonly fault?: ListFault;
}

/** The form of a list: its documented key, its items, and the rest of its envelope where that is known. */
export interface ListShape<T> {
  readonly key: string;
  readonly item: () => z.ZodMiniType<T>;
  /** The dotted paths of the fields without which an item is useless. */
  readonly essential?: readonly string[];
  readonly envelope?: () => z.ZodMiniType;
}

/** Says why a body shows no list, which is essential for its operation. */
export const showsList =
  (key: string) =>
  (body: unknown): ResponseIssue | undefined =>
    findItems(body, key) === undefined ? { path: key, code: 'list_not_found' } : undefined;

/** Checks the response of a list, whose items may be under any key. */
/* @__NO_SIDE_EFFECTS__ */
export function listResponse<T>({
  key,
  item,
  essential = [],
  envelope,
}: ListShape<T>): ResponseCheck<ReceivedPage<T>> {
  return (body, mode) => {
    // Without a list, `showsList` has failed the call, unless the caller reads the response itself.
    const found = findItems(body, key) ?? { items: [], path: key };
    const fatal: ResponseIssue[] = [];
    const minor: ResponseIssue[] = [];
    if (envelope !== undefined) {
      const checked = issuesOf(envelope(), body, { essential: [], mode });
      const renamed = found.path === key ? [] : [{ path: key, code: 'renamed_list' }];
      (mode === 'strict' ? fatal : minor).push(
        ...checked.fatal,
        ...checked.minor,
        ...(mode === 'off' ? [] : renamed),
      );
    }
    const listPath = found.path === '' ? [] : found.path.split('.');
    found.items.forEach((received, index) => {
      const issues = issuesOf(item(), received, { essential, mode }, [...listPath, index]);
      // One by one: an item may have more issues than a call can have arguments.
      for (const issue of issues.fatal) fatal.push(issue);
      for (const issue of issues.minor) minor.push(issue);
    });
    // The items handed on are those received, so the schema's verdict on them is all that gives them their type.
    return { value: { items: found.items as readonly T[], received: found.items, body }, fatal, minor };
  };
}
