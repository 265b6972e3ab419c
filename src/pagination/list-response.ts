import type { ResponseShape } from '../schemas/common.ts';
import { shape } from '../schemas/common.ts';
import type * as z from '../schemas/zod.ts';
import { isRecord, kindOf } from '../transport/kind.ts';
import { checkShape, publicSegment } from '../transport/response/parse-response.ts';
import type { ResponseCheck, ResponseDeparture } from '../transport/types.ts';
import { findItems } from './find-items.ts';

/** One page as received. */
export interface ReceivedPage<T> {
  readonly items: readonly T[];
  /** The whole response, including its envelope. */
  readonly body: unknown;
  /** Where to go on, if the service says so. */
  readonly nextCursor: string | undefined;
  /** What the cursor is instead, where it is nothing that can be sent back. */
  readonly cursorFault?: string;
}

/** What a list looks like: its documented key, its items, and the rest of its envelope where that is known. */
export interface ListShape<T> {
  readonly key: string;
  readonly item: ResponseShape<T>;
  readonly envelope?: () => z.Type<unknown>;
}

/** Checks the response of a list. Its items may be under any key; a response without a list fails in every mode. */
/* @__NO_SIDE_EFFECTS__ */
export function listResponse<T>({ key, item, envelope }: ListShape<T>): ResponseCheck<ReceivedPage<T>> {
  return (body, mode) => {
    const found = findItems(body, key);
    if (found === undefined) {
      return {
        value: { items: [], body, nextCursor: undefined },
        fatal: [{ path: key, code: 'list_not_found' }],
        minor: [],
      };
    }
    const fatal: ResponseDeparture[] = [];
    const minor: ResponseDeparture[] = [];
    if (envelope !== undefined) {
      const checked = checkShape(body, shape(envelope, []), mode);
      const renamed = found.path === key ? [] : [{ path: key, code: 'renamed_list' }];
      (mode === 'strict' ? fatal : minor).push(
        ...checked.fatal,
        ...checked.minor,
        ...(mode === 'off' ? [] : renamed),
      );
    }
    const prefix = found.path === '' ? '' : `${found.path.split('.').map(publicSegment).join('.')}.`;
    const items = found.items.map((received, index) => {
      const checked = checkShape(received, item, mode);
      if (checked.fatal.length + checked.minor.length === 0) return checked.value;
      for (const [from, to] of [
        [checked.fatal, fatal],
        [checked.minor, minor],
      ] as const) {
        to.push(
          ...from.map(({ path, code }) => ({
            path: `${prefix}${index}${path === '' ? '' : `.${path}`}`,
            code,
          })),
        );
      }
      return checked.value;
    });
    return { value: { items, body, ...readCursor(body) }, fatal, minor };
  };
}

/** The cursor beside the list, or in a record such as `pagination`, at most two levels down. */
function readCursor(body: unknown): Pick<ReceivedPage<unknown>, 'nextCursor' | 'cursorFault'> {
  const top = isRecord(body) ? [body] : [];
  const inner = top.flatMap((record) => Object.values(record).filter(isRecord));
  const innermost = inner.flatMap((record) => Object.values(record).filter(isRecord));
  for (const place of [...top, ...inner, ...innermost]) {
    const cursor = Object.hasOwn(place, 'nextCursor') ? place.nextCursor : undefined;
    if (cursor === undefined || cursor === null || cursor === '') continue;
    if (typeof cursor === 'string' || typeof cursor === 'number') return { nextCursor: String(cursor) };
    return { nextCursor: undefined, cursorFault: kindOf(cursor) };
  }
  return { nextCursor: undefined };
}
