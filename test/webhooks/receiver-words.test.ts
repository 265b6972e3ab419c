import { createHash } from 'node:crypto';
import { ConfigurationError, WebhookVerificationError } from 'stablecoin-payments';
import { createWebhookReceiver, isKnownEvent, verified } from 'stablecoin-payments/webhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dispatcher } from '../../src/webhooks/receiving/dispatch.ts';
import {
  isApprovalEvent,
  memoryOrderStore,
  orderGuard,
  parseEvent,
} from '../../src/webhooks/receiving/events.ts';
import { deliveryHandler, refuse } from '../../src/webhooks/receiving/handle-delivery.ts';
import { bodyBytes, normalHeaders, readRawBody } from '../../src/webhooks/receiving/raw-request.ts';
import { httpStatusOf, receiverCore } from '../../src/webhooks/receiving/receiver-core.ts';
import { refusalOf } from './support.ts';

const json = (value: unknown) => JSON.stringify(value);
const event = { eventType: 'NEW.KIND', eventId: 'evt_1', data: { n: 1 } };
const approval = (kind: string, createdAt?: unknown, transferId = 'tr_1') =>
  ({ eventType: `TRANSFER.APPROVAL.${kind}`, createdAt, data: { transferId } }) as never;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a receiver', () => {
  const core = (options: object = {}) => receiverCore({ verifier: async () => true, ...options } as never);

  it.each([
    [
      { verifier: undefined },
      'A webhook receiver needs a verifier, such as standardWebhooks({ secret }): nothing is received unverified.',
    ],
    [{ tolerance: -1 }, 'tolerance must be a number of seconds, 0 or more; 0 is strict, not off.'],
    [{ tolerance: Number.NaN }, 'tolerance must be a number of seconds, 0 or more; 0 is strict, not off.'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes must be a positive whole number.'],
    [{ maxBodyBytes: 1.5 }, 'maxBodyBytes must be a positive whole number.'],
  ])('cannot be made with %o', async (options, words) => {
    expect(await refusalOf(() => core(options))).toEqual(['configuration', words]);
  });

  it('has a tolerance of 300 seconds, a limit of 1 MiB and the clock of the machine by default', async () => {
    const verifier = vi.fn(async () => true);
    const before = Date.now();
    const made = receiverCore({ verifier } as never);
    await made.open(json(event), {});
    expect(made.maxBodyBytes).toBe(1_048_576);
    expect([made.dedupe, made.guard]).toEqual([undefined, undefined]);
    const [seen] = verifier.mock.calls[0] as unknown as [{ now: number; tolerance: number }];
    expect(seen.tolerance).toBe(300);
    expect(seen.now).toBeGreaterThanOrEqual(before);
    expect(seen.now).toBeLessThanOrEqual(Date.now());
    expect(core({ tolerance: 0, maxBodyBytes: 1 }).maxBodyBytes).toBe(1);
  });

  it('guards the order where it is told to', () => {
    expect(core({ orderGuard: false }).guard).toBeUndefined();
    expect(core({ orderGuard: new Map() }).guard).toBeTypeOf('object');
  });

  it('guards the order in memory where no store is given', async () => {
    const { guard } = core({ orderGuard: true });
    await guard?.note(approval('APPROVED', '2026-03-01T11:00:00Z'));
    expect(await guard?.isOutOfOrder(approval('PENDING', '2026-03-01T10:00:00Z'))).toBe(true);
  });

  it.each<[string, unknown, [string, number, string]]>([
    ['false', false, ['webhook_bad_signature', 401, 'The verifier did not accept the delivery.']],
    [
      'an object of its own',
      { id: 'd1' },
      [
        'webhook_bad_signature',
        500,
        'The delivery was refused because the verifier resolved with something other than true, false or verified({ id }). ' +
          'An object of your own never accepts a delivery, and neither does one of another copy of this package.',
      ],
    ],
  ])('refuses a delivery whose verifier resolves with %s', async (_what, result, refusal) => {
    const error: unknown = await core({ verifier: async () => result, unverifiedStatus: 401 })
      .open(json(event), {})
      .catch((caught: unknown) => caught);
    if (!(error instanceof WebhookVerificationError)) throw error;
    expect([error.code, error.status, error.message]).toEqual(refusal);
  });

  it('keeps the error that a verifier threw, and passes on one of this package', async () => {
    const thrown = new Error('theirs');
    const fail = (error: Error) => () => {
      throw error;
    };
    const error: unknown = await core({ verifier: fail(thrown) })
      .open(json(event), {})
      .catch((caught: unknown) => caught);
    if (!(error instanceof WebhookVerificationError)) throw error;
    expect([error.code, error.message, error.originalError]).toEqual([
      'webhook_verifier_failed',
      'The verifier threw an error, so the delivery was refused.',
      thrown,
    ]);
    const own = new ConfigurationError('Ours.');
    await expect(core({ verifier: fail(own) }).open(json(event), {})).rejects.toBe(own);
  });

  it('takes the id of the eventId function, of the signature, of the event or of its content', async () => {
    const idOf = async (value: object, options: object = {}) =>
      (await core(options).open(json(value), {})).id;
    const bare = { eventType: 'NEW.KIND', data: {} };
    const signed = { verifier: async () => verified({ id: 'signed' }) };
    expect(await idOf({ ...event, id: 'i1' }, { ...signed, eventId: () => 'chosen' })).toBe('chosen');
    expect(await idOf({ ...event, id: 'i1' }, { ...signed, eventId: () => undefined })).toBe('signed');
    expect(await idOf({ ...event, id: 'i1' })).toBe('evt_1');
    expect(await idOf({ ...bare, eventId: 7, id: 'i1' })).toBe('7');
    expect(await idOf({ ...bare, eventId: '', id: 'i1' })).toBe('i1');
    expect(await idOf({ ...bare, eventId: null, id: 8 })).toBe('8');
    const digest = createHash('sha256')
      .update(json({ data: {}, eventType: 'NEW.KIND', id: '' }))
      .digest('hex');
    expect(await idOf({ ...bare, id: '' })).toBe(`sha256:${digest}`);
  });

  it.each([' ', '', 7, null])('refuses the id %j of an eventId function', async (id) => {
    expect(await refusalOf(core({ eventId: () => id }).open(json(event), {}))).toEqual([
      'configuration',
      'The eventId function returned no usable id: it must return a string that is not blank, or undefined for the default.',
    ]);
  });

  it('gives handlers the event and its headers', async () => {
    const { event: received, headers } = await core().open(json(event), { 'X-A': 'b' });
    expect(received).toEqual(event);
    expect(headers.get('x-a')).toBe('b');
  });

  it('reports to onError, whatever becomes of it', async () => {
    const reported: unknown[] = [];
    core({ onError: (...given: unknown[]) => reported.push(given) }).report('e', { status: 500 });
    expect(reported).toEqual([['e', { status: 500 }]]);
    const failing = () => {
      throw new Error('down');
    };
    expect(() => core({ onError: failing }).report('e', { status: 500 })).not.toThrow();
  });

  it('outlives an onError that rejects', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    core({ onError: () => Promise.reject(new Error('down')) }).report('e', { status: 500 });
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('notes on the console what is its own fault or lost, and nothing of the content', () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { report } = core();
    const lost = new WebhookVerificationError('No event.', { code: 'webhook_malformed_body' });
    const refused = new WebhookVerificationError('Refused.', { code: 'webhook_bad_signature' });
    report(new TypeError('hunter2'), { status: 500, event: event as never });
    report('hunter2', { status: 503 });
    report(refused, { status: 500 });
    report(lost, { status: 400 });
    report(lost, { status: 400 });
    for (let more = 0; more < 10; more += 1) report(refused, { status: 401 });
    report(new WebhookVerificationError('Hung up.', { code: 'webhook_upload_aborted' }), { status: 503 });
    report(Object.assign(new Error('hunter2'), { code: 'ECONNREFUSED' }), { status: 503 });
    report(Object.assign(new Error('x'), { code: 'hunter2' }), { status: 503 });
    const hint = '(onError receives the whole error)';
    expect(printed.mock.calls).toEqual([
      [`stablecoin-payments/webhooks: 500 for "NEW.KIND": TypeError ${hint}`],
      [`stablecoin-payments/webhooks: 503 for a delivery: string ${hint}`],
      [`stablecoin-payments/webhooks: 500 for a delivery: Refused. ${hint}`],
      [`stablecoin-payments/webhooks: 400 for a delivery: No event. ${hint}`],
      [`stablecoin-payments/webhooks: 400 for a delivery: No event. ${hint}`],
      [`stablecoin-payments/webhooks: 401 for a delivery: Refused. This happened 10 times. ${hint}`],
      [`stablecoin-payments/webhooks: 503 for a delivery: Error ECONNREFUSED ${hint}`],
      [`stablecoin-payments/webhooks: 503 for a delivery: Error ${hint}`],
    ]);
  });

  it('has a status for every error', () => {
    expect(httpStatusOf(new WebhookVerificationError('x', { code: 'webhook_bad_signature' }))).toBe(401);
    expect(httpStatusOf(new WebhookVerificationError('x', { status: 418 }))).toBe(418);
    expect(httpStatusOf(new ConfigurationError('x'))).toBe(500);
    expect(httpStatusOf(Object.assign(new ConfigurationError('x'), { status: 400 }))).toBe(500);
    expect(
      httpStatusOf(Object.assign(new Error('x'), { status: 400, name: 'WebhookVerificationError' })),
    ).toBe(500);
    const named = (more: object) =>
      Object.defineProperties(new ConfigurationError('x'), {
        name: { value: 'WebhookVerificationError' },
        ...more,
      });
    expect(httpStatusOf(named({}))).toBe(500);
    expect(httpStatusOf(named({ status: { value: '400' } }))).toBe(500);
    expect(httpStatusOf(undefined)).toBe(500);
  });
});

describe('a signed body', () => {
  const parsed = (text: string) => refusalOf(() => parseEvent(Buffer.from(text)));
  const malformed = (words: string) => ['webhook_malformed_body', words];

  it('is the event as it was received', () => {
    expect(parseEvent(Buffer.from(json(event)))).toEqual(event);
    expect(parseEvent(Buffer.from(json(approval('PENDING', 7))))).toEqual(approval('PENDING', 7));
  });

  it.each([
    ['{', 'The signed body is not JSON in UTF-8.'],
    ['', 'The signed body is not JSON in UTF-8.'],
    ['[]', 'The signed body is not a JSON object.'],
    ['null', 'The signed body is not a JSON object.'],
    ['"text"', 'The signed body is not a JSON object.'],
    ['{}', 'The signed body is not an event: eventType, data is missing or of the wrong type.'],
    [
      '{"eventType":7,"data":{}}',
      'The signed body is not an event: eventType is missing or of the wrong type.',
    ],
    ['{"eventType":"A","data":[]}', 'The signed body is not an event: data is missing or of the wrong type.'],
  ])('is refused where it is %s', async (text, words) => {
    expect(await parsed(text)).toEqual(malformed(words));
  });

  it('is refused where it is not UTF-8', async () => {
    expect(await refusalOf(() => parseEvent(Uint8Array.of(0x22, 0xff, 0x22)))).toEqual(
      malformed('The signed body is not JSON in UTF-8.'),
    );
  });

  it.each(['PENDING', 'APPROVED', 'REJECTED'])('of the kind %s needs its transfer', (kind) => {
    for (const data of [{}, { transferId: 7 }]) {
      let caught: unknown;
      try {
        parseEvent(Buffer.from(json({ eventType: `TRANSFER.APPROVAL.${kind}`, data })));
      } catch (error) {
        caught = error;
      }
      if (!(caught instanceof WebhookVerificationError)) throw caught;
      expect([caught.code, caught.status, caught.message]).toEqual([
        'webhook_malformed_body',
        500,
        'The signed approval event has no data.transferId that is a string.',
      ]);
    }
  });

  it('of another kind does not', () => {
    for (const eventType of ['TRANSFER.APPROVAL.EXPIRED', 'ACCOUNT.ONRAMP.CREATE']) {
      expect(parseEvent(Buffer.from(json({ eventType, data: {} })))).toEqual({ eventType, data: {} });
    }
  });

  it('is of a documented kind or not', () => {
    const kinds = [
      'ACCOUNT.ONRAMP.CREATE',
      'ACCOUNT.ONRAMP.UPDATE',
      'TRANSFER.APPROVAL.PENDING',
      'NEW.KIND',
      '',
    ];
    const events = kinds.map((eventType) => ({ eventType, data: {} }) as never);
    expect(events.map((one) => isKnownEvent(one))).toEqual([true, true, true, false, false]);
    expect(events.map((one) => isApprovalEvent(one))).toEqual([false, false, true, false, false]);
  });
});

describe('the handlers of a receiver', () => {
  const made = (handlers: object) => refusalOf(() => dispatcher(handlers as never));
  const noKind = (name: string, more: string) => [
    'configuration',
    `There is no event kind "${name}". ${more}`,
  ];
  const shape = 'Kinds look like "ONRAMP.CREATE"; "otherwise" takes every other event.';
  const meant = (kind: string) => `Did you mean "${kind}"? A wildcard takes kinds that differ by one letter.`;
  const wild = (kind: string) => `Did you mean "${kind}"? "*" takes every kind.`;
  const wildcard = (name: string) => [
    'configuration',
    `"${name}" is not an event kind. A wildcard is a kind's beginning and ".*", such as "ONRAMP.*".`,
  ];

  it.each<[string, string[]]>([
    ['default', noKind('default', shape)],
    ['Default', noKind('Default', shape)],
    ['ABCd', noKind('ABCd', shape)],
    ['dABC', noKind('dABC', shape)],
    ['OTHERWISE', noKind('OTHERWISE', meant('otherwise'))],
    ['otherwize', noKind('otherwize', meant('otherwise'))],
    ['outOfOrde', noKind('outOfOrde', meant('outOfOrder'))],
    ['TRANSFER.APPROVAL.APROVED', noKind('TRANSFER.APPROVAL.APROVED', meant('TRANSFER.APPROVAL.APPROVED'))],
    ['TRANSFER.APPROVAL.PENDINGS', noKind('TRANSFER.APPROVAL.PENDINGS', meant('TRANSFER.APPROVAL.PENDING'))],
    ['TRANSFER_APPROVAL.PENDING', noKind('TRANSFER_APPROVAL.PENDING', meant('TRANSFER.APPROVAL.PENDING'))],
    ['TRANSFER.APPROVALL.PENDING', noKind('TRANSFER.APPROVALL.PENDING', meant('TRANSFER.APPROVAL.PENDING'))],
    ['transfer.approval.pending', noKind('transfer.approval.pending', meant('TRANSFER.APPROVAL.PENDING'))],
    ['ONRAMP.STATUS.COMPLETE', noKind('ONRAMP.STATUS.COMPLETE', meant('ONRAMP.STATUS.COMPLETED'))],
    ['OFFRAMP.STATUS.IN_REVEW', noKind('OFFRAMP.STATUS.IN_REVEW', meant('OFFRAMP.STATUS.IN_REVIEW'))],
    ['WALLET.TRANSFER.CREAT', noKind('WALLET.TRANSFER.CREAT', meant('WALLET.TRANSFER.CREATE'))],
    ['KYC.STATUS.UPDATES', noKind('KYC.STATUS.UPDATES', meant('KYC.STATUS.UPDATE'))],
    ['OFFRAMP.RFI.CLOSE', noKind('OFFRAMP.RFI.CLOSE', meant('OFFRAMP.RFI.CLOSED'))],
    [
      'wallet.token.balance.update',
      noKind('wallet.token.balance.update', meant('WALLET.TOKEN.BALANCE.UPDATE')),
    ],
    ['OFFRAMP.UPDATED', noKind('OFFRAMP.UPDATED', meant('OFFRAMP.UPDATE'))],
    ['OFFRAM.*', noKind('OFFRAM.*', wild('OFFRAMP.*'))],
    ['ONRAMP.STAUS.*', noKind('ONRAMP.STAUS.*', wild('ONRAMP.STATUS.*'))],
    ['Wallet.*', noKind('Wallet.*', wild('WALLET.*'))],
    ['ONRAMP.STATUS.*', ['nothing was thrown', '']],
    ['USERS.*', ['nothing was thrown', '']],
    ['SWAP.*', ['nothing was thrown', '']],
    ['OFFRAMP.CREATE', ['nothing was thrown', '']],
    ['TRANSFER.APPROVAL.EXPIRED', ['nothing was thrown', '']],
    ['ccount.onramp.create', ['nothing was thrown', '']],
    ['CCOUNT.ONRAMP.CREATE', noKind('CCOUNT.ONRAMP.CREATE', meant('ACCOUNT.ONRAMP.CREATE'))],
    ['', wildcard('')],
    ['.*', wildcard('.*')],
    ['A.*.B', wildcard('A.*.B')],
    ['A*', wildcard('A*')],
    ['A B', wildcard('A B')],
    ['A.**', wildcard('A.**')],
    ['**', wildcard('**')],
    ['*', ['nothing was thrown', '']],
    ['A.*', ['nothing was thrown', '']],
    ['a.*', ['nothing was thrown', '']],
    ['a.b', ['nothing was thrown', '']],
    ['PING', ['nothing was thrown', '']],
    ['PING2', ['nothing was thrown', '']],
    ['otherwise', ['nothing was thrown', '']],
    ['outOfOrder', ['nothing was thrown', '']],
    ['TRANSFER.APPROVAL.PENDING', ['nothing was thrown', '']],
    ['ACCOUNT.OFFRAMP.CREATE', ['nothing was thrown', '']],
  ])('may be for %j: %j', async (name, refusal) => {
    expect(await made({ [name]: () => {} })).toEqual(refusal);
    expect(await made({ [name]: undefined })).toEqual(refusal);
  });

  it('are functions', async () => {
    expect(await made({ PING: 'later' })).toEqual([
      'configuration',
      'The handler of PING is not a function.',
    ]);
    expect(await made({ otherwise: null })).toEqual([
      'configuration',
      'The handler of otherwise is not a function.',
    ]);
  });

  it('are chosen by the kind, the longest wildcard, or otherwise', async () => {
    const seen: string[] = [];
    const note = (name: string) => (one: { eventType: string }, context: unknown) =>
      seen.push(`${name} ${one.eventType} ${String(context)}`);
    const handlers = {
      'A.*': note('short'),
      'A.B.*': note('long'),
      'A.B.C': note('own'),
      'X.*': undefined,
      otherwise: note('otherwise'),
      outOfOrder: note('outOfOrder'),
    };
    const dispatch = dispatcher(handlers as never);
    for (const eventType of ['A.X', 'A.B.X', 'A.B.C', 'AX', 'X.Y', 'otherwise', 'outOfOrder', 'A.*', 'A.B']) {
      await dispatch({ eventType } as never, 'c' as never);
    }
    expect(seen).toEqual([
      'short A.X c',
      'long A.B.X c',
      'own A.B.C c',
      'otherwise AX c',
      'otherwise X.Y c',
      'otherwise otherwise c',
      'otherwise outOfOrder c',
      'short A.* c',
      'short A.B c',
    ]);
    await dispatcher({})({ eventType: 'A' } as never, 'c' as never);
    await dispatcher({ '*': note('all'), 'A.*': note('short') } as never)(
      { eventType: 'B' } as never,
      'c' as never,
    );
    expect(seen.at(-1)).toBe('all B c');
  });
});

describe('a raw request', () => {
  const advice =
    'The signature covers the bytes as they were sent, so they are needed before any JSON parser has read them. ' +
    'Express: mount nodeHandler before express.json(), or use express.raw({ type: "*/*" }) on the route. ' +
    'Fastify: register fastifyPlugin, which keeps the raw body. ' +
    'Fetch handlers (Hono, Next.js, Bun, Deno, Workers): pass the untouched Request (in Hono context.req.raw, and no ' +
    'middleware may read the body first), or await request.text() or .bytes().';
  const tooLarge = ['webhook_body_too_large', 'The body is larger than the limit of 3 bytes (maxBodyBytes).'];

  it('has a body of text or bytes, which is copied', () => {
    const buffer = Uint8Array.of(9, 1, 2, 9);
    const view = buffer.subarray(1, 3);
    expect(bodyBytes('é', 3)).toEqual(Uint8Array.of(0xc3, 0xa9));
    const [ofView, ofBuffer] = [bodyBytes(view, 3), bodyBytes(view.slice().buffer, 3)];
    expect([ofView, ofBuffer]).toEqual([Uint8Array.of(1, 2), Uint8Array.of(1, 2)]);
    buffer.fill(0);
    expect(ofView).toEqual(Uint8Array.of(1, 2));
    const plain = Uint8Array.of(5, 6).buffer;
    const copy = bodyBytes(plain, 3);
    new Uint8Array(plain).fill(0);
    expect(copy).toEqual(Uint8Array.of(5, 6));
    expect(bodyBytes('abc', 3)).toHaveLength(3);
  });

  it('is refused with advice where the body is missing, parsed or too large', async () => {
    for (const none of [undefined, null]) {
      expect(await refusalOf(() => bodyBytes(none, 3))).toEqual([
        'webhook_missing_body',
        `There is no body. ${advice}`,
      ]);
    }
    for (const object of [{}, 7, true]) {
      expect(await refusalOf(() => bodyBytes(object, 3))).toEqual([
        'webhook_body_already_parsed',
        `The body was already parsed into an object. ${advice}`,
      ]);
    }
    expect(await refusalOf(() => bodyBytes('abcd', 3))).toEqual(tooLarge);
  });

  it('is read to its end, and no further than the limit', async () => {
    let read = 0;
    const failure = new Error('reset');
    async function* chunks(count: number, fails = false) {
      for (let index = 0; index < count; index += 1) {
        read += 1;
        yield Uint8Array.of(index);
      }
      if (fails) throw failure;
    }
    expect(await readRawBody(chunks(3), null, 3)).toEqual(Uint8Array.of(0, 1, 2));
    expect(await readRawBody(chunks(0), '3', 3)).toEqual(Uint8Array.of());
    read = 0;
    expect(await refusalOf(readRawBody(chunks(9), null, 3))).toEqual(tooLarge);
    expect(read).toBe(4);
    expect(await refusalOf(readRawBody(chunks(9), '4', 3))).toEqual(tooLarge);
    expect(read).toBe(4);
    const aborted: unknown = await readRawBody(chunks(1, true), null, 3).catch((error: unknown) => error);
    if (!(aborted instanceof WebhookVerificationError)) throw aborted;
    expect([aborted.code, aborted.message, aborted.originalError]).toEqual([
      'webhook_upload_aborted',
      'The sender hung up before the body was complete.',
      failure,
    ]);
  });

  it('has headers of any kind', async () => {
    const own = new Headers({ a: 'b' });
    expect(normalHeaders(own)).toBe(own);
    const plain = {
      A: 'b',
      list: ['c', 'd'],
      number: 7,
      none: undefined,
      nothing: null,
      ':method': 'POST',
      on: true,
    };
    expect([...normalHeaders(plain)]).toEqual([
      ['a', 'b'],
      ['list', 'c, d'],
      ['number', '7'],
    ]);
    const foreign = Object.assign(new Map([['X-A', 'b']]), {});
    expect([...normalHeaders(foreign)]).toEqual([['x-a', 'b']]);
    expect([...normalHeaders({ get: 'not a function', [Symbol.iterator]: 'nor this' })]).toEqual([
      ['get', 'not a function'],
    ]);
    expect([...normalHeaders(['a'])]).toEqual([['0', 'a']]);
    expect([...normalHeaders({ get: () => 'x', a: 'b' })]).toEqual([['a', 'b']]);
    for (const none of [undefined, null, 'a: b', 7]) {
      expect(await refusalOf(() => normalHeaders(none))).toEqual([
        'webhook_missing_header',
        "There are no headers. Pass the request's headers with its body.",
      ]);
    }
  });
});

describe('the order of approvals', () => {
  const [early, late] = ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z'];
  const out = async (before: unknown[], next: unknown) => {
    const guard = orderGuard(new Map<string, string>(), 5);
    for (const one of before) await guard.note(one as never);
    return guard.isOutOfOrder(next as never);
  };

  it.each<[string, unknown[], unknown, boolean]>([
    ['the first event', [], approval('PENDING', early), false],
    ['a later event', [approval('APPROVED', early)], approval('REJECTED', late), false],
    ['an event of the same time', [approval('APPROVED', early)], approval('REJECTED', early), false],
    ['an earlier event', [approval('APPROVED', late)], approval('REJECTED', early), true],
    ['an earlier PENDING after PENDING', [approval('PENDING', late)], approval('PENDING', early), true],
    ['the same PENDING', [approval('PENDING', early)], approval('PENDING', early), false],
    ['a later PENDING after a decision', [approval('APPROVED', early)], approval('PENDING', late), false],
    ['a PENDING of the same time', [approval('APPROVED', early)], approval('PENDING', early), true],
    ['a PENDING without a time', [approval('APPROVED', early)], approval('PENDING'), true],
    ['a PENDING after a decision without a time', [approval('APPROVED')], approval('PENDING', late), true],
    ['a PENDING without a time after PENDING', [approval('PENDING', early)], approval('PENDING'), false],
    ['an event without a time', [approval('PENDING', late)], approval('APPROVED'), false],
    ['an event after one without a time', [approval('APPROVED')], approval('REJECTED', early), false],
    ['an event whose time is no text', [approval('APPROVED', late)], approval('REJECTED', 7), false],
    ['an event whose time is no time', [approval('APPROVED', late)], approval('REJECTED', 'soon'), false],
    ['an event of another transfer', [approval('APPROVED', late)], approval('PENDING', early, 'tr_2'), false],
    [
      'an event of another kind',
      [approval('APPROVED', late)],
      { ...event, createdAt: early, data: { transferId: 'tr_1' } },
      false,
    ],
    [
      'an event after an earlier one that came late',
      [approval('APPROVED', late), approval('PENDING', early)],
      approval('REJECTED', early),
      true,
    ],
  ])('%s', async (_what, before, next, expected) => {
    expect(await out(before, next)).toBe(expected);
  });

  it('is kept as the kind and the time, and not for other kinds', async () => {
    const store = new Map<string, string>();
    const guard = orderGuard(store, 5);
    await guard.note(approval('PENDING', early));
    await guard.note(approval('APPROVED', undefined, 'tr_2'));
    await guard.note(event as never);
    expect([...store]).toEqual([
      ['webhook-order:tr_1', 'TRANSFER.APPROVAL.PENDING 1772359200000'],
      ['webhook-order:tr_2', 'TRANSFER.APPROVAL.APPROVED '],
    ]);
  });

  it('is not told by a mark that is no text', async () => {
    const guard = orderGuard({ get: () => 7, set: () => undefined }, 5);
    expect(await guard.isOutOfOrder(approval('PENDING', early))).toBe(false);
  });

  it('is remembered in memory for the 10,000 transfers that came last', () => {
    const store = memoryOrderStore();
    for (let index = 0; index < 10_000; index += 1) store.set(`tr_${index}`, 'mark');
    store.set('tr_0', 'again');
    expect([store.get('tr_0'), store.get('tr_1')]).toEqual(['again', 'mark']);
    store.set('tr_10000', 'mark');
    expect([store.get('tr_0'), store.get('tr_1'), store.get('tr_2')]).toEqual(['again', undefined, 'mark']);
  });
});

describe('what createWebhookReceiver makes', () => {
  const webhooks = createWebhookReceiver({ verifier: async () => true, onError: () => {} });
  const request = () => new Request('http://receiver.test', { method: 'POST', body: json(event) });

  it('unwraps an event and handles a request', async () => {
    expect(await webhooks.unwrap(json(event), {})).toEqual(event);
    const handler = vi.fn();
    expect((await webhooks.handler({ otherwise: handler })(request())).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
    const early = webhooks.handler({ otherwise: handler }, { acknowledge: 'before-handling' });
    expect((await early(request())).status).toBe(500);
  });

  it('checks the handlers for every framework', async () => {
    for (const make of [webhooks.handler, webhooks.nodeHandler, webhooks.fastifyPlugin]) {
      expect(make({})).toBeTypeOf('function');
      expect((await refusalOf(() => make({ default: () => {} } as never)))[0]).toBe('configuration');
    }
  });
});

describe('the response to a delivery', () => {
  const jsonType = { 'content-type': 'application/json' };
  const retry = { ...jsonType, 'retry-after': '10' };
  function setup(options: object = {}, handlers: object = {}, handling: object = {}) {
    const reports: unknown[] = [];
    const core = receiverCore({
      verifier: async () => true,
      onError: (error: unknown, context: unknown) => reports.push([error, context]),
      ...options,
    } as never);
    const handle = deliveryHandler(core, handlers as never, handling as never);
    const deliver = (value: unknown = event, platform?: unknown, method = 'POST') =>
      handle({ method, headers: {}, readBody: () => json(value), platform });
    return { core, reports, deliver };
  }
  const body = (value: object) => json(value);
  const failure = (code: string, message: string) => body({ error: { code, message } });

  it('is 405 to another method', async () => {
    expect(await setup().deliver(event, undefined, 'GET')).toEqual({
      status: 405,
      body: failure('webhook_method_not_allowed', 'The request is not a POST. Webhooks are sent with POST.'),
      headers: { ...jsonType, allow: 'POST' },
    });
  });

  it('is 200 once the event is handled', async () => {
    const handler = vi.fn();
    const { deliver, reports } = setup({}, { otherwise: handler });
    expect(await deliver()).toEqual({ status: 200, body: '{"received":true}', headers: jsonType });
    expect(handler).toHaveBeenCalledWith(event, {
      id: 'evt_1',
      headers: expect.any(Headers),
      signal: expect.any(AbortSignal),
    });
    expect(reports).toEqual([]);
  });

  it('tells the sender its own faults, and of the receiver only that there is one', async () => {
    const { core, reports } = setup();
    const refused = new WebhookVerificationError('Refused.', { code: 'webhook_bad_signature' });
    const away = failure('webhook_receiver_failed', 'The receiver cannot take deliveries at present.');
    expect(refuse(core, refused)).toEqual({
      status: 401,
      body: failure('webhook_bad_signature', 'Refused.'),
      headers: jsonType,
    });
    const down = new WebhookVerificationError('Down.', { code: 'webhook_keys_unavailable' });
    expect(refuse(core, down)).toEqual({ status: 503, body: away, headers: retry });
    const wrong = new ConfigurationError('Key.');
    expect(refuse(core, wrong)).toEqual({ status: 500, body: away, headers: jsonType });
    expect(reports).toEqual([
      [refused, { status: 401 }],
      [down, { status: 503 }],
      [wrong, { status: 500 }],
    ]);
  });

  it('is 500 where the handler fails, and the claim is released', async () => {
    const dedupe = { claim: async () => 'claimed', commit: vi.fn(), release: vi.fn() };
    const thrown = new Error('x');
    const { deliver, reports } = setup({ dedupe }, { otherwise: () => Promise.reject(thrown) });
    expect(await deliver()).toEqual({
      status: 500,
      body: failure('webhook_handler_failed', 'The event was not handled.'),
      headers: jsonType,
    });
    expect(dedupe.release).toHaveBeenCalledWith('NEW.KIND:evt_1', expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(dedupe.commit).not.toHaveBeenCalled();
    expect(reports).toEqual([[thrown, { status: 500, event }]]);
  });

  it('is 500 where the handler fails without a store, which is reported once', async () => {
    const thrown = new Error('x');
    const { deliver, reports } = setup({}, { otherwise: () => Promise.reject(thrown) });
    expect((await deliver()).status).toBe(500);
    expect(reports).toEqual([[thrown, { status: 500, event }]]);
  });

  it('is by the store whether the event is handled', async () => {
    const handler = vi.fn();
    const claims: unknown[] = ['committed', 'in-progress', 'claimed'];
    const dedupe = { claim: vi.fn(async () => claims.shift()), commit: vi.fn(), release: vi.fn() };
    const { deliver } = setup({ dedupe }, { otherwise: handler });
    expect(await deliver()).toEqual({
      status: 200,
      body: '{"received":true,"duplicate":true}',
      headers: jsonType,
    });
    expect(await deliver()).toEqual({
      status: 503,
      body: failure('webhook_in_progress', 'The event is being handled. Retry later.'),
      headers: retry,
    });
    expect(handler).not.toHaveBeenCalled();
    expect((await deliver()).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(dedupe.commit).toHaveBeenCalledTimes(1);
    expect(dedupe.release).not.toHaveBeenCalled();
    const [[id, owner]] = dedupe.commit.mock.calls as [[string, string]];
    expect([id, owner]).toEqual(dedupe.claim.mock.calls[2]);
    expect(id).toBe('NEW.KIND:evt_1');
  });

  it('is 503 where the store fails before, and 200 where it fails after', async () => {
    const down = new Error('down');
    const fail = () => Promise.reject(down);
    const before = setup({ dedupe: { claim: fail, commit: fail, release: fail } });
    expect(await before.deliver()).toEqual({
      status: 503,
      body: failure('webhook_store_unavailable', 'The event cannot be claimed at present. Retry later.'),
      headers: retry,
    });
    expect(before.reports).toEqual([[down, { status: 503, event }]]);
    const after = setup({ dedupe: { claim: async () => 'claimed', commit: fail, release: fail } });
    expect((await after.deliver()).status).toBe(200);
    expect(after.reports).toEqual([[down, { status: 200, event }]]);
    const both = setup(
      { dedupe: { claim: async () => 'claimed', commit: fail, release: fail } },
      { otherwise: () => Promise.reject(new Error('handler')) },
    );
    expect((await both.deliver()).status).toBe(500);
    expect(both.reports).toEqual([
      [new Error('handler'), { status: 500, event }],
      [down, { status: 500, event }],
    ]);
  });

  it('names an event that is out of order, which another handler gets', async () => {
    const [otherwise, outOfOrder] = [vi.fn(), vi.fn()];
    const store = new Map<string, string>();
    const { deliver } = setup({ orderGuard: store }, { otherwise, outOfOrder });
    await deliver(approval('APPROVED', '2026-03-01T11:00:00Z'));
    expect(otherwise).toHaveBeenCalledTimes(1);
    const marks = [...store];
    expect(await deliver(approval('PENDING', '2026-03-01T10:00:00Z'))).toEqual({
      status: 200,
      body: '{"received":true,"outOfOrder":true}',
      headers: jsonType,
    });
    expect(otherwise).toHaveBeenCalledTimes(1);
    expect(outOfOrder).toHaveBeenCalledWith(
      approval('PENDING', '2026-03-01T10:00:00Z'),
      expect.objectContaining({ id: expect.any(String) }),
    );
    expect([...store]).toEqual(marks);
    expect(marks).toHaveLength(1);
    const silent = setup({ orderGuard: store });
    expect((await silent.deliver(approval('PENDING', '2026-03-01T10:00:00Z'))).status).toBe(200);
  });

  it('is 200 where the order cannot be noted, and 500 where it cannot be read', async () => {
    const down = new Error('down');
    const fail = () => Promise.reject(down);
    const noting = setup({ orderGuard: { get: () => undefined, set: fail } });
    expect((await noting.deliver(approval('PENDING'))).status).toBe(200);
    expect(noting.reports).toEqual([[down, { status: 200, event: { ...(approval('PENDING') as object) } }]]);
    const reading = setup({ orderGuard: { get: fail, set: () => undefined } });
    expect((await reading.deliver(approval('PENDING'))).status).toBe(500);
  });

  it('is 202 before the event is handled, where the platform waits', async () => {
    const work: Promise<unknown>[] = [];
    const done = Promise.withResolvers<void>();
    const { deliver } = setup({}, { otherwise: () => done.promise }, { acknowledge: 'before-handling' });
    const platform = { waitUntil: (promise: Promise<unknown>) => work.push(promise) };
    expect(await deliver(event, platform)).toEqual({
      status: 202,
      body: '{"received":true}',
      headers: jsonType,
    });
    done.resolve();
    expect(await Promise.all(work)).toMatchObject([{ status: 200 }]);
  });

  it('waits for the handler where the platform fails to wait', async () => {
    const closed = new Error('closed');
    const { deliver, reports } = setup({}, {}, { acknowledge: 'before-handling' });
    const platform = {
      waitUntil() {
        throw closed;
      },
    };
    expect((await deliver(event, platform)).status).toBe(200);
    expect(reports).toEqual([[closed, { status: 500, event }]]);
  });

  it('is 500 where the platform cannot wait', async () => {
    const { deliver, reports } = setup({}, {}, { acknowledge: 'before-handling' });
    for (const platform of [undefined, null, 7, {}, { waitUntil: true }]) {
      expect((await deliver(event, platform)).status).toBe(500);
    }
    expect(reports).toHaveLength(5);
    for (const report of reports)
      expect(report).toEqual([
        new ConfigurationError(
          'acknowledge: "before-handling" needs the platform\'s waitUntil: pass its context as the second argument.',
        ),
        { status: 500 },
      ]);
    const patient = setup({}, {}, { acknowledge: 'after-handling' });
    expect((await patient.deliver(event, undefined)).status).toBe(200);
  });

  it('cannot be acknowledged in another way', async () => {
    expect(await refusalOf(() => setup({}, {}, { acknowledge: 'never' }))).toEqual([
      'configuration',
      'acknowledge must be "after-handling" or "before-handling".',
    ]);
  });
});
