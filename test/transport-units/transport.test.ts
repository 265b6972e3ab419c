import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyMemory } from '../../src/evidence/key-memory.ts';
import { refusalNames } from '../../src/evidence/refusal.ts';
import { InvalidRequestError, isPaymentsError, type PaymentsError } from '../../src/index.ts';
import { APIPromise } from '../../src/transport/api-promise.ts';
import { createCredentials } from '../../src/transport/attempt/credentials.ts';
import type { WireRequest, WireResponse } from '../../src/transport/attempt/wire.ts';
import { failedCallOf } from '../../src/transport/call/call.ts';
import type { DriftEvent } from '../../src/transport/hooks/events.ts';
import { Watchers } from '../../src/transport/hooks/watchers.ts';
import { HttpTransport } from '../../src/transport/http-transport.ts';
import { RawBody } from '../../src/transport/request/body.ts';
import type { ResolvedConfig } from '../../src/transport/resolved-config.ts';
import type {
  CheckedResponse,
  Operation,
  OperationInput,
  RequestOptions,
} from '../../src/transport/types.ts';
import { requestId } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Step = (request: WireRequest) => WireResponse | Promise<WireResponse>;

const response =
  (status: number, text = '', headers: Record<string, string> = {}): Step =>
  () => ({ status, headers: new Headers(headers), text });
const reset: Step = () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
const refused: Step = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
const hanging: Step = () => new Promise(() => undefined);
const made = response(201, JSON.stringify({ requestId, id: 't1' }), { 'x-from': 'service' });

const unchecked = (value: unknown): CheckedResponse<unknown> => ({ value, fatal: [], minor: [] });

const transfer: Operation<unknown> = {
  name: 'transfers.create',
  method: 'POST',
  path: '/v2/wallets/transfers',
  retrySafety: 'keyed',
  response: unchecked,
};
const kyc: Operation<unknown> = {
  name: 'kyc.retrieve',
  method: 'GET',
  path: '/v2/users/{userId}/kyc',
  retrySafety: 'read',
  response: unchecked,
  identity: { echoes: { userId: ['userId'] } },
};
const payment: OperationInput = { body: { requestId, amount: 1 } };

/** A transport over a scripted wire, whose last step serves all further attempts. */
function transportOf(steps: readonly Step[], part: Partial<ResolvedConfig> = {}) {
  const requests: WireRequest[] = [];
  const drift: DriftEvent[] = [];
  const config: ResolvedConfig = {
    baseUrl: 'https://pay.example/base',
    origin: 'https://pay.example',
    credentials: createCredentials('token', 'x'),
    timeout: 30_000,
    deadline: undefined,
    retries: { limit: 0, minDelay: 100, maxDelay: 100 },
    sleep: undefined,
    responseValidation: 'tolerant',
    cursorParam: 'cursor',
    maxConcurrency: undefined,
    maxResponseBytes: 77,
    refusals: refusalNames(),
    headers: { 'user-agent': 'ua', 'x-team': 'client' },
    watchers: new Watchers([]),
    driftWatchers: [(event) => void drift.push(event)],
    ...part,
  };
  const transport = new HttpTransport(
    config,
    async (request) => {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1] ?? made;
      return step(request);
    },
    new KeyMemory(),
    { calls: new Set(), closed: false },
  );
  const start = (operation: Operation<unknown>, input: OperationInput, options?: RequestOptions) =>
    new APIPromise(transport.start(operation, input, options));
  return { transport, start, requests, drift };
}

async function failure(work: PromiseLike<unknown>): Promise<PaymentsError> {
  try {
    await work;
  } catch (error) {
    if (isPaymentsError(error)) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** What one call puts on the wire. */
async function sent(operation: Operation<unknown>, input: OperationInput, options?: RequestOptions) {
  const { start, requests } = transportOf([response(200, '{"userId":"u1"}')]);
  await start(operation, input, options);
  return requests[0];
}

describe('a transport', () => {
  it('tells what lists and waits need of the client', () => {
    const sleep = () => undefined;
    const { transport } = transportOf([], { cursorParam: 'after', deadline: 5_000, sleep });
    expect(transport).toMatchObject({ cursorParam: 'after', deadline: 5_000, sleep });
  });
});

describe('what the console shows of a call', () => {
  it('is its operation and its request id', async () => {
    const { start } = transportOf([made]);
    const read = start(kyc, { path: { userId: 'u1' } });
    const create = start(transfer, payment);
    expect(inspect(read)).toBe("APIPromise { operation: 'kyc.retrieve', <await it for the data> }");
    expect(inspect(create)).toBe(
      `APIPromise { operation: 'transfers.create', requestId: '${requestId}', <await it for the data> }`,
    );
    await Promise.allSettled([read, create]);
  });
});

describe('a request', () => {
  it('has the client’s address, headers, token and limit', async () => {
    expect(await sent(kyc, { path: { userId: 'u1' }, query: { a: 1 } })).toMatchObject({
      url: 'https://pay.example/base/v2/users/u1/kyc?a=1',
      origin: 'https://pay.example',
      method: 'GET',
      headers: {
        accept: 'application/json',
        'user-agent': 'ua',
        'x-team': 'client',
        authorization: 'Bearer token',
      },
      body: undefined,
      maxResponseBytes: 77,
    });
  });

  it('has a content type where it has a body', async () => {
    const read = await sent(kyc, { path: { userId: 'u1' } });
    expect(read?.headers).not.toHaveProperty('content-type');
    expect(await sent(transfer, payment)).toMatchObject({
      body: `{"requestId":"${requestId}","amount":1}`,
      headers: { 'content-type': 'application/json' },
    });
    const body = new RawBody(new Uint8Array([1]), 'text/csv', 'one');
    expect(await sent(transfer, { body })).toMatchObject({
      body: new Uint8Array([1]),
      headers: { 'content-type': 'text/csv' },
    });
  });

  it('has the headers of the client, the call and the operation, the later ones before the earlier ones', async () => {
    const headers = (operation: Record<string, string>, call: Record<string, string>) =>
      sent(kyc, { path: { userId: 'u1' }, headers: operation }, { headers: call });
    expect(await headers({ 'x-a': 'o' }, { 'x-a': 'c', 'X-Team': 'call', Accept: 'x/y' })).toMatchObject({
      headers: { 'x-a': 'o', 'x-team': 'call', accept: 'x/y' },
    });
  });

  it.each([
    ['the call', {}, { 'x-a': 'a\nb' }],
    ['the operation', { 'x-a': 'a\nb' }, {}],
  ])('refuses a header of %s that cannot be sent', async (_whose, operation, call) => {
    const { start } = transportOf([]);
    const error = await failure(
      start(kyc, { path: { userId: 'u1' }, headers: operation }, { headers: call }),
    );
    expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
    expect(error.message).toBe(
      'kyc.retrieve: the header `x-a` holds a line break or another character that HTTP does not allow.',
    );
  });

  it('has the query and the fields of the call’s options', async () => {
    const seen = await sent(
      transfer,
      { ...payment, query: { a: '1' } },
      { query: { b: '2' }, extraBody: { memo: 'x' } },
    );
    expect(seen).toMatchObject({
      url: 'https://pay.example/base/v2/wallets/transfers?b=2&a=1',
      body: `{"requestId":"${requestId}","amount":1,"memo":"x"}`,
    });
  });

  it('takes nothing from a prototype', async () => {
    const input: OperationInput = Object.assign(Object.create({ query: { planted: '1' } }), {
      path: { userId: 'u1' },
    });
    expect(await sent(kyc, input)).toMatchObject({ url: 'https://pay.example/base/v2/users/u1/kyc' });
  });

  it('has a token of its own where the call has one', async () => {
    const own = await sent(kyc, { path: { userId: 'u1' } }, { accessToken: 'own' });
    expect(own?.headers.authorization).toBe('Bearer own');
    const { start } = transportOf([]);
    const error = await failure(start(kyc, { path: { userId: 'u1' } }, { accessToken: '' }));
    expect(error).toMatchObject({ code: 'access_token', message: 'kyc.retrieve: `accessToken` is empty.' });
  });
});

describe('what is wrong before a request is sent', () => {
  it('is an error, also where the operation has found it', async () => {
    const { start, requests } = transportOf([]);
    const problem = new InvalidRequestError('mine', { operation: 'kyc.retrieve', field: 'a' });
    const call = start(kyc, { path: { userId: 'u1' }, problem });
    expect(await failure(call)).toBe(problem);
    expect([call.operation, call.requestId]).toEqual(['kyc.retrieve', undefined]);
    expect(await failure(start(kyc, { path: { userId: '' } }))).toMatchObject({ field: 'userId' });
    expect(await failure(start(kyc, { path: { userId: 'u1' } }, { timeout: -1 }))).toMatchObject({
      field: 'options',
    });
    expect(requests).toHaveLength(0);
  });

  it('is told by a message of this package, whatever was thrown', async () => {
    const planted = new Error('planted');
    const input = {
      get path(): never {
        throw planted;
      },
    };
    const error = await failure(transportOf([]).start(kyc, input));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'kyc.retrieve',
      outcome: 'not-sent',
      message: 'kyc.retrieve: the parameters or options cannot be read. Nothing was sent.',
    });
    expect(error.originalError).toBe(planted);
  });
});

describe('the limits of a call', () => {
  const params = { path: { userId: 'u1' } };
  const limits = { timeout: 1_000, deadline: 3_000 };

  async function ends(client: Partial<ResolvedConfig>, own: RequestOptions | undefined): Promise<string> {
    const { start } = transportOf([hanging], client);
    const ended = failure(start(kyc, params, own));
    await vi.runAllTimersAsync();
    return (await ended).message.replace(/^.* within (.*)\. Nothing.*$/, '$1');
  }

  it('are those of the client, or its own', async () => {
    expect(await ends(limits, undefined)).toBe('1000 ms (`timeout`)');
    expect(await ends(limits, { timeout: 20 })).toBe('20 ms (`timeout`)');
    expect(await ends({ ...limits, timeout: 9_000 }, {})).toBe('3000 ms (`deadline`)');
    expect(await ends(limits, { deadline: 30 })).toBe('30 ms (`deadline`)');
  });

  it('include its retries', async () => {
    const attempts = async (own: RequestOptions | undefined) => {
      const { start, requests } = transportOf([response(502)], {
        retries: { limit: 1, minDelay: 0, maxDelay: 0 },
      });
      await failure(start(kyc, params, own));
      return requests.length;
    };
    expect([await attempts(undefined), await attempts({}), await attempts({ retries: 3 })]).toEqual([
      2, 2, 4,
    ]);
  });

  it('include its signal', async () => {
    const signal = AbortSignal.abort();
    expect(await failure(transportOf([]).start(kyc, params, { signal }))).toMatchObject({
      name: 'AbortedError',
    });
  });

  it('and its waits are on the clock of the client', async () => {
    const waits: number[] = [];
    const { start } = transportOf([response(502)], {
      sleep: (wait) => waits.push(wait),
      retries: { limit: 1, minDelay: 100, maxDelay: 100 },
    });
    await failure(start(kyc, params));
    expect(waits).toHaveLength(1);
  });
});

describe('a response', () => {
  const params = { path: { userId: 'u1' } };

  it('comes with its call', async () => {
    const result = await transportOf([made]).start(transfer, payment).withResponse();
    expect(result).toMatchObject({ data: { id: 't1' }, requestId, attempts: 1 });
    expect(result.response).toBeInstanceOf(Response);
    expect(result.response).toMatchObject({
      status: 201,
      url: 'https://pay.example/base/v2/wallets/transfers',
    });
    expect(result.response.headers.get('x-from')).toBe('service');
    expect(await result.response.json()).toEqual({ requestId, id: 't1' });
  });

  it.each([204, 205])('of HTTP %i has no body', async (status) => {
    const remove = { ...kyc, retrySafety: 'delete', method: 'DELETE' } as const;
    const raw = await transportOf([response(status)])
      .start(remove, params)
      .asResponse();
    expect([raw.status, raw.body]).toEqual([status, null]);
  });

  it('of another status has one, if an empty one', async () => {
    const remove = { ...kyc, retrySafety: 'delete', method: 'DELETE' } as const;
    const raw = await transportOf([response(200)])
      .start(remove, params)
      .asResponse();
    expect(raw.body).not.toBeNull();
    expect(await raw.text()).toBe('');
  });

  it('is matched with what was sent', async () => {
    const other = transportOf([response(200, '{"userId":"u2"}')]);
    expect(await failure(other.start(kyc, params))).toMatchObject({ name: 'ResponseMismatchError' });
    const operation = { ...transfer, identity: { echoes: { requestId: ['requestId'] } } };
    const foreign = transportOf([response(200, '{"requestId":"other"}')]);
    expect(await failure(foreign.start(operation, payment))).toMatchObject({ name: 'ResponseMismatchError' });
  });

  it('is checked as strictly as the client says', async () => {
    const check = vi.fn(unchecked);
    const { start } = transportOf([response(200, '{"userId":"u1"}')], { responseValidation: 'strict' });
    await start({ ...kyc, response: check }, params);
    expect(check).toHaveBeenCalledWith({ userId: 'u1' }, 'strict');
  });
});

describe('a response that departs from its schema', () => {
  const params = { path: { userId: 'u1' } };
  const fatal = { path: 'id', code: 'invalid_type' };
  const minor = { path: 'note', code: 'invalid_type' };
  const departing = (found: Partial<CheckedResponse<unknown>>): Operation<unknown> => ({
    ...kyc,
    response: (value) => ({ ...unchecked(value), ...found }),
  });
  const good = response(200, '{"userId":"u1"}');

  it('is reported, once for a call', async () => {
    const { start, drift } = transportOf([good]);
    expect(await start(departing({ minor: [minor] }), params)).toEqual({ userId: 'u1' });
    expect(drift).toEqual([{ operation: 'kyc.retrieve', issues: [minor] }]);
  });

  it('is an error where that is fatal', async () => {
    const { start, drift } = transportOf([good]);
    const error = await failure(start(departing({ fatal: [fatal], minor: [minor] }), params));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'succeeded', issues: [fatal] });
    expect(drift).toEqual([{ operation: 'kyc.retrieve', issues: [fatal, minor] }]);
  });

  it('is reported also where it does not show that the call was carried out', async () => {
    const { start, drift } = transportOf([response(200, '<html>')]);
    expect(await failure(start(kyc, params))).toMatchObject({ name: 'ResponseValidationError' });
    expect(drift).toEqual([{ operation: 'kyc.retrieve', issues: [{ path: '', code: 'invalid_json' }] }]);
  });

  it('is not reported where there is nothing to report', async () => {
    const { start, drift } = transportOf([good, response(404)]);
    await start(kyc, params);
    await failure(start(kyc, params));
    expect(drift).toEqual([]);
  });

  it('is reported to all, whatever one of them throws', async () => {
    const second = vi.fn();
    const first = () => {
      throw new Error('watcher failed');
    };
    const { start } = transportOf([good], { driftWatchers: [first, second] });
    await start(departing({ minor: [minor] }), params);
    expect(second).toHaveBeenCalledTimes(1);
  });
});

describe('calls with the same request id', () => {
  const other: OperationInput = { body: { requestId, amount: 2 } };

  it.each<[string, Step, string | undefined]>([
    ['succeeded', made, 'succeeded'],
    ['was refused', response(403), 'rejected'],
    ['may have been carried out', reset, 'unknown'],
    ['was not sent', refused, undefined],
  ])('may not have another payload after one that %s', async (_how, step, outcome) => {
    const { start, requests } = transportOf([step, made]);
    await start(transfer, payment).catch(() => undefined);
    if (outcome === undefined) expect(await start(transfer, other)).toMatchObject({ id: 't1' });
    else {
      const error = await failure(start(transfer, other));
      expect(error).toMatchObject({ code: 'request_id_reused', earlier: { outcome } });
    }
    expect(requests).toHaveLength(outcome === undefined ? 2 : 1);
  });

  it('are compared by what stands for a body that is not JSON', async () => {
    const { start } = transportOf([made]);
    const raw = (content: string, likeness: string) => ({
      requestId,
      body: new RawBody(new TextEncoder().encode(content), 'multipart/form-data', likeness),
    });
    await start(transfer, raw('boundary-1', 'same'));
    expect(await start(transfer, raw('boundary-2', 'same'))).toMatchObject({ id: 't1' });
    expect(await failure(start(transfer, raw('boundary-3', 'other')))).toMatchObject({
      code: 'request_id_reused',
    });
  });

  it('are compared only where the id is what makes a retry safe', async () => {
    const { start } = transportOf([made]);
    const decision = { ...transfer, retrySafety: 'once' } as const;
    await start(decision, payment);
    expect(await start(decision, other)).toMatchObject({ id: 't1' });
    expect((await failure(transportOf([reset]).start(decision, payment))).requestId).toBe(requestId);
  });

  it('are compared also where the first has no body', async () => {
    const { start, requests } = transportOf([reset, made]);
    const error = await failure(start(transfer, { requestId }));
    expect(failedCallOf(error)?.recall()).toBe('open');
    expect(await failure(start(transfer, payment))).toMatchObject({
      code: 'request_id_reused',
      earlier: { outcome: 'unknown' },
    });
    expect(await start(transfer, { requestId })).toMatchObject({ id: 't1' });
    expect(requests).toHaveLength(2);
  });

  it('has an id of its own where none is given', async () => {
    const { start, requests } = transportOf([made]);
    const call = start(transfer, { body: { amount: 1 } });
    await call;
    expect(call.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(requests[0]?.body).toContain(`"requestId":"${call.requestId}"`);
  });
});

describe('a call that failed', () => {
  it('is kept beside its error, to be sent once more as it was', async () => {
    const { start, requests } = transportOf([reset, made], {
      retries: { limit: 3, minDelay: 0, maxDelay: 0 },
    });
    const error = await failure(start(transfer, payment, { retries: 0 }));
    const call = failedCallOf(error);
    expect(call?.safety).toBe('keyed');
    expect(call?.recall()).toBe('open');
    expect(await call?.again({ deadline: 1_000, signal: undefined })).toEqual({ requestId, id: 't1' });
    expect(call?.recall()).toBe('made');
    expect(requests[1]).toMatchObject({
      url: requests[0]?.url,
      method: 'POST',
      body: requests[0]?.body,
      headers: requests[0]?.headers,
    });
  });

  it('is sent once, and within the given limits', async () => {
    const { start, requests } = transportOf([reset, response(502), hanging], {
      retries: { limit: 1, minDelay: 0, maxDelay: 0 },
    });
    const error = await failure(start(transfer, payment));
    expect(requests).toHaveLength(2);
    const late = failure(
      failedCallOf(error)?.again({ deadline: 50, signal: undefined }) ?? Promise.resolve(),
    );
    await vi.runAllTimersAsync();
    expect((await late).message).toContain('within 50 ms (`deadline`)');
    const aborted = failedCallOf(error)?.again({ deadline: 50, signal: AbortSignal.abort() });
    expect(await failure(aborted ?? Promise.resolve())).toMatchObject({ name: 'AbortedError' });
    expect(requests).toHaveLength(3);
  });

  it('is kept again where it fails again', async () => {
    const { start, requests } = transportOf([reset], { retries: { limit: 2, minDelay: 0, maxDelay: 0 } });
    const error = await failure(start(transfer, payment, { retries: 0 }));
    const again = await failure(
      failedCallOf(error)?.again({ deadline: 1_000, signal: undefined }) ?? Promise.resolve(),
    );
    expect(again).toMatchObject({ name: 'ConnectionError', attempts: 1 });
    expect(failedCallOf(again)?.recall()).toBe('open');
    expect(requests).toHaveLength(2);
  });

  it('has no known outcome without a request id', async () => {
    const error = await failure(transportOf([reset]).start(kyc, { path: { userId: 'u1' } }));
    expect(failedCallOf(error)).toMatchObject({ safety: 'read' });
    expect(failedCallOf(error)?.recall()).toBeUndefined();
  });

  it('is told by its path, or by what stands for it', async () => {
    const free = { ...kyc, name: 'request', path: '/v2/x/secret', template: '/v2/x/{…}' };
    const { start } = transportOf([response(404)]);
    expect((await failure(start(free, {}))).message).toBe('request GET /v2/x/{…} failed (HTTP 404).');
    const { template: _none, ...plain } = free;
    expect((await failure(start(plain, {}))).message).toBe('request GET /v2/x/secret failed (HTTP 404).');
  });
});
