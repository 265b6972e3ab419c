import { PaymentsClient } from 'stablecoin-payments';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';

test('the package loads, and the guard against browsers names the test environment', () => {
  const options = { baseUrl: 'https://payments.test', accessToken: 'token' };
  expect(() => new PaymentsClient(options)).toThrow(`This test runs in ${process.env.DOM_NAME}`);
  const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
  expect(createWebhookReceiver({ verifier: standardWebhooks({ secret }) })).toBeDefined();
});
