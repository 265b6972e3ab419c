import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';

test('the client and the emulator work beside a document', async () => {
  const emulator = createEmulator();
  const { userId } = emulator.createUser();
  document.title = 'payments';
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    fetch: emulator.fetch,
    dangerouslyAllowBrowser: true,
  });
  expect((await payments.kyc.retrieve(userId)).userId).toBe(userId);
});
