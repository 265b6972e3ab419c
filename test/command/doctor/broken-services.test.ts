import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
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
}

const tls = { cert: CERTIFICATE, key: KEY };
const firstOf = (line: string) => `FAILURE  reachability: ${line}`;

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
      'HOST responds with a web page (HTTP 200, text/html), probably a login page or a website. Check `baseUrl`, and the proxy or gateway before the service.',
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
      'HOST has no operation of this service at /v2 (HTTP 404). `baseUrl` probably lacks a path prefix.',
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
      'HOST has no operation of this service at /v2/v2 (HTTP 404). Remove /v2 from the end of `baseUrl`: the client adds it.',
    ),
  ],
  [
    'a token that is refused',
    always(problem(401, 'UNAUTHORIZED')),
    'FAILURE  authentication: The service does not accept the token (HTTP 401). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
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
    firstOf('The service does not find the user (HTTP 404). Check --user.'),
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
      'The service limits the rate of requests (HTTP 429, Retry-After 120 s). Run the doctor again after that time.',
    ),
  ],
  [
    'a limit of the rate until a date, by a clock of its own',
    always({
      ...problem(429, 'LIMIT'),
      headers: { date: 'Sun, 01 Mar 2026 00:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 00:00:09 GMT' },
    }),
    firstOf(
      'The service limits the rate of requests (HTTP 429, Retry-After 9 s). Run the doctor again after that time.',
    ),
  ],
  [
    'a service that is down',
    page(503, { 'retry-after': '30' }),
    firstOf('The service is down (HTTP 503, Retry-After 30 s). Run the doctor again after that time.'),
  ],
  [
    'a gateway without its service',
    page(502),
    firstOf(
      'The gateway before the service responds, and the service does not (HTTP 502). Run the doctor again later, or ask the operator of the service.',
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
      'The service refuses every call (HTTP 400, TENANT_MISSING). Check `baseUrl`, and what the service asks of every request.',
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
      'HOST responds with text/plain in place of JSON (HTTP 200). Check `baseUrl`, and the proxy or gateway before the service.',
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
    const { scheme, prefix = '', server } = broken;
    const host = await hostOf(server());
    const env = { PAYMENTS_BASE_URL: `${scheme}://${host}${prefix}`, PAYMENTS_USER_ID: USER };
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
