import { describe, expect, it } from 'vitest';
import { type ClientOptions, ConflictError } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { approve, operations, pay, requestId, transferParams, usParams } from '../client/operations.ts';
import {
  clientOf,
  cutBody,
  failure,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
} from '../client/support.ts';

const impatient: ClientOptions = { retries: { minDelay: 0 } };
const keyed = operations.filter(({ repeats }) => repeats === 'keyed');
const changing = operations.filter(({ method }) => method !== 'GET');

const flat = (error: string, errorDetails = 'x') => ({ code: 400017, error, errorDetails });
const nested = (code: string, message = 'x') => ({ status: 'error', error: { code, message } });
const bare = (error: string) => ({ error });
const shapes = [flat, nested, bare];

/** The names of the field notes, without those of a known key. */
const refusing = [
  'INVALID_API_KEY',
  'UNAUTHORIZED',
  'KEY_DOES_NOT_EXIST',
  'PROFILE_FROZEN',
  'USER_NOT_FOUND',
  'USER_FROZEN',
  'USER_COMPLIANCE_VERIFICATION_FAILED',
  'INVALID_TRANSACTION_ROUTE',
  'INVALID_ACCOUNT_FOR_TRANSACTION',
  'QUOTE_NOT_READY',
  'INVALID_QUOTE',
  'TRANSACTION_NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'FIELD_VALIDATION_ERROR',
  'METHOD_NOT_ALLOWED',
];

describe('a documented refusal', () => {
  it.each(refusing)('%s proves that nothing was made, in each shape under any 4xx', async (name) => {
    for (const { name: operation, call } of changing)
      for (const [index, status] of [400, 403, 404, 422].entries()) {
        const fetch = scripted(json((shapes[index % 3] ?? flat)(name), status));
        expect(await failure(call(clientOf(fetch))), operation).toMatchObject({
          outcome: 'rejected',
          attempts: 1,
        });
      }
  });

  // Row 6: "any 4xx with a documented name". A decision is no exception.
  it('is one also as a conflict', async () => {
    for (const { name, call } of changing) {
      const error = await failure(call(clientOf(scripted(json(flat('INSUFFICIENT_BALANCE'), 409)))));
      expect(error.outcome, name).toBe('rejected');
    }
  });

  it.each([
    { ...flat('INSUFFICIENT_BALANCE'), request_id: 'req_7f3a', requestId: 'trace-1' },
    flat('USER_COMPLIANCE_VERIFICATION_FAILED', 'KYC pending'),
    flat('USER_NOT_FOUND', 'The user does not exist.'),
    { ...flat('FIELD_VALIDATION_ERROR'), details: { amount: ['must be positive'] } },
    flat('USER_FROZEN', 'Der Benutzer ist gesperrt'),
  ])('stays one, whatever it says: %j', async (body) => {
    expect(await failure(pay(clientOf(scripted(json(body, 400)))))).toMatchObject({ outcome: 'rejected' });
  });

  it('ends reads with any 4xx, and speaks of no payment', async () => {
    for (const { name, call } of operations.filter(({ method }) => method === 'GET'))
      for (const status of [400, 404, 409, 422]) {
        const error = await failure(call(clientOf(scripted(json({ error: 'RESOURCE_CONFLICT' }, status)))));
        expect(error, name).toMatchObject({ outcome: 'rejected', attempts: 1 });
        expect(error.message).not.toMatch(/payment|requestId/);
      }
  });
});

describe('a refusal because the key is known', () => {
  const steps: readonly Step[] = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'].flatMap((name) =>
    [400, 409, 422, 500].map((status, index) => json((shapes[index % 3] ?? flat)(name), status)),
  );

  it.each(steps)('is known by its name (%#)', async (step) => {
    for (const { name, call } of keyed) {
      const fetch = scripted(step);
      const error = await failure(call(clientOf(fetch, impatient)));
      expect(error, name).toBeInstanceOf(ConflictError);
      expect(error, name).toMatchObject({
        code: 'request_id_known',
        outcome: 'unknown',
        requestId,
      });
      expect(error.message).toMatch(/payment may have been made.*do not use a new requestId/s);
      expect(fetch.seen).toHaveLength(1);
    }
  });

  it('ends the retries after a lost response', async () => {
    for (const first of [networkFailure('ECONNRESET'), cutBody(503)])
      for (const { name, call } of keyed) {
        const fetch = scripted(first, json(flat('RESOURCE_CONFLICT'), 400));
        const error = await failure(call(clientOf(fetch, impatient)));
        expect(error, name).toMatchObject({ code: 'request_id_known', attempts: 2 });
        expect(fetch.seen[0]?.body).toBe(fetch.seen[1]?.body);
      }
  });

  it('is told alike in a later call, by the same client and by another one', async () => {
    const emulator = createEmulator({ dialect: { duplicates: 'refuse' } });
    const { userId } = emulator.createUser();
    const params = { ...transferParams, source: { userId }, destination: { userId } };
    emulator.faults.inject({ kind: 'reset-after-commit', times: 1 });
    const client = clientOf(emulator.fetch, { retries: 0 });
    expect(await failure(client.transfers.create(params))).toMatchObject({ outcome: 'unknown' });
    for (const later of [client, clientOf(emulator.fetch)])
      expect(await failure(later.transfers.create(params))).toMatchObject({ code: 'request_id_known' });
    expect(emulator.state().transfers).toHaveLength(1);
  });
});

/** Refusals of which none proves anything: the payment may exist. */
const open: readonly [what: string, status: number, body: unknown][] = [
  [
    'the catch-all of a framework',
    400,
    { statusCode: 400, error: 'Bad Request', message: 'Request failed with status code 504' },
  ],
  ['a documented name and an existing record', 409, flat('FIELD_VALIDATION_ERROR', 'Record already exists')],
  [
    'a documented name and the key',
    400,
    { ...flat('FIELD_VALIDATION_ERROR'), details: { requestId: 'taken' } },
  ],
  ['a request under way', 429, { message: 'The first request is still being processed' }],
  ['plain English', 422, { message: 'Cannot pay this invoice again' }],
  ['plain English that refuses', 400, { message: 'The amount is too low' }],
  ['another language', 400, { message: 'Pagamento ja registrado no sistema' }],
  ['a name that is not documented', 422, flat('LIMIT_REACHED')],
  ['a documented name in small letters', 400, bare('insufficient_balance')],
  ['a documented name in a sentence', 400, { message: 'INSUFFICIENT_BALANCE' }],
  ['a bare conflict', 409, {}],
  ['no body', 400, ''],
  ['a page of a gateway', 403, '<html>Forbidden</html>'],
  ['a page of a gateway, 404', 404, 'Not Found'],
  ['a record', 400, { transferDetails: { id: 't1', status: 'CREATED' } }],
  ['a list of errors', 422, { errors: [{ title: 'Idempotency key reused' }] }],
  ['no response in time', 408, ''],
];

describe('a refusal without proof', () => {
  it.each(open)(
    'leaves open what became of the call, which is sent once: %s',
    async (_what, status, body) => {
      const step = typeof body === 'string' ? text(body, status) : json(body, status);
      for (const { name, call, repeats } of changing) {
        const fetch = scripted(step);
        const error = await failure(call(clientOf(fetch, impatient)));
        expect(error, name).toMatchObject({ outcome: 'unknown', status });
        expect(error.code, name).not.toBe('request_id_known');
        expect(error.message).toMatch(/This call may have (?:made the payment|been carried out)/);
        // A 429 asks to come back, and a retry under a key is safe.
        expect(error.attempts, name).toBe(status === 429 && repeats !== 'never' ? 3 : 1);
      }
    },
  );

  it('leaves an approval open that was executed before a conflict, whatever it says', async () => {
    const fetch = scripted(json({ message: 'The approval is being processed' }, 409));
    const client = clientOf(fetch, impatient);
    const error = await failure(approve(client));
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(fetch.seen).toHaveLength(1);
  });

  // "One key for two different payments (the service refuses it)": the client keeps no payloads, only the entry.
  it('leaves a corrected payload under its key open, too', async () => {
    const [, status, body] = open[0] ?? ['', 400, {}];
    const client = clientOf(scripted(json(body, status), json(flat('USER_FROZEN'), 403)), {
      ...impatient,
      retries: 0,
    });
    await failure(pay(client));
    expect(await failure(client.transfers.create({ ...transferParams, amount: 1 }))).toMatchObject({
      status: 403,
      outcome: 'unknown',
    });
  });

  it('whose body was lost is retried for a create where its status is, and not for a decision', async () => {
    const cut = async (status: number, call = pay) => {
      const { attempts, outcome } = await failure(call(clientOf(scripted(cutBody(status)), impatient)));
      return { attempts, outcome };
    };
    for (const status of [429, 503]) expect(await cut(status)).toEqual({ attempts: 3, outcome: 'unknown' });
    expect(await cut(503, approve)).toEqual({ attempts: 1, outcome: 'unknown' });
    // "Never repeated: […] any 4xx but 425 and 429."
    expect(await cut(400)).toEqual({ attempts: 1, outcome: 'unknown' });
    // Row 2: "a body that is cut […] (but for 401)".
    expect(await cut(405)).toEqual({ attempts: 1, outcome: 'unknown' });
    expect(await cut(401)).toEqual({ attempts: 1, outcome: 'rejected' });
  });
});

describe('the option `refusals`', () => {
  const paying = (refusals: NonNullable<ClientOptions['refusals']>, body: unknown, status = 409) =>
    failure(pay(clientOf(scripted(json(body, status)), { refusals })));

  it('adds names to both lists; a name in both is one of a known key', async () => {
    const lists = { known: ['DUPLICATE_REQUEST', 'BOTH'], sure: ['LIMIT_REACHED', 'BOTH'] };
    expect(await paying(lists, flat('DUPLICATE_REQUEST'))).toMatchObject({ code: 'request_id_known' });
    expect(await paying(lists, flat('BOTH'))).toMatchObject({ code: 'request_id_known' });
    expect(await paying(lists, nested('LIMIT_REACHED'), 422)).toMatchObject({ outcome: 'rejected' });
    expect(await paying(lists, flat('LIMIT_REACHED', 'already'))).toMatchObject({ outcome: 'unknown' });
    expect(await paying(lists, flat('limit_reached'))).toMatchObject({ outcome: 'unknown' });
  });

  it('may be a function, whose decision is final', async () => {
    const seen: unknown[] = [];
    const decide = (said: 'rejected' | 'known' | 'unknown' | undefined) => (response: unknown) => {
      seen.push(response);
      return said;
    };
    const body = flat('INSUFFICIENT_BALANCE', 'already');
    expect(await paying(decide('rejected'), body)).toMatchObject({ outcome: 'rejected' });
    expect(await paying(decide('known'), body)).toMatchObject({ code: 'request_id_known' });
    expect(await paying(decide('unknown'), flat('USER_FROZEN'))).toMatchObject({ outcome: 'unknown' });
    expect(await paying(decide(undefined), flat('USER_FROZEN'))).toMatchObject({ outcome: 'rejected' });
    expect(seen[0]).toEqual({ status: 409, body, operation: 'transfers.create' });
    const failing = () => {
      throw new Error('boom');
    };
    expect(await paying(failing, flat('USER_FROZEN'))).toMatchObject({ outcome: 'unknown' });
  });

  // Row 3: "anything else, and a throw, is `unknown`". Nobody awaits a promise: it must not end the process either.
  it.each([
    async () => 'rejected',
    async () => {
      throw new Error('planted');
    },
  ])('may not be asynchronous: a promise decides nothing (%#)', async (refusals) => {
    const client = clientOf(scripted(json(flat('AMOUNT_TOO_SMALL'), 400)), { refusals: refusals as never });
    expect(await failure(pay(client))).toMatchObject({ name: 'BadRequestError', outcome: 'unknown' });
  });

  it('ends a call that it calls rejected, also after a status that is otherwise sent again', async () => {
    const fetch = scripted(json({ message: 'x' }, 500));
    const error = await failure(pay(clientOf(fetch, { ...impatient, refusals: () => 'rejected' })));
    expect(error).toMatchObject({ outcome: 'rejected', attempts: 1 });
  });
});

it('a 425 without Retry-After is open, and a payment is sent again under its key', async () => {
  const fetch = scripted(json({}, 425), json({}, 425, { 'retry-after': '0' }));
  const error = await failure(pay(clientOf(fetch, { ...impatient, retries: { limit: 1, minDelay: 0 } })));
  expect(error).toMatchObject({ outcome: 'unknown', attempts: 2 });
  expect(fetch.seen[0]?.body).toBe(fetch.seen[1]?.body);
});

it('an account is not sent again after a 429 about the first request', async () => {
  const fetch = scripted(json({ message: 'The first request is still being processed' }, 429));
  const error = await failure(clientOf(fetch, impatient).accounts.create('u1', usParams));
  expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
  expect(fetch.seen).toHaveLength(1);
});
