import { ConfigurationError } from '../../errors/index.ts';
import { requireOptions } from '../require-options.ts';
import { decodeBytes } from './bytes.ts';
import { hmacVerifier, maximumSignatures } from './hmac.ts';
import { base64Secrets, type WebhookSecrets } from './secrets.ts';
import {
  mismatchAdvice,
  readTimestamp,
  refusal,
  requireFresh,
  requireHeader,
  verified,
  type WebhookVerifier,
} from './verifier.ts';

/** Options of `standardWebhooks`. */
export type StandardWebhooksOptions = WebhookSecrets & {
  /** The beginning of the names of the three headers: `webhook` (the default) or `svix`. */
  readonly headerPrefix?: 'webhook' | 'svix';
};

/**
 * Verifies Standard Webhooks deliveries: the headers `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, an HMAC-SHA256 over id, timestamp and body. Of several signatures and several
 * secrets one match suffices, so that secrets can be rotated without a lost delivery.
 *
 * @param options - `secret` or `secrets`: base64, with or without the prefix `whsec_`, or raw bytes.
 * `headerPrefix: 'svix'` reads `svix-id`, `svix-timestamp` and `svix-signature` instead.
 * @returns A verifier for `createWebhookReceiver`. It vouches for the message id.
 * @throws ConfigurationError when there is no secret, or one is blank, a placeholder such as `undefined`, or not base64.
 * @example
 * ```ts
 * import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const secret = process.env.WEBHOOK_SECRET ?? '';
 * const webhooks = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
 * ```
 */
export function standardWebhooks(options: StandardWebhooksOptions): WebhookVerifier {
  requireOptions('standardWebhooks', options, { secret: true, secrets: true, headerPrefix: true });
  const { headerPrefix = 'webhook' } = options;
  if (headerPrefix !== 'webhook' && headerPrefix !== 'svix') {
    throw new ConfigurationError('headerPrefix must be "webhook" or "svix".');
  }
  const idHeader = `${headerPrefix}-id`;
  const timeHeader = `${headerPrefix}-timestamp`;
  const signatureHeader = `${headerPrefix}-signature`;
  const verifyAny = hmacVerifier(base64Secrets(options));

  return async (verification) => {
    const { body } = verification;
    const id = requireHeader(verification, idHeader);
    const timestamp = readTimestamp(verification, timeHeader);
    const signatures = requireHeader(verification, signatureHeader)
      .split(/\s+/, maximumSignatures)
      .map((signature) =>
        signature.startsWith('v1,') ? decodeBytes(signature.slice(3), 'base64') : undefined,
      )
      .filter((signature) => signature !== undefined);
    if (!(await verifyAny(standardWebhooksPrefix(id, timestamp), body, signatures))) {
      throw refusal(
        'webhook_bad_signature',
        signatures.length === 0
          ? `The header "${signatureHeader}" contains no signature of the form "v1,<base64>".`
          : `No signature in the header "${signatureHeader}" matches the body. ${mismatchAdvice}`,
      );
    }
    requireFresh(timestamp, timeHeader, verification);
    return verified({ id });
  };
}

/** The text that Standard Webhooks signs before the body. */
export const standardWebhooksPrefix = (id: string, timestamp: string): string => `${id}.${timestamp}.`;
