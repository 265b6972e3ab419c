import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import * as undici7 from 'undici7';
import { expect, onTestFinished, test } from 'vitest';
import { clientAt, record, useGlobally } from './support.ts';

function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'http2-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'].concat([
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  );
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

/** A server that speaks HTTP/2 and responds with a text, and a dispatcher that speaks it, too. */
async function serveHttp2(text: string) {
  const { key, cert } = certificate();
  const versions: string[] = [];
  const server = createSecureServer({ key, cert }, (request, response) => {
    versions.push(request.httpVersion);
    response.setHeader('content-type', 'application/json');
    response.write(text);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const dispatcher = new Agent({ allowH2: true, connect: { ca: cert } });
  onTestFinished(async () => {
    await dispatcher.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, cert, dispatcher, versions };
}

test('a fetch over a dispatcher that speaks HTTP/2 makes the client speak it', async () => {
  const { url, dispatcher, versions } = await serveHttp2(JSON.stringify(record));
  const client = clientAt(url, { fetch: (url, init) => fetch(url, { ...init, dispatcher }) });
  const results = await Promise.all(Array.from({ length: 3 }, () => client.kyc.retrieve('u-1')));
  expect(results).toEqual([record, record, record]);
  expect(versions).toEqual(['2.0', '2.0', '2.0']);
});

test('an empty body is whole, as HTTP/2 declares the end of each', async () => {
  const { url, cert, dispatcher, versions } = await serveHttp2('');
  useGlobally(new undici7.Agent({ allowH2: true, connect: { ca: cert } }), undici7);
  const clients = [
    clientAt(url),
    clientAt(url, { fetch: (url, init) => fetch(url, { ...init, dispatcher }) }),
  ];
  for (const client of clients) expect(await client.accounts.delete('u1', 'a1')).toBeUndefined();
  expect(versions).toEqual(['2.0', '2.0']);
});
