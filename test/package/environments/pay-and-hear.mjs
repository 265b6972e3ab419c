import assert from 'node:assert/strict';

/** Pays, pays out and hears an event with the package, whose entries it gets. */
export async function payAndHear({
  main: { PaymentsClient, requestIdFrom },
  emulator: { createEmulator },
  payouts: { checkPayouts, drivePayout, payoutSteps },
  webhooks: { createWebhookReceiver, memoryDedupe, signWebhook, standardWebhooks },
}) {
  const emulator = createEmulator();
  const { userId } = emulator.createUser();
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    fetch: emulator.fetch,
    retries: 0,
  });
  const pay = () =>
    payments.transfers.create({
      requestId: requestIdFrom('invoice', 1),
      source: { userId },
      destination: { userId },
      amount: '25.50',
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: true,
    });
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await assert.rejects(pay(), { outcome: 'unknown' });
  assert.equal((await pay()).transferDetails.status, 'PENDING_APPROVAL');
  assert.equal(emulator.payments().length, 1);
  await assert.rejects(payments.transfers.create({}), { code: 'invalid_request', outcome: 'not-sent' });
  const approvals = [];
  for await (const approval of payments.approvals.list()) approvals.push(approval);
  assert.equal(approvals.length, 1);

  const step = payoutSteps({ payments });
  const orders = [
    {
      id: 'payout-1',
      payer: userId,
      recipients: [{ userId: 'nobody', amount: '10.00' }],
      currency: 'usdc',
      chain: 'POLYGON',
    },
  ];
  const payout = await drivePayout(
    { advance: step, waitFor: async () => undefined },
    checkPayouts(orders)[0],
  );
  assert.deepEqual([payout.parts[0].state, payout.parts[0].reason], ['rejected', 'USER_NOT_FOUND']);

  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  const handled = [];
  const handler = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    dedupe: memoryDedupe(),
  }).handler({ otherwise: async (event) => void handled.push(event.eventType) });
  const event = {
    eventId: 'event-1',
    eventType: 'TRANSFER.APPROVAL.PENDING',
    data: { transferId: 'transfer-1' },
  };
  const { body, headers } = await signWebhook(event, { standardWebhooks: { secret } });
  const delivery = () => new Request('http://localhost/webhooks', { method: 'POST', body, headers });
  for (let turn = 0; turn < 2; turn += 1) assert.equal((await handler(delivery())).status, 200);
  assert.deepEqual(handled, ['TRANSFER.APPROVAL.PENDING']);
  console.log('paid once, told once');
}
