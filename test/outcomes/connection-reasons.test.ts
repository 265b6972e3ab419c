import { createServer } from 'node:http';
import { type ClientOptions, ConnectionError, PaymentsClient } from 'stablecoin-payments';
import * as undici8 from 'undici';
import * as undici6 from 'undici6';
import * as undici7 from 'undici7';
import { describe, expect, it } from 'vitest';
import { failure } from '../client/support.ts';
import { readsSlotOfUndici6, useGlobally } from '../node-transport/support.ts';
import { closedAddress, listening, serve } from '../servers.ts';

async function messageOf(options: ClientOptions): Promise<string> {
  const client = new PaymentsClient({
    accessToken: 'token',
    retries: 0,
    dangerouslyAllowInsecureHttp: true,
    ...options,
  });
  const error = await failure(client.kyc.retrieve('u1'));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.outcome).toBe('not-sent');
  return error.message.replace('kyc.retrieve: ', '').replace('Nothing was sent. ', '');
}

const coded = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });
const thrown = (error: Error): ClientOptions => ({
  baseUrl: 'https://pay.test',
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
    ['EAI_AGAIN', 'The name server did not respond'],
    ['CERT_NOT_YET_VALID', 'The certificate is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The issuer of the certificate is not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_REVOKED', 'Check the certificate.'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'The server accepts no TLS version or cipher'],
  ])('by the code %s', async (code, words) => {
    expect(await messageOf(thrown(coded(code)))).toContain(words);
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
  const options = { baseUrl: 'http://pay.test', accessToken: 'token', retries: 0 };
  const client = new PaymentsClient({ ...options, dangerouslyAllowInsecureHttp: true });
  const { message } = await failure(client.kyc.retrieve('u1'));
  expect(message).toContain('the proxy in front of pay.test refused to connect (HTTP 407).');
});

it('the address of an error that the service or nobody has is not taken for a proxy', async () => {
  for (const more of [{ address: '10.0.0.1', port: 443 }, { address: 'a secret', port: 3128 }, {}])
    expect(await messageOf(thrown(coded('ECONNREFUSED', { syscall: 'connect', ...more })))).toBe(
      'could not connect to pay.test (ECONNREFUSED). Check the base address and the network.',
    );
});
