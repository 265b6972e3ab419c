import type { Dialect, DialectName, ErrorShape, QuotedFamily } from './dialect.ts';

/** The values of a decision of a dialect, and those that random dialects choose from. */
export interface Choice<T> {
  accepts: (value: unknown) => boolean;
  /** A description of the values for an error message. */
  expected: string;
  random: readonly [T, ...T[]];
}

const SHAPES: readonly ErrorShape[] = ['numbered', 'nested', 'bare'];
const SHAPE_KEYS = ['400', '401', '403', '404', '405', '409', '413', '422', '429', '500', 'other'];
const FAMILIES: readonly QuotedFamily[] = ['onramps', 'offramps', 'bridges'];

function oneOfValues<const T extends string | number | boolean>(...values: [T, ...T[]]): Choice<T> {
  return {
    accepts: (value) => values.some((candidate) => candidate === value),
    expected: values.map((value) => JSON.stringify(value)).join(' or '),
    random: values,
  };
}

/** A name that stands in a body or a query. */
function name(...random: [string, ...string[]]): Choice<string> {
  const accepts = (value: unknown) => typeof value === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(value);
  return { accepts, expected: 'a name of letters, digits, "_" and "-", at most 64', random };
}

function wholeBetween(least: number, most: number, ...random: [number, ...number[]]): Choice<number> {
  const accepts = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return { accepts, expected: `a whole number from ${least} to ${most}`, random };
}

export const CHOICES: { readonly [K in keyof Dialect]: Choice<Dialect[K]> } = {
  accountListKey: name('accounts', 'banks', 'data', 'items'),
  approvalListKey: name('approvals', 'data', 'items'),
  externalWalletListKey: name('externalWallets', 'data', 'wallets'),
  cursorParam: name('either', 'cursor', 'createdBefore'),
  cursorStyle: oneOfValues('createdAt', 'opaque'),
  lastPageCursor: oneOfValues(false, true),
  accountPages: oneOfValues(false, true),
  pageSize: wholeBetween(1, 100, 10, 20, 3),
  approvalCount: oneOfValues('total', 'page'),
  // Without a verdict nobody can wait for an account; a dialect of one's own may.
  accountForm: {
    ...oneOfValues('status', 'isValid', 'accountId', 'neither', 'mixed'),
    random: ['status', 'isValid', 'accountId', 'mixed'],
  },
  accountRail: oneOfValues('text', 'object'),
  accountHolder: oneOfValues('required', 'optional'),
  accountDeletion: oneOfValues('message', 'record', 'empty'),
  createStatus: oneOfValues(200, 201, 202),
  duplicates: oneOfValues('replay', 'refuse'),
  duplicateStatus: oneOfValues(400, 409, 422),
  duplicateError: {
    accepts: (value) => value === null || (typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(value)),
    expected: 'an upper-case name such as "RESOURCE_CONFLICT", or null',
    random: [null, 'TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'],
  },
  errorShapes: {
    accepts: isErrorShapes,
    expected: `an object of "numbered", "nested" or "bare" by status (${SHAPE_KEYS.join(', ')}), with "other"`,
    random: [
      { 401: 'numbered', 500: 'numbered', other: 'nested' },
      { other: 'numbered' },
      { 400: 'numbered', 401: 'bare', 403: 'bare', other: 'nested' },
      { 403: 'bare', 404: 'nested', other: 'numbered' },
    ],
  },
  errorNames: oneOfValues('emulator', 'field'),
  approvalPlace: oneOfValues('receipt', 'details', 'mixed'),
  voteForm: oneOfValues('decision', 'vote'),
  votesNeeded: wholeBetween(1, 10, 1, 2),
  // No service is seen to refuse decimal texts here; a dialect of one's own may.
  batchAmounts: { ...oneOfValues('either', 'string', 'number'), random: ['either', 'string'] },
  transferFields: oneOfValues('documented', 'all'),
  conversionStatuses: oneOfValues('common', 'by-kind'),
  transferStart: oneOfValues('CREATED', 'NOT_INITIATED'),
  onrampStart: oneOfValues('AWAITING_FUNDS', 'CREATED', 'NOT_INITIATED'),
  acceptQuotes: {
    accepts: (value) => Array.isArray(value) && value.every((item) => FAMILIES.includes(item)),
    expected: `a list of ${FAMILIES.map((family) => JSON.stringify(family)).join(', ')}`,
    random: [[], ['offramps'], ['onramps', 'offramps', 'bridges']],
  },
  purposeOfPayment: oneOfValues('optional', 'required'),
  chainNames: oneOfValues('as-sent', 'mainnet'),
  timeFormat: oneOfValues('Z', 'offset', 'offset-micros'),
  kycQuestionnaire: oneOfValues('text', 'object'),
  metricBreakdowns: oneOfValues('names', 'object'),
  eventEnvelope: oneOfValues('short', 'full'),
  eventKinds: oneOfValues('documented', 'all'),
  webhookScheme: oneOfValues('standard-webhooks', 'jwt'),
  // A service that ignores what it does not understand hides mistakes; random dialects are for finding them.
  unknownFields: { ...oneOfValues('refuse', 'accept'), random: ['refuse'] },
};

function isErrorShapes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return (
    'other' in value &&
    Object.entries(value).every(
      ([key, shape]) => SHAPE_KEYS.includes(key) && SHAPES.some((candidate) => candidate === shape),
    )
  );
}

/** The decisions of the description. Where it is silent: the expected ones. */
const SPEC: Dialect = {
  accountListKey: 'accounts',
  approvalListKey: 'approvals',
  externalWalletListKey: 'externalWallets',
  cursorParam: 'either',
  cursorStyle: 'createdAt',
  lastPageCursor: false,
  accountPages: false,
  pageSize: 20,
  approvalCount: 'total',
  accountForm: 'status',
  accountRail: 'text',
  accountHolder: 'required',
  accountDeletion: 'message',
  createStatus: 201,
  duplicates: 'replay',
  duplicateStatus: 409,
  duplicateError: null,
  errorShapes: { 401: 'numbered', 500: 'numbered', other: 'nested' },
  errorNames: 'emulator',
  approvalPlace: 'receipt',
  voteForm: 'decision',
  votesNeeded: 1,
  batchAmounts: 'either',
  transferFields: 'documented',
  conversionStatuses: 'common',
  transferStart: 'CREATED',
  onrampStart: 'AWAITING_FUNDS',
  acceptQuotes: [],
  purposeOfPayment: 'optional',
  chainNames: 'as-sent',
  timeFormat: 'Z',
  kycQuestionnaire: 'text',
  metricBreakdowns: 'names',
  eventEnvelope: 'short',
  eventKinds: 'documented',
  webhookScheme: 'standard-webhooks',
  unknownFields: 'refuse',
};

/** The behavior of most services, for everything that the description does not fix. */
const FIELD: Dialect = {
  accountListKey: 'banks',
  approvalListKey: 'approvals',
  externalWalletListKey: 'externalWallets',
  cursorParam: 'createdBefore',
  cursorStyle: 'createdAt',
  lastPageCursor: true,
  accountPages: true,
  pageSize: 10,
  approvalCount: 'page',
  accountForm: 'mixed',
  accountRail: 'object',
  accountHolder: 'optional',
  accountDeletion: 'record',
  createStatus: 200,
  duplicates: 'refuse',
  duplicateStatus: 400,
  duplicateError: 'TRANSACTION_REQUEST_ALREADY_EXISTS',
  errorShapes: { 403: 'bare', 404: 'nested', other: 'numbered' },
  errorNames: 'field',
  approvalPlace: 'mixed',
  voteForm: 'vote',
  votesNeeded: 1,
  batchAmounts: 'string',
  transferFields: 'all',
  conversionStatuses: 'by-kind',
  transferStart: 'NOT_INITIATED',
  onrampStart: 'AWAITING_FUNDS',
  acceptQuotes: ['onramps', 'offramps', 'bridges'],
  purposeOfPayment: 'required',
  chainNames: 'mainnet',
  timeFormat: 'offset-micros',
  kycQuestionnaire: 'object',
  metricBreakdowns: 'object',
  eventEnvelope: 'full',
  eventKinds: 'all',
  webhookScheme: 'jwt',
  unknownFields: 'refuse',
};

export const PRESETS: Readonly<Record<DialectName, Dialect>> = { spec: SPEC, field: FIELD };
