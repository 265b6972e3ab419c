import { ConfigurationError } from '../../errors/index.ts';
import { requireOptions } from '../options.ts';

let isMadeHere: (value: object) => boolean;

/** What a verifier vouches for beside the body. Only `verified()` makes one. */
export class VerifiedWebhook {
  /** The delivery's id, where the scheme signs one. It takes precedence over an id in the body. */
  readonly id?: string;
  // A private field cannot be copied or forged, so no other object is taken for an acceptance.
  readonly #made: unknown;

  static {
    isMadeHere = (value) => #made in value;
  }

  /** @internal */
  constructor(id: string | undefined) {
    if (id !== undefined) this.id = id;
  }
}

/**
 * Accepts a delivery from a verifier of your own and names the delivery's id. The receiver and `verified` must come
 * from the same copy of this package: objects of another copy (ESM beside CommonJS, a duplicate install) are refused.
 *
 * @param details - `id`: the delivery's id, as far as the signature covers it. Never pass an unsigned header.
 * @returns The object for the verifier to resolve with.
 * @throws ConfigurationError when `id` is not a string or is blank: every event would have the same id.
 * @example
 * ```ts
 * import { verified, type WebhookVerifier } from 'stablecoin-payments/webhooks';
 *
 * const verifier: WebhookVerifier = async ({ headers, body }) => {
 *   const id = headers.get('x-delivery-id') ?? '';
 *   return (await signatureCovers(id, body, headers.get('x-signature'))) && verified({ id });
 * };
 *
 * declare function signatureCovers(id: string, body: Uint8Array, signature: string | null): Promise<boolean>;
 * ```
 */
export function verified(details: { readonly id?: string } = {}): VerifiedWebhook {
  requireOptions('verified', details, { id: true });
  const id: unknown = details.id;
  if (id !== undefined && (typeof id !== 'string' || id.trim() === '')) {
    throw new ConfigurationError('verified({ id }) needs an id that is a string and not blank.');
  }
  return new VerifiedWebhook(id);
}

export const isVerified = (value: unknown): value is VerifiedWebhook =>
  typeof value === 'object' && value !== null && isMadeHere(value);
