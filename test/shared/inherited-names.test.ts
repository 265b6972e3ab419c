import { describe, expect, it } from 'vitest';
import { InvalidRequestError, isPaymentsError, PaymentsClient } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { emulatorHandlers } from '../../src/emulator/msw.ts';
import { openTelemetryHooks } from '../../src/opentelemetry/index.ts';
import { checkPayouts, payoutSteps } from '../../src/payouts/index.ts';
import { createWebhookReceiver, memoryDedupe, standardWebhooks } from '../../src/webhooks/index.ts';
import { requestId, transferParams, usParams } from '../client/operations.ts';
import { calls, paymentNames, payments, refused, sent } from '../client/parameters/support.ts';
import { baseUrl, batch, clientOf, failure, json, scripted, token } from '../client/support.ts';

// design.md, *Inherited names*: "A known name that an object has through its prototype alone (a class's getter,
// `Object.create`; never `Object.prototype`, which is not looked at) is refused before anything is sent, in parameters,
// nested ones and batch items, in options of calls and clients, and in orders".

/** Moves a field of an object to the ways in which a prototype has it. None may call a getter. */
const inheriting: readonly [way: string, (values: object, name: string) => object][] = [
  [
    'a getter of a class',
    (values, name) => {
      class Values {}
      Object.defineProperty(Values.prototype, name, {
        get() {
          throw new Error('was called');
        },
      });
      return Object.assign(new Values(), without(values, name));
    },
  ],
  [
    'a getter of a class further up',
    (values, name) => {
      class Base {}
      Object.defineProperty(Base.prototype, name, { get: () => undefined });
      class Values extends Base {}
      return Object.assign(new Values(), without(values, name));
    },
  ],
  [
    'Object.create',
    (values, name) =>
      Object.assign(
        Object.create(Object.assign(Object.create(null), { [name]: Reflect.get(values, name) ?? 1 })),
        without(values, name),
      ),
  ],
];

const without = (values: object, name: string): object =>
  Object.fromEntries(Object.entries(values).filter(([own]) => own !== name));

/** What a message about a name must say. */
function expectNamed(message: string, path: string): void {
  const name = path.split('.').at(-1);
  expect(message).toContain(`\`${path}\` comes from a class or another prototype`);
  expect(message).toContain('`{ ...values }`');
  // A remedy that works: the spread alone would lose the field again.
  expect(message).toContain(`\`{ ...values, ${name}: values.${name} }\``);
}

describe.each(inheriting)('a parameter that comes from %s', (_way, inherit) => {
  it.each(paymentNames)('is refused, whichever it is: %s', async (name) => {
    const given = { ...payments[name], requireApproval: true, requestId };
    for (const field of Object.keys(payments[name])) {
      const fetch = scripted(json({}));
      const error = await failure(calls[name](clientOf(fetch), inherit(given, field) as never, undefined));
      expect(fetch.seen).toEqual([]);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ field, outcome: 'not-sent' });
      expectNamed(error.message, field);
      expect(error.message).toMatch(/ Nothing was sent\.$/);
    }
  });

  it('is refused in nested ones and in items of a batch', async () => {
    const source = inherit({ userId: 'u1' }, 'userId');
    const error = await refused('transfer', { ...transferParams, source });
    expect(error.field).toBe('source.userId');
    expectNamed(error.message, 'source.userId');
    const item = inherit({ userId: 'u2', amount: '1' }, 'amount');
    const destination = { batch: [{ userId: 'u3', amount: '1' }, item] };
    expect((await refused('batch', { ...batch, destination })).field).toBe('destination.batch[1].amount');
    const us = inherit({ ...usParams.us }, 'accountNumber');
    expect((await refused('account', { ...usParams, us })).field).toBe('us.accountNumber');
    const accountHolder = inherit({ ...usParams.accountHolder }, 'phone');
    expect((await refused('account', { ...usParams, accountHolder })).field).toBe('accountHolder.phone');
  });

  it('is refused in a list and a decision', async () => {
    expect((await refused('approvals', inherit({ limit: 5 }, 'limit'))).field).toBe('limit');
    expect((await refused('accounts', inherit({ rail: 'onramp' }, 'rail'))).field).toBe('rail');
    expect((await refused('approve', inherit({ comment: 'ok' }, 'comment'))).field).toBe('comment');
  });

  it('is refused in options of a call', async () => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const ofCall = (options: object) => failure(client.transfers.create(transferParams, options));
    for (const name of [
      'signal',
      'timeout',
      'deadline',
      'retries',
      'headers',
      'accessToken',
      'query',
      'extraBody',
    ]) {
      const error = await ofCall(inherit({ [name]: 1 }, name));
      expect(error).toMatchObject({ outcome: 'not-sent', field: 'options' });
      expectNamed(error.message, name);
      expect(error.message).toMatch(/ Nothing was sent\.$/);
    }
    expectNamed(
      (await ofCall({ retries: inherit({ limit: 1, minDelay: 1 }, 'limit') })).message,
      'retries.limit',
    );
    for (const call of [
      client.accounts.waitUntilActive('u1', 'a1', inherit({ interval: 5 }, 'interval')),
      client.approvals.list({}, inherit({ deadline: 5 }, 'deadline')),
      client.request(inherit({ method: 'GET', path: '/v2/x' }, 'method') as never),
      client.paginate(inherit({ path: '/v2/x', next: () => undefined }, 'next') as never),
      client.api<never>().GET('/v2/x' as never, inherit({ params: {} }, 'params') as never),
      client.api<never>().GET('/v2/x' as never, { params: inherit({ query: {} }, 'query') } as never),
    ])
      expect((await failure(call as PromiseLike<unknown>)).message).toContain('`{ ...values }`');
    expect(fetch.seen).toEqual([]);
  });

  it('is refused in options of a client', async () => {
    const options = { baseUrl, accessToken: token, timeout: 500, retries: { limit: 1 } };
    for (const name of Object.keys(options)) {
      const error = await failure(() => new PaymentsClient(inherit(options, name)));
      expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not-sent' });
      expectNamed(error.message, name);
    }
    const retries = inherit({ limit: 1 }, 'limit');
    expectNamed((await failure(() => new PaymentsClient({ ...options, retries }))).message, 'retries.limit');
    const baseUrls = inherit({ sandbox: 'https://a.example' }, 'sandbox');
    const ofSandbox = { baseUrls, environment: 'sandbox' as const, accessToken: token };
    expectNamed((await failure(() => new PaymentsClient(ofSandbox))).message, 'baseUrls.sandbox');
    const refusals = inherit({ sure: ['A'] }, 'sure');
    expectNamed((await failure(() => new PaymentsClient({ ...options, refusals }))).message, 'refusals.sure');
    const client = new PaymentsClient(options);
    expectNamed(
      (await failure(() => client.withOptions(inherit({ deadline: 1 }, 'deadline')))).message,
      'deadline',
    );
  });

  it.each<[taker: string, name: string, take: (values: object) => unknown]>([
    ['the emulator', 'seed', (values) => createEmulator(values)],
    ['the emulator, nested', 'start', (values) => createEmulator({ clock: values })],
    ['handlers of msw', 'baseUrl', (values) => emulatorHandlers(createEmulator(), values as never)],
    ['a receiver', 'onError', (values) => createWebhookReceiver(values as never)],
    ['a verifier', 'secret', (values) => standardWebhooks(values as never)],
    ['a store', 'claimTtl', (values) => memoryDedupe(values)],
    ['hooks of OpenTelemetry', 'tracerProvider', (values) => openTelemetryHooks(values)],
    ['steps of payouts', 'lookup', (values) => payoutSteps(values as never)],
  ])('is refused in options of %s', (_taker, name, take) => {
    const message = messageOf(() => take(inherit({ [name]: () => 1 }, name)));
    expect(message).toContain(`${name}\` comes from a class or another prototype`);
  });

  it('is refused in orders', () => {
    const recipient = { userId: 'u2', amount: '1' };
    const order = {
      id: 'p1',
      payer: 'u1',
      recipients: [recipient],
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: true,
    };
    for (const name of Object.keys(order)) {
      const message = messageOf(() => checkPayouts([inherit(order, name) as typeof order]));
      expectNamed(message, name);
      expect(message).toMatch(/ Nothing was enqueued\.$/);
    }
    const recipients = [recipient, inherit(recipient, 'amount') as typeof recipient];
    const message = messageOf(() => checkPayouts([{ ...order, recipients }]));
    expect(message).toContain('`recipients[1].amount` comes from');
  });
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was refused');
}

describe('handlers of webhooks', () => {
  it('that a class has are refused: their events would be acknowledged and dropped', () => {
    class Handlers {
      readonly 'ACCOUNT.ONRAMP.CREATE' = () => undefined;
      'TRANSFER.APPROVAL.PENDING'(): void {}
      helper(): void {}
    }
    const receiver = createWebhookReceiver({
      verifier: standardWebhooks({ secret: 'whsec_dGhpcyBpcyBhIHNlY3JldA==' }),
    });
    expect(messageOf(() => receiver.handler(new Handlers() as never))).toContain(
      'The handler of "TRANSFER.APPROVAL.PENDING" comes from a class',
    );
    const base = { otherwise: () => undefined };
    expect(messageOf(() => receiver.handler(Object.create(base) as never))).toContain(
      '"otherwise" comes from',
    );
    const own = Object.assign(Object.create(base), { otherwise: () => undefined });
    expect(() => receiver.handler(own)).not.toThrow();
    class Helped {
      readonly otherwise = () => undefined;
      helper(): void {}
    }
    expect(() => receiver.handler(new Helped() as never)).not.toThrow();
  });
});

describe('what a class meant to say counts until the call is refused', () => {
  it('an inherited `inDoubt` leaves the refusal of the call `unknown`', async () => {
    class Options {
      get inDoubt(): boolean {
        return true;
      }
    }
    const fetch = scripted(json({ error: 'INSUFFICIENT_BALANCE' }, 400));
    const error = await failure(clientOf(fetch).transfers.create(transferParams, new Options()));
    expect(fetch.seen).toEqual([]);
    expect(error).toMatchObject({ outcome: 'unknown', requestId: transferParams.requestId });
    expectNamed(error.message, 'inDoubt');
  });

  it('an inherited key is the key of the call: what it stands for stays open', async () => {
    class Payment {
      get requestId(): string {
        return requestId;
      }
    }
    const { requestId: _key, ...values } = transferParams;
    const client = clientOf(scripted(json({}, 500)), { retries: 0 });
    expect((await failure(client.transfers.create({ ...values, requestId }))).outcome).toBe('unknown');
    const given = Object.assign(new Payment(), values);
    const error = await failure(client.transfers.create(given));
    expect(error).toMatchObject({ outcome: 'unknown', requestId, field: 'requestId' });
    const keyed = { method: 'POST', path: '/v2/x', retrySafety: 'keyed', body: given as object } as const;
    expectNamed((await failure(client.request(keyed as never))).message, 'requestId');
  });
});

describe('what loses nothing is taken', () => {
  it('instances with own fields, objects without a prototype, and symbols', async () => {
    class Party {
      userId = 'u1';
      describe(): string {
        return this.userId;
      }
    }
    const bare = Object.assign(Object.create(null), transferParams, { [Symbol('requestId')]: 1 });
    expect(await sent('transfer', { ...bare, source: new Party() })).toEqual({
      ...transferParams,
      source: { userId: 'u1' },
    });
    const over = Object.assign(Object.create({ userId: 'other' }), { userId: 'u1' });
    expect(await sent('transfer', { ...transferParams, source: over })).toMatchObject({
      source: { userId: 'u1' },
    });
    class Retries {
      limit = 0;
    }
    expect(() => clientOf(scripted(json({})), { retries: new Retries() })).not.toThrow();
  });

  it('an object that writes itself with all of its fields', async () => {
    class Payment {
      get requestId(): string {
        return requestId;
      }
      get amount(): number {
        return 25;
      }
      toJSON(): object {
        return { ...transferParams, requestId: this.requestId, amount: this.amount };
      }
    }
    expect(await sent('transfer', new Payment())).toEqual({ ...transferParams, requestId, amount: 25 });
  });
});

describe('a getter of the object itself that throws', () => {
  const throwing = (name: string): object =>
    Object.defineProperty({}, name, {
      enumerable: true,
      get() {
        throw new Error('planted');
      },
    });

  it('is an error of ours, before anything is sent', async () => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const { amount: _amount, ...values } = transferParams;
    for (const given of [
      client.transfers.create(
        Object.defineProperties({ ...values }, Object.getOwnPropertyDescriptors(throwing('amount'))) as never,
      ),
      client.transfers.create({ ...transferParams, source: throwing('userId') } as never),
      client.transfers.create(transferParams, throwing('timeout')),
      client.transfers.create(transferParams, { retries: throwing('limit') }),
    ]) {
      const error = await failure(given);
      expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
      expect(error.message).not.toContain('planted');
    }
    for (const options of [
      throwing('timeout'),
      { baseUrl, accessToken: token, retries: throwing('limit') },
    ]) {
      const message = messageOf(() => new PaymentsClient(options));
      expect(message).toContain('cannot be read');
    }
    expect(fetch.seen).toEqual([]);
    expect(isPaymentsError(await failure(() => new PaymentsClient(throwing('hooks'))))).toBe(true);
  });
});
