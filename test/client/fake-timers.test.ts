import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';

// As in a setup file, or in the configuration of a test runner: before the client is imported.
vi.useFakeTimers();
const { PaymentsClient } = await import('../../src/index.ts');

const token = 'token-1';
const kyc = { userId: 'u1', kycInfo: {} };

async function service(): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(kyc)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

it('calls over a socket end, also after time was moved on and after a pause', async () => {
  const client = new PaymentsClient({ baseUrl: await service(), accessToken: token });
  expect(await client.kyc.retrieve('u1')).toEqual(kyc);
  vi.advanceTimersByTime(60_000);
  expect(await client.kyc.retrieve('u1')).toEqual(kyc);
  vi.setSystemTime(new Date('2031-01-01'));
  expect(await Promise.all([client.kyc.retrieve('u1'), client.kyc.retrieve('u1')])).toEqual([kyc, kyc]);
});

it('retries, limits and waits end by real timers', async () => {
  const responses = [503, 503].map((status) => new Response('{}', { status }));
  const client = new PaymentsClient({
    baseUrl: 'http://127.0.0.1:4010',
    accessToken: token,
    fetch: async () => responses.shift() ?? Response.json(kyc),
    retries: { minDelay: 5 },
  });
  expect(await client.kyc.retrieve('u1')).toEqual(kyc);
  const hanging = new PaymentsClient({
    baseUrl: 'http://127.0.0.1:4010',
    accessToken: token,
    fetch: () => new Promise(() => undefined),
    timeout: 5,
    deadline: 20,
    retries: { minDelay: 1 },
  });
  await expect(hanging.kyc.retrieve('u1')).rejects.toMatchObject({ name: 'TimeoutError' });
});
