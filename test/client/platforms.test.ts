import { afterEach, expect, test, vi } from 'vitest';
import { PaymentsClient } from '../../src/client/index.ts';
import { baseUrl, clientAt, failure } from './support.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('on Deno a body goes out in a form that the platform does not send again by itself', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('Deno', {});
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    bodies.push(init.body);
    return Response.json({ approvalId: 'a', status: 'APPROVED' });
  });
  const payments = clientAt(baseUrl);
  await payments.approvals.approve('a', { comment: 'zu Recht' });
  const [body] = bodies;
  if (!(body instanceof Blob)) throw new Error(`The body is ${String(body)}`);
  expect(await body.text()).toBe('{"comment":"zu Recht"}');
});

test("after a pause nothing of Node's is asked for where the fetch is not Node's, as on Workers", async () => {
  vi.stubGlobal('fetch', async () => Response.json({ userId: 'u', kycInfo: {} }));
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const payments = clientAt(baseUrl);
  await payments.kyc.retrieve('u');
  now += 60_000;
  expect((await payments.kyc.retrieve('u')).userId).toBe('u');
  expect(builtin).not.toHaveBeenCalled();
});

test('an older Node is refused where the client is created, not in each call', async () => {
  const { withResolvers } = Promise;
  Reflect.deleteProperty(Promise, 'withResolvers');
  try {
    const error = await failure(() => clientAt(baseUrl));
    expect(error.name).toBe('ConfigurationError');
    expect(error.message).toContain('Node.js 22 or later');
  } finally {
    Promise.withResolvers = withResolvers;
  }
});

test('a variable that may not be read is named, with the remedy', async () => {
  const refusing = new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => {
        throw new Error('Requires env access');
      },
    },
  );
  vi.stubGlobal('process', { env: refusing });
  const error = await failure(() => new PaymentsClient({ accessToken: 'token' }));
  expect(error.name).toBe('ConfigurationError');
  expect(error.message).toContain('--allow-env=PAYMENTS_BASE_URL');
});
