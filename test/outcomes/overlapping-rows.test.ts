import { describe, expect, it } from 'vitest';
import { type ClientOptions, ConfigurationError } from '../../src/client/index.ts';
import { transferParams } from '../client/operations.ts';
import {
  baseUrl,
  clientAt,
  clientOf,
  cutBody,
  failure,
  networkFailure,
  type Step,
  scripted,
} from '../client/support.ts';
import { changing, payments } from './calls.ts';

const patient: ClientOptions = { retries: { limit: 2, minDelay: 0, maxDelay: 0 } };
const respond =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

describe('where two rows hold, the first one counts', () => {
  it.each<[what: string, status: number, body: unknown]>([
    ['a status of a record that the net would catch (10 before 5)', 200, { status: 'IN_PROGRESS' }],
    ['a text of a record that the net would catch (10 before 5)', 200, { description: 'duplicate' }],
    ['a name of a known key inside a record (10 before 4)', 200, { error: 'RESOURCE_CONFLICT' }],
  ])('%s', async (_what, status, fields) => {
    const details = { id: 't1', status: 'CREATED', ...Object(fields) };
    for (const { name, call } of payments) {
      const client = clientOf(scripted(respond(status, { transferDetails: details })), patient);
      expect(await call(client), name).toMatchObject({ transferDetails: details });
    }
  });

  it.each<[what: string, status: number, body: unknown]>([
    ['405 as a page (7, not 6)', 405, '<html>Not Allowed</html>'],
    ['413 as a page (7, not 6)', 413, '<html>Too Large</html>'],
    ['414 as a page (7, not 6)', 414, '<html>Too Long</html>'],
    ['415 as a page (7, not 6)', 415, '<html>Unsupported</html>'],
    ['501 as a page (7, not 6)', 501, '<html>Not Implemented</html>'],
    ['505 as a page (7, not 6)', 505, '<html>Version</html>'],
    ['403 of a gateway (7, not 6)', 403, { message: 'Forbidden' }],
    ['404 of a router (7, not 6)', 404, { message: 'no Route matched with those values' }],
    ['403 with a code alone (7, not 6)', 403, { code: 7 }],
    ['500 with a documented refusal (7, not 6)', 500, { error: 'INSUFFICIENT_BALANCE' }],
    ['403 with an error that the net catches (5 before 6)', 403, { error: 'Already processed' }],
    [
      '405 with an error that the net catches (5 before 6)',
      405,
      { error: 'METHOD_NOT_ALLOWED', message: 'already' },
    ],
    [
      'a named refusal about the key (5 before 6)',
      422,
      { error: 'FIELD_VALIDATION_ERROR', details: { requestId: 'x' } },
    ],
    [
      'a named refusal with the key at its top (5 before 6)',
      422,
      { error: 'FIELD_VALIDATION_ERROR', requestId: ['already exists'] },
    ],
    [
      'an echo that the net catches (5 before 6)',
      400,
      { error: 'FIELD_VALIDATION_ERROR', description: 'Duplicate of invoice 7' },
    ],
    ['an error under 200 (8 before 11)', 200, { success: false, status: 'PENDING' }],
    ['an error under 200 with a named refusal (8, not 6)', 200, { error: 'INSUFFICIENT_BALANCE' }],
  ])('%s', async (_what, status, body) => {
    for (const { name, call } of changing)
      expect(
        await failure(call(clientOf(scripted(respond(status, body)), { retries: 0 }))),
        name,
      ).toMatchObject({
        outcome: 'unknown',
      });
  });

  it.each<[what: string, status: number, body: unknown]>([
    ['500 with a name of a known key (4 before 7)', 500, { error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }],
    ['503 with a name of a known key (4 before 7)', 503, { error: 'RESOURCE_CONFLICT' }],
    ['401 with a name of a known key (4 before 6)', 401, { error: 'RESOURCE_CONFLICT' }],
    ['429 with a name of a known key (4 before 6)', 429, { error: 'RESOURCE_CONFLICT' }],
    [
      'a known key with words of the net (4 before 5)',
      409,
      { error: 'RESOURCE_CONFLICT', message: 'already' },
    ],
    [
      'a known key under 200 with a record (4 before 10)',
      200,
      { error: 'RESOURCE_CONFLICT', transferDetails: { id: 't1', status: 'CREATED' } },
    ],
  ])('%s', async (_what, status, body) => {
    for (const { name, call, isKeyed } of changing) {
      const fetch = scripted(respond(status, body, { 'retry-after': '0' }));
      const error = await failure(call(clientOf(fetch, patient)));
      expect(error, name).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(error.code === 'request_id_known', name).toBe(isKeyed);
      expect(fetch.seen, name).toHaveLength(1);
    }
  });

  it.each<[what: string, status: number, body: unknown]>([
    ['a named refusal as a conflict (6), also of a decision', 409, { error: 'INSUFFICIENT_BALANCE' }],
    ['401 with words of the net (6, not 5)', 401, { error: 'UNAUTHORIZED', message: 'already expired' }],
    ['a named 405 (6, not 7)', 405, { error: 'METHOD_NOT_ALLOWED' }],
    ['a named 408 (6, not 7)', 408, { error: 'QUOTE_NOT_READY' }],
    [
      '404 with the documented shape (6, not 7)',
      404,
      { status: 'error', error: { code: 'X', message: 'y' } },
    ],
  ])('%s', async (_what, status, body) => {
    for (const { name, call } of changing)
      expect(await failure(call(clientOf(scripted(respond(status, body)), patient))), name).toMatchObject({
        outcome: 'rejected',
        attempts: 1,
      });
  });

  it('a body that was cut or cannot be read comes before all of them, but for 401 (2)', async () => {
    for (const status of [400, 403, 404, 405, 409, 413, 422, 429, 500, 501, 503])
      for (const { name, call } of changing) {
        const client = clientOf(scripted(cutBody(status)), { retries: 0, refusals: () => 'rejected' });
        expect(await failure(call(client)), `${name} ${status}`).toMatchObject({
          outcome: 'unknown',
          status,
        });
      }
    for (const { name, call } of changing)
      expect(await failure(call(clientOf(scripted(cutBody(401))))), name).toMatchObject({
        outcome: 'rejected',
        code: 'authentication',
      });
  });

  it('`accounts.create` with an id and an error is unknown (8 before 10)', async () => {
    const account = changing.find(({ kind }) => kind === 'account');
    const fetch = scripted(respond(200, { id: 'a1', status: 'PENDING', error: 'x' }));
    expect(await failure(account?.call(clientOf(fetch, patient)) ?? Promise.resolve())).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      attempts: 1,
    });
  });

  it('a record of another payment with an error is an error (8 before 9)', async () => {
    const other = { success: false, transferDetails: { id: 't1', status: 'CREATED', requestId: 'another' } };
    for (const { name, call } of payments)
      expect(
        await failure(call(clientOf(scripted(respond(200, other)), { retries: 0 }))),
        name,
      ).toMatchObject({
        name: 'ResponseValidationError',
        outcome: 'unknown',
      });
  });
});

describe('attempts join', () => {
  it('a named refusal after a lost response is unknown, and tells the refusal', async () => {
    for (const { name, call } of payments) {
      const fetch = scripted(networkFailure('ECONNRESET'), respond(400, { error: 'INSUFFICIENT_BALANCE' }));
      expect(await failure(call(clientOf(fetch, patient))), name).toMatchObject({
        name: 'BadRequestError',
        outcome: 'unknown',
        attempts: 2,
      });
    }
  });

  it('what the function `refusals` says is of one response, and joined like any proof', async () => {
    const options: ClientOptions = {
      ...patient,
      refusals: ({ status }) => (status === 400 ? 'rejected' : undefined),
    };
    for (const { call } of payments) {
      const fetch = scripted(respond(504, ''), respond(400, { message: 'x' }));
      expect(await failure(call(clientOf(fetch, options)))).toMatchObject({
        status: 400,
        outcome: 'unknown',
      });
    }
  });

  it('a 429 after a 504 is unknown', async () => {
    for (const { call } of payments) {
      const fetch = scripted(respond(504, ''), respond(429, ''));
      expect(await failure(call(clientOf(fetch, patient)))).toMatchObject({
        status: 429,
        outcome: 'unknown',
      });
    }
  });

  it('a token that fails after a lost response changes nothing', async () => {
    for (const { call } of payments) {
      let tokens = 0;
      const accessToken = () => {
        tokens += 1;
        if (tokens > 1) throw new Error('vault is down');
        return 't';
      };
      const fetch = scripted(networkFailure('ECONNRESET'), respond(401, ''));
      expect(await failure(call(clientOf(fetch, { ...patient, accessToken })))).toMatchObject({
        name: 'ConfigurationError',
        outcome: 'unknown',
      });
    }
  });
});

describe('a deletion', () => {
  const remove = changing.find(({ kind }) => kind === 'delete');
  const deleting = (...steps: readonly Step[]) =>
    failure(remove?.call(clientOf(scripted(...steps), patient)) ?? Promise.resolve());

  it.each([
    { error: 'ACCOUNT_NOT_FOUND' },
    { status: 'error', error: { code: 'USER_NOT_FOUND', message: 'x' } },
    { status: 'error', error: { code: 'NOT_FOUND', message: 'x' } },
  ])('whose repeat says 404 is unknown after a lost response, and rejected after a 429: %j', async (body) => {
    for (const lost of [respond(502, ''), networkFailure('ECONNRESET'), respond(200, '<html>')])
      expect(await deleting(lost, respond(404, body))).toMatchObject({
        name: 'NotFoundError',
        outcome: 'unknown',
        attempts: 2,
      });
    expect(await deleting(respond(429, ''), respond(404, body))).toMatchObject({
      name: 'NotFoundError',
      outcome: 'rejected',
      attempts: 2,
    });
    expect(await deleting(respond(404, body))).toMatchObject({ outcome: 'rejected', attempts: 1 });
  });
});

describe('the lists of `refusals`', () => {
  it.each([
    'ORDER_DUPLICATED',
    'ALREADY_CLOSED',
    'REQUEST_ID_INVALID',
    'requestKeyMissing',
    'IN_PROGRESS',
    'BEING_PROCESSED',
    'IDEMPOTENCY_ERROR',
  ])('refuse %s in `sure` when the client is made, as no list can settle it', (name) => {
    const make = (refusals: ClientOptions['refusals']) => () => clientAt(baseUrl, { refusals });
    expect(make({ sure: ['AMOUNT_TOO_SMALL', name] })).toThrow(ConfigurationError);
    expect(make({ sure: ['AMOUNT_TOO_SMALL', name] })).toThrow(name);
    expect(make({ known: [name], sure: ['AMOUNT_TOO_SMALL'] })).not.toThrow();
  });

  it('settle a name, as the message says', async () => {
    const body = { error: 'AMOUNT_TOO_SMALL' };
    const paying = async (refusals?: ClientOptions['refusals']) =>
      failure(
        clientOf(scripted(respond(400, body)), { retries: 0, refusals }).transfers.create(transferParams),
      );
    const open = await paying();
    expect(open.outcome).toBe('unknown');
    expect(open.message).toContain(
      '`AMOUNT_TOO_SMALL`: add it to `refusals.sure` only if nothing was made, to `refusals.known` if the service had seen the request.',
    );
    expect(await paying({ sure: ['AMOUNT_TOO_SMALL'] })).toMatchObject({ outcome: 'rejected' });
    expect(await paying({ known: ['AMOUNT_TOO_SMALL'] })).toMatchObject({ code: 'request_id_known' });
  });
});
