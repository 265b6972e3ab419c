import { SignJWT } from 'jose';
import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, encodeBytes, type SignatureEncoding, utf8 } from '../schemes/bytes.ts';
import { ecdsaToDer } from '../schemes/ecdsa-signature.ts';
import {
  importJoseKey,
  importKey,
  requireAlgorithm,
  requireKeyText,
  subtleParameters,
  type WebhookKey,
} from '../schemes/keys.ts';
import {
  type HmacFormat,
  importHmacKey,
  type PublicKeyAlgorithm,
  secretBytes,
  standardWebhooksContent,
  timestampedContent,
  type WebhookSecrets,
} from '../schemes/signed-content.ts';

/** How to sign for `standardWebhooks`. Several `secrets` make several signatures, as during a rotation. */
export type StandardWebhooksSigning = WebhookSecrets & {
  /** The message id; by default the event's `eventId`, else a new one. */
  readonly id?: string;
  /** Unix seconds; by default now. */
  readonly timestamp?: number;
};

/** How to sign for `hmacSha256`. */
export type HmacSha256Signing = WebhookSecrets & {
  /** The header that carries the signature. */
  readonly header: string;
  /** How it is written; `hex` by default. */
  readonly encoding?: SignatureEncoding;
  /** What the header holds and what is signed. */
  readonly format?: HmacFormat;
  /** A header of its own for the time. */
  readonly timestampHeader?: string;
  /** Unix seconds; by default now. */
  readonly timestamp?: number;
};

/** How to sign for `publicKeySignature`. */
export interface PublicKeySigning {
  /** PEM (PKCS#8) or a CryptoKey. */
  readonly privateKey: WebhookKey;
  /** The algorithm to sign with. */
  readonly algorithm: PublicKeyAlgorithm;
  /** The header that carries the signature. */
  readonly header: string;
  /** How it is written; `base64` by default. */
  readonly encoding?: SignatureEncoding;
  /** How an ECDSA signature is written; `der` by default, as most senders do. */
  readonly ecdsaFormat?: 'der' | 'ieee-p1363';
  /** A header of its own for the time. */
  readonly timestampHeader?: string;
  /** Unix seconds; by default now. */
  readonly timestamp?: number;
}

/** How to sign for `jwtBearer`. */
export interface JwtBearerSigning {
  /** PEM (PKCS#8) or a CryptoKey. */
  readonly privateKey: WebhookKey;
  /** A JWS algorithm of the key; `RS256` by default. */
  readonly algorithm?: string;
  /** The `kid` of the token. */
  readonly keyId?: string;
  /** Unix seconds; by default now. */
  readonly issuedAt?: number;
  /** Seconds from `issuedAt`; 300 by default, `null` for a token without `exp`. */
  readonly expiresIn?: number | null;
  /** What of the body the claims carry: its SHA-256 (the default), the event itself, or nothing. */
  readonly binding?: 'hash' | 'event' | 'none';
  /** More claims, which win over the ones made here. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The header that carries the token; `authorization` by default. */
  readonly header?: string;
}

/** Exactly one scheme, named like the verifier that accepts it. */
export type SignWebhookOptions =
  | {
      /** For `standardWebhooks`. */
      readonly standardWebhooks: StandardWebhooksSigning;
    }
  | {
      /** For `hmacSha256`. */
      readonly hmacSha256: HmacSha256Signing;
    }
  | {
      /** For `publicKeySignature`. */
      readonly publicKeySignature: PublicKeySigning;
    }
  | {
      /** For `jwtBearer`. */
      readonly jwtBearer: JwtBearerSigning;
    };

/** A delivery, ready to be posted. */
export interface SignedWebhook {
  /** The raw body. Post these very bytes: another serialisation has another signature. */
  readonly body: string;
  /** The signature's headers and `content-type`, with lower-case names. */
  readonly headers: Record<string, string>;
}

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
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const headers = await signatureHeaders(event, utf8(body), options);
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}

function signatureHeaders(
  event: string | object,
  body: Bytes,
  options: SignWebhookOptions,
): Promise<Record<string, string>> {
  if ('standardWebhooks' in options) return signStandard(event, body, options.standardWebhooks);
  if ('hmacSha256' in options) return signHmac(body, options.hmacSha256);
  if ('publicKeySignature' in options) return signPublicKey(body, options.publicKeySignature);
  if ('jwtBearer' in options) return signJwt(event, body, options.jwtBearer);
  throw new ConfigurationError(
    'Name the scheme to sign with: standardWebhooks, hmacSha256, publicKeySignature or jwtBearer.',
  );
}

const unixSeconds = (given: number | undefined): number => given ?? Math.floor(Date.now() / 1000);

async function signStandard(event: string | object, body: Bytes, options: StandardWebhooksSigning) {
  const id = options.id ?? idOf(event) ?? `msg_${crypto.randomUUID()}`;
  const timestamp = String(unixSeconds(options.timestamp));
  const signatures = await hmacs(options, 'base64', standardWebhooksContent(id, timestamp, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${encodeBytes(signature, 'base64')}`).join(' '),
  };
}

async function signHmac(body: Bytes, options: HmacSha256Signing): Promise<Record<string, string>> {
  const { encoding = 'hex', format = 'plain', timestampHeader } = options;
  const inHeader = format === 't=,v1=';
  const timestamp =
    inHeader || timestampHeader !== undefined ? String(unixSeconds(options.timestamp)) : undefined;
  const signatures = (await hmacs(options, 'text', timestampedContent(timestamp, body))).map((signature) =>
    encodeBytes(signature, encoding),
  );
  const value = inHeader
    ? [`t=${timestamp}`, ...signatures.map((signature) => `v1=${signature}`)].join(',')
    : (signatures[0] ?? '');
  return withTimestamp(
    { [options.header.toLowerCase()]: value },
    inHeader ? undefined : timestampHeader,
    timestamp,
  );
}

async function signPublicKey(body: Bytes, options: PublicKeySigning): Promise<Record<string, string>> {
  const { algorithm, encoding = 'base64', ecdsaFormat = 'der', timestampHeader } = options;
  requireAlgorithm(algorithm);
  requireKeyText(options.privateKey, 'private');
  const key = await importKey(options.privateKey, algorithm, 'private');
  const timestamp = timestampHeader === undefined ? undefined : String(unixSeconds(options.timestamp));
  const raw = new Uint8Array(
    await crypto.subtle.sign(subtleParameters(algorithm, key), key, timestampedContent(timestamp, body)),
  );
  const signature = algorithm.startsWith('ECDSA') && ecdsaFormat === 'der' ? ecdsaToDer(raw) : raw;
  return withTimestamp(
    { [options.header.toLowerCase()]: encodeBytes(signature, encoding) },
    timestampHeader,
    timestamp,
  );
}

async function signJwt(event: string | object, body: Bytes, options: JwtBearerSigning) {
  const { algorithm = 'RS256', binding = 'hash', expiresIn = 300, header = 'authorization' } = options;
  requireKeyText(options.privateKey, 'private');
  const key = await importJoseKey(options.privateKey, [algorithm], 'private');
  const issuedAt = unixSeconds(options.issuedAt);
  const token = await new SignJWT({
    iat: issuedAt,
    ...(expiresIn === null ? {} : { exp: issuedAt + expiresIn }),
    ...(binding === 'hash' ? { bodyHash: await sha256Hex(body) } : {}),
    ...(binding === 'event' ? { event: typeof event === 'string' ? JSON.parse(event) : event } : {}),
    ...options.claims,
  })
    .setProtectedHeader({
      alg: algorithm,
      typ: 'JWT',
      ...(options.keyId === undefined ? {} : { kid: options.keyId }),
    })
    .sign(key);
  return { [header.toLowerCase()]: `Bearer ${token}` };
}

async function hmacs(secrets: WebhookSecrets, of: 'text' | 'base64', content: Bytes): Promise<Uint8Array[]> {
  return Promise.all(
    secretBytes(secrets, of).map(
      async (secret) =>
        new Uint8Array(await crypto.subtle.sign('HMAC', await importHmacKey(secret, 'sign'), content)),
    ),
  );
}

const sha256Hex = async (body: Bytes): Promise<string> =>
  encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', body)), 'hex');

const withTimestamp = (
  headers: Record<string, string>,
  name: string | undefined,
  timestamp: string | undefined,
): Record<string, string> =>
  name === undefined || timestamp === undefined ? headers : { ...headers, [name.toLowerCase()]: timestamp };

const idOf = (event: string | object): string | undefined =>
  typeof event === 'object' && 'eventId' in event && typeof event.eventId === 'string' && event.eventId !== ''
    ? event.eventId
    : undefined;
