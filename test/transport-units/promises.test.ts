import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type Answer, APIPromise, describeCalls } from '../../src/transport/api-promise.ts';

const response = new Response('{}');

/** A call that responds with a value, and what it is asked for. */
function pending(read: () => unknown = () => 'data', requestId: string | undefined = 'r1') {
  const answer = { attempts: 2, toResponse: vi.fn(() => response), read: vi.fn(read) };
  const call = { operation: 'transfers.create', requestId, answer: Promise.resolve<Answer<unknown>>(answer) };
  return { promise: new APIPromise(call), answer };
}

const broken = new Error('broken');
const rejecting = () =>
  pending(() => {
    throw broken;
  }).promise;

describe('the promise of a call', () => {
  it('is a promise of the data, with the names of the call', async () => {
    const { promise } = pending();
    expect(promise).toBeInstanceOf(Promise);
    expect([promise.operation, promise.requestId]).toEqual(['transfers.create', 'r1']);
    expect(await promise).toBe('data');
  });

  it('reads the response once, when it is first asked for', async () => {
    const { promise, answer } = pending();
    await Promise.resolve();
    expect(answer.read).not.toHaveBeenCalled();
    expect(await Promise.all([promise, promise.withResponse(), promise.then((data) => data)])).toEqual([
      'data',
      { data: 'data', response, requestId: 'r1', attempts: 2 },
      'data',
    ]);
    expect(answer.read).toHaveBeenCalledTimes(1);
  });

  it('gives the response alone without reading it', async () => {
    const { promise, answer } = pending();
    expect(await promise.asResponse()).toBe(response);
    expect(answer.read).not.toHaveBeenCalled();
  });

  it('may be of data that take their time', async () => {
    expect(await pending(async () => 'late').promise).toBe('late');
  });

  it('rejects as the call does', async () => {
    const caught = vi.fn(() => 'caught');
    expect(await rejecting().catch(caught)).toBe('caught');
    expect(await rejecting().then(undefined, caught)).toBe('caught');
    expect(caught.mock.calls).toEqual([[broken], [broken]]);
    await expect(rejecting().withResponse()).rejects.toBe(broken);
    await expect(rejecting()).rejects.toBe(broken);
  });

  it('runs what is to run in the end', async () => {
    const ended = vi.fn();
    expect(await pending().promise.finally(ended)).toBe('data');
    await expect(rejecting().finally(ended)).rejects.toBe(broken);
    expect(ended).toHaveBeenCalledTimes(2);
  });

  it('makes ordinary promises of what follows', () => {
    const { promise } = pending();
    expect(APIPromise[Symbol.species]).toBe(Promise);
    for (const next of [promise.then(), promise.catch(), promise.finally()])
      expect(next).not.toBeInstanceOf(APIPromise);
  });

  it('is shown by its operation, as the data are read when it is awaited', () => {
    describeCalls();
    expect(inspect(pending().promise)).toBe(
      "APIPromise { operation: 'transfers.create', requestId: 'r1', <await it for the data> }",
    );
    const call = {
      operation: 'kyc.retrieve',
      requestId: undefined,
      answer: new Promise<never>(() => undefined),
    };
    expect(inspect(new APIPromise(call))).toBe(
      "APIPromise { operation: 'kyc.retrieve', <await it for the data> }",
    );
  });
});
