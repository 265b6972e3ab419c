import { signWebhook } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';

describe('signWebhook', () => {
  it('reproduces the example of the Standard Webhooks specification', async () => {
    const signed = await signWebhook('{"test": 2432232314}', {
      standardWebhooks: {
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        timestamp: 1_614_265_330,
      },
    });
    expect(signed).toEqual({
      body: '{"test": 2432232314}',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
    });
  });
});
