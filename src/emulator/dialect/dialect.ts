import * as z from 'zod/mini';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, textLike, wholeNumber } from '../../shared/schema/schema.ts';
import { optionsOf } from '../reading/options.ts';

/** A named dialect: what the description shows, or what most services do where it is silent. */
export type DialectName = 'spec' | 'field';

/** A family of transfers whose quote can wait to be accepted. */
export type QuotedFamily = 'onramps' | 'offramps' | 'bridges';

/** The behavior of the emulator where the service's description is silent: that of a named dialect, with its decisions. */
export interface Dialect {
  /** The named dialect. It decides everything that the other fields do not. */
  name: DialectName;
  /** The response to a known `requestId`: the first response again, or a refusal. */
  duplicates: 'replay' | 'refuse';
  /** The status of the refusal of a known `requestId`. */
  duplicateStatus: 400 | 409 | 422;
  /** The name of the refusal of a known `requestId`; `null` takes one for the same payload and one for another. */
  duplicateError: string | null;
  /** The number of votes that approve a transfer, 1 to 10. One vote rejects it. */
  votesNeeded: number;
  /** The families whose transfers begin as `OPEN_QUOTE` and wait for the quote to be accepted. */
  acceptQuotes: readonly QuotedFamily[];
  /** The form of the amounts of a batch. */
  batchAmounts: 'number' | 'string' | 'either';
  /** The signature of deliveries: Standard Webhooks, or an RS256 JWT in `Authorization`. */
  webhookScheme: 'standard-webhooks' | 'jwt';
  /** The kinds of events: the five documented ones, or also those of users, wallets, onramps and offramps. */
  eventKinds: 'documented' | 'all';
  /** The form of account records: `id` and `status`; `id`, `isValid` and `reason`; or `accountId`, `accountType` and `status`. */
  accountForm: 'status' | 'isValid' | 'accountId';
  /** The size of a page of a cursor list where the request sets no `limit`, 1 to 100. */
  pageSize: number;
}

/** Single decisions over those of a named dialect. */
export type DialectOptions = { [K in Exclude<keyof Dialect, 'name'>]?: Dialect[K] | undefined } & {
  /** The dialect that the other decisions come from. Default `spec`. */
  extends?: DialectName | undefined;
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  spec: {
    name: 'spec',
    duplicates: 'replay',
    duplicateStatus: 409,
    duplicateError: null,
    votesNeeded: 1,
    acceptQuotes: [],
    batchAmounts: 'either',
    webhookScheme: 'standard-webhooks',
    eventKinds: 'documented',
    accountForm: 'status',
    pageSize: 20,
  },
  field: {
    name: 'field',
    duplicates: 'refuse',
    duplicateStatus: 400,
    duplicateError: 'TRANSACTION_REQUEST_ALREADY_EXISTS',
    votesNeeded: 1,
    acceptQuotes: ['onramps', 'offramps', 'bridges'],
    batchAmounts: 'string',
    webhookScheme: 'jwt',
    eventKinds: 'all',
    accountForm: 'accountId',
    pageSize: 10,
  },
};

const names: readonly DialectName[] = ['spec', 'field'];

/** The decisions of a dialect, by their names. */
export const decisionFields = /* @__PURE__ */ lazy(() => ({
  extends: z.optional(oneFrom(['spec', 'field'])),
  duplicates: z.optional(oneFrom(['replay', 'refuse'])),
  duplicateStatus: z.optional(oneFrom([400, 409, 422])),
  duplicateError: z.optional(
    z.nullable(
      textLike(/^[A-Z][A-Z0-9_]{0,63}$/, "must be an upper-case name such as 'RESOURCE_CONFLICT', or null"),
    ),
  ),
  votesNeeded: z.optional(wholeNumber(1, 10)),
  acceptQuotes: z.optional(
    z.array(oneFrom(['onramps', 'offramps', 'bridges']), {
      error: "must be a list of 'onramps', 'offramps' and 'bridges'",
    }),
  ),
  batchAmounts: z.optional(oneFrom(['either', 'string', 'number'])),
  webhookScheme: z.optional(oneFrom(['standard-webhooks', 'jwt'])),
  eventKinds: z.optional(oneFrom(['documented', 'all'])),
  accountForm: z.optional(oneFrom(['status', 'isValid', 'accountId'])),
  pageSize: z.optional(wholeNumber(1, 100)),
}));

/** The option `dialect`: a name, or single decisions. */
export const dialectOption = /* @__PURE__ */ lazy(() => {
  const words = 'must be "spec", "field" or an object of decisions';
  const name = z.custom<DialectName>((value) => names.some((one) => one === value), {
    error: words,
    params: { kind: 'type' },
  });
  return z.union([name, matching<DialectOptions>()(strictObject(decisionFields(), words))], { error: words });
});

const onlyDialect = /* @__PURE__ */ lazy(() => strictObject({ dialect: z.optional(dialectOption()) }));

/** Resolves a name, or single decisions, to a whole dialect; throws a `TypeError` that names the decision that is wrong. */
export function resolveDialect(given: unknown): Dialect {
  const { dialect = 'spec' } = optionsOf('the emulator', onlyDialect(), { dialect: given });
  if (typeof dialect === 'string') return { ...DIALECTS[dialect] };
  const { extends: base = 'spec', ...own } = dialect;
  const entries = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...DIALECTS[base], ...Object.fromEntries(entries) };
}
