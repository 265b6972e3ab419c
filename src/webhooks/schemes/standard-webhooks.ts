import { type Bytes, decodeBytes } from './bytes.ts';
import {
  importHmacKey,
  secretBytes,
  standardWebhooksContent,
  type WebhookSecrets,
} from './signed-content.ts';
import { refusal, requireFresh, requireHeader, type WebhookVerifier } from './verifier.ts';

/** Senders list a handful of signatures; a header with more is an attempt to keep the receiver busy. */
const maximumSignatures = 32;

/**
 * Verifies Standard Webhooks deliveries: the headers `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, an HMAC-SHA256 over id, timestamp and body. Of several signatures and several
 * secrets one match suffices, so that secrets can be rotated without a lost delivery.
 *
 * @param options - `secret` or `secrets`: base64, with or without the prefix `whsec_`, or raw bytes.
 * @returns A verifier for `createWebhookReceiver`. It vouches for the message id.
 * @throws ConfigurationError when there is no secret, or one is empty or not base64.
 * @example
 * ```ts
 * import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const secret = process.env.WEBHOOK_SECRET ?? '';
 * const webhooks = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
 * ```
 */
export function standardWebhooks(options: WebhookSecrets): WebhookVerifier {
  const verifyAny = hmacVerifier(secretBytes(options, 'base64'));
  return async (verification) => {
    const { headers, body } = verification;
    const id = requireHeader(headers, 'webhook-id');
    const timestamp = requireHeader(headers, 'webhook-timestamp');
    const listed = requireHeader(headers, 'webhook-signature').split(/\s+/);
    requireFresh(timestamp, 'the header "webhook-timestamp"', verification);
    const signatures = listed
      .slice(0, maximumSignatures)
      .map((signature) =>
        signature.startsWith('v1,') ? decodeBytes(signature.slice(3), 'base64') : undefined,
      )
      .filter((signature) => signature !== undefined);
    if (await verifyAny(standardWebhooksContent(id, timestamp, body), signatures)) return { id };
    throw refusal(
      'webhook_bad_signature',
      'No signature in the header "webhook-signature" matches the body.',
    );
  };
}

/** Whether one of the signatures is that of one of the secrets. Web Crypto compares in constant time. */
export function hmacVerifier(
  secrets: readonly Bytes[],
): (content: Bytes, signatures: readonly Bytes[]) => Promise<boolean> {
  // The keys are kept, not the promise of them: Workers forbids waiting for another request's promise.
  let keys: readonly CryptoKey[] | undefined;
  return async (content, signatures) => {
    keys ??= await Promise.all(secrets.map((secret) => importHmacKey(secret, 'verify')));
    for (const key of keys) {
      for (const signature of signatures) {
        if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
      }
    }
    return false;
  };
}
