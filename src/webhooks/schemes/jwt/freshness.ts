import { ConfigurationError } from '../../../errors/index.ts';
import { refusal, requireSeconds, requireWithinTolerance, type WebhookVerification } from '../verifier.ts';
import type { Claims } from './binding.ts';

/**
 * How old a token may be.
 *
 * - `'strict'` (the default): `exp` is obeyed; a token without `exp` needs an `iat` within the receiver's tolerance.
 * - `{ maximumAge }`: a token is accepted for this many seconds after its `iat` (without `iat`: after its `exp`),
 *   although it has expired. For senders that retry for hours with the first token.
 * - `'none'`: any age, also without `exp` and `iat`. Only de-duplication stops replays.
 */
export type JwtFreshness =
  | 'strict'
  | 'none'
  | {
      /** Seconds; 86,400 for a sender that retries for 24 hours. */
      readonly maximumAge: number;
    };

export function requireFreshness(freshness: unknown): asserts freshness is JwtFreshness {
  if (freshness === 'strict' || freshness === 'none') return;
  if (typeof freshness === 'object' && freshness !== null && 'maximumAge' in freshness) {
    requireSeconds(freshness.maximumAge, 'freshness.maximumAge');
    return;
  }
  throw new ConfigurationError('freshness must be "strict", "none" or { maximumAge } in seconds.');
}

/** Refuses a token that is too old, or not valid yet. The signature is good, so the sender is asked to retry. */
export function requireFreshToken(
  claims: Claims,
  freshness: JwtFreshness,
  clockSkew: number,
  verification: WebhookVerification,
): void {
  const now = Math.floor(verification.now / 1000);
  const [exp, iat, nbf] = ['exp', 'iat', 'nbf'].map((name) => seconds(claims, name));
  if ((nbf ?? 0) > now + clockSkew) {
    throw refusal(
      'webhook_claim_refused',
      "The token's claim nbf is in the future: check the clock of this machine.",
    );
  }
  if (freshness === 'none') return;
  const age = freshness === 'strict' ? undefined : freshness.maximumAge;
  if (iat !== undefined) {
    const isCounted = age !== undefined || exp === undefined;
    const longest = isCounted ? (age ?? verification.tolerance) : Number.POSITIVE_INFINITY;
    const tolerance = iat > now ? verification.tolerance : longest;
    requireWithinTolerance(iat, "the token's iat", { ...verification, tolerance });
    if (isCounted) return;
  }
  if (exp === undefined) {
    throw refusal('webhook_claim_refused', 'The token has neither exp nor iat, so it would never expire.');
  }
  if (exp + (age ?? 0) > now - clockSkew) return;
  throw refusal(
    'webhook_token_expired',
    'The token has expired. The signature is good: check the clock of this machine, and set `freshness` if the ' +
      'sender retries with its first token.',
  );
}

function seconds(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  if (Number.isFinite(value)) return Number(value);
  throw refusal('webhook_claim_refused', `The token's claim ${name} is not a number.`);
}
