import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPaymentsError } from '../../src/client/index.ts';
import { knownKeyNames, refusalNames } from '../../src/shared/outcome/names.ts';
import { cases } from '../cases.ts';
import { clientOf } from '../client/support.ts';
import { type Changing, changing } from './calls.ts';

/** One response to one request, and the truth: whether the service has carried it out. */
interface Served {
  readonly wasDone: boolean;
  readonly status: number;
  readonly body: string;
}

const json = (wasDone: boolean, status: number, body: unknown): Served => ({
  wasDone,
  status,
  body: JSON.stringify(body),
});

const words = fc.constantFrom(
  'The amount is too low',
  'Insufficient funds',
  'The payment was not made',
  'Payment refused',
  'Der Betrag ist zu klein',
  'Pagamento ja registrado no sistema',
  'Nothing was changed',
  'OK',
  '',
);
/** Sentences of a service that has done it before. No service that guards itself says so under a documented refusal alone. */
const wordsOfRepeat = fc.constantFrom(
  'The record already exists',
  'Duplicate payment',
  'A request with this requestId exists',
  'Idempotency conflict',
  'The first request is still being processed',
  'IN_PROGRESS',
);
const documented = fc.constantFrom(...refusalNames);
const known = fc.constantFrom(...knownKeyNames);
const other = fc.constantFrom(
  'LIMIT_REACHED',
  'PAYMENT_EXISTS',
  'VALIDATION_ERROR',
  'insufficient_balance',
  'E1001',
);
const clientError = fc.constantFrom(
  400,
  402,
  403,
  404,
  405,
  406,
  408,
  409,
  410,
  412,
  413,
  418,
  422,
  423,
  424,
  428,
  451,
);
const serverError = fc.constantFrom(
  500,
  501,
  502,
  503,
  504,
  505,
  507,
  511,
  520,
  521,
  522,
  523,
  524,
  525,
  530,
  599,
);
const success = fc.constantFrom(200, 201, 202);
const either = fc.boolean();

/** The documented error shapes, and those like them. */
const shape = (name: fc.Arbitrary<string>, sentence: fc.Arbitrary<string>) =>
  fc.tuple(name, sentence, fc.nat({ max: 3 })).map(([error, text, form]) => {
    if (form === 0) return { code: 400_012, error, errorDetails: text };
    if (form === 1) return { status: 'error', error: { code: error, message: text } };
    return form === 2 ? { error, message: text } : { code: error, message: text };
  });

/** Errors as frameworks write them, before or after the work was done. */
const ofFrameworks = fc.oneof(
  fc.tuple(either, clientError, words).map(([done, statusCode, message]) =>
    json(done, statusCode === 403 || statusCode === 404 ? 400 : statusCode, {
      statusCode,
      error: 'Bad Request',
      message,
    }),
  ),
  fc
    .tuple(either, serverError, words)
    .map(([done, status, detail]) => json(done, status, { title: 'Error', status, detail })),
  fc
    .tuple(either, clientError, words)
    .map(([done, status, message]) => json(done, status, { success: false, message })),
  fc.tuple(either, clientError, words).map(([done, status, message]) => json(done, status, { message })),
  fc
    .tuple(either, clientError, words)
    .map(([done, status, detail]) => json(done, status, { detail, errors: [{ detail }] })),
  fc
    .tuple(either, success, words)
    .map(([done, status, message]) => json(done, status, { statusCode: 500, message })),
  fc
    .tuple(either, success, words)
    .map(([done, status, message]) => json(done, status, { success: false, message })),
  fc
    .tuple(either, success, words)
    .map(([done, status, message]) => json(done, status, { errors: [{ message }], data: null })),
);

/** Pages and JSON of gateways and proxies, which respond for the service, also after it has acted. */
const ofGateways = fc.oneof(
  fc.tuple(either, fc.oneof(clientError, serverError, success), words).map(([wasDone, status, title]) => ({
    wasDone,
    status,
    body: `<html><title>${title}</title></html>`,
  })),
  fc
    .tuple(either, fc.oneof(clientError, serverError))
    .map(([wasDone, status]) => ({ wasDone, status, body: '' })),
  fc
    .tuple(either, fc.constantFrom(502, 503, 504))
    .map(([done, status]) => json(done, status, { message: 'Endpoint request timed out' })),
  either.map((done) => json(done, 403, { message: 'Forbidden' })),
  either.map((done) => json(done, 404, { message: 'no Route matched with those values' })),
  either.map((wasDone) => ({ wasDone, status: 200, body: '' })),
);

/** Refusals of the service itself. */
const refusals = fc.oneof(
  fc.tuple(clientError, shape(documented, words)).map(([status, body]) => json(false, status, body)),
  fc
    .tuple(clientError, shape(other, words), either)
    .map(([status, body, done]) => json(done, status === 403 || status === 404 ? 422 : status, body)),
  fc.tuple(fc.constantFrom(403, 404), shape(other, words)).map(([status, body]) => json(false, status, body)),
  words.map((message) => json(false, 401, { error: 'UNAUTHORIZED', message })),
  words.map((message) => json(false, 429, { message })),
  fc
    .tuple(either, serverError, shape(fc.oneof(documented, other), words))
    .map(([done, status, body]) => json(done, status, body)),
  fc
    .tuple(either, success, shape(fc.oneof(documented, other), words))
    .map(([done, status, body]) => json(done, status, { ...body, errorDetails: 'x' })),
);

/** What a service says to a request that it has had before: the work is done, or was refused. */
const repeats = fc.oneof(
  fc.tuple(either, clientError, shape(known, words)).map(([done, status, body]) => json(done, status, body)),
  fc
    .tuple(either, clientError, shape(fc.oneof(documented, other), wordsOfRepeat))
    .map(([done, status, body]) => json(done, status, body)),
  fc
    .tuple(either, fc.constantFrom(409, 422, 429), wordsOfRepeat)
    .map(([done, status, message]) => json(done, status, { message })),
  fc
    .tuple(either, clientError, documented)
    .map(([done, status, error]) => json(done, status, { error, details: { requestId: ['x'] } })),
  fc.tuple(either, success, shape(known, words)).map(([done, status, body]) => json(done, status, body)),
);

/** Records, whole and in part. `echo`: the record that proves the operation. */
const records = (echo: string) =>
  fc.oneof(
    success.map((status) => ({ wasDone: true, status, body: echo })),
    fc.tuple(either, success).map(([wasDone, status]) => ({ wasDone, status, body: echo.slice(0, -2) })),
    fc.tuple(either, clientError).map(([wasDone, status]) => ({
      wasDone,
      status: status === 403 || status === 404 ? 409 : status,
      body: echo,
    })),
    fc
      .tuple(either, success, words)
      .map(([done, status, message]) =>
        json(done, status, { ...Object(JSON.parse(echo)), success: false, message }),
      ),
    fc
      .tuple(either, success)
      .map(([done, status]) => json(done, status, { requestId: 'r1', accepted: true })),
    fc
      .tuple(either, success)
      .map(([done, status]) => json(done, status, { transferDetails: { requestId: 'r1' } })),
    fc.tuple(either, success).map(([done, status]) => json(done, status, 'queued')),
  );

const echoes: Readonly<Record<Changing['kind'], string>> = {
  payment: '{"transferDetails":{"id":"t1","status":"CREATED"}}',
  refresh: '{"transferDetails":{"id":"t1","status":"OPEN_QUOTE"}}',
  account: '{"id":"a1","status":"PENDING"}',
  approve: '{"approvalId":"ap1","status":"APPROVED"}',
  reject: '{"approvalId":"ap1","status":"REJECTED"}',
  delete: '{"id":"a1","status":"INACTIVE"}',
};

const situation = fc.constantFrom(...changing).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    response: fc.oneof(ofFrameworks, ofGateways, refusals, repeats, records(echoes[operation.kind])),
  }),
);

/** A deletion is proved by any JSON object that does not say otherwise: an echo of it tells nothing false. */
const saysNothingElse = ({ operation, response }: { operation: Changing; response: Served }): boolean =>
  operation.kind !== 'delete' || response.status > 299 || response.wasDone;

it('no single response of a service, a framework or a gateway gives a false outcome', {
  timeout: 3_600_000,
}, async () => {
  const told = { resolved: 0, rejected: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(situation, async ({ operation, response }) => {
      fc.pre(saysNothingElse({ operation, response }));
      const { status, body, wasDone } = response;
      const client = clientOf(async () => new Response(body, { status }), { retries: 0 });
      try {
        await operation.call(client);
        told.resolved += 1;
        expect(wasDone, 'what resolves was done').toBe(true);
      } catch (error) {
        if (!isPaymentsError(error)) throw error;
        if (error.outcome === 'succeeded') expect(wasDone, 'what succeeded was done').toBe(true);
        else if (error.outcome === 'unknown') told.unknown += 1;
        else {
          told.rejected += 1;
          expect(wasDone, `${error.outcome}: nothing was done`).toBe(false);
        }
      }
    }),
    { numRuns: cases(4_000, 80_000) },
  );
  // The responses are of every kind: none of the three is a rare one.
  for (const count of Object.values(told)) expect(count).toBeGreaterThan(cases(4_000, 80_000) / 50);
});
