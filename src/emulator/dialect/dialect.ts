import * as z from 'zod/mini';
import { isRecord } from '../../shared/values.ts';
import { ServiceProblem } from '../problem.ts';
import { check, objectField, oneOfTexts, wholeNumberBetween } from '../reading/check.ts';
import { refuseUnknownOptions } from '../reading/unknown-names.ts';

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

const namedDialect = oneOfTexts(['spec', 'field']);
const families = { error: "must be a list of 'onramps', 'offramps' and 'bridges'" };
const errorName = { error: "must be an upper-case name such as 'RESOURCE_CONFLICT', or null" };

const decisions = objectField({
  extends: z.optional(namedDialect),
  duplicates: z.optional(oneOfTexts(['replay', 'refuse'])),
  duplicateStatus: z.optional(z.literal([400, 409, 422], { error: 'must be 400, 409 or 422' })),
  duplicateError: z.optional(
    z.nullable(z.string(errorName).check(z.regex(/^[A-Z][A-Z0-9_]{0,63}$/, errorName))),
  ),
  votesNeeded: z.optional(wholeNumberBetween(1, 10)),
  acceptQuotes: z.optional(z.array(z.enum(['onramps', 'offramps', 'bridges'], families), families)),
  batchAmounts: z.optional(oneOfTexts(['either', 'string', 'number'])),
  webhookScheme: z.optional(oneOfTexts(['standard-webhooks', 'jwt'])),
  eventKinds: z.optional(oneOfTexts(['documented', 'all'])),
  accountForm: z.optional(oneOfTexts(['status', 'isValid', 'accountId'])),
  pageSize: z.optional(wholeNumberBetween(1, 100)),
});

/** The names of all decisions. */
export const DECISIONS: readonly string[] = Object.keys(decisions.shape);

/** Resolves a name, or single decisions, to a whole dialect; a 400 that names the decision that is wrong. */
function dialectOf(dialect: unknown): Dialect {
  if (typeof dialect === 'string') return { ...DIALECTS[check(namedDialect, dialect)] };
  const { extends: base = 'spec', ...given } = check(decisions, dialect);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DIALECTS[base], ...Object.fromEntries(entries) };
}

/** Resolves the `dialect` of options; throws a `TypeError` that names the decision that is wrong. */
export function resolveDialect(dialect: unknown = 'spec'): Dialect {
  if (isRecord(dialect)) refuseUnknownOptions('dialect', dialect, decisions.shape);
  try {
    return dialectOf(dialect);
  } catch (error) {
    if (!(error instanceof ServiceProblem)) throw error;
    const expected = 'dialect must be "spec", "field" or an object of decisions';
    const [problem] = error.fields ?? [];
    throw new TypeError(
      problem === undefined || problem.field === 'body'
        ? expected
        : `dialect.${problem.field} ${problem.message}`,
    );
  }
}
