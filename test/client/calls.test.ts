import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { APIPromise, type DriftEvent, type StandardSchema } from '../../src/client/index.ts';
import { requestId, transferParams } from './operations.ts';
import { baseUrl, clientOf, failure, json, networkFailure, type Step, scripted, text } from './support.ts';

const kyc = { userId: 'u1', kycInfo: {} };
const made = json({ transferDetails: { id: 't1', status: 'CREATED' } });
const reset = networkFailure('ECONNRESET');

describe('what the console shows of a call', () => {
  it('is its operation and its request id', async () => {
    const client = clientOf(scripted(json(kyc), made));
    const read = client.kyc.retrieve('u1');
    const create = client.transfers.create(transferParams);
    expect(inspect(read)).toBe("APIPromise { operation: 'kyc.retrieve', <await it for the data> }");
    expect(inspect(create)).toBe(
      `APIPromise { operation: 'transfers.create', requestId: '${requestId}', <await it for the data> }`,
    );
    await Promise.all([read, create]);
  });
});

describe('the promise of a call', () => {
  const broken = { transferDetails: { id: 't1', status: 7 }, transferType: null };

  it('reads the response once, when the data are first asked for', async () => {
    const drift: DriftEvent[] = [];
    const client = clientOf(scripted(json({ ...kyc, kycInfo: { email: 7 } })), {
      hooks: { drift: (event) => void drift.push(event) },
    });
    const promise = client.kyc.retrieve('u1');
    await promise.asResponse();
    expect(drift).toEqual([]);
    const [data, { data: again }, chained] = await Promise.all([
      promise,
      promise.withResponse(),
      promise.then((value) => value),
    ]);
    expect(again).toBe(data);
    expect(chained).toBe(data);
    expect(drift).toEqual([
      { operation: 'kyc.retrieve', issues: [{ path: 'kycInfo.email', code: 'invalid_type' }] },
    ]);
  });

  it('rejects with the same error however it is asked', async () => {
    const promise = clientOf(scripted(json(broken))).onramps.refreshQuote('t1');
    const error = await failure(promise);
    const caught = vi.fn(() => 'caught');
    expect(await promise.catch(caught)).toBe('caught');
    expect(await promise.then(undefined, caught)).toBe('caught');
    expect(caught.mock.calls).toEqual([[error], [error]]);
    await expect(promise.withResponse()).rejects.toBe(error);
    await expect(promise.finally()).rejects.toBe(error);
  });

  // Some runtimes wait on a promise without `then`: workerd for `waitUntil` and streams, Bun for its tests.
  const waitedNatively = (promise: Promise<unknown>) =>
    new Promise((resolve, reject) => Promise.prototype.then.call(promise, resolve, reject));

  it('ends with the response, and reads no data, for whoever waits on it without `then`', async () => {
    const response = Promise.withResolvers<Response>();
    const drift = vi.fn();
    const hooks = { drift };
    const promise = clientOf(
      scripted(() => response.promise),
      { hooks },
    ).kyc.retrieve('u1');
    const ended = vi.fn();
    const waited = waitedNatively(promise).then(ended);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).not.toHaveBeenCalled();
    response.resolve(Response.json({ ...kyc, kycInfo: { email: 7 } }));
    await waited;
    expect(drift).not.toHaveBeenCalled();
    const failed = clientOf(scripted(json({}, 404))).kyc.retrieve('u1');
    await expect(waitedNatively(failed)).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  it('makes ordinary promises of what follows, and runs what is to run in the end', async () => {
    const promise = clientOf(scripted(json(kyc))).kyc.retrieve('u1');
    expect(promise).toBeInstanceOf(APIPromise);
    expect(APIPromise[Symbol.species]).toBe(Promise);
    for (const next of [promise.then(), promise.catch(), promise.finally()])
      expect(next).not.toBeInstanceOf(APIPromise);
    const ended = vi.fn();
    expect(await promise.finally(ended)).toEqual(kyc);
    expect(ended).toHaveBeenCalledTimes(1);
  });
});

describe('a request', () => {
  it('has the headers of the client and the call, the later ones before the earlier ones', async () => {
    const fetch = scripted(json({}));
    await clientOf(fetch, { headers: { 'x-team': 'client', 'x-key': 'client' } }).request(
      { method: 'POST', path: '/v2/x' },
      { headers: { 'X-Team': 'call', Accept: 'x/y', 'x-key': 'call' } },
    );
    expect(fetch.seen[0]?.headers).toMatchObject({ 'x-key': 'call', 'x-team': 'call', accept: 'x/y' });
    expect(fetch.seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('is not sent with a header that cannot be sent', async () => {
    const fetch = scripted(json({}));
    const headers = { 'x-key': 'a\nb' };
    const error = await failure(clientOf(fetch).request({ method: 'POST', path: '/v2/x' }, { headers }));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'not-sent',
      message: 'request: the header `x-key` contains a character that HTTP does not allow.',
    });
    expect(fetch.seen).toHaveLength(0);
  });

  it('is not sent where its options cannot be read; the error has what was thrown', async () => {
    const planted = new Error('planted');
    const headers = {
      get 'x-a'(): string {
        throw planted;
      },
    };
    const fetch = scripted(json(kyc));
    const call = clientOf(fetch).kyc.retrieve('u1', { headers });
    const error = await failure(call);
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'kyc.retrieve',
      outcome: 'not-sent',
      message: 'kyc.retrieve: the parameters or options cannot be read. Nothing was sent.',
    });
    expect(error.originalError).toBe(planted);
    expect([call.operation, call.requestId]).toEqual(['kyc.retrieve', undefined]);
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('the raw response', () => {
  const removed = (step: Step) => clientOf(scripted(step)).accounts.delete('u1', 'a1').asResponse();

  it.each([204, 205])('of HTTP %i has no body', async (status) => {
    const raw = await removed(text(null, status));
    expect([raw.status, raw.body]).toEqual([status, null]);
  });

  it('of another status has one, if an empty one, and the headers of the service', async () => {
    const raw = await removed(text('', 200, { 'x-from': 'service' }));
    expect(raw.url).toBe(`${baseUrl}/v2/users/u1/accounts/a1`);
    expect(raw.body).not.toBeNull();
    expect(await raw.text()).toBe('');
    expect(raw.headers.get('x-from')).toBe('service');
  });
});

describe('a response that departs from its schema', () => {
  it('is reported whole where one departure is an error', async () => {
    const drift: DriftEvent[] = [];
    const body = { kycInfo: { email: 7 } };
    const client = clientOf(scripted(json(body)), { hooks: { drift: (event) => void drift.push(event) } });
    const fatal = { path: 'userId', code: 'invalid_type' };
    expect(await failure(client.kyc.retrieve('u1'))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'succeeded',
      attempts: 1,
      issues: [fatal],
      body,
    });
    const minor = { path: 'kycInfo.email', code: 'invalid_type' };
    expect(drift).toEqual([{ operation: 'kyc.retrieve', issues: [fatal, minor] }]);
  });

  it('is reported also where it does not show that the call was carried out', async () => {
    const drift: DriftEvent[] = [];
    const options = { hooks: { drift: (event: DriftEvent) => void drift.push(event) }, retries: 0 };
    const error = await failure(clientOf(scripted(text('<html>')), options).kyc.retrieve('u1'));
    expect(error).toMatchObject({ name: 'ResponseValidationError' });
    expect(drift).toEqual([{ operation: 'kyc.retrieve', issues: [{ path: '', code: 'invalid_json' }] }]);
    // Another failure is no departure.
    await failure(clientOf(scripted(text('', 404)), options).kyc.retrieve('u1'));
    expect(drift).toHaveLength(1);
  });
});

// "A deletion whose answer was lost and whose repeat says 404 is `unknown`"; "a schema that fails is `unknown`".
describe('a deletion', () => {
  it('that was lost and then finds nothing is unknown, and so is one whose schema fails', async () => {
    const schema: StandardSchema<object> = {
      '~standard': { validate: () => ({ issues: [{ path: ['id'] }] }) },
    };
    const gone = json({ status: 'error', error: { code: 'ACCOUNT_NOT_FOUND', message: 'Gone' } }, 404);
    const remove = (second: Step) =>
      clientOf(scripted(reset, second), { retries: { limit: 1, minDelay: 0 } }).request({
        method: 'DELETE',
        path: '/v2/notes/n1',
        schema,
      });
    expect(await failure(remove(gone))).toMatchObject({ status: 404, outcome: 'unknown', attempts: 2 });
    expect(await failure(remove(text('')))).toMatchObject({ outcome: 'unknown', attempts: 2 });
    // "`asResponse` hides departures, never rows 8–11".
    expect(await failure(remove(text('')).asResponse())).toMatchObject({ outcome: 'unknown', attempts: 2 });
  });
});
