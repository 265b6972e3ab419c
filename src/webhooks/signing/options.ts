import type { HmacSha256Options, StandardWebhooksOptions } from '../schemes/hmac.ts';
import type { WebhookKey } from '../schemes/keys.ts';

/** The options of `standardWebhooks` and of the message. Several `secrets` make several signatures, as during a rotation. */
export type StandardWebhooksSigning = StandardWebhooksOptions & {
  /** The message id; by default the event's `eventId`, else a new one. */
  readonly id?: string;
  /** Unix seconds; by default now. */
  readonly timestamp?: number;
};

/** The options of `hmacSha256`, and the time that is signed. */
export type HmacSha256Signing = HmacSha256Options & {
  /** Unix seconds; by default now. */
  readonly timestamp?: number;
};

/** Signing options for `jwtBearer`. */
export interface JwtBearerSigning {
  /** PEM (PKCS#8) or a CryptoKey. */
  readonly privateKey: WebhookKey;
  /** A JWS algorithm of the key; `RS256` by default. */
  readonly algorithm?: string;
  /** The `kid` of the token. */
  readonly keyId?: string;
  /** Unix seconds; by default now. */
  readonly issuedAt?: number;
  /** Milliseconds from `issuedAt` to `exp`: 300,000 by default, at least 1,000; `null` for a token without `exp`. */
  readonly expiresIn?: number | null;
  /**
   * The claim about the body: its SHA-256 in `bodyHash` (the default; the receiver sets `bodyBinding: 'required'`), the
   * event in `event` (the receiver sets `bodyBinding: 'event'`), or none.
   */
  readonly bodyBinding?: 'hash' | 'event' | 'none';
  /** More claims, which win over the ones made here. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The header that carries the token; `authorization` by default. */
  readonly header?: string;
}

/** Exactly one scheme, named like the verifier that accepts it. */
export type SignWebhookOptions =
  | {
      /** Signs for a receiver with `standardWebhooks`. */
      readonly standardWebhooks: StandardWebhooksSigning;
    }
  | {
      /** Signs for a receiver with `hmacSha256`. */
      readonly hmacSha256: HmacSha256Signing;
    }
  | {
      /** Signs for a receiver with `jwtBearer`. */
      readonly jwtBearer: JwtBearerSigning;
    };

/** A delivery, ready to be posted. */
export interface SignedWebhook {
  /** The raw body. Send exactly these bytes: another serialization has another signature. */
  readonly body: string;
  /** The signature's headers and `content-type`, with lower-case names. */
  readonly headers: Record<string, string>;
}
