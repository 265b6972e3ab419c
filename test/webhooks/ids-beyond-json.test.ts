import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  memoryDedupe,
  type WebhookHandlers,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';

const receiving = (handlers: WebhookHandlers, options: Partial<WebhookReceiverOptions>) =>
  createWebhookReceiver({ verifier: async () => true, ...options }).handler(handlers);

describe('events whose ids are 64-bit numbers', () => {
  it.each(['id', 'eventId'])('are told apart by what was sent: %s', async (name) => {
    const seen: unknown[] = [];
    const handle = receiving(
      { otherwise: (_event, { id }) => void seen.push(id) },
      { dedupe: memoryDedupe() },
    );
    const post = async (id: string, more = '') => {
      const body = `{"${name}":${id},"eventType":"transfers#state-change","data":{"state":"done"}${more}}`;
      return (await handle(new Request('http://r.test/', { method: 'POST', body }))).json();
    };
    await post('9007199254740993');
    await post('9007199254740992');
    expect(seen).toHaveLength(2);
    expect(await post('9007199254740993')).toEqual({ received: true, duplicate: true });
    // An id that JSON cannot hold does not give way to another field, such as the id of the payment.
    if (name === 'eventId') {
      await post('9007199254740995', ',"id":"tr_1"');
      await post('9007199254740994', ',"id":"tr_1"');
      expect(seen).toHaveLength(4);
    }
  });
});

describe('events without an id', () => {
  const idsOf = async (...bodies: string[]) => {
    const ids: string[] = [];
    const handle = receiving({ otherwise: (_event, { id }) => void ids.push(id) }, {});
    for (const body of bodies) await handle(new Request('http://r.test/', { method: 'POST', body }));
    return ids;
  };
  const event = (amount: string) => `{"eventType":"A.B","data":{"amount":${amount},"note":"-1 \\"2\\" [3]"}}`;

  it('have the same id in every spelling', async () => {
    const ids = await idsOf(
      event('12'),
      event('12.0'),
      event('12.00000000000000000000'),
      event('1.2e1'),
      JSON.stringify(JSON.parse(event('12')), null, 2),
      '{"data":{"note":"-1 \\u00222\\" [3]","amount":12},"eventType":"A.B"}',
    );
    expect([ids.length, new Set(ids).size]).toEqual([6, 1]);
  });

  it('have different ids where a number differs in any digit', async () => {
    const ids = await idsOf(
      ...[
        '9007199254740993',
        '9007199254740992',
        '-9007199254740993',
        '0.12345678901234567',
        '0.12345678901234568',
      ].map(event),
    );
    expect(new Set(ids).size).toBe(5);
  });
});
