/** The HTTP statuses that have an error shape of their own; `other` stands for every status that is not listed. */
export type ErrorShapeKey = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 'other';

/**
 * A shape of error bodies. `numbered` is `{ code: 100001, error: 'NAME', errorDetails: '…' }`, `nested` is `{ status:
 * 'error', error: { code, message } }`, and `bare` is `{ error: '…' }`.
 */
export type ErrorShape = 'numbered' | 'nested' | 'bare';

/** A family of transfers whose quote can wait to be accepted. */
export type QuotedFamily = 'onramps' | 'offramps' | 'bridges';

/** Every decision that the service's description leaves open, and how the emulator takes it. */
export interface Dialect {
  /** The key of the records in an account list. */
  accountListKey: string;
  /** The key of the records in the approval list. */
  approvalListKey: string;
  /** The key of the records in an external wallet list. */
  externalWalletListKey: string;
  /** The query parameter that takes a cursor; `either` takes `cursor` and `createdBefore`. */
  cursorParam: string;
  /** The form of a cursor: the `createdAt` of the last record, or an opaque text. */
  cursorStyle: 'createdAt' | 'opaque';
  /** True if the last page has a `nextCursor`, too. An empty page follows it. */
  lastPageCursor: boolean;
  /** True if account lists come in pages. */
  accountPages: boolean;
  /** The size of a page of a cursor list where the request sets no `limit`, 1 to 100. */
  pageSize: number;
  /** The meaning of `count` in the approval list: every pending approval, or those of the page. */
  approvalCount: 'total' | 'page';

  /**
   * The form of account records: `id` and `status`; `id`, `isValid` and `reason`; `accountId`, `accountType` and
   * `status`; as `neither`, an `id` and no verdict at all; or, as `mixed`, one of the first three for each account.
   */
  accountForm: 'status' | 'isValid' | 'accountId' | 'neither' | 'mixed';
  /** The form of an account's `rail`: a text, or an object `{ currency, railType, paymentRail }`. */
  accountRail: 'text' | 'object';
  /** The rules for `accountHolder`: those of the spec, or those of the region, some of which need none. */
  accountHolder: 'required' | 'optional';
  /** The response to a deletion: a message, the account with `status: 'INACTIVE'`, or a 204 without a body. */
  accountDeletion: 'message' | 'record' | 'empty';

  /** The status of a successful creation. */
  createStatus: 200 | 201 | 202;
  /** The response to a known `requestId`: the first response again, or a refusal. */
  duplicates: 'replay' | 'refuse';
  /** The status of the refusal of a known `requestId`. */
  duplicateStatus: 400 | 409 | 422;
  /** The name of the refusal of a known `requestId`; `null` takes one for the same payload and one for another. */
  duplicateError: string | null;
  /** The shape of error bodies, by status. */
  errorShapes: Readonly<
    Partial<Record<ErrorShapeKey, ErrorShape>> & {
      /** The shape of every error that has no entry of its own. */
      other: ErrorShape;
    }
  >;

  /** The place of a transfer's approval; `mixed` is `details` for single transfers and `receipt` for batches. */
  approvalPlace: 'receipt' | 'details' | 'mixed';
  /** The form of a vote: `{ decision, comment, createdAt }` or `{ approverId, vote, comment, createdAt }`. */
  voteForm: 'decision' | 'vote';
  /** The number of votes that approve a transfer, 1 to 10. One vote rejects it. */
  votesNeeded: number;
  /** The form of the amounts of a batch. */
  batchAmounts: 'number' | 'string' | 'either';
  /** The fields of transfer records: those of the description, or all that services are known to send. */
  transferFields: 'documented' | 'all';
  /** The statuses of bridges and offramps on their way: those of every transfer, or those of their kind. */
  conversionStatuses: 'common' | 'by-kind';
  /** The status of a new transfer that needs no approval. */
  transferStart: 'CREATED' | 'NOT_INITIATED';
  /** The status of a new onramp that waits for a one-time deposit. */
  onrampStart: 'AWAITING_FUNDS' | 'CREATED' | 'NOT_INITIATED';
  /** The families whose transfers begin as `OPEN_QUOTE` and wait for the quote to be accepted. */
  acceptQuotes: readonly QuotedFamily[];
  /** The rule for the `purposeOfPayment` of onramps in African currencies. */
  purposeOfPayment: 'optional' | 'required';

  /** The form of chains in responses: as sent, or as `POLYGON_MAINNET`. */
  chainNames: 'as-sent' | 'mainnet';
  /** The form of times: `…Z` or `…+00:00` with 3 or with 6 decimals. */
  timeFormat: 'Z' | 'offset' | 'offset-micros';
  /** The `sofEuQuestionnaire` of a KYC record: a text or an object. */
  kycQuestionnaire: 'text' | 'object';
  /** The `breakdowns` of metric results: a list of names, or `{ dimensions, dimensionCounts }`. */
  metricBreakdowns: 'names' | 'object';

  /**
   * The envelope of events: `eventId`, `eventType`, `data` and `createdAt`, or with category, action, time and version,
   * too.
   */
  eventEnvelope: 'short' | 'full';
  /** The kinds of events: the five documented ones, or also those of users, wallets, onramps and offramps. */
  eventKinds: 'documented' | 'all';
  /** The signature of deliveries: Standard Webhooks, or an RS256 JWT in `Authorization`. */
  webhookScheme: 'standard-webhooks' | 'jwt';

  /** The response to an unknown field or query parameter: a 400 that names it, or none. */
  unknownFields: 'refuse' | 'accept';
}

/** A named dialect: what the description shows, or what most services do where it is silent. */
export type DialectName = 'spec' | 'field';

/** A dialect made of single decisions. What is not given comes from `extends`, or at random from the seed `random`. */
export type DialectOptions = { [K in keyof Dialect]?: Dialect[K] | undefined } & {
  /** The dialect that the other decisions come from. Default `spec`. */
  extends?: DialectName | undefined;
  /** Takes every decision that is not given at random, always the same for the same seed. */
  random?: string | number | undefined;
};
