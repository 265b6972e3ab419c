import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { keyHints, requestOptionFields, requestOptions } from '../../src/client/call/call-options.ts';
import { clientOptions } from '../../src/client/options.ts';
import { optionFault, ownOptions } from '../../src/shared/schema/option-fault.ts';
import { milliseconds } from '../../src/shared/schema/option-values.ts';
import { strictObject } from '../../src/shared/schema/schema.ts';

const ofCall = (given: unknown) =>
  optionFault(requestOptions(), ownOptions(requestOptions(), given), {
    subject: 'the request options',
    verb: 'are',
    hints: keyHints,
  })?.sentence;
const ofClient = (given: unknown) =>
  optionFault(clientOptions(), ownOptions(clientOptions(), given), {
    subject: 'The client options',
    hints: keyHints,
  })?.sentence;

const longest = 2_147_483_647;
const plain = 'must be a plain object: convert it with `Object.fromEntries()`';
const limit = `must be a number of milliseconds from 100 to ${longest}, but is`;
const count = 'must be a whole number from 0 to 100, but is';
const delay = 'must be a number of milliseconds from 0 to 600000, but is';

const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined };

describe('the options of a call', () => {
  it.each([undefined, 100, 100.5, longest])('may have a limit of %s', (value) => {
    expect(ofCall({ timeout: value, deadline: value })).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [null, 'the request options must be an object, but are null.'],
    [[], 'the request options must be an object, but are an array.'],
    [7, 'the request options must be an object, but are a number.'],
    [{ timeout: 0 }, `\`timeout\` ${limit} 0.`],
    [{ timeout: 30 }, `\`timeout\` ${limit} 30. For 30 seconds, write 30000.`],
    [{ timeout: 1 }, `\`timeout\` ${limit} 1. For 1 second, write 1000.`],
    [{ deadline: 99.5 }, `\`deadline\` ${limit} 99.5. For 99.5 seconds, write 99500.`],
    [{ timeout: Number.NaN }, `\`timeout\` ${limit} NaN.`],
    [{ timeout: Number.POSITIVE_INFINITY }, `\`timeout\` ${limit} Infinity.`],
    [{ timeout: '5' }, `\`timeout\` ${limit} a string.`],
    [{ deadline: null }, `\`deadline\` ${limit} null.`],
    [{ retries: -1 }, `\`retries\` ${count} -1.`],
    [{ retries: 1.5 }, `\`retries\` ${count} 1.5.`],
    [{ retries: '2' }, `\`retries\` ${count} a string.`],
    [{ retries: null }, `\`retries\` ${count} null.`],
    [{ retries: [1] }, `\`retries\` ${count} an array.`],
    [{ retries: { limit: '2' } }, `\`retries.limit\` ${count} a string.`],
    [{ retries: { limit: 101 } }, `\`retries.limit\` ${count} 101.`],
    [{ retries: { minDelay: -1 } }, `\`retries.minDelay\` ${delay} -1.`],
    [{ retries: { maxDelay: 600_001 } }, `\`retries.maxDelay\` ${delay} 600001.`],
    [{ retries: { limit: 1.5 } }, `\`retries.limit\` ${count} 1.5.`],
    [
      { retries: { minDelay: 2, maxDelay: 1 } },
      '`retries.maxDelay` must be at least `retries.minDelay`, 2, but is 1.',
    ],
    [{ retries: { limt: 1 } }, '`retries`: `limt` is not an option. Did you mean `limit`?'],
    [{ signal: { aborted: 0, ...listeners } }, '`signal` must be an AbortSignal, but is an object.'],
    [
      { signal: { aborted: false, removeEventListener: () => undefined } },
      '`signal` must be an AbortSignal, but is an object.',
    ],
    [{ signal: new EventTarget() }, '`signal` must be an AbortSignal, but is an object.'],
    [
      { signal: { aborted: false, addEventListener: () => undefined } },
      '`signal` must be an AbortSignal, but is an object.',
    ],
    [{ signal: {} }, '`signal` must be an AbortSignal, but is an object.'],
    [{ signal: 'x' }, '`signal` must be an AbortSignal, but is a string.'],
    [{ signal: null }, '`signal` must be an AbortSignal, but is null.'],
    [{ query: [] }, '`query` must be an object, but is an array.'],
    [{ query: new URLSearchParams('a=1') }, `\`query\` ${plain}.`],
    [{ headers: new Map([['idempotency-key', 'k']]) }, `\`headers\` ${plain}.`],
    [{ query: 'a=1' }, '`query` must be an object, but is a string.'],
    [{ inDoubt: 1 }, '`inDoubt` must be true or false, but is a number.'],
    [{ timeOut: undefined }, '`timeOut` is not an option. Did you mean `timeout`?'],
    [
      { idempotencyKey: 'k' },
      '`idempotencyKey` is not an option. Did you mean `requestId` in the parameters of the call?',
    ],
    [{ maxRetries: 'x', timeout: 1 }, '`maxRetries` is not an option. Did you mean `retries`?'],
    [{ 'eyJ.x/y=': 1 }, 'A name that was given is not an option.'],
  ])('%j are refused', (given, sentence) => {
    expect(ofCall(given)).toContain(sentence);
  });

  it('may be more in one operation', () => {
    const schema = strictObject({ ...requestOptionFields(), interval: z.optional(milliseconds(1)) });
    const words = { subject: 'the request options' };
    expect(optionFault(schema, ownOptions(schema, { interval: 5, timeout: 100 }), words)).toBeUndefined();
    expect(optionFault(schema, ownOptions(schema, { intervall: 5 }), words)).toEqual({
      path: 'intervall',
      sentence: '`intervall` is not an option. Did you mean `interval`?',
      isUnknownName: true,
    });
  });

  // *Inherited names*: a known one is refused (test/shared/inherited-names.test.ts).
  it('are own properties alone', () => {
    expect(ofCall(Object.assign(Object.create({ hold: 1 }), { retries: 0 }))).toBeUndefined();
    expect(ofCall({ retries: Object.assign(Object.create(null), { limit: 3 }) })).toBeUndefined();
  });

  it('may hold what is checked elsewhere, as it is', () => {
    const { signal } = new AbortController();
    // Of another realm or library.
    expect(ofCall({ signal: { aborted: false, ...listeners } })).toBeUndefined();
    for (const retries of [0, 100, {}, { minDelay: 1 }, { maxDelay: 600_000 }, { minDelay: 7, maxDelay: 7 }])
      expect(ofCall({ retries })).toBeUndefined();
    const headers = new Headers();
    expect(ownOptions(requestOptions(), { signal, headers })).toEqual({ signal, headers });
    expect(
      ofCall({ signal, headers, query: { a: 1 }, accessToken: () => 't', extraBody: {} }),
    ).toBeUndefined();
  });
});

describe('the options of a client', () => {
  it('may all be given', () => {
    class Recorder {
      readonly seen = [];
      request = () => undefined;
    }
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    for (const hooks of [{}, { drift: () => {} }, new Recorder(), [{}, new Recorder()]])
      expect(
        ofClient({
          environment: 'sandbox',
          baseUrls: { production: 'x', sandbox: 'y' },
          baseUrl: 'x',
          accessToken: 't',
          timeout: 30_000,
          deadline: undefined,
          retries: { limit: 2, minDelay: 0, maxDelay: 8_000 },
          responseValidation: 'strict',
          cursorParam: 'page',
          refusals: { known: ['A'], sure: [] },
          fetch: () => {},
          headers: {},
          logger,
          logLevel: 'warn',
          hooks,
          dangerouslyAllowInsecureHttp: true,
          dangerouslyAllowBrowser: false,
        }),
      ).toBeUndefined();
    expect(ofClient({ refusals: () => undefined })).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [null, 'The client options must be an object, but is null.'],
    [{ environment: null }, "`environment` must be 'production' or 'sandbox'."],
    [{ environment: 'staging' }, "`environment` must be 'production' or 'sandbox'."],
    [{ baseUrls: 'x' }, '`baseUrls` must be an object, but is a string.'],
    [{ baseUrls: { sandbox: 7 } }, '`baseUrls.sandbox` must be a string, but is a number.'],
    [{ baseUrls: { sandbx: 'x' } }, '`baseUrls`: `sandbx` is not an option. Did you mean `sandbox`?'],
    [{ baseUrl: null }, '`baseUrl` must be a string, but is null.'],
    [
      { responseValidation: 'none' },
      "`responseValidation` must be 'strict', or 'tolerant' to accept responses that differ from their schema.",
    ],
    [{ cursorParam: '' }, '`cursorParam` must be a non-empty string, but is empty.'],
    [{ cursorParam: 7 }, '`cursorParam` must be a non-empty string, but is a number.'],
    [{ fetch: 'x' }, '`fetch` must be a function, but is a string.'],
    [{ headers: 'x' }, '`headers` must be an object, but is a string.'],
    [{ logger: null }, '`logger` must be an object such as `console`, but is null.'],
    [{ logger: () => {} }, '`logger` must be an object such as `console`, but is a function.'],
    [{ logger: { info() {} } }, '`logger` has no method `debug`.'],
    [{ logLevel: 'loud' }, "`logLevel` must be 'off', 'error', 'warn', 'info' or 'debug'."],
    [{ hooks: 'x' }, '`hooks` must be an object, but is a string.'],
    [{ hooks: [null] }, '`hooks[0]` must be an object, but is null.'],
    [{ hooks: { onDrift: () => {} } }, '`hooks`: `onDrift` is not an option. Did you mean `drift`?'],
    [{ hooks: { drift: 7 } }, '`hooks.drift` must be a function, but is a number.'],
    [{ refusals: 7 }, '`refusals` must be an object with lists of names or a function, but is a number.'],
    [
      { refusals: { sure: 'A' } },
      '`refusals.sure` must be a list of error names such as `DUPLICATE_REQUEST`.',
    ],
    [{ refusals: { shure: [] } }, '`refusals`: `shure` is not an option. Did you mean `sure`?'],
    [{ sleep: () => {} }, '`sleep` is not an option.'],
    [{ onDrift: () => {} }, '`onDrift` is not an option.'],
    [{ timeout: 30 }, `\`timeout\` ${limit} 30. For 30 seconds, write 30000.`],
  ])('%j are refused', (given, sentence) => {
    expect(ofClient(given)).toContain(sentence);
  });
});
