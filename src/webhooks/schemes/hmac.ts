import * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, strictObject } from '../../shared/schema/schema.ts';
import {
  type Bytes,
  concatBytes,
  decodeBytes,
  decodeSignature,
  equalBytes,
  latin1,
  type SignatureEncoding,
  utf8,
} from './bytes.ts';
import { type FieldsOf, headerName, optionsOf } from './options.ts';
import {
  base64Secrets,
  type SecretBytes,
  secretFields,
  textSecrets,
  type WebhookSecrets,
} from './secrets.ts';
import {
  mismatchAdvice,
  readTimestamp,
  refusal,
  requireFresh,
  requireHeader,
  requireUnixSeconds,
  verified,
  type WebhookVerifier,
} from './verifier.ts';

/**
 * The content of an HMAC header, and the bytes that are signed.
 *
 * - `plain`: the header is the signature (a leading `sha256=` is allowed); signed is the body, or
 *   `<timestamp>.<body>` when the timestamp travels in a header of its own.
 * - `t=,v1=`: the header is `t=<unix seconds>,v1=<signature>[,v1=<signature>]`; signed is `<timestamp>.<body>`.
 */
export type HmacFormat = 'plain' | 't=,v1=';

/** Options of `hmacSha256`. */
export type HmacSha256Options = WebhookSecrets & {
  /** The name of the header that carries the signature, in any case. */
  readonly header: string;
  /** The encoding of the signature; `hex` by default. `base64` and `base64url` accept both alphabets. */
  readonly encoding?: SignatureEncoding;
  /** The format of the header; `plain` by default. */
  readonly format?: HmacFormat;
  /** With `plain`: the header that carries Unix seconds, which are then signed too (`<timestamp>.<body>`). */
  readonly timestampHeader?: string;
};

export const hmacFields = /* @__PURE__ */ lazy(
  () =>
    ({
      ...secretFields(),
      header: headerName(),
      encoding: z.optional(oneFrom(['hex', 'base64', 'base64url'])),
      format: z.optional(oneFrom(['plain', 't=,v1='])),
      timestampHeader: z.optional(headerName()),
    }) satisfies FieldsOf<HmacSha256Options>,
);

const hmacOptions = /* @__PURE__ */ lazy(() => strictObject(hmacFields()));

/**
 * Verifies an HMAC-SHA256 signature in one header, in either of the two common forms: the signature of
 * the plain body, or `t=…,v1=…`, where the timestamp is signed too.
 *
 * Without a timestamp a recorded delivery can be replayed at any time. De-duplication stops the replay for as long as
 * the store remembers the event: choose its `ttl` accordingly.
 *
 * @param options - `secret` or `secrets` (text is taken as UTF-8), `header`, and how the header is written.
 * @returns A verifier for `createWebhookReceiver`. While a function gives no usable secret, the response is 500.
 * @throws ConfigurationError when a secret is missing, blank or a placeholder such as `undefined`, or an option has an
 * unknown value.
 * @example
 * ```ts
 * import { createWebhookReceiver, hmacSha256 } from 'stablecoin-payments/webhooks';
 *
 * const secret = () => process.env.WEBHOOK_SECRET;
 * const webhooks = createWebhookReceiver({
 *   verifier: hmacSha256({ secret, header: 'x-signature', format: 't=,v1=' }),
 * });
 * ```
 */
export function hmacSha256(options: HmacSha256Options): WebhookVerifier {
  const own = optionsOf('hmacSha256', hmacOptions(), options);
  const { header, encoding = 'hex', format = 'plain', timestampHeader } = own;
  if (timestampHeader !== undefined && format !== 'plain')
    throw new ConfigurationError(
      'timestampHeader goes with the format "plain": "t=,v1=" has its own timestamp.',
    );
  const verifyAny = hmacVerifier(textSecrets(own));

  return async (verification) => {
    const value = requireHeader(verification, header);
    const { timestamp, signatures } =
      format === 'plain'
        ? {
            timestamp:
              timestampHeader === undefined ? undefined : readTimestamp(verification, timestampHeader),
            signatures: [value.replace(/^sha256=/i, '')],
          }
        : readPairs(value, header);
    const decoded = signatures
      .map((signature) => decodeSignature(signature, encoding))
      .filter((signature): signature is Bytes => signature?.length === 32);
    if (!(await verifyAny(timestampPrefix(timestamp), verification.body, decoded))) {
      const none = `The header "${header}" contains no HMAC-SHA256 in ${encoding}: check \`encoding\` and \`format\`.`;
      throw noMatch(header, decoded.length === 0 ? none : undefined);
    }
    if (timestamp !== undefined)
      requireFresh(Number(timestamp), `the header "${timestampHeader ?? header}"`, verification);
    return true;
  };
}

/** Options of `standardWebhooks`. */
export type StandardWebhooksOptions = WebhookSecrets & {
  /** The beginning of the names of the three headers: `webhook` (the default) or `svix`. */
  readonly headerPrefix?: 'webhook' | 'svix';
};

export const standardWebhooksFields = /* @__PURE__ */ lazy(
  () =>
    ({
      ...secretFields(),
      headerPrefix: z.optional(oneFrom(['webhook', 'svix'])),
    }) satisfies FieldsOf<StandardWebhooksOptions>,
);

const standardWebhooksOptions = /* @__PURE__ */ lazy(() => strictObject(standardWebhooksFields()));

/**
 * Verifies Standard Webhooks deliveries: the headers `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, an HMAC-SHA256 over id, timestamp and body. Of several signatures and several
 * secrets one match suffices, so that secrets can be rotated without a lost delivery.
 *
 * @param options - `secret` or `secrets`: base64, with or without the prefix `whsec_`, or raw bytes; or a function.
 * `headerPrefix: 'svix'` reads `svix-id`, `svix-timestamp` and `svix-signature` instead.
 * @returns A verifier for `createWebhookReceiver`. The signature covers the message id.
 * @throws ConfigurationError when there is no secret, or one is blank, a placeholder such as `undefined`, or not base64.
 * @example
 * ```ts
 * import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const secret = () => process.env.WEBHOOK_SECRET;
 * const webhooks = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
 * ```
 */
export function standardWebhooks(options: StandardWebhooksOptions): WebhookVerifier {
  const own = optionsOf('standardWebhooks', standardWebhooksOptions(), options);
  const { headerPrefix = 'webhook' } = own;
  const idHeader = `${headerPrefix}-id`;
  const timeHeader = `${headerPrefix}-timestamp`;
  const signatureHeader = `${headerPrefix}-signature`;
  const verifyAny = hmacVerifier(base64Secrets(own));

  return async (verification) => {
    const id = requireHeader(verification, idHeader);
    const timestamp = readTimestamp(verification, timeHeader);
    const signatures = requireHeader(verification, signatureHeader)
      // Several lines of the header are joined with commas.
      .split(/,?\s/, maximumSignatures)
      .map((signature) =>
        signature.startsWith('v1,') ? decodeBytes(signature.slice(3), 'base64') : undefined,
      )
      .filter((signature) => signature !== undefined);
    if (!(await verifyAny(standardWebhooksPrefix(id, timestamp), verification.body, signatures))) {
      const none = `The header "${signatureHeader}" contains no signature of the form "v1,<base64>".`;
      throw noMatch(signatureHeader, signatures.length === 0 ? none : undefined);
    }
    requireFresh(Number(timestamp), `the header "${timeHeader}"`, verification);
    return verified({ id });
  };
}

function readPairs(value: string, header: string) {
  const timestamps: string[] = [];
  const signatures: string[] = [];
  for (const part of value.split(',', maximumSignatures)) {
    const pair = part.trim();
    if (pair.startsWith('t=')) timestamps.push(pair.slice(2));
    else if (pair.startsWith('v1=')) signatures.push(pair.slice(3));
  }
  const [timestamp] = timestamps;
  if (timestamp === undefined || timestamps.length > 1) {
    throw refusal(
      'webhook_malformed_header',
      `The header "${header}" must contain exactly one "t=<unix seconds>": check \`format\`.`,
    );
  }
  requireUnixSeconds(timestamp, header);
  return { timestamp, signatures };
}

const noMatch = (
  header: string,
  why = `No signature in the header "${header}" matches the body. ${mismatchAdvice}`,
) => refusal('webhook_bad_signature', why);

/** The HMAC-SHA256 of a prefix and the body under one secret. */
type Hmac = (prefix: string, body: Bytes) => Uint8Array | Promise<Uint8Array>;

/** Senders list a handful of signatures; a header with more only keeps the receiver busy. */
const maximumSignatures = 32;

/**
 * Creates a function that returns true if one of the signatures was made with one of the secrets. Each secret costs one
 * HMAC, however many signatures the header carries.
 */
function hmacVerifier(
  secrets: SecretBytes,
): (prefix: string, body: Bytes, signatures: readonly Bytes[]) => Promise<boolean> {
  let hmacs: readonly Hmac[] | undefined;
  return async (prefix, body, signatures) => {
    hmacs ??= (await secrets()).map(hmacOf);
    for (const hmac of hmacs) {
      const expected = await hmac(prefix, body);
      for (const signature of signatures) if (equalBytes(signature, expected)) return true;
    }
    return false;
  };
}

/** Node's own HMAC takes a fifth of the time that Web Crypto's takes for a body of this size. */
export function hmacOf(secret: Bytes): Hmac {
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (node !== undefined) {
    // Node 24 takes five times as long to read a key from bytes as to compute the HMAC.
    const key = node.createSecretKey(secret);
    // A digest as bytes would get memory of its own, which takes as long as the HMAC.
    return (prefix, body) =>
      latin1(node.createHmac('sha256', key).update(prefix).update(body).digest('binary'));
  }
  // The key is kept, not the promise of it: Workers forbids waiting for another request's promise.
  let key: CryptoKey | undefined;
  return async (prefix, body) => {
    key ??= await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, concatBytes(utf8(prefix), body)));
  };
}

/** The text that is signed before the body, except by Standard Webhooks: the timestamp, if there is one, and a dot. */
export const timestampPrefix = (timestamp: string | undefined): string =>
  timestamp === undefined ? '' : `${timestamp}.`;

/** The text that Standard Webhooks signs before the body. */
export const standardWebhooksPrefix = (id: string, timestamp: string): string => `${id}.${timestamp}.`;
