import { decodeProtectedHeader, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose';
import { ConfigurationError } from '../../errors/index.ts';
import { requireHeaderName } from './hmac-sha256.ts';
import { bodyBinding, bodyHashClaims } from './jwt-binding.ts';
import { type JwtKeys, type KeyCandidates, keyCandidates } from './jwt-keys.ts';
import {
  refusal,
  requireHeader,
  requireWithinTolerance,
  type WebhookVerification,
  type WebhookVerifier,
} from './verifier.ts';

/** Options of `jwtBearer`. */
export type JwtBearerOptions = JwtKeys & {
  /** The JWS algorithms that are accepted, all of them asymmetric; `['RS256']` by default. */
  readonly algorithms?: readonly string[];
  /** The header that carries the token; `authorization` by default. A leading `Bearer ` is taken off. */
  readonly header?: string;
  /** The required `iss` claim. */
  readonly issuer?: string;
  /** The required `aud` claim. */
  readonly audience?: string;
  /** By how many seconds the sender's clock may differ for `exp` and `nbf`; 0 by default. */
  readonly clockSkew?: number;
  /** One more claim that carries a SHA-256 of the body, beside the names that are known. */
  readonly bodyHashClaim?: string;
  /** Claims that are not compared with the body although they are named as if they spoke of it. */
  readonly ignoredClaims?: readonly string[];
  /** Whether to refuse a token whose claims do not vouch for the whole body; `false` by default. */
  readonly requireBodyBinding?: boolean;
};

const asymmetric = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Verifies a JWT in the Authorization header. The algorithms are pinned here and never taken from the
 * token; `none` and the HMAC family are refused whatever the options say. `exp` and `nbf` are checked;
 * a token without `exp` must have an `iat` within the tolerance.
 *
 * **A JWT authenticates its sender, not the body**, unless its claims bind the body. Claims that carry a
 * hash of the body (`bodyHash`, `body_hash`, `bodySha256`, `body_sha256`, `request_body_sha256`,
 * `payloadHash`, `payload_hash`, `payload_sha256`), the event (`event`, `payload`) or its fields (`eventId`,
 * `eventType`, `data`) are compared with the body, and a difference refuses the delivery. Where the service's
 * tokens have such a claim, set `requireBodyBinding`, or whoever gets hold of one live token can send any body.
 *
 * @param options - `publicKey`, `publicKeys` or `jwks`, and what the token must look like.
 * @returns A verifier for `createWebhookReceiver`.
 * @throws ConfigurationError when there is no key, or an algorithm is not an asymmetric one.
 * @example
 * ```ts
 * import { createWebhookReceiver, jwtBearer } from 'stablecoin-payments/webhooks';
 *
 * const publicKey = process.env.WEBHOOK_PUBLIC_KEY ?? '';
 * const webhooks = createWebhookReceiver({ verifier: jwtBearer({ publicKey, algorithms: ['RS256'] }) });
 * ```
 */
export function jwtBearer(options: JwtBearerOptions): WebhookVerifier {
  const { algorithms = ['RS256'], header = 'authorization', clockSkew = 0 } = options;
  requireHeaderName(header, 'header');
  if (algorithms.length === 0 || algorithms.some((algorithm) => !asymmetric.includes(algorithm))) {
    throw new ConfigurationError(`algorithms must be a non-empty list of ${asymmetric.join(', ')}.`);
  }
  if (!Number.isFinite(clockSkew) || clockSkew < 0) {
    throw new ConfigurationError('clockSkew must be a number of seconds, 0 or more.');
  }
  const candidates = keyCandidates(options, algorithms);
  const hashClaims = [
    ...bodyHashClaims,
    ...(options.bodyHashClaim === undefined ? [] : [options.bodyHashClaim]),
  ];
  const ignored = new Set(options.ignoredClaims);

  return async (verification) => {
    const token = requireHeader(verification.headers, header).replace(/^Bearer +/i, '');
    const claims = await verifiedClaims(
      token,
      candidates,
      { ...options, algorithms, clockSkew },
      verification,
    );
    requireLimitedLife(claims, verification);
    const compared = Object.fromEntries(Object.entries(claims).filter(([name]) => !ignored.has(name)));
    const binding = await bodyBinding(compared, verification.body, hashClaims);
    if (binding === 'mismatch') {
      throw refusal(
        'webhook_body_mismatch',
        "The token's claims speak of another body than the one received.",
      );
    }
    if (options.requireBodyBinding === true && binding !== 'whole') {
      throw refusal('webhook_body_mismatch', "The token's claims do not vouch for the whole body.");
    }
    return true;
  };
}

type Expectations = Pick<JwtBearerOptions, 'issuer' | 'audience'> & {
  readonly algorithms: readonly string[];
  readonly clockSkew: number;
};

async function verifiedClaims(
  token: string,
  candidates: KeyCandidates,
  { algorithms, clockSkew, issuer, audience }: Expectations,
  { now }: WebhookVerification,
): Promise<JWTPayload> {
  const expected = {
    algorithms: [...algorithms],
    currentDate: new Date(now),
    clockTolerance: clockSkew,
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  };
  const header = protectedHeader(token);
  if (header.alg === undefined || !algorithms.includes(header.alg)) {
    throw refusal('webhook_bad_signature', 'The token is signed with an algorithm that is not accepted.');
  }
  for await (const key of candidates(header)) {
    try {
      return (await jwtVerify(token, key, expected)).payload;
    } catch (error) {
      if (codeOf(error) !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') throw explain(error);
    }
  }
  throw refusal('webhook_bad_signature', 'The signature of the token matches no key.');
}

function protectedHeader(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw refusal('webhook_bad_signature', 'The token is not a readable JWT.');
  }
}

function requireLimitedLife(claims: JWTPayload, verification: WebhookVerification): void {
  if (claims.exp === undefined) {
    if (claims.iat === undefined) {
      throw refusal(
        'webhook_claim_refused',
        'The token has neither exp nor iat, so it would be good for ever.',
      );
    }
    requireWithinTolerance(claims.iat, "the token's iat", verification);
  } else if (claims.iat !== undefined && claims.iat > verification.now / 1000) {
    requireWithinTolerance(claims.iat, "the token's iat", verification);
  }
}

function explain(error: unknown) {
  const code = codeOf(error);
  if (code === 'ERR_JWT_EXPIRED') return refusal('webhook_token_expired', 'The token has expired.');
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') {
    const claim = error instanceof Error && 'claim' in error ? error.claim : 'a claim';
    return refusal(
      'webhook_claim_refused',
      `The token's claim ${String(claim)} is missing or not acceptable.`,
    );
  }
  return refusal('webhook_bad_signature', 'The token is not a readable JWT.');
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
