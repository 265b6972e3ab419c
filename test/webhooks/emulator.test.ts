import { describe, expect, it } from 'vitest';
import { createEmulator, type DeliveryAttempt } from '../../src/emulator/index.ts';
import {
  createWebhookReceiver,
  memoryDedupe,
  standardWebhooks,
  type WebhookHandlers,
} from '../../src/webhooks/index.ts';

const secret = 'whsec_ZW5kIHRvIGVuZCBzZWNyZXQgb2YgdGVzdHM=';

/** An emulator whose webhook is a receiver in the same process. */
function connect(handlers: WebhookHandlers) {
  const attempts: DeliveryAttempt[] = [];
  const receive = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    dedupe: memoryDedupe(),
    onError: () => {},
  }).handler(handlers);
  const emulator = createEmulator({
    webhook: {
      url: 'http://receiver.test/webhooks',
      secret,
      retryDelays: [0, 0],
      onAttempt: (attempt) => attempts.push(attempt),
      fetch: (url, init) => receive(new Request(url, init)),
    },
  });
  const call = async (method: string, path: string, body?: object) => {
    const response = await emulator.fetch(`http://emulator.test${path}`, {
      method,
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.ok).toBe(true);
    return response.json();
  };
  const transfer = async () => {
    const [source, destination] = [emulator.createUser().userId, emulator.createUser().userId];
    const created = await call('POST', '/v2/wallets/transfers', {
      requestId: crypto.randomUUID(),
      source: { userId: source },
      destination: { userId: destination },
      amount: 25,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: true,
    });
    return { id: created.transferDetails.id, approvalId: created.transferDetails.receipt.approval.id };
  };
  return { emulator, attempts, call, transfer };
}

describe('from the emulator to the handler', () => {
  it('an approval reaches its handlers, pending first, signed, once each', async () => {
    const seen: unknown[] = [];
    const { emulator, call, transfer } = connect({
      'TRANSFER.APPROVAL.PENDING': (event) => seen.push(['pending', event.data.transferId]),
      'TRANSFER.APPROVAL.APPROVED': (event) => seen.push(['approved', event.data.transferId]),
    });
    const { id, approvalId } = await transfer();
    await call('POST', `/v2/transfer-approvals/${approvalId}/approve`, { comment: 'fine' });
    await emulator.delivered();
    expect(seen).toEqual([
      ['pending', id],
      ['approved', id],
    ]);
  });

  it('a handler that fails once is retried, and a redelivery is not handled again', async () => {
    const seen: string[] = [];
    let failures = 1;
    const { emulator, attempts, transfer } = connect({
      otherwise: (event, { id }) => {
        if (failures > 0) {
          failures -= 1;
          throw new Error('database is away');
        }
        seen.push(`${event.eventType} ${id}`);
      },
    });
    await transfer();
    await emulator.delivered();
    const [first] = attempts;
    if (first === undefined) throw new Error('nothing was delivered');
    emulator.deliveries.redeliver(first.deliveryId);
    await emulator.delivered();
    expect(attempts.map(({ status }) => status)).toEqual([500, 200, 200]);
    expect(seen).toEqual([`TRANSFER.APPROVAL.PENDING ${first.eventId}`]);
  });
});
