import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ConfigurationError,
  createWebhookReceiver,
  type DedupeStore,
  memoryDedupe,
  signWebhook,
  standardWebhooks,
  type WebhookHandlers,
  type WebhookReceiverOptions,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { accepting, codeOf, moment, now, rejected, secret } from './support.ts';

const verifier = standardWebhooks({ secret });
const receiver = (options: Partial<WebhookReceiverOptions> = {}) =>
  createWebhookReceiver({ verifier, now, unverifiedStatus: 401, onError: () => {}, ...options });

async function delivery(event: object | string, headers: Record<string, string> = {}): Promise<Request> {
  const signed = await signWebhook(event, { standardWebhooks: { secret, timestamp: moment } });
  return new Request('http://receiver.test/webhooks', {
    method: 'POST',
    body: signed.body,
    headers: { ...signed.headers, ...headers },
  });
}

const answerOf = async (response: Response) => ({ status: response.status, ...(await response.json()) });
const pendingEvent = { ...rejected, eventId: 'evt_0', eventType: 'TRANSFER.APPROVAL.PENDING' };

function deferred() {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((onDone, onFail) => {
    resolve = onDone;
    reject = onFail;
  });
  return { promise, resolve, reject };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('handler', () => {
  it('gives each kind to its own handler, the rest to otherwise, and acknowledges both', async () => {
    const seen: string[] = [];
    const note =
      (name: string) => async (event: { eventType: string }, context: { id: string; headers: Headers }) => {
        seen.push(`${name} ${event.eventType} ${context.id} ${context.headers.get('webhook-id')}`);
      };
    const handle = receiver().handler({
      'ACCOUNT.ONRAMP.CREATE': note('a'),
      'ACCOUNT.ONRAMP.UPDATE': note('b'),
      'TRANSFER.APPROVAL.PENDING': note('c'),
      'TRANSFER.APPROVAL.APPROVED': note('d'),
      'TRANSFER.APPROVAL.REJECTED': note('e'),
      otherwise: note('f'),
    });
    const kinds = [
      'ACCOUNT.ONRAMP.CREATE',
      'ACCOUNT.ONRAMP.UPDATE',
      'TRANSFER.APPROVAL.PENDING',
      'TRANSFER.APPROVAL.APPROVED',
      'TRANSFER.APPROVAL.REJECTED',
      'NEW.KIND',
    ];
    for (const eventType of kinds) {
      const response = await handle(await delivery({ ...rejected, eventType }));
      expect(await answerOf(response)).toEqual({ status: 200, received: true });
      expect(response.headers.get('content-type')).toBe('application/json');
    }
    expect(seen).toEqual(kinds.map((kind, index) => `${'abcdef'[index]} ${kind} evt_1 evt_1`));
  });

  it('acknowledges and drops an event that nobody handles', async () => {
    const handler = vi.fn();
    const handle = receiver().handler({ 'ONRAMP.*': handler });
    for (const eventType of ['ACCOUNT.ONRAMP.CREATE', 'NEW.KIND']) {
      expect((await handle(await delivery({ eventType, data: {} }))).status).toBe(200);
    }
    expect(handler).not.toHaveBeenCalled();
  });

  it('answers only once the handler is done', async () => {
    const { promise, resolve } = deferred();
    let answered = false;
    const response = receiver()
      .handler({ otherwise: () => promise })(await delivery(rejected))
      .then((answer) => {
        answered = true;
        return answer;
      });
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    resolve();
    expect((await response).status).toBe(200);
  });

  it('answers 401 to what cannot be trusted and never calls a handler', async () => {
    const handler = vi.fn();
    const handle = receiver().handler({ otherwise: handler });
    const unsigned = new Request('http://receiver.test/', { method: 'POST', body: JSON.stringify(rejected) });
    expect(await answerOf(await handle(unsigned))).toMatchObject({
      status: 401,
      error: { code: 'webhook_missing_header' },
    });
    const altered = await delivery(rejected, { 'webhook-id': 'other' });
    expect(await answerOf(await handle(altered))).toMatchObject({
      status: 401,
      error: { code: 'webhook_bad_signature' },
    });
    expect(handler).not.toHaveBeenCalled();
  });

  it('answers 503 to a delivery with a good signature and an old timestamp, because the clock may be wrong', async () => {
    const handler = vi.fn();
    const errors: unknown[] = [];
    const late = receiver({
      now: () => (moment + 301) * 1000,
      onError: (error, { status }) => errors.push(error, status),
    }).handler({ otherwise: handler });
    const response = await late(await delivery(rejected));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(errors).toEqual([expect.objectContaining({ code: 'webhook_timestamp_out_of_tolerance' }), 503]);
    const forged = await delivery(rejected, { 'webhook-signature': 'v1,AAAA' });
    expect((await late(forged)).status).toBe(401);
    expect(handler).not.toHaveBeenCalled();
  });

  // Issue 61: "what is signed and not understood gets a 5xx … so that the sender comes again after a release."
  it('answers 500 to a signed body that is no event', async () => {
    const answer = await answerOf(await receiver().handler(accepting)(await delivery('{"eventType":"A"}')));
    expect(answer).toMatchObject({ status: 500, error: { code: 'webhook_receiver_failed' } });
  });

  it.each(['GET', 'PUT', 'OPTIONS'])('answers 405 to %s', async (method) => {
    const response = await receiver().handler(accepting)(new Request('http://receiver.test/', { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('answers 413 to a body over the limit, declared or not, and stops reading', async () => {
    const handle = receiver({ maxBodyBytes: 64 }).handler(accepting);
    const post = (init: RequestInit) =>
      handle(new Request('http://receiver.test/', { method: 'POST', ...init }));
    expect((await post({ body: 'x', headers: { 'content-length': '65' } })).status).toBe(413);
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(32));
      },
      cancel() {
        cancelled = true;
      },
    });
    const streaming: RequestInit & { duplex: 'half' } = { body: endless, duplex: 'half' };
    expect((await post(streaming)).status).toBe(413);
    expect(pulled).toBeLessThan(6);
    expect(cancelled).toBe(true);
    expect((await post({ body: 'x'.repeat(64) })).status).toBe(401);
  });

  it('answers 500 to a request whose body was read before, and tells onError how to cure it', async () => {
    const errors: unknown[] = [];
    const handle = receiver({ onError: (error, { status }) => errors.push(error, status) }).handler(
      accepting,
    );
    const request = await delivery(rejected);
    await request.json();
    expect(await answerOf(await handle(request))).toMatchObject({
      status: 500,
      error: { code: 'webhook_receiver_failed' },
    });
    expect(errors).toEqual([expect.objectContaining({ code: 'webhook_body_already_parsed' }), 500]);
  });

  it('answers 503 with Retry-After while the keys cannot be fetched, and 500 when it is set up wrongly', async () => {
    const unavailable = new WebhookVerificationError('No keys.', { code: 'webhook_keys_unavailable' });
    const down = receiver({ verifier: async () => Promise.reject(unavailable) }).handler(accepting);
    const response = await down(await delivery(rejected));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    const wrong = receiver({
      verifier: async () => Promise.reject(new ConfigurationError('The key.')),
    }).handler(accepting);
    expect((await wrong(await delivery(rejected))).status).toBe(500);
  });

  it('answers 500 when the handler fails, without a word of why', async () => {
    const errors: unknown[] = [];
    const failure = new Error('database password is hunter2');
    const handle = receiver({ onError: (error, context) => errors.push(error, context) }).handler({
      otherwise: () => {
        throw failure;
      },
    });
    const response = await handle(await delivery(rejected));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(errors).toEqual([failure, { status: 500, event: rejected, id: 'evt_1', step: 'handle' }]);
  });

  it('gives an event to the handler of its kind, else of the longest wildcard, else to otherwise', async () => {
    const seen: string[] = [];
    const note = (name: string) => (event: { eventType: string }) => seen.push(`${name} ${event.eventType}`);
    const handle = receiver().handler({
      'ONRAMP.*': note('wide'),
      'ONRAMP.STATUS.*': note('narrow'),
      'ONRAMP.STATUS.COMPLETED': note('exact'),
      'TRANSFER.APPROVAL.*': note('approval'),
      PING: note('ping'),
      'lower.case': note('lower'),
      otherwise: note('other'),
    });
    const kinds = [
      'ONRAMP.CREATE',
      'ONRAMP.STATUS.EXPIRED',
      'ONRAMP.STATUS.COMPLETED',
      'TRANSFER.APPROVAL.REJECTED',
      'PING',
      'lower.case',
      'ONRAMP',
      'ONRAMPS.CREATE',
      'ONRAMP.*',
      'otherwise',
      'toString',
    ];
    for (const eventType of kinds) {
      expect((await handle(await delivery({ ...rejected, eventType }))).status).toBe(200);
    }
    expect(seen).toEqual([
      'wide ONRAMP.CREATE',
      'narrow ONRAMP.STATUS.EXPIRED',
      'exact ONRAMP.STATUS.COMPLETED',
      'approval TRANSFER.APPROVAL.REJECTED',
      'ping PING',
      'lower lower.case',
      'other ONRAMP',
      'other ONRAMPS.CREATE',
      'wide ONRAMP.*',
      'other otherwise',
      'other toString',
    ]);
  });

  it('leaves nothing for otherwise where a wildcard takes every kind', async () => {
    const seen: string[] = [];
    const handle = receiver().handler({
      '*': (event) => seen.push(`all ${event.eventType}`),
      otherwise: (event) => seen.push(event.eventType),
    });
    await handle(await delivery(rejected));
    expect(seen).toEqual(['all TRANSFER.APPROVAL.REJECTED']);
  });

  it.each([
    ['a kind that is misspelt by one letter', { 'TRANSFER.APPROVAL.APROVED': () => {} }, /Did you mean/],
    ['a documented kind in lower case', { 'transfer.approval.pending': () => {} }, /Did you mean/],
    ['a misspelt otherwise', { otherwize: () => {} }, /Did you mean "otherwise"/],
    ['a name that is no kind', { default: () => {} }, /no event kind "default"/],
    ['a wildcard in the middle', { 'ONRAMP.*.COMPLETED': () => {} }, /wildcard/],
    ['a wildcard without a dot', { 'ONRAMP*': () => {} }, /wildcard/],
  ])('cannot be made with %s', async (_name, handlers, message) => {
    expect(() => receiver().handler(handlers as WebhookHandlers)).toThrow(message);
    expect(await codeOf(() => receiver().handler(handlers as WebhookHandlers))).toBe('configuration');
  });

  it('can be made with a kind that differs from a documented one by more than one letter', () => {
    expect(receiver().handler({ 'ACCOUNT.OFFRAMP.CREATE': () => {} })).toBeTypeOf('function');
  });

  it('takes a documented kind without the field that its handlers need for a fault of its own', async () => {
    const handler = vi.fn();
    const handle = receiver().handler({ otherwise: handler });
    const bare = { eventType: 'TRANSFER.APPROVAL.PENDING', data: { transfer: 'tr_1' } };
    expect((await handle(await delivery(bare))).status).toBe(500);
    expect(handler).not.toHaveBeenCalled();
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
  ])('survives an onError that %s', async (_how, onError) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const handle = receiver({ onError }).handler(accepting);
    expect((await handle(await delivery('{}'))).status).toBe(500);
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('answers 503 to an upload that breaks, because a retry can succeed, and logs nothing', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('connection lost'));
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: broken, duplex: 'half' };
    const handle = createWebhookReceiver({ verifier, now }).handler(accepting);
    expect((await handle(new Request('http://receiver.test/', init))).status).toBe(503);
    expect(printed).not.toHaveBeenCalled();
  });

  it('answers 413 although the body cannot be cancelled', async () => {
    const stubborn = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64)),
      cancel: () => Promise.reject(new Error('no')),
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stubborn, duplex: 'half' };
    const handle = receiver({ maxBodyBytes: 32 }).handler(accepting);
    expect((await handle(new Request('http://receiver.test/', init))).status).toBe(413);
  });

  it.each([
    ["Hono's context", { req: { raw: new Request('http://receiver.test/') } }, /context\.req\.raw/],
    ["Hono's request", { raw: new Request('http://receiver.test/'), method: 'POST' }, /context\.req\.raw/],
    ["Fastify's request", { raw: {}, method: 'POST', headers: {} }, /Fastify: use fastifyPlugin/],
    ["Node's request", { method: 'POST', headers: { host: 'receiver.test' } }, /nodeHandler/],
    ['nothing', undefined, /did not receive a Request/],
  ])('explains that it was passed %s in place of a Request', async (_name, given, message) => {
    const errors: unknown[] = [];
    const handle = receiver({ onError: (error) => errors.push(error) }).handler(accepting);
    expect((await handle(given as never)).status).toBe(500);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
  });

  it('cannot be made with an unknown way to acknowledge', async () => {
    expect(await codeOf(() => receiver().handler(accepting, { acknowledge: 'never' as never }))).toBe(
      'configuration',
    );
  });
});

describe('de-duplication', () => {
  it('handles an event once, however often it is delivered', async () => {
    const handler = vi.fn();
    const handle = receiver({ dedupe: memoryDedupe() }).handler({ otherwise: handler });
    expect(await answerOf(await handle(await delivery(rejected)))).toEqual({ status: 200, received: true });
    expect(await answerOf(await handle(await delivery(rejected)))).toEqual({
      status: 200,
      received: true,
      duplicate: true,
    });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('handles an event again after its handler failed', async () => {
    const handler = vi.fn().mockRejectedValueOnce(new Error('once'));
    const handle = receiver({ dedupe: memoryDedupe() }).handler({ otherwise: handler });
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      statuses.push((await handle(await delivery(rejected))).status);
    expect(statuses).toEqual([500, 200, 200]);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('sends a duplicate away that arrives while the first is being handled', async () => {
    const { promise, resolve } = deferred();
    const handler = vi.fn(() => promise);
    const handle = receiver({ dedupe: memoryDedupe() }).handler({ otherwise: handler });
    const first = handle(await delivery(rejected));
    await vi.waitFor(() => expect(handler).toHaveBeenCalled());
    const second = await handle(await delivery(rejected));
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await second.json()).toMatchObject({ error: { code: 'webhook_in_progress' } });
    resolve();
    expect((await first).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('handles one of many simultaneous deliveries of an event', async () => {
    const handler = vi.fn(() => new Promise(setImmediate));
    const handle = receiver({ dedupe: memoryDedupe() }).handler({ otherwise: handler });
    const requests = await Promise.all(Array.from({ length: 20 }, () => delivery(rejected)));
    await Promise.all(requests.map((request) => handle(request)));
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('never takes an unverified delivery for a duplicate, nor lets it claim', async () => {
    const handler = vi.fn();
    const handle = receiver({ dedupe: memoryDedupe() }).handler({ otherwise: handler });
    expect((await handle(await delivery(rejected, { 'webhook-signature': 'v1,AAAA' }))).status).toBe(401);
    expect((await handle(await delivery(rejected))).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('takes the signed id first, then eventId, then id, then the body; an eventId function goes before all', async () => {
    const ids: string[] = [];
    const idsOf = (options: Partial<WebhookReceiverOptions> = {}) =>
      receiver(options).handler({ otherwise: (_event, { id }) => ids.push(id) });
    const bare = { eventType: 'NEW.KIND', data: { n: 1 } };
    const unsigned = { verifier: async () => true as const };
    await idsOf()(await signedWithId({ ...bare, eventId: 'e1', id: 'i1' }, 'msg_1'));
    await idsOf(unsigned)(await signedWithId({ ...bare, eventId: 'e1', id: 'i1' }, 'msg_1'));
    await idsOf(unsigned)(await delivery({ ...bare, eventId: '', id: 42 }));
    await idsOf(unsigned)(await signedWithId(bare, 'msg_1'));
    await idsOf({ eventId: (event) => `own ${String(event.data.n)}` })(await signedWithId(bare, 'msg_1'));
    await idsOf({ ...unsigned, eventId: () => undefined })(await delivery({ ...bare, id: 'i2' }));
    expect(ids).toEqual(['msg_1', 'e1', '42', expect.stringMatching(/^sha256:[0-9a-f]{64}$/), 'own 1', 'i2']);
  });

  it.each(['', ' ', 7, null, Promise.resolve('e1')])(
    'responds with 500 where the eventId function returns %o, which is no id',
    async (id) => {
      const handler = vi.fn();
      const errors: unknown[] = [];
      const handle = receiver({
        dedupe: memoryDedupe(),
        eventId: () => id as never,
        onError: (error) => errors.push(error),
      }).handler({ otherwise: handler });
      expect((await handle(await delivery(rejected))).status).toBe(500);
      expect((await handle(await delivery({ ...rejected, eventId: 'evt_2' }))).status).toBe(500);
      expect(errors[0]).toMatchObject({ code: 'configuration', message: expect.stringContaining('eventId') });
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it('does not take events of different kinds for the same although they carry the same id', async () => {
    const handler = vi.fn();
    const handle = receiver({ dedupe: memoryDedupe() }).handler({ otherwise: handler });
    await handle(await delivery({ ...rejected, eventId: 'ap_1' }));
    await handle(await delivery({ ...pendingEvent, eventId: 'ap_1' }));
    expect(handler).toHaveBeenCalledTimes(2);
  });

  const store = (broken: Partial<DedupeStore>): DedupeStore => ({
    claim: async () => 'claimed',
    commit: async () => {},
    release: async () => {},
    ...broken,
  });

  it('gives each delivery an owner of its own', async () => {
    const owners = new Set<string>();
    const dedupe = store({
      claim: async (_id, owner) => {
        owners.add(owner);
        return 'claimed';
      },
    });
    const handle = receiver({ dedupe }).handler(accepting);
    await handle(await delivery(rejected));
    await handle(await delivery(rejected));
    expect(owners.size).toBe(2);
  });
});

describe('acknowledge: before-handling', () => {
  it('answers 202 at once and finishes under waitUntil', async () => {
    const { promise, resolve } = deferred();
    const background: Promise<unknown>[] = [];
    const context = {
      list: background,
      waitUntil(work: Promise<unknown>) {
        this.list.push(work);
      },
    };
    const done = vi.fn();
    const handle = receiver({ dedupe: memoryDedupe() }).handler(
      { otherwise: () => promise.then(done) },
      { acknowledge: 'before-handling' },
    );
    expect((await handle(await delivery(rejected), context)).status).toBe(202);
    expect(done).not.toHaveBeenCalled();
    expect((await handle(await delivery(rejected), context)).status).toBe(503);
    resolve();
    await Promise.all(background);
    expect(done).toHaveBeenCalledTimes(1);
    expect(await answerOf(await handle(await delivery(rejected), context))).toMatchObject({
      duplicate: true,
    });
  });

  it('reports a handler that fails, never as an unhandled rejection, and releases its claim', async () => {
    const background: Promise<unknown>[] = [];
    const errors: unknown[] = [];
    const handler = vi.fn().mockRejectedValueOnce(new Error('once'));
    const handle = receiver({
      dedupe: memoryDedupe(),
      onError: (error) => errors.push(String(error)),
    }).handler({ otherwise: handler }, { acknowledge: 'before-handling' });
    const context = { waitUntil: (work: Promise<unknown>) => background.push(work) };
    await handle(await delivery(rejected), context);
    await Promise.all(background);
    expect(errors).toEqual(['Error: once']);
    expect((await handle(await delivery(rejected), context)).status).toBe(202);
    await Promise.all(background);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('answers 500 where the platform has no waitUntil, instead of losing the event', async () => {
    const handler = vi.fn();
    const handle = receiver().handler({ otherwise: handler }, { acknowledge: 'before-handling' });
    for (const context of [undefined, null, {}, { waitUntil: true }]) {
      expect((await handle(await delivery(rejected), context)).status).toBe(500);
    }
    expect(handler).not.toHaveBeenCalled();
  });

  it('waits for the handler where the platform refuses to', async () => {
    const handler = vi.fn();
    const errors: unknown[] = [];
    const handle = receiver({ onError: (error) => errors.push(error) }).handler(
      { otherwise: handler },
      { acknowledge: 'before-handling' },
    );
    const context = {
      waitUntil() {
        throw new Error('the request is over');
      },
    };
    expect((await handle(await delivery(rejected), context)).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(errors).toHaveLength(1);
  });
});

async function signedWithId(event: object, id: string): Promise<Request> {
  const { body, headers } = await signWebhook(event, { standardWebhooks: { secret, id, timestamp: moment } });
  return new Request('http://receiver.test/', { method: 'POST', body, headers });
}
