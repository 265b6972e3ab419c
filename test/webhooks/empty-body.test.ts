import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  signWebhook,
  standardWebhooks,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { secret } from './support.ts';

describe('an empty body', () => {
  it.each(['handler', 'unwrap'])('says so, and not that the signature is wrong: %s', async (way) => {
    const codes: unknown[] = [];
    const options: WebhookReceiverOptions = {
      verifier: standardWebhooks({ secret }),
      onError: (error) => codes.push(Object(error).code, Object(error).message),
    };
    const receiver = createWebhookReceiver(options);
    const { headers } = await signWebhook('', { standardWebhooks: { secret } });
    if (way === 'unwrap') {
      await receiver.unwrap('', headers).catch((error: unknown) => options.onError?.(error, { status: 0 }));
    } else {
      const handle = receiver.handler({ otherwise: () => {} });
      const response = await handle(new Request('http://r.test/', { method: 'POST', body: '', headers }));
      expect(response.status).toBe(500);
    }
    expect(codes).toEqual(['webhook_missing_body', expect.stringContaining('The body is empty')]);
  });
});
