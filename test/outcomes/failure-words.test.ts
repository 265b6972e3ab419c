import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ConfigurationError, type PaymentsError } from '../../src/index.ts';
import { meaningOf } from '../../src/transport/explain.ts';
import { approve, type Call, pay, read, transferParams } from '../client/operations.ts';
import {
  clientOf,
  cutBody,
  failure,
  hanging,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
} from '../client/support.ts';
import { heldTransfer } from '../fixtures/index.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

interface End {
  readonly error: PaymentsError;
  readonly requests: number;
  readonly took: number;
}

/** Runs a call to its error while the clock jumps from timer to timer. */
async function end(call: Call, steps: readonly Step[], options = {}): Promise<End> {
  const fetch = scripted(...steps);
  const startedAt = performance.now();
  const ended = failure(call(clientOf(fetch, { retries: 1, ...options }))).then((error) => ({
    error,
    requests: fetch.seen.length,
    took: performance.now() - startedAt,
  }));
  await vi.runAllTimersAsync();
  return ended;
}

const unknownPayment = 'This call may have made the payment: retry with the same requestId, or look it up.';
const unknownDecision = 'This call may have been carried out: check before you send it again.';

describe('what an outcome means for the money', () => {
  const payment = { safety: 'keyed', requestId: 'id', isPayment: true } as const;
  const kinds = {
    payment,
    decision: { safety: 'once', requestId: undefined, isPayment: false },
    refresh: { safety: 'refresh', requestId: undefined, isPayment: false },
    deletion: { safety: 'delete', requestId: undefined, isPayment: false },
    read: { safety: 'read', requestId: undefined, isPayment: false },
  } as const;
  it.each([
    ['payment', 'not-reached', 'Nothing was sent: this call made no payment.'],
    ['payment', 'refused', 'This call made no payment.'],
    ['payment', 'made', 'This call made the payment: do not send it again.'],
    ['payment', 'open', unknownPayment],
    ['decision', 'not-reached', 'Nothing was sent.'],
    ['decision', 'refused', 'This call changed nothing.'],
    ['decision', 'made', 'This call was carried out: do not send it again.'],
    ['decision', 'open', unknownDecision],
    ['refresh', 'open', 'This call may have been carried out: it is safe to send it again.'],
    ['deletion', 'open', 'This call may have been carried out: it is safe to send it again.'],
    ['read', 'not-reached', 'Nothing was sent.'],
    ['read', 'refused', ''],
    ['read', 'open', 'Nothing was changed: it is safe to try again.'],
  ] as const)('%s, %s: %s', (kind, finding, meaning) => {
    expect(meaningOf(finding, kinds[kind])).toBe(meaning);
  });

  it('an open outcome of a read is forgotten with its next attempt; that of a payment is not', async () => {
    const steps = [text('', 502), json({}, 403)];
    expect((await end(read, steps)).error).toMatchObject({ status: 403, outcome: 'rejected' });
    expect((await end(pay, steps)).error).toMatchObject({ status: 403, outcome: 'unknown' });
    // The lost body may have said that the request id is known.
    const lost = await end(pay, [cutBody(400), json({}, 403)]);
    expect(lost.error).toMatchObject({ status: 403, outcome: 'unknown', attempts: 2 });
  });
});

describe('what ends a call at once', () => {
  it('a `fetch` that throws an error of this package has sent the request all the same', async () => {
    const { error, requests } = await end(approve, [
      () => {
        throw new ConfigurationError('not mine', { code: 'access_token' });
      },
    ]);
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(requests).toBe(1);
  });

  it('a token function that fails is not asked again', async () => {
    const accessToken = vi.fn(() => Promise.reject(new Error('down')));
    const { took } = await end(read, [json({})], { accessToken });
    expect(accessToken).toHaveBeenCalledTimes(1);
    expect(took).toBe(0);
  });

  it('a token that does not come in time is not awaited twice', async () => {
    const { error, took } = await end(read, [json({})], {
      accessToken: () => new Promise<string>(() => undefined),
      timeout: 1_500,
    });
    expect(error).toMatchObject({ name: 'TimeoutError', attempts: 0 });
    expect(took).toBe(1_500);
  });

  it('a caller who stops makes no retry', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const retry = vi.fn();
    const { error } = await end(
      (client) => client.kyc.retrieve('u1', { signal: controller.signal }),
      [hanging],
      { hooks: { retry } },
    );
    expect(error).toMatchObject({ name: 'AbortedError', attempts: 1 });
    expect(retry).not.toHaveBeenCalled();
  });

  it('a timeout of what must not be sent twice', async () => {
    const { error, requests } = await end(approve, [hanging], { timeout: 500 });
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
    expect(requests).toBe(1);
    expect((await end(approve, [cutBody()])).requests).toBe(1);
    expect((await end(approve, [text('<html>')])).requests).toBe(1);
    expect((await end(approve, [networkFailure('ECONNRESET')])).requests).toBe(1);
  });

  it('a 404 of a read, also without its body and after a lost attempt', async () => {
    const { error } = await end(read, [text('', 502), cutBody(404)], { retries: 3 });
    expect(error).toMatchObject({ status: 404, outcome: 'rejected', attempts: 2 });
  });
});

describe('a status', () => {
  it('503 proves a refusal only where it says when to come back', async () => {
    const waiting = await end(approve, [text('', 503, { 'retry-after': '1' })]);
    expect(waiting.error).toMatchObject({ outcome: 'rejected', attempts: 2 });
    const bare = await end(approve, [text('', 503)]);
    expect(bare.error).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('keeps its body: JSON, text, or nothing', async () => {
    expect((await end(read, [json({ a: 1 }, 400)])).error).toMatchObject({ body: { a: 1 } });
    expect((await end(read, [text('<html>', 400)])).error).toMatchObject({ body: '<html>' });
    expect((await end(read, [text('', 400)])).error).toMatchObject({ body: '' });
  });

  it('names the limit that a response broke', async () => {
    const { error } = await end(read, [text('x'.repeat(2_000))], { maxResponseBytes: 1_024 });
    expect(error).toMatchObject({ issues: [{ path: '', code: 'too_large' }], body: undefined });
  });
});

describe('a response that does not show that the call was carried out', () => {
  it('is told with what is wrong', async () => {
    const { error, requests } = await end(pay, [text('<html>')]);
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      operation: 'transfers.create',
      requestId: transferParams.requestId,
      attempts: 2,
      outcome: 'unknown',
      body: '<html>',
      issues: [{ path: '', code: 'invalid_json' }],
      message: `transfers.create: the response (HTTP 200) does not prove the request (body: invalid_json). ${unknownPayment} \`error.body\` has the response.`,
    });
    expect(requests).toBe(2);
  });

  it('is no known id where it is not an error, or where nothing has an id', async () => {
    const told = { message: 'The request already exists' };
    expect((await end(pay, [text(JSON.stringify(told))])).error).toMatchObject({
      name: 'ResponseValidationError',
    });
    const failed = { success: false, ...told };
    expect((await end(approve, [text(JSON.stringify(failed))])).error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
    });
  });

  it('is not asked for again where a schema of the caller’s refuses it', async () => {
    const refusing: Call = (client) =>
      client.request({ method: 'GET', path: '/v2/x', schema: z.object({ id: z.string() }) });
    expect(await end(refusing, [text('{}')])).toMatchObject({
      requests: 1,
      error: { name: 'ResponseValidationError', issues: [{ path: 'id', code: 'schema' }] },
    });
    const throwing = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: () => {
          throw new Error('broken');
        },
      },
    };
    const breaking: Call = (client) => client.request({ method: 'GET', path: '/v2/x', schema: throwing });
    expect(await end(breaking, [text('{}')])).toMatchObject({
      requests: 1,
      error: { issues: [{ path: '', code: 'schema_failed' }] },
    });
  });
});

describe('a response of another shape', () => {
  it('belongs to a payment that was made', async () => {
    const steps = [json({ ...heldTransfer, transferType: 7 })];
    const { error } = await end(pay, steps, { responseValidation: 'strict' });
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'succeeded', attempts: 1 });
    expect(error.message).toMatch(
      /^transfers\.create succeeded, but the response has an unexpected shape \(`transferType`: \w+\)\. This call made the payment: do not send it again\. `error\.body` has the response\.$/,
    );
  });

  it('of a read says nothing of the money, and names five places', async () => {
    const schema = z.object({
      a: z.string(),
      b: z.string(),
      c: z.string(),
      d: z.string(),
      e: z.string(),
      f: z.string(),
    });
    const call: Call = (client) => client.request({ method: 'GET', path: '/v2/x', schema });
    const { error } = await end(call, [text('{"x":1}')]);
    expect(error.message).toBe(
      'request succeeded, but the response has an unexpected shape (`a`: schema, `b`: schema, `c`: schema, `d`: schema, `e`: schema). `error.body` has the response.',
    );
  });

  it('of another request is discarded', async () => {
    const { error } = await end(read, [text('{"userId":"u2","kycInfo":{}}')]);
    expect(error).toMatchObject({
      name: 'ResponseMismatchError',
      outcome: 'unknown',
      attempts: 1,
      path: 'userId',
    });
    expect(error.message).toBe(
      'kyc.retrieve: the response belongs to another request: its `userId` differs. The client discarded it. Nothing was changed: it is safe to try again.',
    );
  });
});
