import { expect, test } from 'vitest';
import { bench, withUsAccount } from './support.ts';

const webhook = { url: 'http://receiver.test/hooks', fetch: async () => new Response() };
const secret = `whsec_${btoa('a secret of the test'.repeat(2))}`;
const pem = expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/);

test.each([
  ['spec', {}, { scheme: 'standard-webhooks', secret: expect.stringMatching(/^whsec_/), publicKey: null }],
  ['spec', { secret }, { scheme: 'standard-webhooks', secret: null, publicKey: null }],
  ['field', {}, { scheme: 'jwt', secret: null, publicKey: pem }],
  ['field', { secret }, { scheme: 'jwt', secret: null, publicKey: pem }],
] as const)('the dialect %s with %j shows what verifies its deliveries', async (dialect, more, shown) => {
  const { call } = bench({ dialect, webhook: { ...webhook, ...more } });
  const { body } = await call('GET', '/_emulator/webhook');
  expect(body.webhook).toEqual({ url: webhook.url, ...shown });
});

test('an emulator without a webhook has no keys to show', async () => {
  const { call } = bench();
  expect((await call('GET', '/_emulator/webhook')).body).toEqual({ webhook: null });
});

const cutBody = () =>
  new ReadableStream({
    pull(controller) {
      controller.error(new Error('cut off'));
    },
  });

test.each<[string, () => Promise<Response>, string, string, string | null]>([
  ['an error', () => Promise.reject(new Error('refused')), 'given-up', 'no response', 'refused'],
  ['no error', () => Promise.reject('nothing'), 'given-up', 'no response', 'the request failed'],
  ['a body that ends early', async () => new Response(cutBody()), 'delivered', '200', null],
])('an attempt that ends with %s is shown as it ended', async (_name, fetch, outcome, result, error) => {
  const options = { url: webhook.url, fetch, retryDelays: [] };
  const { emulator, call, id } = await withUsAccount({ accountValidation: 'manual', webhook: options });
  await emulator.delivered();
  expect(emulator.deliveries.list()[0]?.attempts).toMatchObject([{ outcome, error }]);
  const { body } = await call('GET', `/_emulator/records/${id}`);
  const shown = body.timeline.find(({ what }: { what: string }) => what === 'attempt');
  expect(shown).toMatchObject({
    result,
    facts: ['attempt 1', outcome, ...(error === null ? [] : [error])],
  });
});
