import { compactVerify, decodeProtectedHeader } from 'jose';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../../shared/errors/index.ts';
import { longTime } from '../../../shared/schema/option-values.ts';
import { anyText, lazy, strictObject, textLike } from '../../../shared/schema/schema.ts';
import { isRecord } from '../../../shared/values.ts';
import { type FieldsOf, headerName, optionsOf } from '../options.ts';
import {
  mismatchAdvice,
  refusal,
  requireHeader,
  VerifiedWebhook,
  type WebhookVerifier,
} from '../verifier.ts';
import {
  defaultFreshness,
  freshnessOption,
  type JwtBodyBinding,
  type JwtFreshness,
  provedBy,
  requireFreshToken,
  type SignedToken,
} from './claims.ts';
import { type JwtKeys, type KeyCandidate, type KeyCandidates, keyCandidates, keyFields } from './keys.ts';

/** Options of `jwtBearer`. */
export type JwtBearerOptions = JwtKeys & {
  /**
   * The claims that must prove the body: `'required'`, the name of the claim that does, or `'none'`. A token without
   * such a claim authenticates its sender and not the body, so there is no default.
   */
  readonly bodyBinding: JwtBodyBinding;
  /** The age at which a token is refused; `{ maxAge: 90_000_000 }` (25 hours) by default. */
  readonly freshness?: JwtFreshness;
  /** The JWS algorithms that are accepted, all of them asymmetric; `['RS256']` by default. */
  readonly algorithms?: readonly string[];
  /** The header that carries the token; `authorization` by default. A leading `Bearer ` is taken off. */
  readonly header?: string;
  /** The required `iss` claim. */
  readonly issuer?: string;
  /** The required `aud` claim. */
  readonly audience?: string;
  /** Milliseconds by which the sender's clock may differ for `exp` and `nbf`: 0 (the default), or 1,000 and more. */
  readonly clockSkew?: number;
};

const asymmetric: readonly string[] = [
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

const algorithmList = /* @__PURE__ */ lazy(() =>
  z.custom<readonly string[]>(
    (given) =>
      Array.isArray(given) && given.length > 0 && given.every((algorithm) => asymmetric.includes(algorithm)),
    { error: `must be a non-empty list of ${asymmetric.join(', ')}`, params: { kind: 'rule' } },
  ),
);

const noSkew = /* @__PURE__ */ lazy(() => z.literal(0));

const bearerOptions = /* @__PURE__ */ lazy(() =>
  strictObject({
    ...keyFields(),
    bodyBinding: textLike(
      /\S/,
      "must be 'required', the name of the claim that proves the body, or 'none' to accept any body with a valid token",
    ),
    freshness: z.optional(freshnessOption()),
    algorithms: z.optional(algorithmList()),
    header: z.optional(headerName()),
    issuer: z.optional(anyText()),
    audience: z.optional(anyText()),
    clockSkew: z.optional(z.union([noSkew(), longTime(1_000)])),
  } satisfies FieldsOf<JwtBearerOptions>),
);

/**
 * Verifies a JWT in the Authorization header. The algorithms are pinned here and never taken from the
 * token; `none` and the HMAC family are refused whatever the options say.
 *
 * **A JWT authenticates its sender, not the body**, unless one of its claims proves the body. With
 * `bodyBinding: 'none'` whoever sees one valid token can send any body with it until the token is too old.
 *
 * @param options - `publicKey`, `publicKeys` or `jwks`; `bodyBinding`; and what the token must look like. A public key is
 * PEM, the base64 between the PEM lines, a CryptoKey, or a function that returns one of these. RSA keys need 2048 bits.
 * @returns A verifier for `createWebhookReceiver`. While there is no usable key, the response is 500.
 * @throws ConfigurationError when there is no key, an algorithm is not an asymmetric one or `bodyBinding` is missing.
 * @example
 * ```ts
 * import { createWebhookReceiver, jwtBearer } from 'stablecoin-payments/webhooks';
 *
 * const publicKey = () => process.env.WEBHOOK_PUBLIC_KEY;
 * const webhooks = createWebhookReceiver({
 *   verifier: jwtBearer({ publicKey, bodyBinding: 'required' }),
 * });
 * ```
 */
export function jwtBearer(options: JwtBearerOptions): WebhookVerifier {
  const own = optionsOf('jwtBearer', bearerOptions(), options);
  const {
    algorithms = ['RS256'],
    header = 'authorization',
    clockSkew = 0,
    freshness = defaultFreshness,
  } = own;
  const { bodyBinding, issuer, audience } = own;
  const candidates = keyCandidates(own);

  return async (verification) => {
    const token = requireHeader(verification, header).replace(/^Bearer +/i, '');
    const signed = await signedToken(token, candidates, algorithms);
    const { claims } = signed;
    if (issuer !== undefined && claims.iss !== issuer) throw claimRefused('iss');
    const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
    if (audience !== undefined && !audiences.includes(audience)) throw claimRefused('aud');
    requireFreshToken(claims, freshness, clockSkew, verification);
    const proved = await provedBy(bodyBinding, signed, verification.body);
    return proved === undefined || new VerifiedWebhook(undefined, proved);
  };
}

async function signedToken(
  token: string,
  candidates: KeyCandidates,
  algorithms: readonly string[],
): Promise<SignedToken> {
  const header = readable(() => decodeProtectedHeader(token));
  const alg = algorithms.find((pinned) => pinned === header.alg);
  // Extensions may change what the signature covers.
  if (header.crit !== undefined) {
    throw refusal('webhook_bad_signature', 'The token has extensions (crit), which are not supported.');
  }
  if (alg === undefined) {
    const named = asymmetric.includes(String(header.alg))
      ? `with ${header.alg}`
      : 'in a way that is never accepted';
    throw refusal(
      'webhook_bad_signature',
      `The token is signed ${named}; \`algorithms\` accepts ${algorithms.join(', ')}.`,
    );
  }
  // One key that cannot be used must not keep the next from being tried.
  let unusable: ConfigurationError | undefined;
  for await (const key of candidates({ ...header, alg })) {
    const payload = await payloadBy(key, token, alg);
    if (payload instanceof ConfigurationError) unusable ??= payload;
    else if (payload !== undefined) return readToken(payload);
  }
  // The token may be signed by that key: the sender must retry.
  if (unusable !== undefined) throw unusable;
  throw refusal('webhook_bad_signature', `The signature of the token matches no key. ${mismatchAdvice}`);
}

/** Returns the payload of a token that a key has signed, undefined if it has not, and an error if the key cannot be used. */
async function payloadBy(
  key: KeyCandidate,
  token: string,
  alg: string,
): Promise<Uint8Array | ConfigurationError | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [alg] });
    return payload;
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    const code: unknown = Reflect.get(Object(error), 'code');
    if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return undefined;
    if (String(code).startsWith('ERR_J')) throw unreadableToken();
    return new ConfigurationError(
      `The public key cannot verify ${alg}: it is for another algorithm, or an RSA key with less than 2048 bits.`,
    );
  }
}

function readToken(payload: Uint8Array): SignedToken {
  const text = new TextDecoder().decode(payload);
  const claims: unknown = readable(() => JSON.parse(text));
  if (isRecord(claims)) return { claims, text };
  throw unreadableToken();
}

/** Reads a part of a token. The parser's own message would quote it. */
function readable<Part>(read: () => Part): Part {
  try {
    return read();
  } catch {
    throw unreadableToken();
  }
}

const unreadableToken = () => refusal('webhook_bad_signature', 'The token is not a readable JWT.');

const claimRefused = (name: string) =>
  refusal(
    'webhook_claim_refused',
    `The token's claim ${name} is missing or not the expected one. Its signature is good: check the receiver's settings.`,
  );
