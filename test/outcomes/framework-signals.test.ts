import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from '../../src/client/index.ts';
import { transferParams } from '../client/operations.ts';
import { baseUrl, clientAt, clientOf, failure, json, type Step, scripted } from '../client/support.ts';

const once: ClientOptions = { retries: 0 };
const refused: Step = () => Response.json({ error: 'INSUFFICIENT_BALANCE' }, { status: 400 });
const made: Step = () => Response.json({ transferDetails: { id: 't1', status: 'CREATED' } });

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The error with which a framework redirects, or says that a page is dynamic. */
const signal = () => Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;replace;/login' });

describe('an error that a framework throws to redirect', () => {
  it('of `accessToken` passes through, and takes the entry of its key back', async () => {
    const thrown = signal();
    let isFirst = true;
    const accessToken = () => {
      if (!isFirst) return 'token';
      isFirst = false;
      throw thrown;
    };
    const fetch = scripted(refused);
    const client = clientOf(fetch, { ...once, accessToken });
    await expect(client.transfers.create(transferParams)).rejects.toBe(thrown);
    expect(fetch.seen).toHaveLength(0);
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'rejected' });
  });

  it('of the platform’s `fetch` passes through, and the entry of its key stands', async () => {
    const thrown = signal();
    const fetch = vi.fn<typeof globalThis.fetch>().mockRejectedValueOnce(thrown);
    fetch.mockImplementation(async () => Response.json({ error: 'INSUFFICIENT_BALANCE' }, { status: 400 }));
    vi.stubGlobal('fetch', fetch);
    const client = clientAt(baseUrl, { retries: 2 });
    await expect(client.transfers.create(transferParams)).rejects.toBe(thrown);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
  });

  it('ends what the hooks were told of: once after a request, and never where none was sent', async () => {
    const ended: unknown[] = [];
    const hooks = { error: ({ error }: { readonly error: unknown }) => void ended.push(error) };
    const accessToken = () => {
      throw signal();
    };
    await clientOf(scripted(made), { ...once, hooks, accessToken })
      .transfers.create(transferParams)
      .catch(() => undefined);
    expect(ended).toEqual([]);
    vi.stubGlobal('fetch', vi.fn<typeof globalThis.fetch>().mockRejectedValue(signal()));
    await clientAt(baseUrl, { ...once, hooks })
      .transfers.create(transferParams)
      .catch(() => undefined);
    expect(ended).toMatchObject([{ name: 'ConnectionError', outcome: 'unknown' }]);
  });

  it('is a failure like any other in a later attempt, of a `fetch` of the caller’s, and without a digest', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>();
    fetch.mockResolvedValueOnce(new Response('', { status: 429, headers: { 'retry-after': '0' } }));
    fetch.mockRejectedValue(signal());
    vi.stubGlobal('fetch', fetch);
    const platform = clientAt(baseUrl, { retries: { limit: 1, minDelay: 0 } });
    expect(await failure(platform.transfers.create(transferParams))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 2,
    });
    // After a response, too.
    const broken = new ReadableStream({ pull: (controller) => controller.error(signal()) });
    fetch.mockResolvedValue(new Response(broken));
    expect(await failure(platform.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
    vi.unstubAllGlobals();
    const own = clientOf(() => Promise.reject(signal()), once);
    expect(await failure(own.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
    const accessToken = () => Promise.reject(Object.assign(new Error('x'), { digest: 7 }));
    const failing = clientOf(scripted(made), { ...once, accessToken });
    expect(await failure(failing.transfers.create(transferParams))).toMatchObject({
      name: 'ConfigurationError',
      outcome: 'not-sent',
    });
  });

  it('of a token that is renewed is a failure like any other', async () => {
    let tokens = 0;
    const accessToken = () => {
      tokens += 1;
      if (tokens > 1) throw signal();
      return 'token';
    };
    const client = clientOf(scripted(json({ error: 'UNAUTHORIZED' }, 401)), { ...once, accessToken });
    const error = await failure(client.transfers.create(transferParams));
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'rejected' });
    // Also where a `fetch` throws such an error of another client.
    const outer = clientOf(() => Promise.reject(error), once);
    expect(await failure(outer.transfers.create(transferParams))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
  });
});
