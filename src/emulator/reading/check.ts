import * as z from 'zod/mini';
import { nearestName } from '../../shared/option-names.ts';
import { type FieldProblem, invalid, invalidField, printable } from '../problem.ts';
import { FIAT_CURRENCIES } from '../service/quotes.ts';
import { strangeFields, unknownFieldMessage } from './unknown-names.ts';

const TEXT = { error: 'must be a non-empty text' };

/** Any UUID-shaped text, whatever its version. Without flags, which a description could not carry. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

// Trimmed last: the description applies to the text as it was sent.
export const textField = z
  .string(TEXT)
  .check(z.regex(/\S/, TEXT), z.maxLength(500, { error: 'is longer than 500 characters' }), z.trim());
export const optionalText = z.nullish(textField);
export const requestIdField = z
  .string({ error: 'must be a UUID' })
  .check(z.regex(UUID, { error: 'must be a UUID' }))
  .register(z.globalRegistry, { format: 'uuid' });
export const amountField = z
  .number({ error: 'must be a finite number greater than 0' })
  .check(
    z.positive({ error: 'must be a finite number greater than 0' }),
    z.maximum(1e15, { error: 'is larger than 1,000,000,000,000,000' }),
  );
/** A number of at least 0, or a decimal text of one. */
export const numberOrText = (error: string) =>
  z.union(
    [
      z.number({ error }).check(z.minimum(0, { error }), z.maximum(1e15, { error })),
      z.string({ error }).check(z.regex(/^\d{1,15}(\.\d{1,18})?$/, { error })),
    ],
    { error },
  );
/** A decimal text above 0. */
export const positiveText = (error: string) =>
  z.string({ error }).check(z.regex(/^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,18})?$/, { error }));
/** A stablecoin. Sandboxes have test coins of their own, so only its form is checked, and that it is no other currency. */
export const coin = fieldMatching(
  /^[a-z][a-z0-9]{1,15}$/,
  "must be a coin in lower case, such as 'usdc'",
).check(
  z.refine((code) => !FIAT_CURRENCIES.includes(code), {
    error: "must be a coin, such as 'usdc', and is another currency",
  }),
);
/** A currency of banks. */
export const fiat = z.enum(FIAT_CURRENCIES, {
  error: ({ input }) =>
    typeof input === 'string' && FIAT_CURRENCIES.includes(input.toLowerCase())
      ? `must be a currency in lower case: '${input.toLowerCase()}'`
      : 'is not a currency of the emulator',
});
export const chain = fieldMatching(
  /^(POLYGON|ETHEREUM|SOLANA|BASE|OPTIMISM|ARBITRUM)(_[A-Z]+)?$/,
  'must be POLYGON, ETHEREUM, SOLANA, BASE, OPTIMISM or ARBITRUM, in upper case',
);
export const walletAddress = fieldMatching(
  /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/,
  "must be a whole wallet address: '0x' with 40 hexadecimal digits, or an address of Solana",
);
export const flagField = z.nullish(z.boolean({ error: 'must be true or false' }));

function fieldMatching(pattern: RegExp, error: string) {
  return z.string({ error }).check(z.regex(pattern, { error }));
}

export function oneOfTexts<const V extends readonly string[]>(values: V) {
  return z.enum(values, { error: `must be ${values.map((value) => `'${value}'`).join(' or ')}` });
}

/** An object of these fields and no other. */
export function objectField<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object'),
  });
}

/** A body that has no fields, or is not there. */
export const nothing = z.nullish(objectField({}));
/** The body of an operation that takes none, in every dialect. */
export const noBody = () => nothing;

/** The body as its schema types it; a 400 that names every field at fault, unknown ones too, where it does not fit. */
export function check<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body, WITH_INPUT);
  if (result.success) return result.data;
  const strange = strangeFields(result.error.issues);
  const others = result.error.issues.filter(({ code }) => code !== 'unrecognized_keys');
  // The unknown fields come first: a misspelled field is often the reason why another one is missing.
  throw invalid([
    ...strange.slice(0, 20).map((path) => ({
      field: path.map(String).join('.').slice(0, 100),
      message: unknownFieldMessage(schema, path),
    })),
    ...others.slice(0, 20).map(problemOf),
  ]);
}

/** Without it an issue shows no input, and each wrong value would be called missing. */
const WITH_INPUT = { reportInput: true };

function problemOf(issue: z.core.$ZodIssue): FieldProblem {
  const path = issue.path.map(String).join('.').slice(0, 100);
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return {
    field: path === '' ? 'body' : path,
    message: missing ? `is required: ${issue.message}` : issue.message,
  };
}

/** Refuses an id that a caller of a method left out. */
export function requireId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || id.trim() === '') throw invalidField('id', 'must be a non-empty text');
}

/** The query parameters of a request; a 400 that names the parameter where one is unknown, given twice or wrong. */
export function checkQuery<Q extends z.ZodMiniObject>(schema: Q, query: URLSearchParams): z.output<Q> {
  const names = Object.keys(schema.shape);
  const given: Record<string, string> = {};
  for (const name of new Set(query.keys())) {
    if (!names.includes(name)) {
      const meant = nearestName(name, names);
      throw invalidField(
        printable(name),
        `is not a query parameter of this operation${meant === undefined ? '' : `; did you mean '${meant}'?`}`,
      );
    }
    if (query.getAll(name).length > 1) throw invalidField(name, 'is given more than once');
    given[name] = query.get(name) ?? '';
  }
  return check(schema, given);
}

export function wholeNumberText(min: number, max: number) {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be a whole number ${bounds}`;
  return z.pipe(
    z.pipe(z.string({ error }).check(z.regex(/^\d{1,15}$/, { error, abort: true })), z.transform(Number)),
    z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error })),
  );
}

export function wholeNumberBetween(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
}

/** A date or date-time of a query. */
export const timeField = z
  .string()
  .check(
    z.regex(
      /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/,
      { error: "must be a date or a date-time, such as '2026-03-04T12:00:00Z'" },
    ),
  );

/** A query without parameters. */
export const noQuery = () => objectField({});
