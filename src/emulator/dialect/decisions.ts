import { isRecord } from '../../shared/values.ts';
import { meantName } from '../reading/unknown-names.ts';
import { hexOf } from '../state/ids.ts';
import type { Dialect, DialectName, ErrorShape, QuotedFamily } from './dialect.ts';

/** A decision of a dialect: its values, and how each named dialect decides. */
interface Decision<T> {
  accepts: (value: unknown) => boolean;
  /** A description of the values for an error message. */
  expected: string;
  /** The decision of the description. Where it is silent: the expected one. */
  spec: T;
  /** The behavior of most services, for everything that the description does not fix. */
  field: T;
  /** The values that random dialects choose from. */
  random: readonly [T, ...T[]];
}

type Values<T> = Pick<Decision<T>, 'accepts' | 'expected' | 'random'>;

const SHAPES: readonly ErrorShape[] = ['numbered', 'nested', 'bare'];
const SHAPE_KEYS = ['400', '401', '403', '404', '405', '409', '413', '422', '429', '500', 'other'];
const FAMILIES: readonly QuotedFamily[] = ['onramps', 'offramps', 'bridges'];

function oneOf<const T extends string | number | boolean>(...values: [T, ...T[]]): Values<T> {
  return {
    accepts: (value) => values.some((candidate) => candidate === value),
    expected: values.map((value) => JSON.stringify(value)).join(' or '),
    random: values,
  };
}

/** A name that stands in a body or a query. */
function name(...random: [string, ...string[]]): Values<string> {
  const accepts = (value: unknown) => typeof value === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(value);
  return { accepts, expected: 'a name of letters, digits, "_" and "-", at most 64', random };
}

function wholeBetween(least: number, most: number, ...random: [number, ...number[]]): Values<number> {
  const accepts = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return { accepts, expected: `a whole number from ${least} to ${most}`, random };
}

/** An upper-case name of an error, or none. */
const errorName: Values<string | null> = {
  accepts: (value) => value === null || (typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(value)),
  expected: 'an upper-case name such as "RESOURCE_CONFLICT", or null',
  random: [null, 'TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'],
};

const errorShapes: Values<Dialect['errorShapes']> = {
  accepts: isErrorShapes,
  expected: `an object of "numbered", "nested" or "bare" by status (${SHAPE_KEYS.join(', ')}), with "other"`,
  random: [
    { 401: 'numbered', 500: 'numbered', other: 'nested' },
    { other: 'numbered' },
    { 400: 'numbered', 401: 'bare', 403: 'bare', other: 'nested' },
    { 403: 'bare', 404: 'nested', other: 'numbered' },
  ],
};

const families: Values<readonly QuotedFamily[]> = {
  accepts: (value) => Array.isArray(value) && value.every((item) => FAMILIES.includes(item)),
  expected: `a list of ${FAMILIES.map((family) => JSON.stringify(family)).join(', ')}`,
  random: [[], ['offramps'], ['onramps', 'offramps', 'bridges']],
};

function isErrorShapes(value: unknown): boolean {
  return (
    isRecord(value) &&
    'other' in value &&
    Object.entries(value).every(
      ([key, shape]) => SHAPE_KEYS.includes(key) && SHAPES.some((candidate) => candidate === shape),
    )
  );
}

/** Every decision that the description leaves open. */
export const DECISIONS: { readonly [K in keyof Dialect]: Decision<Dialect[K]> } = {
  accountListKey: { ...name('accounts', 'banks', 'data', 'items'), spec: 'accounts', field: 'banks' },
  approvalListKey: { ...name('approvals', 'data', 'items'), spec: 'approvals', field: 'approvals' },
  externalWalletListKey: {
    ...name('externalWallets', 'data', 'wallets'),
    spec: 'externalWallets',
    field: 'externalWallets',
  },
  cursorParam: { ...name('either', 'cursor', 'createdBefore'), spec: 'either', field: 'createdBefore' },
  cursorStyle: { ...oneOf('createdAt', 'opaque'), spec: 'createdAt', field: 'createdAt' },
  lastPageCursor: { ...oneOf(false, true), spec: false, field: true },
  accountPages: { ...oneOf(false, true), spec: false, field: true },
  pageSize: { ...wholeBetween(1, 100, 10, 20, 3), spec: 20, field: 10 },
  approvalCount: { ...oneOf('total', 'page'), spec: 'total', field: 'page' },
  // Without a verdict nobody can wait for an account; a dialect of one's own may.
  accountForm: {
    ...oneOf('status', 'isValid', 'accountId', 'neither', 'mixed'),
    spec: 'status',
    field: 'mixed',
    random: ['status', 'isValid', 'accountId', 'mixed'],
  },
  accountRail: { ...oneOf('text', 'object'), spec: 'text', field: 'object' },
  accountHolder: { ...oneOf('required', 'optional'), spec: 'required', field: 'optional' },
  accountDeletion: { ...oneOf('message', 'record', 'empty'), spec: 'message', field: 'record' },
  createStatus: { ...oneOf(200, 201, 202), spec: 201, field: 200 },
  duplicates: { ...oneOf('replay', 'refuse'), spec: 'replay', field: 'refuse' },
  duplicateStatus: { ...oneOf(400, 409, 422), spec: 409, field: 400 },
  duplicateError: { ...errorName, spec: null, field: 'TRANSACTION_REQUEST_ALREADY_EXISTS' },
  errorShapes: {
    ...errorShapes,
    spec: { 401: 'numbered', 500: 'numbered', other: 'nested' },
    field: { 404: 'nested', other: 'numbered' },
  },
  approvalPlace: { ...oneOf('receipt', 'details', 'mixed'), spec: 'receipt', field: 'mixed' },
  voteForm: { ...oneOf('decision', 'vote'), spec: 'decision', field: 'vote' },
  votesNeeded: { ...wholeBetween(1, 10, 1, 2), spec: 1, field: 1 },
  // No service is seen to refuse decimal texts here; a dialect of one's own may.
  batchAmounts: {
    ...oneOf('either', 'string', 'number'),
    spec: 'either',
    field: 'string',
    random: ['either', 'string'],
  },
  transferFields: { ...oneOf('documented', 'all'), spec: 'documented', field: 'all' },
  conversionStatuses: { ...oneOf('common', 'by-kind'), spec: 'common', field: 'by-kind' },
  transferStart: { ...oneOf('CREATED', 'NOT_INITIATED'), spec: 'CREATED', field: 'NOT_INITIATED' },
  onrampStart: {
    ...oneOf('AWAITING_FUNDS', 'CREATED', 'NOT_INITIATED'),
    spec: 'AWAITING_FUNDS',
    field: 'AWAITING_FUNDS',
  },
  acceptQuotes: { ...families, spec: [], field: ['onramps', 'offramps', 'bridges'] },
  purposeOfPayment: { ...oneOf('optional', 'required'), spec: 'optional', field: 'required' },
  chainNames: { ...oneOf('as-sent', 'mainnet'), spec: 'as-sent', field: 'mainnet' },
  timeFormat: { ...oneOf('Z', 'offset', 'offset-micros'), spec: 'Z', field: 'offset-micros' },
  kycQuestionnaire: { ...oneOf('text', 'object'), spec: 'text', field: 'object' },
  metricBreakdowns: { ...oneOf('names', 'object'), spec: 'names', field: 'object' },
  eventEnvelope: { ...oneOf('short', 'full'), spec: 'short', field: 'full' },
  eventKinds: { ...oneOf('documented', 'all'), spec: 'documented', field: 'all' },
  webhookScheme: { ...oneOf('standard-webhooks', 'jwt'), spec: 'standard-webhooks', field: 'jwt' },
  // A service that ignores what it does not understand hides mistakes; random dialects are for finding them.
  unknownFields: { ...oneOf('refuse', 'accept'), spec: 'refuse', field: 'refuse', random: ['refuse'] },
};

/** The dialect that a function decides. */
function dialectBy(decide: (decision: Decision<unknown>, name: string) => unknown): Dialect {
  const decided = Object.entries(DECISIONS).map(([name, decision]) => [name, decide(decision, name)]);
  // Each value is of its decision's type, which the compiler does not follow through entries.
  return Object.fromEntries(decided) as Dialect;
}

export const PRESETS: Readonly<Record<DialectName, Dialect>> = {
  spec: dialectBy(({ spec }) => spec),
  field: dialectBy(({ field }) => field),
};

/**
 * Resolves a dialect to all of its decisions.
 *
 * @param dialect - A name, or single decisions over those of `extends` or of the seed `random`.
 * @returns Every decision.
 * @throws TypeError where a name or a decision is not one of the emulator's.
 */
export function resolveDialect(dialect: unknown = 'spec'): Dialect {
  if (typeof dialect === 'string') return preset(dialect, 'dialect');
  if (!isRecord(dialect)) throw notADialect('dialect');
  const { extends: base, random, ...given } = dialect;
  if (base !== undefined && random !== undefined) {
    throw new TypeError('dialect takes `extends` or `random`, not both');
  }
  const decisions = checkedDecisions(given);
  const resolved = {
    ...(random === undefined ? preset(base ?? 'spec', 'dialect.extends') : atRandom(random)),
    ...decisions,
  };
  // An opaque text makes no sense as a time.
  if (decisions.cursorParam === undefined && resolved.cursorStyle === 'opaque')
    resolved.cursorParam = 'cursor';
  if (resolved.cursorStyle === 'opaque' && resolved.cursorParam === 'createdBefore') {
    throw new TypeError('dialect.cursorParam "createdBefore" needs dialect.cursorStyle "createdAt"');
  }
  return resolved;
}

/**
 * Takes every decision at random, always the same for the same seed.
 *
 * @param seed - The seed of the decisions.
 * @returns Every decision.
 * @example
 * ```ts
 * import { createEmulator, randomDialect } from 'stablecoin-payments/emulator';
 *
 * const emulator = createEmulator({ dialect: randomDialect(7) });
 * ```
 */
export function randomDialect(seed: string | number): Dialect {
  return atRandom(seed);
}

function atRandom(seed: unknown): Dialect {
  if (typeof seed !== 'string' && !Number.isFinite(seed))
    throw new TypeError('dialect.random must be a text or a number');
  const dialect = dialectBy(({ random }, name) => {
    return random[Number.parseInt(hexOf(`dialect/${seed}/${name}`, 12), 16) % random.length];
  });
  if (dialect.cursorStyle === 'opaque') dialect.cursorParam = 'cursor';
  return dialect;
}

function preset(name: unknown, option: string): Dialect {
  const known = name === 'spec' || name === 'field' ? PRESETS[name] : undefined;
  if (known === undefined) throw notADialect(option);
  return { ...known };
}

function notADialect(option: string): TypeError {
  const values = option === 'dialect' ? '"spec", "field" or an object of decisions' : '"spec" or "field"';
  return new TypeError(`${option} must be ${values}`);
}

/** The decisions that were given, each within its choices. */
function checkedDecisions(given: Record<string, unknown>): Partial<Dialect> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [key, value] of entries) {
    const decision = Object.entries(DECISIONS).find(([name]) => name === key)?.[1];
    if (decision === undefined) {
      const meant = meantName(key, Object.keys(DECISIONS));
      throw new TypeError(
        `dialect.${key} is not a decision of the emulator${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    }
    if (!decision.accepts(value)) throw new TypeError(`dialect.${key} must be ${decision.expected}`);
  }
  return structuredClone(Object.fromEntries(entries));
}
