import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { serve } from '../servers.ts';

it('a script ends at once after its last call: no timer, listener or socket holds it', async () => {
  const { url } = await serve((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ userId: 'u1', kycInfo: {} }));
  });
  const source = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));
  const script = `
    const { PaymentsClient } = await import(${JSON.stringify(source)});
    const client = new PaymentsClient({ baseUrl: ${JSON.stringify(url)}, accessToken: 'x', deadline: 60_000 });
    const { signal } = new AbortController();
    await client.kyc.retrieve('u1', { signal, timeout: 60_000 });
    const done = performance.now();
    process.on('exit', () => console.log(Math.round(performance.now() - done)));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script],
    { env: { PATH: process.env.PATH } },
  );
  expect(Number(stdout)).toBeLessThan(1_000);
}, 30_000);
