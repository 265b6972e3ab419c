import type { SignedWebhook, SignWebhookOptions } from './options.ts';

/**
 * Signs an event as a sender would, for tests and for the emulator.
 *
 * @param event - The event, or the raw JSON text exactly as it is to be sent.
 * @param options - One scheme with its secret or private key; timestamps are Unix seconds.
 * @returns The body and the headers of the delivery.
 * @throws ConfigurationError when the secret is empty or the key does not fit the algorithm.
 * @example
 * ```ts
 * import { signWebhook } from 'stablecoin-payments/webhooks';
 *
 * const { body, headers } = await signWebhook(
 *   { eventId: 'evt_1', eventType: 'TRANSFER.APPROVAL.PENDING', data: { transferId: 'tr_1' } },
 *   { standardWebhooks: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
 * );
 * await fetch('http://127.0.0.1:3000/webhooks', { method: 'POST', body, headers });
 * ```
 */
export async function signWebhook(
  event: string | object,
  options: SignWebhookOptions,
): Promise<SignedWebhook> {
  // A receiver that runs in production does not load the code that signs.
  const { signDelivery } = await import('./sign-delivery.ts');
  return signDelivery(event, options);
}
