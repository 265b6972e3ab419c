import type { Outcome } from '../../src/client/index.ts';

/** One response of a row, to a call of the kind that it is about. */
export interface Example {
  /** The kinds of operations that it is about. Default: each that changes something. */
  readonly of?: readonly ('payment' | 'refresh' | 'account' | 'approve' | 'reject' | 'delete')[];
  readonly status: number;
  /** JSON, or a text that is sent as it is. */
  readonly body?: unknown;
  readonly text?: string;
  /** The connection breaks off in the body. */
  readonly isCut?: boolean;
  /** What the function `refusals` says. */
  readonly said?: unknown;
  /** Of a row with several outcomes. */
  readonly outcome?: Outcome;
}

/** A row of the table "What a response proves": the text in docs/guides/outcomes.md, and responses that it is about. */
export interface TableRow {
  readonly row: number;
  readonly what: string;
  readonly proved: string;
  readonly outcome?: Outcome;
  readonly examples: readonly Example[];
}

const transfer = (fields: object) => ({ transferDetails: fields });

/**
 * The table of the design, row by row. The guide, the tests of the pure functions and the tests at the wire read it, so
 * none of them can say something else.
 */
export const table: readonly TableRow[] = [
  {
    row: 1,
    what: 'Nothing was sent: a wrong parameter or option, a token function that failed, an abort or deadline before the request, no connection to any address, a refused TLS handshake or tunnel.',
    proved: '`not-sent`',
    outcome: 'not-sent',
    // Nothing came: test/outcomes/connection-reasons.test.ts has the reasons.
    examples: [],
  },
  {
    row: 2,
    what: 'The connection was reset, a timeout passed, or a redirect was followed. The body was cut off, too large, or not readable, unless the status is 401. The body is empty, and nothing shows that it arrived whole: it is compressed, or HTTP/1 declares neither a length nor chunks.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      { status: 200, isCut: true },
      { status: 400, isCut: true },
      { status: 403, isCut: true },
      { status: 405, isCut: true },
      { status: 429, isCut: true },
      { status: 501, isCut: true },
      { status: 400, isCut: true, said: 'rejected' },
    ],
  },
  {
    row: 3,
    what: 'Your function `refusals` decides about this response. It is asked for every status but 2xx and 401, and for a 2xx with an error shape.',
    proved: 'what it returns: `rejected`, or `unknown` for `known` and `unknown`',
    examples: [
      { status: 400, body: { message: 'x' }, said: 'rejected', outcome: 'rejected' },
      { status: 409, body: { message: 'already' }, said: 'rejected', outcome: 'rejected' },
      { status: 200, body: { success: false }, said: 'rejected', outcome: 'rejected' },
      { status: 409, body: { error: 'RESOURCE_CONFLICT' }, said: 'rejected', outcome: 'rejected' },
      { status: 400, body: { error: 'USER_FROZEN' }, said: 'known', outcome: 'unknown' },
      { status: 400, body: { error: 'USER_FROZEN' }, said: 'unknown', outcome: 'unknown' },
      { status: 400, body: { error: 'USER_FROZEN' }, said: 'refused', outcome: 'unknown' },
      { status: 400, body: { error: 'USER_FROZEN' }, said: Promise.resolve('rejected'), outcome: 'unknown' },
    ],
  },
  {
    row: 4,
    what: 'A name that means "exists already": `TRANSACTION_REQUEST_ALREADY_EXISTS`, `RESOURCE_CONFLICT`, or one of `refusals.known`, under any error status, and in a 2xx with an error shape. With a `requestId` the code is `request_id_known`.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      { status: 400, body: { error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' } },
      { status: 401, body: { code: 200001, error: 'RESOURCE_CONFLICT', errorDetails: 'x' } },
      { status: 409, body: { status: 'error', error: { code: 'RESOURCE_CONFLICT', message: 'x' } } },
      { status: 422, body: { code: 'RESOURCE_CONFLICT' } },
      { status: 429, body: { error: 'RESOURCE_CONFLICT' } },
      { status: 500, body: { error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' } },
      { status: 200, body: { error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' } },
      { status: 200, body: { success: false, code: 'RESOURCE_CONFLICT' } },
    ],
  },
  {
    row: 5,
    what: 'A text of the body contains `request id`, `request key`, `idempoten…`, `duplicat…`, `already`, `in progress` or `being processed`, or there is a field `requestId` inside `details` or `errors`. Not for 401 or a 2xx.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      { status: 400, body: { error: 'INSUFFICIENT_BALANCE', errorDetails: 'A duplicate' } },
      { status: 400, body: { error: 'FIELD_VALIDATION_ERROR', requestId: ['already exists'] } },
      { status: 403, body: { error: 'Request is being processed' } },
      { status: 404, body: { status: 'error', error: { code: 'USER_NOT_FOUND', message: 'already gone' } } },
      { status: 422, body: { error: 'FIELD_VALIDATION_ERROR', details: { requestId: 'x' } } },
      { status: 422, body: { error: { code: 'FIELD_VALIDATION_ERROR', errors: { request_id: 'x' } } } },
      { status: 429, body: { message: 'The first request is IN_PROGRESS' } },
      { status: 429, text: 'Duplicate request' },
    ],
  },
  {
    row: 6,
    what: '401 and 429. 403 and 404 with a JSON object that has a non-empty `error`. Any 4xx with a [documented name](error-codes.md#names-of-the-service) or one of `refusals.sure`.',
    proved: '`rejected`',
    outcome: 'rejected',
    examples: [
      { status: 401, text: '' },
      { status: 401, body: { message: 'already expired' } },
      { status: 401, isCut: true },
      { status: 429, text: '' },
      { status: 429, body: { message: 'Slow down' } },
      { status: 403, body: { error: 'Not allowed' } },
      { status: 404, body: { status: 'error', error: { code: 'NOT_FOUND', message: 'x' } } },
      { status: 400, body: { code: 400012, error: 'INSUFFICIENT_BALANCE', errorDetails: 'x' } },
      { status: 409, body: { error: 'INSUFFICIENT_BALANCE' } },
      { status: 405, body: { error: 'METHOD_NOT_ALLOWED' } },
      { status: 422, body: { status: 'error', error: { code: 'FIELD_VALIDATION_ERROR', message: 'x' } } },
    ],
  },
  {
    row: 7,
    what: 'Every other status that is not 2xx: another 400, 409 or 422, a page of a gateway, 405, 413, 501, a redirect, each 5xx.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      { status: 302, text: '' },
      { status: 400, body: { error: 'AMOUNT_TOO_SMALL' } },
      { status: 400, body: { message: 'No' } },
      { status: 403, body: { message: 'Forbidden' } },
      { status: 403, text: '<html>Forbidden</html>' },
      { status: 404, body: { error: '' } },
      { status: 404, body: { error: {} } },
      { status: 404, body: { error: ['x'] } },
      { status: 404, text: 'Not Found' },
      { status: 405, text: '<html>Not Allowed</html>' },
      { status: 408, text: '' },
      { status: 409, body: {} },
      { status: 413, text: '<html>Request Entity Too Large</html>' },
      { status: 425, text: '' },
      { status: 500, body: { error: 'INSUFFICIENT_BALANCE' } },
      { status: 501, text: '<html>Not Implemented</html>' },
      { status: 503, text: '' },
      { status: 522, text: '' },
    ],
  },
  {
    row: 8,
    what: 'A 2xx with an error shape: `success: false`, a `status` of `error`, `fail`, `failure` or `failed` in any case, a number from 400 as `status` or `statusCode`, a name of rows 4 and 6, or a non-empty `error`, `errors` or `errorDetails` at the top.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      { status: 200, body: { success: false, message: 'x' } },
      { status: 200, body: { success: false, status: 'PENDING' }, of: ['approve'] },
      { status: 200, body: { success: false, status: 'REJECTED' }, of: ['reject'] },
      { status: 200, body: { id: 'a1', status: 'PENDING', error: 'x' }, of: ['account', 'delete'] },
      {
        status: 200,
        body: { ...transfer({ id: 't1', status: 'CREATED' }), error: 'x' },
        of: ['payment', 'refresh'],
      },
      { status: 200, body: { error: 'INSUFFICIENT_BALANCE' } },
      { status: 201, body: { statusCode: 422, message: 'x' } },
      { status: 202, body: { errors: [{ message: 'x' }] } },
    ],
  },
  {
    row: 9,
    what: 'A 2xx that shows another `userId`, account id, `approvalId`, `transferId`, `requestId`, amount, currency, payer or payee than you sent. The error is a `ResponseMismatchError`.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      {
        status: 200,
        body: transfer({ id: 't1', status: 'CREATED', requestId: 'another' }),
        of: ['payment'],
      },
      { status: 200, body: transfer({ id: 'another', status: 'OPEN_QUOTE' }), of: ['refresh'] },
      { status: 200, body: { id: 'a1', status: 'PENDING', userId: 'another' }, of: ['account'] },
      { status: 200, body: { id: 'another', status: 'INACTIVE' }, of: ['delete'] },
      { status: 200, body: { approvalId: 'another', status: 'APPROVED' }, of: ['approve'] },
      { status: 200, body: { approvalId: 'another', status: 'REJECTED' }, of: ['reject'] },
    ],
  },
  {
    row: 10,
    what: "A 2xx that shows the operation's own record: its id and its status. Of `approve` and `reject` the documented status of that decision; of `approve` also `PENDING`, where more votes are needed. Of `delete` an empty body, `true`, `null`, or an object that does not say otherwise.",
    proved: '`succeeded`',
    outcome: 'succeeded',
    examples: [
      { status: 200, body: transfer({ id: 't1', status: 'CREATED' }), of: ['payment', 'refresh'] },
      { status: 201, body: transfer({ id: 't1', status: 'IN_PROGRESS' }), of: ['payment', 'refresh'] },
      {
        status: 200,
        body: transfer({ id: 't1', status: 'CREATED', description: 'duplicate' }),
        of: ['payment', 'refresh'],
      },
      { status: 202, body: { id: 'a1', status: 'PENDING' }, of: ['account'] },
      { status: 200, body: { accountId: 'a1', isValid: false }, of: ['account'] },
      { status: 200, body: { id: 'a1', rail: 'onramp' }, of: ['account'] },
      { status: 200, body: { status: 'APPROVED' }, of: ['approve'] },
      { status: 200, body: { status: 'PENDING' }, of: ['approve'] },
      { status: 200, body: { status: 'REJECTED' }, of: ['reject'] },
      { status: 204, text: '', of: ['delete'] },
      { status: 200, body: null, of: ['delete'] },
      { status: 200, body: true, of: ['delete'] },
      { status: 200, body: {}, of: ['delete'] },
      { status: 200, body: { id: 'a1', status: 'INACTIVE' }, of: ['delete'] },
      { status: 200, body: { accountId: 'a1', status: 'DELETED' }, of: ['delete'] },
      { status: 200, body: { accountId: 'a1', isValid: false }, of: ['delete'] },
    ],
  },
  {
    row: 11,
    what: 'Any other 2xx: a page, an empty body, an echo of the `requestId`.',
    proved: '`unknown`',
    outcome: 'unknown',
    examples: [
      { status: 200, text: '<html>Back soon</html>' },
      { status: 200, text: '{"transferDetails":{"id":"t1"' },
      { status: 200, body: 'ok' },
      { status: 200, body: [] },
      { status: 200, body: 7 },
      { status: 204, text: '', of: ['payment', 'refresh', 'account', 'approve', 'reject'] },
      { status: 200, body: {}, of: ['payment', 'refresh', 'account', 'approve', 'reject'] },
      {
        status: 200,
        body: transfer({ id: 't1' }),
        of: ['payment', 'refresh', 'account', 'approve', 'reject'],
      },
      { status: 200, body: transfer({ id: '', status: 'CREATED' }), of: ['payment', 'refresh'] },
      { status: 200, body: { requestId: 'r1', accepted: true }, of: ['payment', 'refresh', 'account'] },
      { status: 200, body: { id: 'a1' }, of: ['account'] },
      { status: 200, body: { status: 'REJECTED' }, of: ['approve'] },
      { status: 200, body: { status: 'approved' }, of: ['approve'] },
      { status: 200, body: { status: 'APPROVED' }, of: ['reject'] },
      { status: 200, body: { status: 'PENDING' }, of: ['reject'] },
      { status: 200, body: { deleted: false }, of: ['delete'] },
      { status: 200, body: { id: 'a1', status: 'ACTIVE' }, of: ['delete'] },
      { status: 200, body: false, of: ['delete'] },
    ],
  },
];
