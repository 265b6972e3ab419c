import { describe, expect, it, vi } from 'vitest';
import { knownKeyNames, refusalNames, refusalsOf } from '../../../src/shared/outcome/names.ts';
import type { OperationFacts } from '../../../src/shared/outcome/operation.ts';
import { ofErrorResponse } from '../../../src/shared/outcome/refusal.ts';
import { kinds } from './operations.ts';

const refusals = refusalsOf(['PAYMENT_SEEN', 'IN_BOTH'], ['AMOUNT_TOO_SMALL', 'IN_BOTH']);

interface Given {
  isCut?: boolean;
  operation?: OperationFacts;
  decide?: () => unknown;
}

const read = (status: number, body: unknown, { isCut, operation, decide }: Given = {}) =>
  ofErrorResponse(
    { status, body, isCut },
    { operation: operation ?? kinds.payment.operation, refusals: { ...refusals, decide } },
  );

/** A body, and what a person says of it: whether it has each thing that the table asks for. */
interface Body {
  readonly body: unknown;
  readonly known?: true;
  readonly sure?: true;
  readonly net?: true;
  /** A JSON object with a non-empty `error` that is a text or an object. */
  readonly error?: true;
}

const flat = (error: string, errorDetails = 'x') => ({ code: 400017, error, errorDetails });
const nested = (code: string, message = 'x') => ({ status: 'error', error: { code, message } });

const bodies: readonly Body[] = [
  { body: '' },
  { body: null },
  { body: {} },
  { body: [] },
  { body: 7 },
  { body: '<html>Bad Gateway</html>' },
  { body: 'RESOURCE_CONFLICT' },
  { body: 'INSUFFICIENT_BALANCE' },
  { body: 'Duplicate request', net: true },
  { body: { message: 'Forbidden' } },
  { body: { message: 'Insufficient balance' } },
  { body: { message: 'The amount is too low' } },
  { body: { message: 'Pagamento ja registrado no sistema' } },
  { body: { message: 'The order already exists' }, net: true },
  { body: { error: null } },
  { body: { error: '' } },
  { body: { error: ' ' } },
  { body: { error: {} } },
  { body: { error: [] } },
  { body: { error: ['USER_FROZEN'] } },
  { body: { error: true } },
  { body: { error: 7 } },
  { body: { error: 'Not authorized' }, error: true },
  { body: { error: { message: 'x' } }, error: true },
  { body: { statusCode: 400, error: 'Bad Request', message: 'x' }, error: true },
  { body: flat('INSUFFICIENT_BALANCE'), error: true, sure: true },
  { body: nested('INSUFFICIENT_BALANCE'), error: true, sure: true },
  { body: { code: 'INSUFFICIENT_BALANCE' }, sure: true },
  { body: { code: 'INSUFFICIENT_BALANCE', error: '' }, sure: true },
  { body: { error: { error: 'INSUFFICIENT_BALANCE' } }, error: true },
  { body: { errors: [{ code: 'INSUFFICIENT_BALANCE' }] } },
  { body: flat('insufficient_balance'), error: true },
  { body: flat('INSUFFICIENT_BALANCES'), error: true },
  { body: flat('AMOUNT_TOO_SMALL'), error: true, sure: true },
  { body: flat('AMOUNT_TOO_SMALL', 'A DUPLICATE'), error: true, sure: true, net: true },
  { body: flat('LIMIT_REACHED'), error: true },
  { body: flat('ORDER_IN_PROGRESS'), error: true, net: true },
  { body: flat('RESOURCE_CONFLICT'), error: true, known: true },
  { body: nested('TRANSACTION_REQUEST_ALREADY_EXISTS'), error: true, known: true, net: true },
  {
    body: { code: 'RESOURCE_CONFLICT', error: 'INSUFFICIENT_BALANCE' },
    error: true,
    known: true,
    sure: true,
  },
  { body: flat('PAYMENT_SEEN'), error: true, known: true },
  { body: flat('IN_BOTH'), error: true, known: true, sure: true },
  { body: { message: 'See RESOURCE_CONFLICT in the guide' } },
  { body: { ...flat('FIELD_VALIDATION_ERROR'), details: { amount: ['x'] } }, error: true, sure: true },
  {
    body: { ...flat('FIELD_VALIDATION_ERROR'), details: { requestId: 'x' } },
    error: true,
    sure: true,
    net: true,
  },
  {
    body: { ...flat('FIELD_VALIDATION_ERROR'), details: { 'body.requestId': 'x' } },
    error: true,
    sure: true,
    net: true,
  },
  {
    body: { ...flat('FIELD_VALIDATION_ERROR'), errors: [{ deep: { request_id: 7 } }] },
    error: true,
    sure: true,
    net: true,
  },
  {
    body: { error: { code: 'FIELD_VALIDATION_ERROR', details: { requestId: null } } },
    error: true,
    sure: true,
    net: true,
  },
  {
    body: { ...flat('FIELD_VALIDATION_ERROR'), requestId: ['already exists'] },
    error: true,
    sure: true,
    net: true,
  },
  { body: { ...flat('INSUFFICIENT_BALANCE'), requestId: 'req_7f3a' }, error: true, sure: true },
  { body: { ...flat('INSUFFICIENT_BALANCE'), details: { request_id_hint: 'x' } }, error: true, sure: true },
  { body: { ...flat('INSUFFICIENT_BALANCE'), duplicate: false, already: 1 }, error: true, sure: true },
];

const statuses = [0, ...Array.from({ length: 500 }, (_one, index) => index + 100)].filter(
  (status) => status < 200 || status > 299,
);

/** Rows 4 to 7 in words of their own. */
function expected(status: number, { known, sure, net, error }: Body): 'rejected' | 'unknown' {
  if (known) return 'unknown';
  if (status === 401) return 'rejected';
  if (net) return 'unknown';
  const refuses =
    status === 429 ||
    ((status === 403 || status === 404) && error) ||
    (status >= 400 && status < 500 && sure);
  return refuses ? 'rejected' : 'unknown';
}

describe('an error response', () => {
  it.each(bodies)('proves the same under each status as the table says: %j', (one) => {
    const wrong: string[] = [];
    for (const status of statuses)
      for (const { operation } of Object.values(kinds)) {
        const { outcome, isKnownKey = false } = read(status, one.body, { operation });
        if (outcome !== expected(status, one) || isKnownKey !== (one.known ?? false))
          wrong.push(`${status} ${operation.name}: ${outcome} ${isKnownKey}`);
      }
    expect(wrong).toEqual([]);
  });

  it('is repeated after a 429 alone', () => {
    for (const status of [401, 429]) {
      expect(read(status, '')).toMatchObject({ row: 6, isRefusedForGood: status !== 429 });
      const said = read(status, flat('LIMIT_REACHED'), { decide: () => 'rejected' });
      expect(said).toMatchObject({ isRefusedForGood: status !== 429 });
    }
    expect(read(400, '', { decide: () => 'rejected' })).toMatchObject({ row: 3, isRefusedForGood: true });
  });

  it('proves nothing where its body is cut, but for 401', () => {
    for (const status of statuses)
      expect(read(status, '', { isCut: true }).outcome, String(status)).toBe(
        status === 401 ? 'rejected' : 'unknown',
      );
  });

  it('is read exactly, name by name', () => {
    for (const name of refusalNames)
      for (const body of [flat(name), nested(name), { error: name }, { code: name }])
        expect(read(418, body)).toMatchObject({ outcome: 'rejected', row: 6, isRefusedForGood: true });
    for (const name of knownKeyNames)
      for (const body of [flat(name), nested(name), { error: name }, { code: name }])
        for (const status of [302, 400, 401, 429, 500, 503])
          expect(read(status, body)).toMatchObject({ outcome: 'unknown', row: 4, isKnownKey: true });
  });

  it('of a body deeper than any stack is read, too', () => {
    let deep: unknown = 'already';
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(read(400, { error: 'INSUFFICIENT_BALANCE', deep }).outcome).toBe('unknown');
  });
});

describe('the net', () => {
  it.each([
    'request id',
    'requestId',
    'REQUEST_KEY',
    'request-id',
    'Idempotency conflict',
    'idempotent replay',
    'Duplicate payment',
    'duplicated',
    'Record already exists',
    'in progress',
    'IN_PROGRESS',
    'in-progress',
    'being processed',
    'BEING_PROCESSED',
  ])('catches %s', (text) => {
    for (const body of [
      flat('INSUFFICIENT_BALANCE', text),
      { ...flat('INSUFFICIENT_BALANCE'), deep: [{ note: `x ${text} x` }] },
    ])
      expect(read(400, body)).toMatchObject({ outcome: 'unknown', row: 5 });
  });

  it.each([
    'request',
    'requests',
    'The request was declined',
    'identical',
    'KYC pending',
    'process',
    'progress',
    'all ready',
    'repeated',
    'exists',
    'conflict',
  ])('leaves %s alone', (text) => {
    expect(read(400, flat('INSUFFICIENT_BALANCE', text))).toMatchObject({ outcome: 'rejected', row: 6 });
  });

  it('looks at echoes, too', () => {
    expect(
      read(400, flat('FIELD_VALIDATION_ERROR', 'description "Already agreed" is too long')).outcome,
    ).toBe('unknown');
  });
});

describe('the function `refusals`', () => {
  const decided = (said: unknown, status = 400, body: unknown = { message: 'x' }) =>
    read(status, body, { decide: () => said });

  it.each(bodies)(
    'decides under each status but 401, whatever the body says: $body',
    ({ body, known = false }) => {
      const told = (said: unknown, status: number) => {
        const { outcome, isKnownKey = false, isDecided = false } = decided(said, status, body);
        return `${outcome} ${isKnownKey} ${isDecided}`;
      };
      const wrong = statuses.filter(
        (status) =>
          status !== 401 &&
          (told('rejected', status) !== 'rejected false true' ||
            told('unknown', status) !== 'unknown false true' ||
            told('known', status) !== 'unknown true true'),
      );
      expect(wrong).toEqual([]);
      for (const said of ['rejected', 'unknown', 'known'])
        expect(told(said, 401)).toBe(known ? 'unknown true true' : 'rejected false false');
    },
  );

  it('leaves the decision to the table with undefined', () => {
    for (const one of bodies)
      for (const status of [400, 403, 409, 429, 500])
        expect(decided(undefined, status, one.body).outcome).toBe(expected(status, one));
  });

  it('proves nothing if it throws or says anything else', () => {
    const body = flat('INSUFFICIENT_BALANCE');
    const fails = () => {
      throw new Error('boom');
    };
    expect(read(400, body, { decide: fails })).toMatchObject({ outcome: 'unknown', row: 3 });
    for (const said of [
      true,
      null,
      '',
      'refused',
      'open',
      'made',
      'succeeded',
      7,
      Promise.resolve('rejected'),
    ])
      expect(decided(said, 400, body)).toMatchObject({ outcome: 'unknown', row: 3 });
  });

  it('may not be asynchronous: its promise is taken, so that a rejection ends no process', async () => {
    const then = vi.fn();
    expect(decided({ then })).toMatchObject({ outcome: 'unknown', row: 3 });
    await Promise.resolve();
    expect(then).toHaveBeenCalledTimes(1);
  });

  it('gets the status, the body and the operation', () => {
    const seen: unknown[] = [];
    const { operation } = kinds.payment;
    const body = { message: 'x' };
    const decide = (response: unknown) => void seen.push(response);
    ofErrorResponse({ status: 418, body }, { operation, refusals: refusalsOf([], [], decide) });
    expect(seen).toEqual([{ status: 418, body, operation: 'transfers.create' }]);
  });
});

describe('a read', () => {
  const operation: OperationFacts = { name: 'kyc.retrieve', retrySafety: 'read' };

  it.each(bodies)('is rejected by every 4xx and 501, whatever the body says: $body', ({ body }) => {
    const told = (status: number) =>
      [false, true].map((isCut) => read(status, body, { operation, isCut, decide: () => 'known' }));
    const rejected = statuses.filter((status) => told(status).every(({ outcome }) => outcome === 'rejected'));
    const others = statuses.filter((status) => told(status).every(({ outcome }) => outcome === 'unknown'));
    const all4xx = Array.from({ length: 100 }, (_one, index) => index + 400);
    expect(rejected).toEqual([...all4xx, 501]);
    expect(others).toEqual(statuses.filter((status) => !rejected.includes(status)));
    expect(Object.keys(Object(told(400)[0]))).toEqual(['outcome']);
  });
});

describe('the remedy of a refusal that stays unknown', () => {
  const remedy = (status: number, body: unknown, operation: OperationFacts = kinds.payment.operation) =>
    read(status, body, { operation }).remedy;

  it('is both lists for a name, and the function without one', () => {
    for (const body of [flat('LIMIT_REACHED'), nested('LIMIT_REACHED'), { code: 'LIMIT_REACHED' }])
      expect(remedy(400, body)).toBe('names');
    for (const body of [{ message: 'No' }, '', 'No', {}, { error: 'Bad Request' }, { code: 7 }])
      expect(remedy(409, body)).toBe('function');
  });

  it('is `known` alone where the net matched, and the function for an operation without a key', () => {
    for (const body of [flat('ORDER_DUPLICATED'), flat('LIMIT_REACHED', 'already')]) {
      expect(remedy(409, body)).toBe('known');
      for (const kind of ['approve', 'account', 'delete', 'refresh'] as const)
        expect(remedy(409, body, kinds[kind].operation)).toBe('function');
    }
    expect(remedy(409, { message: 'already' })).toBe('function');
  });

  it('is none for what is settled, and for other statuses', () => {
    expect(remedy(400, flat('INSUFFICIENT_BALANCE'))).toBeUndefined();
    expect(remedy(400, flat('RESOURCE_CONFLICT'))).toBeUndefined();
    for (const status of [302, 500, 503]) expect(remedy(status, flat('LIMIT_REACHED'))).toBeUndefined();
  });
});
