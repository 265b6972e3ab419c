import { findUnknown } from '../../shared/option-names.ts';
import { oneOfRule, optional, type Rule, requiredText } from '../../shared/rules.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { callOptions } from '../call/request-options.ts';
import type { RetrySafety } from '../call/types.ts';
import { bodyFault } from './request-body.ts';
import { schemaFault } from './standard-schema.ts';
import type { Wrong } from './wrong.ts';

/** The HTTP methods that `request()` accepts. */
export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The rule of each field of a description. A field without one does not exist. */
export type FieldRules<Description> = { readonly [Field in keyof Description]-?: Rule };

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies RequestMethod[];
const safeties = ['read', 'delete', 'keyed', 'refresh', 'once'] satisfies RetrySafety[];

const pathsFault: Rule = (value) =>
  Array.isArray(value) && value.every((path) => requiredText(path) === undefined)
    ? undefined
    : 'must be a list of dotted paths';

/** The rules of the fields that descriptions have in common. */
export const rules = {
  any: () => undefined,
  method: /* @__PURE__ */ oneOfRule(...methods),
  body: bodyFault,
  query: /* @__PURE__ */ optional((query) =>
    isRecord(query) ? undefined : `must be an object, but is ${kindOf(query)}`,
  ),
  schema: /* @__PURE__ */ optional(schemaFault),
  essential: /* @__PURE__ */ optional(pathsFault),
  retrySafety: /* @__PURE__ */ optional(/* @__PURE__ */ oneOfRule(...safeties)),
  operation: /* @__PURE__ */ optional((name) =>
    typeof name === 'string' && /^[\w.-]{1,100}$/.test(name)
      ? undefined
      : 'must be a name such as `quotes.accept`',
  ),
} satisfies Record<string, Rule>;

/** Where the options of a call, and an idempotency key, belong: in the description they would be lost. */
const descriptionHints = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.keys(callOptions).map((name) => [name.toLowerCase(), `\`${name}\` in the call options`]),
  ),
  requestid: "the field in the body, with `retrySafety: 'keyed'`",
  idempotencykey: 'an idempotency header in the call options',
});

/** A copy of the own fields, to which a polluted prototype adds nothing. */
export const ownDescription = <T extends object>(given: T): T => Object.assign(Object.create(null), given);

/** Checks a description: own fields only, each by its rule. */
export function checkDescription<Description extends object>(
  given: Description,
  fields: FieldRules<NoInfer<Description>>,
  place: string,
  wrong: Wrong,
  more?: Readonly<Record<string, string>>,
): Description {
  if (!isRecord(given)) throw wrong(place, `must be an object, but is ${kindOf(given)}`);
  const own: Description = ownDescription(given);
  if (findUnknown(own, fields) !== undefined)
    throw wrong(place, `is wrong: ${findUnknown(own, fields, { ...descriptionHints(), ...more })}`);
  for (const [field, rule] of Object.entries<Rule>(fields)) {
    const why = rule(Reflect.get(own, field));
    if (why !== undefined) throw wrong(field, why);
  }
  return own;
}
