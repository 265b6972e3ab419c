import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { clientAt, record } from './support.ts';

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

test('a fetch over a dispatcher that speaks HTTP/2 makes the client speak it', async () => {
  const { key, cert } = certificate();
  const versions: string[] = [];
  const server = createSecureServer({ key, cert }, (request, response) => {
    versions.push(request.httpVersion);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(record));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const dispatcher = new Agent({ allowH2: true, connect: { ca: cert } });
  onTestFinished(async () => {
    await dispatcher.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = clientAt(`https://localhost:${port}`, {
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });
  const results = await Promise.all(Array.from({ length: 3 }, () => client.kyc.retrieve('u-1')));
  expect(results).toEqual([record, record, record]);
  expect(versions).toEqual(['2.0', '2.0', '2.0']);
});
