import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyHints } from '../../../src/client/call/call-options.ts';
import {
  type ClientOptions,
  ConfigurationError,
  PaymentsClient,
  VERSION,
} from '../../../src/client/index.ts';
import { clientOptions } from '../../../src/client/options.ts';
import { optionFault, ownOptions } from '../../../src/shared/schema/option-fault.ts';
import { baseUrl, clientOf, failure, hanging, json, scripted, token } from '../support.ts';

const kyc = json({ userId: 'u1', kycInfo: {} });

const variables = [
  'PAYMENTS_ENVIRONMENT',
  'PAYMENTS_BASE_URL',
  'PAYMENTS_PRODUCTION_URL',
  'PAYMENTS_SANDBOX_URL',
  'PAYMENTS_ACCESS_TOKEN',
];

beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const refusal = (options: unknown) => failure(() => new PaymentsClient(options as ClientOptions));

describe('the base address', () => {
  const sandbox = 'https://sandbox.example';
  const production = 'https://production.example/api';
  const accessToken = token;

  it.each<[string, ClientOptions, Record<string, string>, string]>([
    ['an environment and its address', { environment: 'sandbox', baseUrls: { sandbox } }, {}, sandbox],
    [
      'the other environment',
      { environment: 'production', baseUrls: { sandbox, production } },
      {},
      production,
    ],
    ['one address', { baseUrl: production }, {}, production],
    ['one address before an environment', { baseUrl: sandbox, environment: 'production' }, {}, sandbox],
    ['the variable of an address', {}, { PAYMENTS_BASE_URL: sandbox }, sandbox],
    [
      'the variables of an environment',
      {},
      { PAYMENTS_ENVIRONMENT: 'sandbox', PAYMENTS_SANDBOX_URL: sandbox },
      sandbox,
    ],
    [
      'a variable for the address alone',
      { environment: 'production' },
      { PAYMENTS_PRODUCTION_URL: production },
      production,
    ],
    [
      'options before variables',
      { environment: 'sandbox', baseUrls: { sandbox } },
      { PAYMENTS_ENVIRONMENT: 'production', PAYMENTS_BASE_URL: production, PAYMENTS_SANDBOX_URL: production },
      sandbox,
    ],
    ['an address before the variable', { baseUrl: sandbox }, { PAYMENTS_BASE_URL: production }, sandbox],
    [
      'an address before both variables',
      { baseUrl: sandbox },
      { PAYMENTS_BASE_URL: production, PAYMENTS_ENVIRONMENT: 'production' },
      sandbox,
    ],
    ['an empty variable is none', { baseUrl: sandbox }, { PAYMENTS_BASE_URL: '' }, sandbox],
    ['slashes at the end do not count', { baseUrl: `${sandbox}///` }, {}, sandbox],
    ['loopback may use http', { baseUrl: 'http://localhost:4010' }, {}, 'http://localhost:4010'],
    ['so may 127.x', { baseUrl: 'http://127.9.9.9' }, {}, 'http://127.9.9.9'],
    ['and IPv6', { baseUrl: 'http://[::1]:4010' }, {}, 'http://[::1]:4010'],
    ['and names below localhost', { baseUrl: 'http://pay.localhost' }, {}, 'http://pay.localhost'],
    [
      'others if they are told to',
      { baseUrl: 'http://emulator:4010', dangerouslyAllowInsecureHttp: true },
      {},
      'http://emulator:4010',
    ],
  ])('comes from %s', (_what, options, environment, expected) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(new PaymentsClient({ accessToken, ...options }).baseUrl).toBe(expected);
  });

  it.each<[unknown, Record<string, string>, string]>([
    [undefined, {}, 'No environment was chosen'],
    [{}, {}, 'No environment was chosen'],
    [{ environment: 'staging' }, {}, "`environment` must be 'production' or 'sandbox'"],
    [{ environment: null }, {}, "`environment` must be 'production' or 'sandbox'"],
    [
      { environment: null },
      { PAYMENTS_ENVIRONMENT: 'production', PAYMENTS_PRODUCTION_URL: production },
      "`environment` must be 'production' or 'sandbox'",
    ],
    [{}, { PAYMENTS_ENVIRONMENT: 'prod' }, "PAYMENTS_ENVIRONMENT must be 'production' or 'sandbox'"],
    [
      { environment: 'sandbox' },
      {},
      'The base address of sandbox is not known. Give `baseUrls.sandbox` or set PAYMENTS_SANDBOX_URL',
    ],
    [{ environment: 'production', baseUrls: { sandbox } }, {}, 'The base address of production is not known'],
    [{ environment: 'sandbox', baseUrls: sandbox }, {}, '`baseUrls` must be an object, but is a string'],
    [
      { environment: 'sandbox', baseUrls: null },
      { PAYMENTS_SANDBOX_URL: sandbox },
      '`baseUrls` must be an object, but is null',
    ],
    [
      { environment: 'sandbox', baseUrls: { sandbox: 7 } },
      {},
      '`baseUrls.sandbox` must be a string, but is a number',
    ],
    [{ baseUrl: null }, {}, '`baseUrl` must be a string, but is null'],
    [{ baseUrl: 'payments.example' }, {}, '`baseUrl`'],
    [{ baseUrl: 'ftp://payments.example' }, {}, '`baseUrl`'],
    [{ baseUrl: 'localhost:4010' }, {}, '`baseUrl` has no scheme: write http://localhost:4010.'],
    [{ baseUrl: 'user:secret@127.0.0.1:4010/v2' }, {}, 'write http://127.0.0.1:4010.'],
    [{}, { PAYMENTS_BASE_URL: '[::1]:4010' }, 'PAYMENTS_BASE_URL has no scheme: write http://[::1]:4010.'],
    [{ baseUrl: 'payments.example:443' }, {}, '`baseUrl` is not an absolute URL such as https://host.'],
    [{ baseUrl: 'https://user:secret@payments.example' }, {}, 'must not have a user name or a password'],
    [{ baseUrl: 'https://user@payments.example' }, {}, 'must not have a user name or a password'],
    [{ baseUrl: 'https://payments.example?a=1' }, {}, 'must not have a query or a fragment'],
    [{ baseUrl: 'https://payments.example/#' }, {}, 'must not have a query or a fragment'],
    [{ baseUrl: 'http://payments.example' }, {}, '`baseUrl` must use https'],
    [{ baseUrl: 'http://127.0.0.1.example' }, {}, 'must use https'],
    // Issue 60: "refused as the wrong type, not with the advice to set them".
    [
      { baseUrl: 'http://10.0.0.1', dangerouslyAllowInsecureHttp: 'true' },
      {},
      '`dangerouslyAllowInsecureHttp` must be true or false, but is a string.',
    ],
    [
      { baseUrl: 'https://a.example', dangerouslyAllowBrowser: 'true' },
      {},
      '`dangerouslyAllowBrowser` must be true or false, but is a string.',
    ],
    [
      { baseUrl: 'https://a.example', dangerouslyAllowBrowser: 1 },
      {},
      '`dangerouslyAllowBrowser` must be true or false, but is a number.',
    ],
    [{}, { PAYMENTS_BASE_URL: 'http://payments.example' }, 'PAYMENTS_BASE_URL must use https'],
    [{ environment: 'sandbox' }, { PAYMENTS_SANDBOX_URL: 'x' }, 'PAYMENTS_SANDBOX_URL'],
    ...[{}, { baseUrls: { production } }].map((options): [unknown, Record<string, string>, string] => [
      options,
      { PAYMENTS_BASE_URL: sandbox, PAYMENTS_ENVIRONMENT: 'production', PAYMENTS_PRODUCTION_URL: production },
      'PAYMENTS_BASE_URL and PAYMENTS_ENVIRONMENT are both set',
    ]),
  ])('%j with %j is refused', async (options, environment, words) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const error = await refusal(options);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: 'configuration', outcome: 'not-sent', attempts: 0 });
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('secret');
  });
});

describe('the token', () => {
  it('comes from the option, or else from the variable', async () => {
    vi.stubEnv('PAYMENTS_ACCESS_TOKEN', 'from-variable');
    const fetch = scripted(kyc);
    const baseUrl = 'http://localhost';
    await new PaymentsClient({ baseUrl, fetch }).kyc.retrieve('u1');
    await new PaymentsClient({ baseUrl, fetch, accessToken: 'from-option' }).kyc.retrieve('u1');
    expect(fetch.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer from-variable',
      'Bearer from-option',
    ]);
  });

  it.each<[unknown, string]>([
    [undefined, 'There is no access token. Give `accessToken` or set PAYMENTS_ACCESS_TOKEN.'],
    ['"abc"', '`accessToken` is in quotes: remove them.'],
    ["'abc'", '`accessToken` is in quotes'],
    ['`abc`', '`accessToken` is in quotes'],
    ...['undefined', 'null', 'NaN', '[object Promise]'].map((text): [unknown, string] => [
      text,
      `\`accessToken\` is the text "${text}": a value was missing where it was made.`,
    ]),
    [null, '`accessToken` must be a string, but is null'],
  ])('%j is refused', async (accessToken, words) => {
    const error = await refusal({ baseUrl: 'http://localhost', accessToken });
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(words);
  });
});

describe('options', () => {
  it.each<[unknown, string]>([
    [null, 'The client options must be an object, but are null'],
    ['x', 'must be an object, but are a string'],
    [[], 'must be an object, but are an array'],
  ])('%j are refused', async (options, words) => {
    expect((await refusal(options)).message).toContain(words);
  });

  it.each<[object, string]>([
    [{ timeout: 0 }, '`timeout` must be a number of milliseconds from 100 to 2147483647, but is 0'],
    [{ timeout: 30 }, 'but is 30. For 30 seconds, write 30000.'],
    [{ deadline: 99.5 }, 'but is 99.5. For 99.5 seconds, write 99500.'],
    [{ deadline: 60 }, '`deadline` must be a number of milliseconds'],
    [{ timeout: 2 ** 31 }, '`timeout`'],
    [{ deadline: -1 }, '`deadline`'],
    [
      { deadline: '1s' },
      '`deadline` must be a number of milliseconds from 100 to 2147483647, but is a string',
    ],
    [{ retries: 1.5 }, '`retries` must be a whole number from 0 to 100, but is 1.5'],
    [
      { responseValidation: 'off' },
      "`responseValidation` must be 'strict', or 'tolerant' to accept responses that differ from their schema",
    ],
    [{ cursorParam: '' }, '`cursorParam` must be a non-empty string, but is empty'],
    [{ cursorParam: 7 }, '`cursorParam` must be a non-empty string, but is a number'],
    [{ fetch: 'x' }, '`fetch` must be a function, but is a string'],
    [{ fetch: null }, '`fetch` must be a function, but is null'],
    ...['Idempotency-Key', 'X-Idempotency-Key'].map((name): [object, string] => [
      { headers: { [name]: 'k' } },
      '`headers`: the idempotency key is `requestId` in the parameters',
    ]),
    [{ headers: 'x' }, '`headers` must be an object, but is a string'],
    [{ logger: null }, '`logger` must be an object such as `console`, but is null'],
    [{ logger: () => undefined }, '`logger` must be an object such as `console`, but is a function'],
    [{ logger: 'x' }, '`logger` must be an object such as `console`, but is'],
    [{ logger: { info() {} } }, '`logger` has no method `debug`'],
    [{ logLevel: 'loud' }, "`logLevel` must be 'off', 'error', 'warn', 'info' or 'debug'"],
    [{ hooks: 'x' }, '`hooks` must be an object, but is a string'],
    [{ hooks: [null] }, '`hooks[0]` must be an object, but is null'],
  ])('%j is refused', async (options, words) => {
    const error = await refusal({ baseUrl: 'http://localhost', accessToken: token, ...options });
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(words);
  });

  it('are read once: a later change changes nothing', async () => {
    const fetch = scripted(kyc);
    const headers = { 'x-a': '1' };
    const options = { baseUrl: 'http://localhost', accessToken: token, fetch, headers };
    const client = new PaymentsClient(options);
    options.baseUrl = 'http://127.0.0.1';
    headers['x-a'] = '2';
    vi.stubEnv('PAYMENTS_BASE_URL', 'http://[::1]');
    await client.kyc.retrieve('u1');
    expect(fetch.seen[0]).toMatchObject({ url: 'http://localhost/v2/users/u1/kyc', headers: { 'x-a': '1' } });
  });

  it('name the client to the service', async () => {
    const fetch = scripted(kyc);
    await clientOf(fetch).kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers['user-agent']).toBe(`stablecoin-payments/${VERSION}`);
  });

  const prototype = Object.prototype as Record<string, unknown>;
  const pollution = {
    baseUrl: 'https://evil.example',
    baseUrls: { sandbox: 'https://evil.example' },
    environment: 'production',
    accessToken: 'polluted',
    dangerouslyAllowInsecureHttp: true,
    sandbox: 'https://evil.example',
    PAYMENTS_BASE_URL: 'https://evil.example',
    PAYMENTS_ACCESS_TOKEN: 'polluted',
    fetch: () => Promise.reject(new Error('polluted')),
    cursorParam: 'polluted',
    responseValidation: 'strict',
    hooks: [{ request: () => ({ headers: { polluted: '1' } }) }],
  };
  it.each(Object.keys(pollution))(
    'are own properties only: Object.prototype.%s is not read',
    async (name) => {
      Object.defineProperty(prototype, name, {
        value: pollution[name as keyof typeof pollution],
        configurable: true,
        writable: true,
      });
      try {
        const fetch = scripted(kyc);
        vi.stubGlobal('fetch', fetch);
        const options = { baseUrls: { sandbox: 'https://sandbox.example' }, environment: 'sandbox' as const };
        const client = new PaymentsClient({ ...options, accessToken: 'own' });
        await client.kyc.retrieve('u1');
        expect(fetch.seen[0]?.url).toBe('https://sandbox.example/v2/users/u1/kyc');
        expect(fetch.seen[0]?.headers).toEqual({
          accept: 'application/json',
          authorization: 'Bearer own',
          'user-agent': `stablecoin-payments/${VERSION}`,
        });
        expect((await refusal({ accessToken: 'own' })).message).toContain('No environment was chosen');
        expect(
          (await refusal({ accessToken: 'own', environment: 'production', baseUrls: {} })).message,
        ).toContain('is not known');
        expect((await refusal({ baseUrl: 'http://a.example', accessToken: 'own' })).message).toContain(
          'https',
        );
        expect((await refusal(options)).message).toContain('There is no access token');
      } finally {
        delete prototype[name];
      }
    },
  );
});

describe('a browser', () => {
  it('is refused unless it is allowed, and then names no client', async () => {
    const fetch = scripted(kyc);
    const options = { baseUrl: 'http://localhost', accessToken: token, fetch };
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    const error = await refusal(options);
    expect(error).toBeInstanceOf(ConfigurationError);
    for (const words of ['dangerouslyAllowBrowser', '`@vitest-environment node`', '`@jest-environment node`'])
      expect(error.message).toContain(words);
    await new PaymentsClient({ ...options, dangerouslyAllowBrowser: true }).kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers['user-agent']).toBeUndefined();
  });

  it('has no variables to read', async () => {
    vi.stubGlobal('process', undefined);
    const error = await refusal({ accessToken: token });
    vi.unstubAllGlobals();
    expect(error.message).toContain('No environment was chosen');
  });
});

describe('withOptions', () => {
  it('replaces what is given and keeps the rest', async () => {
    const fetch = scripted(kyc);
    const client = clientOf(fetch, { headers: { 'x-a': '1' }, cursorParam: 'after' });
    const derived = client.withOptions({ headers: { 'x-b': '2' } });
    expect(derived).toBeInstanceOf(PaymentsClient);
    await derived.kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers).toMatchObject({ 'x-b': '2', authorization: `Bearer ${token}` });
    expect(fetch.seen[0]?.headers['x-a']).toBeUndefined();
    await client.kyc.retrieve('u1');
    expect(fetch.seen[1]?.headers['x-a']).toBe('1');
    await derived.withOptions({}).externalWallets.list('u1', { cursor: 'c' }).asResponse();
    expect(new URL(fetch.seen[2]?.url ?? '').search).toBe('?after=c');
  });

  it('takes undefined for what was not given, but lifts a deadline with it', async () => {
    const fetch = scripted(kyc);
    const client = clientOf(fetch, { deadline: 100, retries: 0 });
    const same = client.withOptions({
      accessToken: undefined,
      baseUrl: undefined,
      fetch: undefined,
      retries: undefined,
    });
    await same.kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers.authorization).toBe(`Bearer ${token}`);

    const release = Promise.withResolvers<void>();
    const slow = scripted((seen) => release.promise.then(() => kyc(seen)));
    const lifted = client.withOptions({ fetch: slow, deadline: undefined }).kyc.retrieve('u1');
    expect(await failure(client.withOptions({ fetch: slow }).kyc.retrieve('u1'))).toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
    });
    release.resolve();
    expect(await lifted).toEqual({ userId: 'u1', kycInfo: {} });
  });

  it('keeps the address and the token although the variables that gave them are gone', async () => {
    vi.stubEnv('PAYMENTS_BASE_URL', 'http://localhost:1');
    vi.stubEnv('PAYMENTS_ACCESS_TOKEN', 'from-variable');
    const fetch = scripted(kyc);
    const client = new PaymentsClient({ fetch });
    vi.stubEnv('PAYMENTS_BASE_URL', 'http://localhost:2');
    vi.stubEnv('PAYMENTS_ACCESS_TOKEN', undefined);
    await client.withOptions({ timeout: 5_000 }).kyc.retrieve('u1');
    expect(fetch.seen[0]).toMatchObject({
      url: 'http://localhost:1/v2/users/u1/kyc',
      headers: { authorization: 'Bearer from-variable' },
    });
  });

  it('moves to another environment, and away from an address of its own', () => {
    const baseUrls = { sandbox: 'https://sandbox.example', production: 'https://production.example' };
    const client = new PaymentsClient({ environment: 'sandbox', baseUrls, accessToken: token });
    expect(client.withOptions({ environment: 'production' }).baseUrl).toBe('https://production.example');
    expect(client.withOptions({ timeout: 1_000 }).withOptions({ environment: 'production' }).baseUrl).toBe(
      'https://production.example',
    );
    expect(client.withOptions({ baseUrl: 'http://localhost' }).baseUrl).toBe('http://localhost');
    const back = client.withOptions({ baseUrl: 'http://localhost' }).withOptions({ environment: 'sandbox' });
    expect(back.baseUrl).toBe('https://sandbox.example');
    expect(client.withOptions({ baseUrls: { sandbox: 'https://other.example' } }).baseUrl).toBe(
      'https://other.example',
    );
  });

  it('checks like the constructor', async () => {
    const client = clientOf(scripted(kyc));
    expect((await failure(() => client.withOptions({ retries: -1 }))).message).toContain('`retries`');
    expect((await failure(() => client.withOptions(null as never))).message).toContain(
      'The options of `withOptions`',
    );
    expect((await failure(() => client.withOptions({ accessToken: '' }))).code).toBe('access_token');
  });

  it('never follows a tenant: each call keeps its own token and limits', async () => {
    const fetch = scripted(hanging, kyc);
    const one = clientOf(fetch, { accessToken: 'one' });
    const two = one.withOptions({ accessToken: () => 'two', timeout: 110, retries: 0 });
    const first = one.kyc.retrieve('u1', { timeout: 120, retries: 0 });
    const second = two.kyc.retrieve('u1');
    expect(await second).toEqual({ userId: 'u1', kycInfo: {} });
    expect((await failure(first)).name).toBe('TimeoutError');
    expect(fetch.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
  });
});

describe('an option of the client that does not exist', () => {
  it.each<[given: object, meant: string]>([
    [{ retires: 5 }, 'Did you mean `retries`?'],
    [{ maxRetries: 5 }, 'Did you mean `retries`?'],
    [{ base_url: 'https://a.example' }, 'Did you mean `baseUrl`?'],
    [{ baseURL: 'https://a.example' }, 'Did you mean `baseUrl`?'],
    [{ hooks: { drfit: () => undefined } }, 'Did you mean `drift`?'],
    [{ timeOut: 5 }, 'Did you mean `timeout`?'],
    [{ apiKey: 'secret-7Q2' }, 'Possible names: `environment`'],
    [{ env: 'sandbox' }, 'Possible names: `environment`'],
    [{ log: console }, 'Possible names: `environment`'],
    [{ userAgent: 'shop/1' }, 'Possible names: `environment`'],
    [{ user_agent: 'shop/1' }, 'Possible names: `environment`'],
    [{ idempotencyKey: 'k' }, '`requestId` in the parameters'],
    [{ hooks: { onRequest: () => undefined } }, 'Did you mean `request`?'],
    [{ hooks: [{ respons: () => undefined }] }, 'Did you mean `response`?'],
    [{ baseUrls: { prod: 'https://a.example' } }, 'Did you mean `production`?'],
    [{ retries: { limits: 1 } }, 'Did you mean `limit`?'],
  ])('%o is refused with what is probably meant', async (given, meant) => {
    const options: ClientOptions = { baseUrl, accessToken: token, ...given };
    const error = await failure(() => new PaymentsClient(options));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(meant);
    expect(error.message).not.toContain('secret-7Q2');
    const client = clientOf(scripted(json({})));
    expect((await failure(() => client.withOptions({ ...given }))).message).toContain(meant);
  });

  it('is no error in an instance of a class that watches', () => {
    class Counter {
      count = 0;
      request() {
        this.count += 1;
      }
    }
    expect(() => clientOf(scripted(json({})), { hooks: new Counter() })).not.toThrow();
  });
});

/** What is wrong with the options of a client, by their schema. */
const ofClient = (given: unknown) =>
  optionFault(clientOptions(), ownOptions(clientOptions(), given), {
    subject: 'The client options',
    hints: keyHints,
  })?.sentence;

const limit = 'must be a number of milliseconds from 100 to 2147483647, but is';

describe('the schema of the options of a client', () => {
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
