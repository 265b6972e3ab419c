import { createServer } from 'node:http';
import { type ClientOptions, ConnectionError } from 'stablecoin-payments';
import * as undici8 from 'undici';
import * as undici6 from 'undici6';
import * as undici7 from 'undici7';
import { describe, expect, it } from 'vitest';
import { clientAt, failure } from '../client/support.ts';
import { readsSlotOfUndici6, useGlobally } from '../node-transport/support.ts';
import { closedAddress, listening, serve } from '../servers.ts';

const clientWith = ({ baseUrl = 'http://pay.test', ...options }: ClientOptions) =>
  clientAt(baseUrl, { dangerouslyAllowInsecureHttp: true, ...options });

async function messageOf(options: ClientOptions): Promise<string> {
  const error = await failure(clientWith(options).kyc.retrieve('u1'));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.outcome).toBe('not-sent');
  return error.message.replace('kyc.retrieve: ', '').replace('Nothing was sent. ', '');
}

const coded = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });
const thrown = (error: Error, baseUrl = 'https://pay.test'): ClientOptions => ({
  baseUrl,
  fetch: () => Promise.reject(new TypeError('fetch failed', { cause: error })),
});

describe('the error of a connection says why it failed', () => {
  it('where https is sent to a port that speaks http', async () => {
    const { host: plain } = await listening(createServer());
    expect(await messageOf({ baseUrl: `https://${plain}` })).toBe(
      `the TLS handshake with ${plain} failed (ERR_SSL_WRONG_VERSION_NUMBER). The base address says https, and the port does not speak TLS: check the port, or use http if the service has no https there.`,
    );
  });

  it.each([
    ['ENOTFOUND', 'No address is known for this host name'],
    ['EAI_FAIL', 'No address is known for this host name'],
    ['EAI_AGAIN', 'The name server did not respond'],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the port does not speak TLS'],
    ['CERT_HAS_EXPIRED', 'The certificate has expired'],
    ['CERT_NOT_YET_VALID', 'The certificate is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The issuer of the certificate is not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_REVOKED', 'Check the certificate.'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'The server accepts no TLS version or cipher'],
  ])('by the code %s', async (code, words) => {
    expect(await messageOf(thrown(coded(code)))).toContain(words);
  });

  it.each([
    ['XENOTFOUND', 'Check the base address and the network.'],
    ['ENOTFOUNDX', 'Check the base address and the network.'],
    ['XEAI_AGAIN', 'Check the base address and the network.'],
    ['EAI_AGAINX', 'Check the base address and the network.'],
    ['XERR_SSL_WRONG_VERSION_NUMBER', 'Check the base address and the network.'],
    ['ERR_SSL_WRONG_VERSION_NUMBERX', 'accepts no TLS version or cipher'],
    ['XCERT_HAS_EXPIRED', 'Check the base address and the network.'],
    ['CERT_HAS_EXPIREDX', 'Check the certificate.'],
    ['XCERT_NOT_YET_VALID', 'Check the base address and the network.'],
    ['CERT_NOT_YET_VALIDX', 'Check the certificate.'],
  ])('in general for a code that only resembles a known one: %s', async (code, words) => {
    expect(await messageOf(thrown(coded(code, { syscall: 'connect' })))).toContain(words);
  });
});

const versions = Object.entries({
  ...(readsSlotOfUndici6 && { 'undici 6': undici6 }),
  'undici 7': undici7,
  'undici 8': undici8,
});

describe.each(versions)('the error of a proxy names the proxy: %s', (_name, undici) => {
  const useProxy = (uri: string) => useGlobally(new undici.ProxyAgent(uri), undici);

  it('that is down', async () => {
    const { host: dead } = await closedAddress();
    useProxy(`http://${dead}`);
    expect(await messageOf({ baseUrl: 'https://pay.test' })).toBe(
      `could not connect to ${dead}, the proxy in front of pay.test (ECONNREFUSED). Check the address of the proxy.`,
    );
  });

  it('that has no address', async () => {
    useProxy('http://proxy.invalid:3128');
    expect(await messageOf({ baseUrl: 'https://pay.test' })).toMatch(
      /^could not connect to proxy\.invalid, the proxy in front of pay\.test \((ENOTFOUND|EAI_AGAIN)\)\. Check the address of the proxy\.$/,
    );
  });

  it.each([
    [407, 'Give the proxy its credentials.'],
    [403, 'Check what the proxy may reach.'],
  ])('that responds %i', async (status, next) => {
    const proxy = createServer().on('connect', (_request, socket) =>
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`),
    );
    useProxy((await listening(proxy)).url);
    expect(await messageOf({ baseUrl: 'https://pay.test' })).toBe(
      `the proxy in front of pay.test refused to connect (HTTP ${status}). ${next}`,
    );
  });
});

it('a proxy that forwards plain http and wants credentials is named, too', async () => {
  const { url } = await serve((_request, response) => response.writeHead(407).end());
  useGlobally(new undici8.ProxyAgent(url), undici8);
  const { message } = await failure(clientWith({}).kyc.retrieve('u1'));
  expect(message).toContain('the proxy in front of pay.test refused to connect (HTTP 407).');
});

/** The address that was tried, as an error of the socket shows it. */
const refused = (more: object) => coded('ECONNREFUSED', { syscall: 'connect', ...more });
const longName = 'x'.repeat(253);

it.each<[more: object, proxy: string, baseUrl?: string]>([
  [{ hostname: 'proxy.test' }, 'proxy.test'],
  [{ hostname: 'p' }, 'p'],
  [{ hostname: longName }, longName],
  [{ address: '10.0.0.1', port: 3128 }, '10.0.0.1:3128'],
  [{ address: '::1', port: 3128 }, '[::1]:3128'],
  [{ address: '::', port: 3128 }, '[::]:3128'],
  [{ hostname: 'pay.test', address: '10.0.0.1', port: 3128 }, '10.0.0.1:3128'],
  [{ hostname: 'a secret', address: '10.0.0.1', port: 3128 }, '10.0.0.1:3128'],
  [{ address: '10.0.0.1', port: 80 }, '10.0.0.1:80'],
  [{ address: '10.0.0.1', port: 443 }, '10.0.0.1:443', 'http://pay.test'],
  [{ address: '10.0.0.1', port: 443 }, '10.0.0.1:443', 'https://pay.test:8443'],
])('another address than that of the service is taken for a proxy: %j', async (more, proxy, baseUrl) => {
  const { host } = new URL(baseUrl ?? 'https://pay.test');
  expect(await messageOf(thrown(refused(more), baseUrl))).toBe(
    `could not connect to ${proxy}, the proxy in front of ${host} (ECONNREFUSED). Check the address of the proxy.`,
  );
});

it.each<[more: object, baseUrl?: string]>([
  [{}],
  [{ hostname: 'pay.test' }],
  [{ hostname: 'a secret' }],
  [{ hostname: '-secret!' }],
  [{ hostname: '' }],
  [{ hostname: `${longName}x` }],
  [{ hostname: 7 }],
  [{ address: '10.0.0.1' }],
  [{ port: 3128 }],
  [{ address: '10.0.0.1', port: '3128' }],
  [{ address: 77, port: 3128 }],
  [{ address: '10.0.0.1', port: 443 }],
  [{ address: '10.0.0.1', port: 80 }, 'http://pay.test'],
  [{ address: '10.0.0.1', port: 8443 }, 'https://pay.test:8443'],
  [{ address: 'a secret', port: 3128 }],
  [{ address: 'x10.0.0.1', port: 3128 }],
  [{ address: '10.0.0.1x', port: 3128 }],
  [{ address: 'a', port: 3128 }],
  [{ address: 'a'.repeat(46), port: 3128 }],
])('the address that the service or nobody has is not taken for a proxy: %j', async (more, baseUrl) => {
  const { host } = new URL(baseUrl ?? 'https://pay.test');
  expect(await messageOf(thrown(refused(more), baseUrl))).toBe(
    `could not connect to ${host} (ECONNREFUSED). Check the base address and the network.`,
  );
});

it.each(['UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS'])(
  'a proxy of undici is named by the code %s',
  async (code) => {
    expect(await messageOf(thrown(coded(code)))).toBe(
      `could not connect to pay.test through the proxy (${code}). Check the address of the proxy.`,
    );
  },
);

it('a proxy is not named where the connection to it stood', async () => {
  const more = { hostname: 'proxy.test', address: '10.0.0.1', port: 3128 };
  expect(await messageOf(thrown(coded('CERT_HAS_EXPIRED', more)))).toContain(
    'the TLS handshake with pay.test failed (CERT_HAS_EXPIRED).',
  );
  for (const [code, end] of [
    ['ECONNRESET', 'was reset'],
    ['UND_ERR_INVALID_ARG', 'failed'],
  ] as const) {
    const { message } = await failure(clientWith(thrown(coded(code, more))).kyc.retrieve('u1'));
    expect(message).toBe(
      `kyc.retrieve: connection to pay.test ${end} before a response arrived (${code}). Nothing was changed: it is safe to try again.`,
    );
  }
});

describe('what a dispatcher says of a connection counts before the code', () => {
  const approve = (dispatcher: unknown) => {
    useGlobally(dispatcher, undici7);
    const retries = { limit: 1, minDelay: 0 };
    return failure(clientWith({ baseUrl: 'https://pay.test', retries }).approvals.approve('a1'));
  };

  it.each(['ECONNREFUSED', 'CERT_HAS_EXPIRED'])('one that stood proves nothing: %s', async (code) => {
    const error = coded(code);
    const dispatch = (_options: object, handler: object) => {
      Reflect.apply(Reflect.get(handler, 'onConnect'), handler, [() => undefined]);
      Reflect.apply(Reflect.get(handler, 'onError'), handler, [error]);
      return true;
    };
    expect(await approve({ dispatch })).toMatchObject({
      outcome: 'unknown',
      attempts: 1,
      originalError: error,
      message: expect.stringContaining(
        `connection to pay.test failed before a response arrived (${code}). This call may have been`,
      ),
    });
  });

  /** An agent whose connections fail in this manner. */
  const failing = (error: Error) =>
    new undici7.Agent({ connect: (_options, callback) => callback(error, null) });

  it.each([
    [coded('ECONNRESET'), 'could not connect to pay.test (ECONNRESET).', 2],
    [new Error('x'), 'could not connect to pay.test.', 2],
    [coded('CERT_HAS_EXPIRED'), 'the TLS handshake with pay.test failed (CERT_HAS_EXPIRED).', 1],
  ])('one that never stood has sent nothing (%#)', async (error, words, attempts) => {
    const ended = await approve(failing(error));
    expect(ended).toMatchObject({ outcome: 'not-sent', attempts, originalError: error });
    expect(ended.message).toContain(`${words} Nothing was sent.`);
  });
});
