import * as z from 'zod/mini';
import { type Refusals, refusalsOf } from '../shared/outcome/names.ts';
import { isNameOfKey } from '../shared/outcome/refusal.ts';
import { functionOf } from '../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { fail } from './platform.ts';

/** Error names of your service, such as `DUPLICATE_REQUEST`, exactly as it writes them. */
export interface RefusalOptions {
  /** Names that say that the service has a request under the same `requestId`. The outcome is `unknown`. */
  known?: readonly string[] | undefined;
  /** Names that say that the service refused for another reason, and made nothing. The outcome is `rejected`. */
  sure?: readonly string[] | undefined;
}

/** An error response, as the option `refusals` sees it. */
export interface RefusalResponse {
  /** HTTP status. */
  readonly status: number;
  /** The parsed JSON, or the text of a body that is not JSON. */
  readonly body: unknown;
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
}

/**
 * What a response proves, as the function `refusals` decides it: `rejected`: the service made nothing. `known`: it has a
 * request with this key. `unknown`: nothing is proved. `undefined` leaves the decision to the client.
 */
export type RefusalDecision = 'rejected' | 'known' | 'unknown' | undefined;

const isRefusalName = (name: unknown): boolean => typeof name === 'string' && /^[A-Za-z][\w.-]*$/.test(name);

const refusalNameList = /* @__PURE__ */ lazy(() =>
  z.custom<readonly string[]>((given) => Array.isArray(given) && given.every(isRefusalName), {
    error: 'must be a list of error names such as `DUPLICATE_REQUEST`',
    params: { kind: 'rule' },
  }),
);

const refusalNameSchema = /* @__PURE__ */ lazy(() =>
  matching<RefusalOptions>()(
    strictObject({ known: z.optional(refusalNameList()), sure: z.optional(refusalNameList()) }),
  ),
);

/** The option `refusals`: names, or a function. */
export const refusals = /* @__PURE__ */ lazy(() =>
  z.union([refusalNameSchema(), functionOf<(response: RefusalResponse) => RefusalDecision>()], {
    error: 'must be an object with lists of names or a function',
  }),
);

/** Adds the names of the option to the documented ones. */
export function resolveRefusals(
  given: RefusalOptions | ((response: RefusalResponse) => RefusalDecision) | undefined,
): Refusals {
  if (given === undefined) return refusalsOf();
  if (typeof given === 'function') return refusalsOf([], [], (response) => given(response));
  const { known = [], sure = [] } = given;
  const doubtful = sure.find(isNameOfKey);
  if (doubtful !== undefined)
    return fail(
      `\`refusals.sure\` contains ${doubtful}, which may be about an earlier request. Add it to \`refusals.known\` if the service had seen the request; otherwise use a function as \`refusals\`.`,
    );
  return refusalsOf(known, sure);
}
