import { PaymentsClient } from 'stablecoin-payments';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';

test('the package loads, and the guard against browsers names the comment for a test', () => {
  const options = { baseUrl: 'https://payments.test', accessToken: 'token' };
  expect(() => new PaymentsClient(options)).toThrow('@jest-environment node');
  const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
  expect(createWebhookReceiver({ verifier: standardWebhooks({ secret }) })).toBeDefined();
});
