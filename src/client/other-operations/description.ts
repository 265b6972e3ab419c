import * as z from 'zod/mini';
import { checkedOptions } from '../../shared/schema/option-fault.ts';
import { entriesOf, oneFrom } from '../../shared/schema/option-values.ts';
import { lazy } from '../../shared/schema/schema.ts';
import { type QueryValue, requestOptionFields } from '../call/call-options.ts';
import { refusedDescription } from './field-error.ts';
import { bodyFault, type RequestBody } from './request-body.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';

/** The HTTP methods that `request()` accepts. */
export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Query parameters, whose values are checked where the URL is built. */
export const query = /* @__PURE__ */ lazy(() => z.optional(entriesOf<Record<string, QueryValue>>()));

/** A body, and what is wrong with anything else. */
export const body = /* @__PURE__ */ lazy(() =>
  z.custom<RequestBody>((given) => bodyFault(given) === undefined, {
    error: ({ input }) => bodyFault(input),
    params: { kind: 'rule' },
  }),
);

/** A schema of the caller's. */
export const standardSchema = <T>() =>
  z.optional(
    z.custom<StandardSchema<T>>(isStandardSchema, {
      error: 'must be a Standard Schema, such as one of zod',
      params: { kind: 'rule' },
    }),
  );

/** The failures after which a request may be repeated. */
export const retrySafety = /* @__PURE__ */ lazy(() =>
  z.optional(oneFrom(['read', 'delete', 'keyed', 'refresh', 'once'])),
);

/** Where the options of a call, and an idempotency key, belong: in the description they would be lost. */
const descriptionHints = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.keys(requestOptionFields()).map((name) => [name.toLowerCase(), `\`${name}\` in the call options`]),
  ),
  requestid: "the field in the body, with `retrySafety: 'keyed'`",
  idempotencykey: 'an idempotency header in the call options',
});

/** A copy of the own fields, to which a polluted prototype adds nothing. */
export const ownDescription = <T extends object>(given: T): T => Object.assign(Object.create(null), given);

/** What the errors about a description need. */
interface DescriptionWords {
  readonly operation: string;
  /** The name of the argument. */
  readonly place: string;
  /** The right names for names that belong elsewhere. */
  readonly hints?: Readonly<Record<string, string>>;
}

/**
 * Returns own fields of a description, checked by their schema.
 *
 * @throws InvalidRequestError that names the field.
 */
export function checkDescription<Description>(
  schema: z.ZodMiniType<Description>,
  given: unknown,
  { operation, place, hints }: DescriptionWords,
): Description {
  const words = { subject: `\`${place}\``, hints: { ...descriptionHints(), ...hints } };
  return checkedOptions(schema, given, words, ({ path, sentence, isUnknownName }) => {
    throw isUnknownName
      ? refusedDescription(operation, place, `\`${place}\` is wrong: ${sentence}`)
      : refusedDescription(operation, path === '' ? place : path, sentence);
  });
}
