import { createEmulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { describe, expect, it } from 'vitest';
import { bench } from './support.ts';

const HOOK = 'http://receiver.test/';

describe('an option of createEmulator', () => {
  it.each<[unknown, string]>([
    [null, 'createEmulator needs an object'],
    ['field', 'createEmulator needs an object'],
    [[], 'createEmulator needs an object'],
    [{ token: 5 }, '`token` must be a text without spaces, or a list of them'],
    [{ token: '' }, '`token` must be'],
    [{ token: [] }, '`token` must be'],
    [{ token: ['one', 'two words'] }, '`token` must be'],
    [{ seed: {} }, '`seed` must be a text or a number'],
    [{ seed: null }, '`seed` must be'],
    [{ seed: Number.NaN }, '`seed` must be'],
    [{ seed: ' ' }, '`seed` must be'],
    [{ clock: 'frozen' }, '`clock` must be an object, such as { frozen: true }'],
    [{ clock: null }, '`clock` must be'],
    [{ clock: { frozen: 'yes' } }, '`clock.frozen` must be true or false'],
    [{ clock: { start: null } }, '`clock.start` must be a date between 1970 and 9999'],
    [{ clock: { start: 'yesterday' } }, '`clock.start` must be a date'],
    [{ clock: { start: 1_767_225_600 } }, 'for seconds pass 1767225600000'],
    [{ clock: { stard: 1 } }, 'Did you mean `start`?'],
    [{ webhook: HOOK }, "`webhook` must be an object, such as { url: 'http://127.0.0.1:3000/webhooks' }"],
    [{ webhook: {} }, '`webhook.url` must be an http or https address'],
    [{ webhook: { url: 'receiver.test' } }, '`webhook.url` must be'],
    [{ webhook: { url: HOOK, secret: 'hunter2!' } }, '`webhook.secret` must be whsec_ and base64'],
    [{ webhook: { url: HOOK, secret: '' } }, '`webhook.secret` must be'],
    [{ webhook: { url: HOOK, retryDelays: '5s' } }, '`webhook.retryDelays` must be a list'],
    [{ webhook: { url: HOOK, retryDelays: ['5s', 'x'] } }, '`webhook.retryDelays[1]` must be milliseconds'],
    [{ webhook: { url: HOOK, timeout: 0 } }, '`webhook.timeout` must be'],
    [{ webhook: { url: HOOK, timeout: 'soon' } }, '`webhook.timeout` must be milliseconds'],
    [{ webhook: { url: HOOK, onAttempt: true } }, '`webhook.onAttempt` must be a function'],
    [{ webhook: { url: HOOK, fetch: {} } }, '`webhook.fetch` must be a function'],
    [
      { webhook: { url: HOOK, retryClientErrors: 'no' } },
      '`webhook.retryClientErrors` must be true or false',
    ],
    [
      { webhook: { url: HOOK, secrets: [] } },
      '`webhook`: `secrets` is not an option. Did you mean `secret`?',
    ],
    [
      { accountValidation: 'soon' },
      "`accountValidation` must be milliseconds, a text like '30s', '25h' or '7d', or 'manual'",
    ],
    [{ settlementStep: {} }, '`settlementStep` must be milliseconds'],
    [{ settlementStep: -1 }, '`settlementStep` must be milliseconds'],
    [{ quoteLifetime: 'NA' }, "or 'N/A'"],
    [{ depositWindow: '1y' }, '`depositWindow` must be milliseconds'],
    [{ routes: {} }, '`routes` must be a list'],
    [{ routes: [null] }, '`routes[0]` must be an object'],
    [
      { routes: [{ method: 'get', path: '/v2/x', handle: () => ({ body: 1 }) }] },
      '`routes[0].method` must be',
    ],
    [{ onRequest: 'log' }, '`onRequest` must be a function'],
    [{ lookups: 'no' }, '`lookups` must be true or false'],
    [{ dialect: 5 }, '`dialect` must be "spec", "field" or an object of decisions'],
  ])('%j is refused by name, with the remedy', (options, message) => {
    expect(() => createEmulator(options as EmulatorOptions)).toThrow(TypeError);
    expect(() => createEmulator(options as EmulatorOptions)).toThrow(message);
    expect(() => createEmulator(options as EmulatorOptions)).not.toThrow('hunter2');
  });

  it('may be undefined', () => {
    expect(createEmulator({ seed: undefined, webhook: undefined } as object).webhookSecret).toBeUndefined();
  });
});

describe('an option of the server', () => {
  it.each<[unknown, string]>([
    [null, 'startEmulatorServer needs an object'],
    [{ port: '4010' }, '`port` must be a whole number from 0 to 65535'],
    [{ port: 70_000 }, '`port` must be'],
    [{ host: 5 }, '`host` must be a text'],
    [{ stateFile: '' }, '`stateFile` must be the path of a file'],
    [{ stateFile: 5 }, '`stateFile` must be'],
    [{ emulator: {} }, '`emulator` must be one that createEmulator made'],
    [{ emulator: null }, '`emulator` must be'],
    [
      { emulator: createEmulator(), seed: 1 },
      '`seed` has no effect together with `emulator`: pass it to createEmulator',
    ],
    [{ settlementStep: 'x' }, '`settlementStep` must be milliseconds'],
  ])('%j is refused by name, with the remedy', async (options, message) => {
    await expect(startEmulatorServer(options as object)).rejects.toThrow(message);
  });
});

describe('an option of the msw handlers', () => {
  it.each<[unknown, string]>([
    [null, 'emulatorHandlers needs an object'],
    [{ baseUrl: 5 }, '`baseUrl` must be a full address'],
    [{ baseUrl: 'payments.test' }, '`baseUrl` must be a full address such as https://payments.test'],
    [{ baseUrl: 'https://payments.test?x=1' }, '`baseUrl` must have no query'],
  ])('%j is refused by name, with the remedy', (options, message) => {
    expect(() => emulatorHandlers(createEmulator(), options as object)).toThrow(message);
  });
});

describe('an argument of a method', () => {
  const e = createEmulator({ seed: 1 });
  const wrong: Record<string, [(emulator: typeof e) => unknown, string]> = {
    'clock.advance()': [
      ({ clock }) => Reflect.apply(clock.advance, clock, []),
      'advance must be milliseconds',
    ],
    'events.on(5)': [({ events }) => Reflect.apply(events.on, events, [5]), 'listener: must be a function'],
    'events.release(null)': [({ events }) => events.release(null as never), 'must be an object'],
    'events.release of an order that does not exist': [
      ({ events }) => events.release({ order: 'random' as never }),
      "order: must be 'as-emitted'",
    ],
    'events.release of a name that does not exist': [
      ({ events }) => events.release({ copy: 2 } as object),
      'copy: is not a field',
    ],
    'approve()': [
      (emulator) => Reflect.apply(emulator.approve, emulator, []),
      'id: must be a non-empty text',
    ],
    'acceptQuote({})': [(emulator) => emulator.acceptQuote({} as never), 'id: must be a non-empty text'],
    'faults.inject of a Retry-After below 0': [
      ({ faults }) => faults.inject({ kind: 'status', retryAfter: -1 }),
      'retryAfter: must be seconds, or a date as HTTP writes it',
    ],
    'faults.inject of a status of another kind': [
      ({ faults }) => faults.inject({ kind: 'latency', status: 500 }),
      "status: has no effect on the kind 'latency'",
    ],
    'faults.inject of a field of another kind': [
      ({ faults }) => faults.inject({ kind: 'status', field: 'id' }),
      "field: has no effect on the kind 'status'",
    ],
    'faults.clear of an operation that does not exist': [
      ({ faults }) => faults.clear({ operation: 'transfer.create' }),
      "did you mean 'transfers.create'?",
    ],
    'faults.clear of a kind that does not exist': [
      ({ faults }) => faults.clear({ kind: 'slow' }),
      'kind: must be',
    ],
    'route(null)': [(emulator) => emulator.route(null as never), 'route needs an object'],
    'deliveries.redeliver()': [
      ({ deliveries }) => Reflect.apply(deliveries.redeliver, deliveries, []),
      'id: must be a non-empty text',
    ],
  };

  it.each(Object.keys(wrong))('%s is refused by name', (what) => {
    const [run, message] = wrong[what] ?? [() => {}, ''];
    expect(() => run(e)).toThrow(message);
  });
});

describe('an operation of your own whose handler is wrong', () => {
  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
      'threw an error: no database',
    ],
    [
      'returns a promise',
      async () => ({ body: 1 }),
      'must return { status?, body, headers? }, not a promise',
    ],
    ['returns nothing', () => undefined, 'must return { status?, body, headers? }'],
    ['returns another shape', () => ({ json: 1 }), '`json` is not a field of a response'],
    [
      'returns a status that is none',
      () => ({ status: 99, body: 1 }),
      '`status` must be a whole number from 200 to 599',
    ],
    ['returns what is not JSON', () => ({ body: 1n }), '`body` cannot be written as JSON'],
    ['returns a header that is none', () => ({ body: 1, headers: { 'a b': 'x' } }), '`headers`'],
  ])('%s: the response names the operation', async (_what, handle, message) => {
    const { call, emulator } = bench();
    emulator.route({ operation: 'my.route', method: 'GET', path: '/v2/mine', handle: handle as never });
    const { status, body } = await call('GET', '/v2/mine');
    expect([status, body.error]).toEqual([500, 'ROUTE_FAILED']);
    expect(body.errorDetails).toContain('my.route');
    expect(body.errorDetails).toContain(message);
  });
});
