import { describe, expect, it } from 'vitest';
import { APIError } from '../../src/client/index.ts';
import { serve } from '../servers.ts';
import { clientAt, failure } from './support.ts';

const transfer = {
  requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
  source: { userId: 'user-7781' },
  destination: { userId: 'user-9902' },
  amount: 30,
  currency: 'usdc',
  chain: 'POLYGON',
};

/** The error of a payment that a real server refuses with a body. */
async function refusalWith(body: object, type: string) {
  const { url } = await serve((request, response) => {
    request.resume();
    response.writeHead(422, { 'content-type': type });
    response.end(JSON.stringify(body));
  });
  const payments = clientAt(url);
  return failure(payments.transfers.create(transfer));
}

const problem = 'application/problem+json';
const json = 'application/json';

/** The body, the part of the message before the status, and the service's words. */
const shapes: readonly [name: string, type: string, body: object, said: string, service?: object][] = [
  [
    'RFC 9457',
    problem,
    { type: 'https://example.com/probs/out-of-credit', title: 'Not enough credit', detail: 'It costs 30.' },
    '{"type":"https://example.com/probs/out-of-credit","title":"Not enough credit","detail":"It costs 30…',
  ],
  [
    'RFC 9457 with fields of its own',
    problem,
    { title: 'Invalid', errors: [{ detail: 'must be above 50', pointer: '#/amount' }] },
    '{"title":"Invalid","errors":[{"detail":"must be above 50","pointer":"#/amount"}]}',
  ],
  [
    'RFC 9457 with a name',
    problem,
    { title: 'Not enough credit', detail: 'It costs 30.', code: 'OUT_OF_CREDIT' },
    'OUT_OF_CREDIT – {"title":"Not enough credit","detail":"It costs 30.","code":"OUT_OF_CREDIT"}',
    { code: 'OUT_OF_CREDIT', error: 'OUT_OF_CREDIT' },
  ],
  [
    'JSON:API',
    'application/vnd.api+json',
    { errors: [{ status: '422', source: { pointer: '/data/amount' }, title: 'Invalid' }] },
    '{"errors":[{"status":"422","source":{"pointer":"/data/amount"},"title":"Invalid"}]}',
  ],
  [
    'FastAPI',
    json,
    { detail: [{ loc: ['body', 'amount'], msg: 'Input should be greater than 50', type: 'greater_than' }] },
    '{"detail":[{"loc":["body","amount"],"msg":"Input should be greater than 50","type":"greater_than"}]}',
  ],
  ['FastAPI, a sentence', json, { detail: 'Not allowed' }, '{"detail":"Not allowed"}'],
  [
    'names with `error_`',
    json,
    {
      error_type: 'TRANSFER_ERROR',
      error_code: 'LIMIT',
      error_message: 'over the limit',
      request_id: 'HNTDN',
    },
    '{"error_type":"TRANSFER_ERROR","error_code":"LIMIT","error_message":"over the limit","request_id":"…',
  ],
  [
    '`errors` as one object',
    json,
    { errors: { code: 'parameter_invalid', message: 'Amount is too low', parameter: 'amount' } },
    '{"errors":{"code":"parameter_invalid","message":"Amount is too low","parameter":"amount"}}',
  ],
  [
    '`errors` by field beside a message',
    json,
    { message: 'The data was invalid', errors: { amount: ['Too low'] } },
    '{"message":"The data was invalid","errors":{"amount":["Too low"]}}',
  ],
  [
    'a list as `message` beside `error`',
    json,
    { statusCode: 422, message: ['amount must be above 50'], error: 'Unprocessable' },
    'Unprocessable – {"statusCode":422,"message":["amount must be above 50"],"error":"Unprocessable"}',
    { error: 'Unprocessable' },
  ],
  [
    'OAuth',
    json,
    { error: 'invalid_scope', error_description: 'The scope is too small' },
    'invalid_scope – {"error":"invalid_scope","error_description":"The scope is too small"}',
    { error: 'invalid_scope' },
  ],
  [
    'gRPC over JSON',
    json,
    { code: 3, message: 'Amount is too low', details: [] },
    '3 – Amount is too low',
    { code: 3, details: [] },
  ],
  ['a list', json, [{ field: 'amount', reason: 'low' }], '[{"field":"amount","reason":"low"}]'],
  [
    'an error that shows who was paid',
    problem,
    { title: 'Refused', detail: 'user-9902 is frozen', instance: '/users/user-9902' },
    '{"title":"Refused","detail":"[redacted] is frozen","instance":"/users/[redacted]"}',
  ],
];

describe('an error in another shape than the documented ones', () => {
  it.each(shapes)('shows its reason: %s', async (_name, type, body, said, service = {}) => {
    const error = await refusalWith(body, type);
    expect(error.message.replace(/^transfers\.create failed: (.*) \(HTTP 422\).*$/, '$1')).toBe(said);
    expect(error.message).not.toContain('Fields:');
    expect(error).toMatchObject({ name: 'UnprocessableEntityError', outcome: 'unknown' });
    expect(error instanceof APIError && error.service).toEqual(service);
    expect(error instanceof APIError && error.body).toEqual(body);
  });

  it('has its fields in the documented `details` alone', async () => {
    const body = {
      error: 'FIELD_VALIDATION_ERROR',
      errorDetails: 'Wrong',
      details: { amount: 'low' },
      errors: { a: 1 },
    };
    const { message } = await refusalWith(body, json);
    expect(message).toContain('FIELD_VALIDATION_ERROR – Wrong (HTTP 422)');
    expect(message).toContain('Fields: amount.');
  });

  it('reads the names of the first 1,000 fields', async () => {
    const names = Array.from({ length: 1_001 }, (_field, index) => `f${index}`);
    const byName = Object.fromEntries(names.map((name) => [name, 'low']));
    for (const details of [byName, names, names.map((field) => ({ field }))]) {
      const { message } = await refusalWith({ error: 'INVALID', errorDetails: 'Wrong', details }, json);
      expect(message).toContain('f8, f9 and 990 more.');
    }
  });
});
