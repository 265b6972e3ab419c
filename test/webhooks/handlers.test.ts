import { describe, expect, it } from 'vitest';
import { createWebhookReceiver, standardWebhooks } from '../../src/webhooks/index.ts';
import { refusalOf, secret } from './support.ts';

const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });

describe('handlers that would acknowledge every event and drop it', () => {
  const nothing = async () => {};
  it.each<[string, unknown]>([
    ['a function', nothing],
    ['an empty object', {}],
    ['a Map', new Map([['ONRAMP.CREATE', nothing]])],
    ['an empty Map', new Map()],
    ['a list', [nothing]],
    ['an empty list', []],
    ['null', null],
    ['nothing', undefined],
    ['a promise', Promise.resolve({ otherwise: nothing })],
    ['a kind without a handler', { 'ONRAMP.CREATE': undefined }],
    ['a kind without a handler beside one with', { 'ONRAMP.CREATE': nothing, otherwise: undefined }],
    ['a text', { otherwise: 'log' }],
    [
      'methods of a class',
      new (class {
        otherwise() {}
      })(),
    ],
  ])('are refused by every adapter: %s', async (_name, handlers) => {
    for (const make of [receiver.handler, receiver.nodeHandler, receiver.fastifyPlugin]) {
      const [code, message] = await refusalOf(() => make(handlers as never));
      expect(code).toBe('configuration');
      expect(message).toMatch(/handler/i);
    }
  });

  it('are not confused with an object without a prototype', () => {
    const handlers = Object.assign(Object.create(null), { otherwise: nothing });
    expect(receiver.handler(handlers)).toBeTypeOf('function');
  });
});
