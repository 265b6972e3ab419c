import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as sdk from '../../src/client/index.ts';
import {
  approvalExpiresAt,
  canRefreshQuote,
  isFailedOnramp,
  isKnownOnrampStatus,
  isPaymentsError,
  isTerminalOnramp,
  OnrampStatus,
  quoteExpiresAt,
  requestIdFrom,
} from '../../src/client/index.ts';
import { anyCharacter } from '../cases.ts';
import * as wire from '../fixtures/index.ts';
import { clientOf, failure, json, scripted } from './support.ts';

/** UUIDv5 by the book (RFC 9562, 5.5), over node:crypto alone. */
function uuidV5(name: string, namespace: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

describe('requestIdFrom', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  const namespace = uuidV5('stablecoin-payments', dns);

  it('is the UUIDv5 of its parts, in a namespace that is fixed for ever', () => {
    expect(namespace).toBe('d059861b-e655-5da1-951c-2c533fe1e6bb');
    expect(requestIdFrom('payroll', '2026-11', 42)).toBe(uuidV5('["payroll","2026-11","42"]', namespace));
    // These very ids are in use: they must never change.
    expect(requestIdFrom('invoice', '2026-0042')).toBe(uuidV5('["invoice","2026-0042"]', namespace));
  });

  it('agrees with node:crypto for any parts', () => {
    const part = fc.oneof(
      fc.string({ minLength: 1, unit: anyCharacter }).filter((text) => text.trim() !== ''),
      fc.integer(),
    );
    fc.assert(
      fc.property(part, fc.array(part, { maxLength: 4 }), (first, rest) => {
        const text = JSON.stringify([first, ...rest].map((one) => String(one).normalize()));
        expect(requestIdFrom(first, ...rest)).toBe(uuidV5(text, namespace));
      }),
    );
  });

  it('tells parts apart by their borders and their order', () => {
    const ids = [
      requestIdFrom('a', 'bc'),
      requestIdFrom('ab', 'c'),
      requestIdFrom('abc'),
      requestIdFrom('c', 'ab'),
      requestIdFrom('a","b'),
      requestIdFrom('a', 'b'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(requestIdFrom(7)).toBe(requestIdFrom('7'));
  });

  it('is the same for composed and decomposed Unicode', () => {
    expect(requestIdFrom('caf\u00e9')).toBe(requestIdFrom('cafe\u0301'));
    expect(requestIdFrom('\u1112\u1161\u11ab')).toBe(requestIdFrom('\ud55c'));
  });

  it.each([Array.prototype, Object.prototype, String.prototype])(
    'is the same where a prototype has a toJSON (%#)',
    (prototype) => {
      const id = requestIdFrom('invoice', 7);
      Object.defineProperty(prototype, 'toJSON', { value: () => 'polluted', configurable: true });
      try {
        expect(requestIdFrom('invoice', 7)).toBe(id);
      } finally {
        Reflect.deleteProperty(prototype, 'toJSON');
      }
    },
  );

  it.each<[unknown[], string]>([
    [[2 ** 53], 'part 1 is a number beyond 2^53'],
    [['a', -(2 ** 60)], 'part 2 is a number beyond 2^53'],
    [[], 'needs at least one part'],
    [[''], 'part 1 must be a non-empty string or a finite number, but is empty'],
    [['a', ' '], 'part 2 must be a non-empty string or a finite number, but is empty'],
    [['a', undefined], 'part 2 must be a non-empty string or a finite number, but is missing'],
    [[null], 'but is null'],
    [[Number.NaN], 'but is NaN'],
    [[Number.POSITIVE_INFINITY], 'but is infinite'],
    [[{}], 'but is an object'],
    [[1n], 'but is a BigInt'],
    [['a', 'undefined'], 'part 2 is "undefined", which other payments would share'],
    [[' null '], 'part 1 is "null"'],
    [['NaN'], 'part 1 is "NaN"'],
    [['[object Object]'], 'part 1 is "[object Object]"'],
  ])('refuses parts with which different payments would look like one (%#)', async (parts, words) => {
    const error = await failure(() => requestIdFrom(...(parts as [string])));
    expect(error).toMatchObject({ name: 'InvalidRequestError', field: 'requestId', outcome: 'not-sent' });
    expect(error.message).toContain(words);
  });
});

describe('isPaymentsError', () => {
  it('knows every class of this package', () => {
    const errors = [
      new sdk.ConfigurationError('x'),
      new sdk.InvalidRequestError('x'),
      new sdk.ConnectionError('x'),
      new sdk.TimeoutError('x', 'attempt'),
      new sdk.AbortedError('x'),
      new sdk.PaginationError('x'),
      new sdk.WebhookVerificationError('x'),
      new sdk.ResponseValidationError('x', { issues: [], body: 1 }),
      new sdk.AccountRejectedError('x', { accountId: 'a', invalidFields: [] }),
      new sdk.APIError('x', { status: 400, headers: new Headers(), body: 1, service: {} }),
    ];
    for (const error of errors) {
      expect(isPaymentsError(error)).toBe(true);
      expect(error).toBeInstanceOf(sdk.PaymentsError);
      expect(error).toBeInstanceOf(Error);
      expect(error.name).toBe(error.constructor.name);
      expect(String(error)).toBe(`${error.name}: x`);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({
        name: error.name,
        message: 'x',
        code: error.code,
      });
    }
    expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
  });

  it('knows one of another realm, and one of another copy of the package', () => {
    const foreign: unknown = runInNewContext(`
      class PaymentsError extends Error {}
      Object.defineProperty(PaymentsError.prototype, Symbol.for('stablecoin-payments.error'), { value: true });
      new PaymentsError('from afar');
    `);
    expect(foreign).not.toBeInstanceOf(Error);
    expect(isPaymentsError(foreign)).toBe(true);
  });

  it.each([undefined, null, 7, 'PaymentsError', {}, new Error('x'), Object.create(null), []])(
    'knows %s for none',
    (value) => {
      expect(isPaymentsError(value)).toBe(false);
    },
  );
});

describe('onramp statuses', () => {
  const failed = ['FIAT_FAILED', 'FIAT_RETURNED', 'CRYPTO_FAILED', 'QUOTE_FAILED', 'EXPIRED'];

  it('are the 17 of the spec', () => {
    expect(Object.values(OnrampStatus)).toHaveLength(17);
    expect(Object.values(OnrampStatus)).toEqual(Object.keys(OnrampStatus));
  });

  it.each(Object.values(OnrampStatus))('%s is sorted', (status) => {
    expect(isKnownOnrampStatus(status)).toBe(true);
    expect(isFailedOnramp(status)).toBe(failed.includes(status));
    expect(isTerminalOnramp(status)).toBe(['COMPLETED', 'CANCELLED', ...failed].includes(status));
    expect(canRefreshQuote(status)).toBe(status === 'OPEN_QUOTE');
  });

  it.each(Object.values(OnrampStatus))('%s is final for `reconcile`, too, or not', async (status) => {
    const records = [{ transferDetails: { id: 't1', requestId: 'r1', status } }];
    const { value } = await sdk.reconcile([{ requestId: 'r1' }], records).next();
    expect(value?.result !== undefined).toBe(isTerminalOnramp(status));
  });

  it('may be unknown, and then are nothing', () => {
    for (const status of ['NEW', '', 'toString', '__proto__', 'constructor']) {
      expect(isKnownOnrampStatus(status)).toBe(false);
      expect(isFailedOnramp(status)).toBe(false);
      expect(isTerminalOnramp(status)).toBe(false);
      expect(canRefreshQuote(status)).toBe(false);
    }
  });

  it('may be read from an onramp', async () => {
    const onramp = await clientOf(scripted(json(wire.openQuote))).onramps.refreshQuote('t1');
    expect(canRefreshQuote(onramp)).toBe(true);
    expect(isTerminalOnramp(onramp)).toBe(false);
    expect(quoteExpiresAt(onramp)).toBeNull();
    const failedOne = await clientOf(scripted(json(wire.failedOnramp))).onramps.refreshQuote('t1');
    expect(isFailedOnramp(failedOne)).toBe(true);
    expect(quoteExpiresAt(failedOne)).toEqual(new Date('2026-11-20T10:05:00Z'));
  });
});

describe('expiry', () => {
  const quote = (expiresAt: unknown) =>
    ({ transferDetails: { quoteInformation: { expiresAt } } }) as unknown as sdk.Onramp;

  it.each(['N/A', '', null, undefined, 7, 'tomorrow', '2026-13-45', '1790000000'])(
    'of a quote may be no time: %s',
    (text) => {
      expect(quoteExpiresAt(quote(text))).toBeNull();
    },
  );

  /** Without a zone it could be any of 26 hours: no instant. */
  const withoutInstant = [
    '2026-11-20',
    '2026-11-20T10:05',
    '2026-11-20T10:05:00',
    '2026-11-20T10:05:00.000',
    '2026-11-20 10:05:00',
    '2026-11-20T10:05:00 CET',
    '2026-11-20T10:05:00 +02:00 and more',
    '2026-11-20Z',
    'Fri, 20 Nov 2026 10:05:00',
  ];

  it.each(withoutInstant)('is null where the service gives no zone: %s', (text) => {
    expect(quoteExpiresAt(quote(text))).toBeNull();
    expect(approvalExpiresAt({ createdAt: text, transferType: 'OFFRAMP' })).toBeNull();
    expect(approvalExpiresAt({ createdAt: text, transferType: 'WALLET.TRANSFER' })).toBeNull();
  });

  it.each([
    '2026-11-20T10:05:00Z',
    '2026-11-20T10:05:00.000Z',
    '2026-11-20T10:05:00.000000+00:00',
    '2026-11-20T12:05:00+02:00',
    '2026-11-20T12:05:00+0200',
    '2026-11-20T05:35:00-04:30',
    '2026-11-20 10:05:00Z',
    '2026-11-20t10:05z',
  ])('is the instant of a time with a zone: %s', (text) => {
    expect(quoteExpiresAt(quote(text))?.toISOString()).toBe('2026-11-20T10:05:00.000Z');
    const approval = { createdAt: text, transferType: 'OFFRAMP' } as const;
    expect(approvalExpiresAt(approval)?.toISOString()).toBe('2026-11-21T10:05:00.000Z');
  });

  it('of a quote is null where there is no quote', () => {
    expect(
      quoteExpiresAt({ transferDetails: { quoteInformation: null } } as unknown as sdk.Onramp),
    ).toBeNull();
    expect(quoteExpiresAt({ transferDetails: {} } as unknown as sdk.Onramp)).toBeNull();
  });

  it.each([
    ['WALLET.TRANSFER', '2026-11-27T10:00:00.000Z'],
    ['WALLET.TRANSFER.BATCH', '2026-11-27T10:00:00.000Z'],
    ['BRIDGE', '2026-11-27T10:00:00.000Z'],
    ['OFFRAMP', '2026-11-21T10:00:00.000Z'],
    ['OFFRAMP.NEW', '2026-11-21T10:00:00.000Z'],
    [undefined, '2026-11-27T10:00:00.000Z'],
  ])('of an approval for %s is %s', (transferType, expected) => {
    const approval = { ...wire.pendingApproval, transferType } as sdk.TransferApproval;
    expect(approvalExpiresAt(approval)?.toISOString()).toBe(expected);
    expect(approvalExpiresAt({ ...approval, createdAt: 'N/A' })).toBeNull();
  });
});
