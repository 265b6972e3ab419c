import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import * as undici7 from 'undici7';
import { describe, expect, it } from 'vitest';
import { useGlobally } from '../../node-transport/support.ts';
import { closedAddress, listening } from '../../servers.ts';
import { problem, sandboxService, USER } from './sandbox-service.ts';
import { CERTIFICATE, KEY } from './self-signed.ts';
import { inProcess, type PlainResponse, run } from './support.ts';

/** Opens a server on loopback until the test ends, and returns its host and port. */
const hostOf = async (server: Server): Promise<string> =>
  (await listening(server.on('sessionError', () => undefined))).host;

const plain = (listener: RequestListener, prefix = '') => ({
  scheme: 'http' as const,
  prefix,
  server: () => createHttpServer(listener),
});

/** A server that responds alike to every request. */
const always = ({ status = 200, body, text, headers }: PlainResponse, prefix = '') =>
  plain((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify(body));
  }, prefix);

const html = { 'content-type': 'text/html; charset=utf-8' };
const page = (status: number, headers = {}) =>
  always({ status, text: '<html>planted</html>', headers: { ...html, ...headers } });

interface Broken {
  readonly scheme: 'http' | 'https';
  readonly prefix?: string;
  readonly server: () => Server;
  readonly token?: string;
}

const tls = { cert: CERTIFICATE, key: KEY };
const wantsClientCertificate = { ...tls, requestCert: true, rejectUnauthorized: true };

/** A port whose first bytes are an alert of TLS, as of a server that refuses the handshake. */
const alerting = (description: number) => () =>
  createTcpServer((socket) =>
    socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, description]))),
  );

/** A body that says that it is JSON. */
const body = (text: string | Buffer, headers = {}) =>
  plain((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
  });

const jwt = (claims: object) =>
  ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'planted'].join('.');

const compressed = gzipSync(
  JSON.stringify({ userId: USER, kycInfo: { planted: randomBytes(9999).toString('hex') } }),
);
const firstOf = (line: string) => `FAILURE  reachability: ${line}`;
const ofToken = (line: string) => `FAILURE  authentication: ${line}`;
const checkBefore = 'Check `baseUrl`, and the proxy or gateway before the service.';
const useHttps = firstOf('The port of HOST speaks TLS, and `baseUrl` says http. Use https.');

/** What is broken, the server, and the one line that says so. `HOST` stands for the host and port of the server. */
const table: readonly (readonly [string, Broken, string])[] = [
  [
    'an https address of a plain port',
    { scheme: 'https', server: () => createHttpServer() },
    firstOf(
      'The TLS handshake with HOST failed (ERR_SSL_WRONG_VERSION_NUMBER). Nothing was sent. `baseUrl` says https, and the port does not speak TLS: check the port, or use http if the service has no https there.',
    ),
  ],
  [
    'an http address of a TLS port',
    { scheme: 'http', server: () => createHttpsServer(tls) },
    firstOf('The port of HOST speaks TLS, and `baseUrl` says http. Use https.'),
  ],
  [
    'a certificate of an unknown issuer',
    { scheme: 'https', server: () => createHttpsServer(tls) },
    firstOf(
      'The TLS handshake with HOST failed (DEPTH_ZERO_SELF_SIGNED_CERT). Nothing was sent. The issuer of the certificate is not trusted: pass its CA to the process, on Node by NODE_EXTRA_CA_CERTS.',
    ),
  ],
  [
    'HTTP/2 only, without TLS',
    { scheme: 'http', server: () => createHttp2Server() },
    firstOf(
      'HOST accepts HTTP/2 only, and the client sends HTTP/1.1. Set `baseUrl` to an address that accepts HTTP/1.1.',
    ),
  ],
  [
    'HTTP/2 only, with TLS',
    { scheme: 'https', server: () => createSecureServer(tls) },
    firstOf(
      'HOST accepts HTTP/2 only, and the client sends HTTP/1.1. Set `baseUrl` to an address that accepts HTTP/1.1.',
    ),
  ],
  [
    'a port of another protocol',
    { scheme: 'http', server: () => createTcpServer((socket) => void socket.write('SSH-2.0-planted\r\n')) },
    firstOf('The port of HOST does not speak HTTP. Check the port in `baseUrl`.'),
  ],
  [
    'a server that closes the connection',
    { scheme: 'http', server: () => createTcpServer((socket) => void socket.on('data', () => socket.end())) },
    firstOf(
      'HOST closes the connection without a response (UND_ERR_SOCKET). Try again; if it happens again, ask the operator of the service, or of the proxy or firewall before it.',
    ),
  ],
  [
    'a redirect to the same path of another address',
    plain(({ url }, response) => {
      response.writeHead(308, { location: `https://api.example.com/gateway${url}` });
      response.end();
    }),
    firstOf(
      'HOST redirects to https://api.example.com/gateway (HTTP 308), and the client follows no redirect. Set `baseUrl` to that address.',
    ),
  ],
  [
    'a redirect to a login page',
    always({
      status: 302,
      text: '',
      headers: { location: 'https://login.example.com/oauth2/planted-00000?token=planted' },
    }),
    firstOf(
      'HOST redirects to https://login.example.com/oauth2/* (HTTP 302), probably a login page. Check `baseUrl`, and the proxy or gateway before the service.',
    ),
  ],
  [
    'a redirect without an address',
    always({ status: 301, text: '' }),
    firstOf('HOST redirects without an address (HTTP 301). Check `baseUrl`.'),
  ],
  [
    'a login page',
    page(200),
    firstOf(
      `HOST responds with a web page (HTTP 200, text/html), probably a login page, a captive portal or a website. ${checkBefore}`,
    ),
  ],
  [
    'the page of a firewall',
    page(403),
    firstOf(
      'A firewall, gateway or proxy before HOST refuses the requests (HTTP 403, text/html). Ask its operator to let this machine in.',
    ),
  ],
  [
    'the login of a proxy',
    page(401, { 'www-authenticate': 'Basic realm="planted"' }),
    firstOf(
      'A gateway or proxy before HOST wants a login of its own (HTTP 401, text/html). Use an address in `baseUrl` that leads to the service itself.',
    ),
  ],
  [
    'a proxy without its credentials',
    always({ status: 407, text: '' }),
    firstOf('A proxy before HOST wants credentials (HTTP 407). Give the proxy its credentials.'),
  ],
  [
    'a prefix that is missing',
    page(404),
    firstOf(
      'HOST has no operation of this service at /v2 (HTTP 404, text/html). `baseUrl` probably lacks a path prefix.',
    ),
  ],
  [
    'a prefix that is wrong',
    always({ status: 404, body: { message: 'planted' } }, '/api/v1'),
    firstOf(
      'HOST has no operation of this service at /api/v1/v2 (HTTP 404). The path /api/v1 of `baseUrl` is probably wrong.',
    ),
  ],
  [
    'a prefix that ends with the version',
    always(problem(404, 'ROUTE_NOT_FOUND'), '/v2'),
    firstOf(
      'HOST has no operation of this service at /v2/v2 (HTTP 404, ROUTE_NOT_FOUND). Remove /v2 from the end of `baseUrl`: the client adds it.',
    ),
  ],
  [
    'a token that is refused',
    always(problem(401, 'UNAUTHORIZED')),
    'FAILURE  authentication: The service does not accept the token (HTTP 401, UNAUTHORIZED). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
  ],
  [
    'a token without permissions',
    always(problem(403, 'UNAUTHORIZED')),
    'FAILURE  authentication: The token may call none of kyc.retrieve, accounts.list, and approvals.list (HTTP 403, UNAUTHORIZED). Ask the operator of the service for its permissions.',
  ],
  [
    'a user that does not exist, with a token for users alone',
    plain(({ url = '' }, response) => {
      const { status = 200, body } = url.includes('approvals')
        ? problem(403, 'UNAUTHORIZED')
        : problem(404, 'USER_NOT_FOUND');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
    firstOf('The service does not find the user (HTTP 404, USER_NOT_FOUND). Check --user.'),
  ],
  [
    'a body that is cut',
    plain((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"userId":', () => response.destroy());
    }),
    firstOf(
      'Connection to HOST closed before the response was complete (HTTP 200). Nothing was changed: it is safe to try again.',
    ),
  ],
  [
    'a limit of the rate',
    always({ ...problem(429, 'LIMIT'), headers: { 'retry-after': '120' } }),
    firstOf(
      'The service limits the rate of requests (HTTP 429, LIMIT, Retry-After 120 s). Run the doctor again after that time.',
    ),
  ],
  [
    'a limit of the rate until a date, by a clock of its own',
    always({
      ...problem(429, 'LIMIT'),
      headers: { date: 'Sun, 01 Mar 2026 00:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 00:00:09 GMT' },
    }),
    firstOf(
      'The service limits the rate of requests (HTTP 429, LIMIT, Retry-After 9 s). Run the doctor again after that time.',
    ),
  ],
  [
    'a limit of the rate until a time that is no HTTP date',
    always({ ...problem(429, 'LIMIT'), headers: { 'retry-after': 'May 1, 2099' } }),
    firstOf(
      'The service limits the rate of requests (HTTP 429, LIMIT). Run the doctor again later, or ask the operator of the service.',
    ),
  ],
  [
    'a service that is down',
    page(503, { 'retry-after': '30' }),
    firstOf(
      'A gateway or proxy before HOST says that the service is down (HTTP 503, text/html, Retry-After 30 s). Run the doctor again after that time.',
    ),
  ],
  [
    'a gateway without its service',
    page(502),
    firstOf(
      'The gateway before the service responds, and the service does not (HTTP 502). Run the doctor again later, or ask the operator of the gateway.',
    ),
  ],
  [
    'a service that fails',
    always({ status: 500, body: {} }),
    firstOf('Every call fails in the service (HTTP 500). Ask the operator of the service.'),
  ],
  [
    'a service that refuses every call',
    always(problem(400, 'TENANT_MISSING')),
    firstOf(
      'The service refuses every call (HTTP 400, TENANT_MISSING). Look the name up in its documentation; check PAYMENTS_ACCESS_TOKEN, and what the service asks of every request.',
    ),
  ],
  [
    'another API',
    always({ body: { hello: 'planted' } }),
    firstOf(
      'HOST responds with JSON that is not of this service (HTTP 200). `baseUrl` is probably the address of another API.',
    ),
  ],
  [
    'a response without a body',
    always({ status: 200, text: '', headers: { 'content-type': 'text/plain' } }),
    firstOf(
      `HOST responds with an empty body (HTTP 200, text/plain), probably from a proxy, a health check or a placeholder. ${checkBefore}`,
    ),
  ],
  [
    'a web page that says that it is JSON',
    body('\n<!DOCTYPE html><title>planted</title>'),
    firstOf(
      `HOST responds with a web page (HTTP 200, application/json), probably a login page, a captive portal or a website. ${checkBefore}`,
    ),
  ],
  [
    'an empty body that says that it is JSON',
    body(''),
    firstOf(
      `HOST responds with an empty body (HTTP 200, application/json), probably from a proxy, a health check or a placeholder. ${checkBefore}`,
    ),
  ],
  ...['{"userId":"planted', '{"userId":"planted","kycInfo":{"type":"x"}', '[{"planted":1},'].map(
    (text): readonly [string, Broken, string] => [
      `JSON that is cut, at its full length: ${text}`,
      body(text),
      firstOf(
        `HOST responds with JSON that is cut (HTTP 200, application/json), probably by a proxy or gateway. ${checkBefore}`,
      ),
    ],
  ),
  [
    'the beginning of a gzip',
    body(compressed.subarray(0, 22), { 'content-encoding': 'gzip' }),
    firstOf(
      `HOST responds with a part of a compressed body (HTTP 200, application/json, gzip), probably cut by a proxy or gateway. ${checkBefore}`,
    ),
  ],
  [
    'a part of a web page that says that it is JSON',
    body('<div>planted</div>'),
    firstOf(
      `HOST responds with a web page (HTTP 200, application/json), probably a login page, a captive portal or a website. ${checkBefore}`,
    ),
  ],
  [
    'JSON behind a warning of its server',
    body('<br />\n<b>Warning</b>: planted\n{"userId":"planted"}'),
    firstOf(
      `HOST responds with JSON that has other text around it (HTTP 200, application/json), probably added by a gateway or framework, such as a guard against script tags. ${checkBefore}`,
    ),
  ],
  [
    'a copy that nobody has',
    plain((_request, response) => void response.writeHead(304).end()),
    firstOf(
      'A cache before HOST responds that nothing changed (HTTP 304), and the client has no copy. Use an address in `baseUrl` that leads to the service itself.',
    ),
  ],
  [
    'a name that is not documented, under 403',
    always({ status: 403, body: { code: 200_009, error: 'TOKEN_EXPIRED', errorDetails: 'planted words' } }),
    ofToken(
      'The service refuses the token for every call (HTTP 403, TOKEN_EXPIRED). Look the name up in its documentation: the token may be over, or lack permissions.',
    ),
  ],
  [
    'a name that is not documented, under 404',
    always({ status: 404, body: { status: 'error', error: { code: 'TOKEN_EXPIRED', message: 'planted' } } }),
    firstOf(
      'HOST has no operation of this service at /v2 (HTTP 404, TOKEN_EXPIRED). Look the name up in the documentation of the service, and check the path of `baseUrl`.',
    ),
  ],
  [
    'several JSON texts in one body',
    body('{"userId":"planted"}\n{"userId":"planted"}'),
    firstOf(
      `HOST responds with several JSON texts (HTTP 200, application/json), probably from a stream, or another API. ${checkBefore}`,
    ),
  ],
  [
    'a text that looks like JSON',
    body("{userId: 'planted'}"),
    firstOf(
      `HOST responds with text that begins like JSON and is none (HTTP 200, application/json), probably from a proxy, or another API. ${checkBefore}`,
    ),
  ],
  ...[")]}',\n", 'for (;;);', '/**/planted(', '{}&& '].map((prefix): readonly [string, Broken, string] => [
    `JSON behind ${prefix.trim()}`,
    body(`${prefix}{"userId":"planted"}${prefix.endsWith('(') ? ');' : ''}`),
    firstOf(
      `HOST responds with JSON that has other text around it (HTTP 200, application/json), probably added by a gateway or framework, such as a guard against script tags. ${checkBefore}`,
    ),
  ]),
  [
    'JSON that was encoded twice',
    body(JSON.stringify(JSON.stringify({ userId: USER, kycInfo: {} }))),
    firstOf(
      `HOST responds with JSON inside a JSON text (HTTP 200, application/json), probably encoded twice by a gateway. ${checkBefore}`,
    ),
  ],
  [
    'a compressed body that does not say so',
    body(compressed),
    firstOf(
      `HOST responds with bytes that are no text (HTTP 200, application/json), probably compressed, or written in another charset, by a proxy that does not say so. ${checkBefore}`,
    ),
  ],
  [
    'half a gzip',
    body(compressed.subarray(0, compressed.length / 2), { 'content-encoding': 'gzip' }),
    firstOf(
      `HOST responds with JSON that is cut (HTTP 200, application/json, gzip), probably by a proxy or gateway. ${checkBefore}`,
    ),
  ],
  [
    'a body that is not in its encoding',
    body('{"userId":"planted"}', { 'content-encoding': 'gzip' }),
    firstOf(
      `HOST responds with a body whose \`content-encoding\` cannot be undone (HTTP 200, application/json, gzip), probably changed or cut by a proxy. ${checkBefore}`,
    ),
  ],
  [
    'XML',
    body('<?xml version="1.0"?><planted/>'),
    firstOf(
      `HOST responds with XML (HTTP 200, application/json), probably from a gateway, or another API. ${checkBefore}`,
    ),
  ],
  [
    'a text',
    body('OK planted'),
    firstOf(
      `HOST responds with text that is not JSON (HTTP 200, application/json), probably from a proxy, a health check or a placeholder. ${checkBefore}`,
    ),
  ],
  [
    'a network that wants a login',
    page(511),
    firstOf(
      'The network of this machine wants a login (HTTP 511, text/html): a captive portal responds in place of HOST. Log in to the network, or use another one.',
    ),
  ],
  ...[520, 522, 525, 530].map((status): readonly [string, Broken, string] => [
    `a content delivery network without its service, ${status}`,
    page(status),
    firstOf(
      `A content delivery network or gateway before HOST responds, and cannot use the server behind it (HTTP ${status}, text/html). Run the doctor again later, or ask the operator of that network or gateway.`,
    ),
  ]),
  [
    'the page of a gateway that fails',
    page(500),
    firstOf('A gateway or proxy before HOST fails (HTTP 500, text/html). Ask its operator.'),
  ],
  [
    'the page of a gateway that says that it is JSON',
    always({ status: 403, text: '<html>planted</html>' }),
    firstOf(
      'A firewall, gateway or proxy before HOST refuses the requests (HTTP 403, application/json). Ask its operator to let this machine in.',
    ),
  ],
  [
    'the page of a gateway that refuses a method',
    page(405),
    firstOf(
      'A gateway or proxy before HOST refuses every call (HTTP 405, text/html). Ask its operator to let this machine in.',
    ),
  ],
  [
    'the page of a gateway that limits the rate',
    page(429, { 'retry-after': '7' }),
    firstOf(
      'A gateway or proxy before HOST limits the rate of requests (HTTP 429, text/html, Retry-After 7 s). Run the doctor again after that time.',
    ),
  ],
  [
    'a key that does not exist',
    always(problem(404, 'KEY_DOES_NOT_EXIST')),
    ofToken(
      'The service does not accept the token (HTTP 404, KEY_DOES_NOT_EXIST). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  [
    'an invalid key',
    always({
      status: 403,
      body: { status: 'error', error: { code: 'INVALID_API_KEY', message: 'planted' } },
    }),
    ofToken(
      'The service does not accept the token (HTTP 403, INVALID_API_KEY). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  [
    'an invalid key, under a success',
    always(problem(200, 'INVALID_API_KEY')),
    ofToken(
      'The service does not accept the token (HTTP 200, INVALID_API_KEY). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  [
    'a refusal in the numbers of authentication',
    always({ status: 400, body: { code: 200_017, error: 'SESSION_2_GONE', errorDetails: 'planted words' } }),
    ofToken(
      'The service does not accept the token (HTTP 400, SESSION_2_GONE). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  [
    'a token that is over, by its name',
    always({ status: 401, body: { code: 'TOKEN_EXPIRED', message: 'planted words' } }),
    ofToken(
      'The service does not accept the token (HTTP 401, TOKEN_EXPIRED). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  [
    'a token that is over, by another status',
    always(problem(422, 'TOKEN_EXPIRED')),
    firstOf(
      'The service refuses every call (HTTP 422, TOKEN_EXPIRED). Look the name up in its documentation; check PAYMENTS_ACCESS_TOKEN, and what the service asks of every request.',
    ),
  ],
  [
    'a token that is over, by the challenge alone',
    plain((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="planted", error="invalid_token"' }).end();
    }),
    ofToken(
      'The service does not accept the token (HTTP 401, invalid_token). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  ...[401, 403, 422].map((status): readonly [string, Broken, string] => [
    `a token that is over, by its claim, ${status}`,
    { ...always(problem(status, 'TOKEN_EXPIRED')), token: jwt({ exp: 1_500_000_000, sub: 'planted' }) },
    ofToken(
      `The token is over: its \`exp\` is 2017-07-14T02:40:00.000Z (HTTP ${status}, TOKEN_EXPIRED). Set PAYMENTS_ACCESS_TOKEN to a new one.`,
    ),
  ]),
  [
    'a token that is not valid yet',
    { ...always(problem(401, 'UNAUTHORIZED')), token: jwt({ nbf: 32_503_680_000, exp: 32_503_690_000 }) },
    ofToken(
      'The token is not valid yet: its `nbf` is 3000-01-01T00:00:00.000Z (HTTP 401, UNAUTHORIZED). Set PAYMENTS_ACCESS_TOKEN to one that is, and check the clock of this machine.',
    ),
  ],
  [
    'another login than that of the service',
    always({ status: 401, text: '', headers: { 'www-authenticate': 'Negotiate' } }),
    firstOf(
      'A gateway or proxy before HOST wants a login of its own (HTTP 401). Use an address in `baseUrl` that leads to the service itself.',
    ),
  ],
  [
    'another login beside the name of the service',
    always({ ...problem(401, 'UNAUTHORIZED'), headers: { 'www-authenticate': 'Basic' } }),
    ofToken(
      'The service does not accept the token (HTTP 401, UNAUTHORIZED). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    ),
  ],
  [
    'the JSON of a gateway that refuses',
    always({ status: 403, body: { message: 'planted words' } }),
    firstOf(
      'A firewall, gateway or proxy before HOST refuses the requests (HTTP 403). Ask its operator to let this machine in.',
    ),
  ],
  [
    'an error without a name, under a success',
    always({ body: { success: false, message: 'planted words' } }),
    firstOf(
      'The service responds with an error without a name under HTTP 200. Check PAYMENTS_ACCESS_TOKEN, and what the service asks of every request.',
    ),
  ],
  [
    'a service that is down, without a body',
    always({ status: 503, text: '' }),
    firstOf(
      'The service is down (HTTP 503). Run the doctor again later, or ask the operator of the service.',
    ),
  ],
  [
    'a key that does not exist, of a token that is over',
    { ...always(problem(404, 'KEY_DOES_NOT_EXIST')), token: jwt({ exp: 1_500_000_000 }) },
    ofToken(
      'The token is over: its `exp` is 2017-07-14T02:40:00.000Z (HTTP 404, KEY_DOES_NOT_EXIST). Set PAYMENTS_ACCESS_TOKEN to a new one.',
    ),
  ],
  [
    'a profile that is frozen',
    always(problem(403, 'PROFILE_FROZEN')),
    ofToken(
      'The profile of the token is frozen (HTTP 403, PROFILE_FROZEN). Ask the operator of the service.',
    ),
  ],
  ...['USER_NOT_FOUND', 'USER_FROZEN'].map((name): readonly [string, Broken, string] => [
    `a user that cannot be read, ${name}`,
    plain(({ url = '' }, response) => {
      const { status = 200, body } = url.includes('approvals')
        ? problem(403, 'UNAUTHORIZED')
        : problem(400, name);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
    firstOf(`The service refuses the user (HTTP 400, ${name}). Check --user.`),
  ]),
  ...(
    [
      ['a client certificate', () => createTlsServer({ ...wantsClientCertificate, maxVersion: 'TLSv1.2' })],
      ['a client certificate, in TLS 1.3', () => createTlsServer(wantsClientCertificate)],
      [
        'a version that is too old',
        () =>
          createTlsServer({
            ...tls,
            maxVersion: 'TLSv1.1',
            minVersion: 'TLSv1',
            ciphers: 'DEFAULT@SECLEVEL=0',
          }),
      ],
      ['another server name', alerting(112)],
      ['nothing that this client has', alerting(40)],
    ] as const
  ).map(([what, server]): readonly [string, Broken, string] => [
    `an http address of a TLS port that wants ${what}`,
    { scheme: 'http', server },
    useHttps,
  ]),
  [
    'a client certificate that is wanted',
    { scheme: 'https', server: alerting(116) },
    firstOf(
      'HOST wants a client certificate (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). Pass a `fetch` that has one to the client.',
    ),
  ],
  [
    'a server name that is not known',
    { scheme: 'https', server: alerting(112) },
    firstOf(
      'HOST speaks TLS, and does not know this server name (ERR_SSL_TLSV1_UNRECOGNIZED_NAME). Check the host in `baseUrl`.',
    ),
  ],
  [
    'no TLS in common',
    { scheme: 'https', server: alerting(40) },
    firstOf(
      'HOST refuses the TLS handshake (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE). It accepts no TLS version or cipher of this client, or wants a client certificate.',
    ),
  ],
];

describe('a broken service', () => {
  // undici 8 speaks HTTP/2 over TLS.
  const speaksHttp2 = Number(process.versions.undici?.split('.')[0]) > 7;
  const rows = table.filter(([what]) => !(speaksHttp2 && what === 'HTTP/2 only, with TLS'));

  const toldWithoutCodes = rows.filter(([what]) =>
    /^(HTTP.2 only, without TLS|a port of another protocol)$/.test(what),
  );

  it.each(toldWithoutCodes)(
    '%s is told also by undici 7, whose parser gives no code',
    async (_what, broken, line) => {
      useGlobally(new undici7.Agent(), undici7);
      const { scheme, server } = broken;
      const host = await hostOf(server());
      const { stdout } = await run({
        env: { PAYMENTS_BASE_URL: `${scheme}://${host}`, PAYMENTS_USER_ID: USER },
      });
      expect(stdout).toContain(line.replaceAll('HOST', host));
    },
  );

  it.each(rows)('%s is told in one line, with one remedy', async (_what, broken, line) => {
    const { scheme, prefix = '', server, token = 'planted-token' } = broken;
    const host = await hostOf(server());
    const env = {
      PAYMENTS_BASE_URL: `${scheme}://${host}${prefix}`,
      PAYMENTS_USER_ID: USER,
      PAYMENTS_ACCESS_TOKEN: token,
    };
    const { status, stdout, stderr } = await run({ env });
    const [, , , ...printed] = stdout.split('\n');
    expect(printed).toEqual([line.replaceAll('HOST', host), '', '1 failure, 0 warnings.', '']);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout.split('baseUrl').length).toBeLessThanOrEqual(2);
    expect(stdout).not.toMatch(new RegExp(`planted|${USER}`));
  });

  it('at which nothing listens is told in one line', async () => {
    const { port } = await closedAddress();
    const { stdout } = await run({ env: { PAYMENTS_BASE_URL: `http://127.0.0.1:${port}` } });
    expect(stdout).toContain(
      `Could not connect to 127.0.0.1:${port} (ECONNREFUSED). Nothing was sent. Check \`baseUrl\` and the network.\n\n1 failure`,
    );
  });

  it('that the name server does not know is told in one line', async () => {
    const fetch = () =>
      Promise.reject(
        Object.assign(new TypeError('fetch failed'), {
          cause: { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
        }),
      );
    const { stdout } = await run({ fetch, env: { PAYMENTS_BASE_URL: 'https://nowhere.example.com' } });
    expect(stdout).toContain(
      'Could not connect to nowhere.example.com (ENOTFOUND). Nothing was sent. No address is known for this host name: check `baseUrl`.\n\n1 failure',
    );
  });

  it.each<[string, PlainResponse, string]>([
    ['at which a path is missing', { status: 404, text: '' }, 'reachability: '],
    [
      'that accepts the token',
      { body: { userId: USER, kycInfo: {} } },
      'reachability: The service responds.',
    ],
  ])('%s is told beside a token that is over', async (_what, response, words) => {
    const token = jwt({ exp: 1_500_000_000 });
    const { stdout } = await run({
      env: { PAYMENTS_ACCESS_TOKEN: token, PAYMENTS_USER_ID: USER },
      fetch: inProcess(() => response),
    });
    expect(stdout).toContain(words);
    expect(stdout).toContain(
      'WARNING  authentication: The token is over: its `exp` is 2017-07-14T02:40:00.000Z. Set PAYMENTS_ACCESS_TOKEN to a new one.',
    );
    expect(stdout).not.toContain(token);
  });

  it('proposes no options in the JSON either', async () => {
    const { report } = await run({ args: ['--json'], fetch: inProcess(() => problem(403, 'UNAUTHORIZED')) });
    expect(report.options).toEqual({});
    expect(report.findings).toHaveLength(1);
  });

  it('comes before the check of a delivery', async () => {
    const args = ['--json', '--webhook', new URL(import.meta.url).pathname];
    const { report } = await run({ args, fetch: inProcess(() => problem(401, 'UNAUTHORIZED')) });
    expect(report.findings[0]?.check).toBe('authentication');
    expect(report.findings.length).toBeGreaterThan(1);
  });
});

describe('a service that is silent', () => {
  /** A service over HTTP that holds its responses back until it is let go. */
  async function silentService() {
    const { handle } = sandboxService();
    const held: (() => void)[] = [];
    let isFree = false;
    const host = await hostOf(
      createHttpServer((request, response) => {
        const respond = () => {
          const { status = 200, body } = handle(new URL(request.url ?? '', 'http://localhost'), request, '');
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body));
        };
        if (isFree) respond();
        else held.push(respond);
      }),
    );
    const letGo = () => {
      isFree = true;
      for (const respond of held.splice(0)) respond();
    };
    return { host, letGo };
  }

  it('is said after 5 s, and its response is waited for', async () => {
    const { host, letGo } = await silentService();
    const { status, stdout, stderr } = await run({
      env: { PAYMENTS_BASE_URL: `http://${host}`, PAYMENTS_USER_ID: USER },
      timer: (milliseconds, callback) => {
        if (milliseconds !== 5000) return () => {};
        const immediate = setImmediate(() => {
          callback();
          letGo();
        });
        return () => clearImmediate(immediate);
      },
    });
    expect(stderr.split('\n')[0]).toBe(`Waiting for a response from ${host}: none after 5 s.`);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('ok       reachability: The service responds.'),
    ]);
  });

  it('is told in one line after 30 s', async () => {
    const { host } = await silentService();
    const { status, stdout, stderr } = await run({
      env: { PAYMENTS_BASE_URL: `http://${host}`, PAYMENTS_USER_ID: USER },
      timer: (_milliseconds, callback) => {
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      },
    });
    expect([status, stderr]).toEqual([1, `Waiting for a response from ${host}: none after 5 s.\n`]);
    expect(stdout).toContain(
      `FAILURE  reachability: ${host} sends no response within 30 s. Ask the operator of the service, or of the proxy or firewall before it.\n\n1 failure`,
    );
  });

  it('in the middle of a body is said, too', async () => {
    const host = await hostOf(
      createHttpServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"userId":');
      }),
    );
    let isBody = false;
    const { stderr } = await run({
      env: { PAYMENTS_BASE_URL: `http://${host}`, PAYMENTS_USER_ID: USER },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        setImmediate(() => {
          isBody = true;
        });
        return response;
      },
      timer: (_milliseconds, callback) => {
        const interval = setInterval(() => {
          if (!isBody) return;
          clearInterval(interval);
          callback();
        }, 1);
        return () => clearInterval(interval);
      },
    });
    expect(stderr).toBe(`Waiting for the rest of the response from ${host}: not complete after 5 s.\n`);
  });
});

describe('a clock', () => {
  const examined = async (seconds: number, more: Record<string, string> = {}) => {
    const { handle } = sandboxService();
    const now = Date.parse('2026-03-01T12:00:00Z');
    const date = new Date(now + seconds * 1000).toUTCString();
    const { stdout, status } = await run({
      env: { PAYMENTS_USER_ID: USER },
      now: () => now,
      fetch: inProcess((url, request, text) => ({
        ...handle(url, request, text),
        headers: { date, ...more },
      })),
    });
    expect(status).toBe(0);
    return stdout.split('\n').filter((line) => line.includes('clock'));
  };
  const remedy =
    'Set the clock of this machine, or ask the operator of the service: tokens and webhooks depend on the time.';

  it('that differs by more than a minute is a warning', async () => {
    expect(await examined(300)).toEqual([
      `WARNING  clock: The clock of this machine is 5 min behind the one of the service. ${remedy}`,
    ]);
    expect(await examined(-90)).toEqual([
      `WARNING  clock: The clock of this machine is 90 s ahead of the one of the service. ${remedy}`,
    ]);
  });

  it('that differs by a minute, or the date of a cached response, is none', async () => {
    expect(await examined(60)).toEqual([]);
    expect(await examined(-60)).toEqual([]);
    expect(await examined(-3600, { age: '3600' })).toEqual([]);
  });

  it('is told after a token that is refused', async () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const { report } = await run({
      args: ['--json'],
      now: () => now,
      fetch: inProcess(() => ({
        ...problem(401, 'UNAUTHORIZED'),
        headers: { date: new Date(now + 600_000).toUTCString() },
      })),
    });
    expect(report.findings.map(({ check, level }) => [check, level])).toEqual([
      ['authentication', 'failure'],
      ['clock', 'warning'],
    ]);
  });
});
