import { setupServer } from 'msw/node';
import { isPaymentsError, PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import { createEmulator, type Emulator } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import {
  createWebhookReceiver,
  memoryDedupe,
  signWebhook,
  standardWebhooks,
} from 'stablecoin-payments/webhooks';

const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
const options = { baseUrl: 'https://payments.test', accessToken: 'token', retries: { minDelay: 0 } };

function pay(emulator: Emulator, requireApproval = false) {
  const payments = new PaymentsClient({ ...options, fetch: emulator.fetch });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  return payments.transfers.create({
    requestId: requestIdFrom('environment', 1),
    source: { userId },
    destination: { userId },
    amount: 12.5,
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval,
  });
}

test('the client pays once although the first response is lost, and an error has its class', async () => {
  const emulator = createEmulator({ seed: 1 });
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await pay(emulator);
  expect(emulator.state().transfers).toHaveLength(1);
  const payments = new PaymentsClient({ ...options, fetch: emulator.fetch });
  const error: unknown = await payments.kyc.retrieve('nobody').catch((thrown: unknown) => thrown);
  expect(isPaymentsError(error) && error.name).toBe('NotFoundError');
});

test('a signed delivery of the emulator passes the receiver', async () => {
  const events: string[] = [];
  const emulator = createEmulator({
    seed: 1,
    webhook: {
      url: 'http://receiver.test/',
      secret,
      fetch: (url, init) => receive(new Request(url, init)),
    },
  });
  const receive = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    dedupe: memoryDedupe(),
    now: () => emulator.clock.now().getTime(), // a seed stops the emulator's clock, which dates the deliveries
  }).handler({ otherwise: ({ eventType }) => void events.push(eventType) });
  await pay(emulator, true);
  await emulator.delivered();
  expect(events).toContain('TRANSFER.APPROVAL.PENDING');
});

test('a webhook that the test signs passes the receiver', async () => {
  const { body, headers } = await signWebhook(
    { eventId: 'evt_1', eventType: 'TRANSFER.APPROVAL.PENDING', data: { transferId: 'tr_1' } },
    { standardWebhooks: { secret } },
  );
  const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
  expect((await receiver.unwrap(body, headers)).eventId).toBe('evt_1');
});

test('the emulator answers through msw, and over a socket', async () => {
  const emulator = createEmulator({ seed: 1 });
  const { userId } = emulator.createUser();
  const server = setupServer(...emulatorHandlers(emulator));
  server.listen({ onUnhandledRequest: 'bypass' });
  const mocked = new PaymentsClient(options);
  expect((await mocked.kyc.retrieve(userId)).userId).toBe(userId);
  server.close();
  const { url, close } = await startEmulatorServer({ emulator });
  const payments = new PaymentsClient({ ...options, baseUrl: url });
  expect((await payments.kyc.retrieve(userId)).userId).toBe(userId);
  await close();
});
