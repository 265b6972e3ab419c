import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { ClientOptions, PaymentsClient, PaymentsError } from '../../src/client/index.ts';
import { usParams } from './operations.ts';
import {
  clientOf,
  cutBody,
  failure,
  json,
  printedForms,
  type Step,
  scripted,
  text,
  token,
} from './support.ts';

/** What must never be printed: the token, what is sent, what comes back, what others throw. */
const secrets = [token, '000123456789', '021000021', 'Ada Lovelace', '+14155550123', 'planted-answer'];

/** Responses that repeat everything that was sent, as a debugging proxy would. */
const echo =
  (status: number): Step =>
  ({ headers, body, url }) =>
    new Response(
      JSON.stringify({
        code: 'planted-answer',
        error: `${headers.authorization} ${body}`,
        errorDetails: 'planted-answer',
        message: url,
        id: { planted: 'planted-answer' },
        request: { headers, body },
      }),
      { status, statusText: 'planted-answer', headers: { 'x-echo': headers.authorization ?? '' } },
    );

const throwing =
  (message: string): Step =>
  ({ headers, body }) => {
    const inner = Object.assign(new Error(`${message} ${headers.authorization} ${body}`), {
      code: 'ECONNRESET',
      request: { headers, body },
    });
    throw new TypeError(`${message} ${headers.authorization}`, { cause: inner });
  };

const steps: readonly [what: string, step: Step][] = [
  [
    'a 200 of the wrong shape',
    async (seen) => new Response(`[${await (await echo(200)(seen)).text()}]`, { status: 200 }),
  ],
  ...[302, 400, 401, 403, 404, 409, 422, 429, 500, 503].map((status): [string, Step] => [
    `an echoing ${status}`,
    echo(status),
  ]),
  ['a network failure', throwing('planted-answer')],
  ['a cut body', cutBody()],
  ['HTML', text(`<p>planted-answer ${token}</p>`)],
];

async function failAccount(client: PaymentsClient): Promise<PaymentsError> {
  return failure(client.accounts.create('u1', usParams, { headers: { 'x-customer': 'planted-answer' } }));
}

function expectNoSecret(printed: string): void {
  for (const secret of secrets) expect(printed).not.toContain(secret);
}

describe('no printed form shows a secret', () => {
  it.each(steps)('after %s', async (_what, step) => {
    const lines: string[] = [];
    const events: unknown[] = [];
    const write = (line: string) => lines.push(line);
    const options: ClientOptions = {
      retries: 1,
      accessToken: () => token,
      logger: { debug: write, info: write, warn: write, error: write },
      logLevel: 'debug',
      hooks: {
        request: (event) => void events.push(event),
        response: (event) => void events.push(event),
        retry: (event) => void events.push(event),
        error: (event) => void events.push(event),
        drift: (event) => void events.push(event),
      },
    };
    const error = await failAccount(clientOf(scripted(step), options));
    expectNoSecret(printedForms(error));
    expect(lines.length).toBeGreaterThan(1);
    expectNoSecret(lines.join('\n'));
    expectNoSecret(inspect(events, { depth: 20 }) + JSON.stringify(events));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: error.name,
      operation: 'accounts.create',
    });
  });

  it.each(['ACCOUNT_000123456789_INVALID', 'GB29NWBK60161331926819'])(
    'in the name of an error of the service that contains a number: %s',
    async (name) => {
      for (const body of [{ error: name }, { status: 'error', error: { code: name, message: 'No.' } }]) {
        const error = await failAccount(clientOf(scripted(json(body, 400)), { retries: 0 }));
        expect(error).toMatchObject({ service: { error: name } });
        expect(printedForms(error)).not.toMatch(/000123456789|60161331926819/);
      }
    },
  );

  it('in the summary of what a token function threw', async () => {
    const client = clientOf(scripted(json({})), {
      accessToken: () => {
        throw Object.assign(new Error(`vault said ${token}`), { name: `Vault ${token}`, code: token });
      },
    });
    const error = await failAccount(client);
    expect(error).toMatchObject({ name: 'ConfigurationError', code: 'access_token' });
    expectNoSecret(printedForms(error));
    expect((error.originalError as Error).message).toContain(token);
  });

  it('in the reason of an abort', async () => {
    const client = clientOf(scripted(json({})));
    const signal = AbortSignal.abort(new Error('planted-answer'));
    const error = await failure(client.accounts.create('u1', usParams, { signal }));
    expectNoSecret(printedForms(error));
    expect((error.originalError as Error).message).toBe('planted-answer');
  });

  it('in refusals of parameters', async () => {
    const client = clientOf(scripted(json({})));
    const bad: unknown[] = [
      { ...usParams, rail: 'offramp', type: 'brazil', brazil: '000123456789' },
      { ...usParams, us: { ...usParams.us, transferType: '000123456789' } },
      { ...usParams, us: { ...usParams.us, bankName: ['000123456789'] } },
      { ...usParams, us: { ...usParams.us, extra: () => '000123456789' } },
    ];
    for (const params of bad) {
      const error = await failure(client.accounts.create('u1', params as typeof usParams));
      expect(error.name).toBe('InvalidRequestError');
      expectNoSecret(printedForms(error));
    }
    for (const accessToken of [`${token}\n`, `Bearer ${token}`, `${token} `]) {
      const error = await failure(client.kyc.retrieve('u1', { accessToken }));
      expect(error).toMatchObject({ code: 'access_token', outcome: 'not-sent' });
      expectNoSecret(printedForms(error));
    }
    const header = await failure(client.kyc.retrieve('u1', { headers: { 'x-a': `planted-answer\r\nx: y` } }));
    expectNoSecret(printedForms(header));
  });

  it('of a client, its namespaces and its calls', async () => {
    const client = clientOf(scripted(json({ userId: 'u1', kycInfo: { firstName: 'Ada Lovelace' } })));
    const tenant = client.withOptions({ accessToken: 'planted-answer' });
    const call = client.kyc.retrieve('u1');
    expectNoSecret(
      printedForms(client) + printedForms(tenant) + inspect(call, { depth: 20, showHidden: true }),
    );
    await call;
    expect(inspect(client)).toMatch(
      /^PaymentsClient \{\s+baseUrl: 'http:\/\/127\.0\.0\.1:4010',\s+onramps: Onramps \{\},/,
    );
    expect(JSON.stringify(client)).toBe('{"baseUrl":"http://127.0.0.1:4010"}');
    expectNoSecret(inspect(client.accounts, { depth: 20, showHidden: true }));
  });
});

describe('a printed error', () => {
  it('still tells what is safe: fields, stack and a summary of the cause', async () => {
    const client = clientOf(scripted(throwing('x')), { retries: 0 });
    const error = await failAccount(client);
    const printed = inspect(error);
    expect(printed).toContain('ConnectionError: accounts.create: connection to 127.0.0.1:4010 was reset');
    expect(printed).toContain("outcome: 'unknown'");
    expect(printed).toContain('TypeError: TypeError ← ECONNRESET');
    expect(printed).toContain('secrets.test.ts');
    const inspectItself = error[Symbol.for('nodejs.util.inspect.custom') as never] as unknown as () => string;
    expect(inspectItself.call(error)).toContain('"outcome":"unknown"');
    const clone = structuredClone(error);
    expect(clone.message).toBe(error.message);
  });

  it('has no cause where nothing was caught, and no code where the caught had none', async () => {
    const rejected = await failAccount(clientOf(scripted(json({}, 400))));
    expect(rejected.cause).toBeUndefined();
    expect(rejected.originalError).toBeUndefined();
    const odd = await failAccount(
      clientOf(
        scripted(() => {
          throw Object.assign(new Error('x'), { name: 'Not A Name', stack: undefined });
        }),
        { retries: 0 },
      ),
    );
    expect(odd.cause).toMatchObject({ name: 'Error', message: 'Error' });
    const line = vi.fn();
    line(inspect(Object.assign(odd, { stack: undefined })));
    expect(line.mock.calls[0]?.[0]).toContain('ConnectionError: accounts.create');
  });
});
