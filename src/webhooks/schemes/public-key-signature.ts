import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, concatBytes, decodeSignature, type SignatureEncoding, utf8 } from './bytes.ts';
import { timestampPrefix } from './hmac.ts';
import {
  ecdsaSize,
  importKey,
  type PublicKeyAlgorithm,
  requireAlgorithm,
  requireKey,
  subtleParameters,
  type WebhookKey,
} from './keys.ts';
import {
  mismatchAdvice,
  readTimestamp,
  refusal,
  requireEncoding,
  requireFresh,
  requireHeader,
  requireHeaderName,
  requireOneOf,
  requireOptions,
  type WebhookVerifier,
} from './verifier.ts';

/** One public key, or several of which any may have signed (while a key is being rotated). */
export type WebhookPublicKeys =
  | {
      /** The one key. */
      readonly publicKey: WebhookKey;
      /** Not with `publicKey`. */
      readonly publicKeys?: never;
    }
  | {
      /** The keys of which any may have signed. */
      readonly publicKeys: readonly WebhookKey[];
      /** Not with `publicKeys`. */
      readonly publicKey?: never;
    };

/** Options of `publicKeySignature`. */
export type PublicKeySignatureOptions = WebhookPublicKeys & {
  /** The one algorithm that is accepted. It is never taken from the request. */
  readonly algorithm: PublicKeyAlgorithm;
  /** The name of the header that carries the signature, in any case. */
  readonly header: string;
  /** The encoding of the signature; `base64` by default. `base64` and `base64url` accept both alphabets. */
  readonly encoding?: SignatureEncoding;
  /** The header that carries Unix seconds, which are then signed too (`<timestamp>.<body>`). */
  readonly timestampHeader?: string;
};

/**
 * Verifies a signature over the body that was made with a private key: RSA, ECDSA (written as DER or as
 * `r ‖ s`) or Ed25519.
 *
 * Without a timestamp a recorded delivery can be replayed at any time. De-duplication stops the replay for as long as
 * the store remembers the event: choose its `ttl` accordingly.
 *
 * @param options - The public key in PEM (SPKI or an X.509 certificate), as the base64 between the PEM lines or as a
 * CryptoKey; the algorithm; and the header. RSA keys need 2048 bits or more. A certificate serves as a container of its key: neither its dates nor its issuer are checked.
 * @returns A verifier for `createWebhookReceiver`.
 * @throws ConfigurationError when the key is missing, private, too small, for SHA-1, or in another form; on the first
 * delivery, when it does not fit the algorithm.
 * @example
 * ```ts
 * import { createWebhookReceiver, publicKeySignature } from 'stablecoin-payments/webhooks';
 *
 * const publicKey = process.env.WEBHOOK_PUBLIC_KEY ?? '';
 * const webhooks = createWebhookReceiver({
 *   verifier: publicKeySignature({ publicKey, algorithm: 'RSA-SHA256', header: 'x-signature' }),
 * });
 * ```
 */
export function publicKeySignature(options: PublicKeySignatureOptions): WebhookVerifier {
  const names = {
    publicKey: true,
    publicKeys: true,
    algorithm: true,
    header: true,
    encoding: true,
    timestampHeader: true,
  } as const;
  requireOptions('publicKeySignature', options, names, { ecdsaformat: 'the verifier accepts both formats' });
  const { algorithm, header, encoding = 'base64', timestampHeader } = options;
  requireAlgorithm(algorithm);
  requireHeaderName(header, 'header');
  requireEncoding(encoding);
  if (timestampHeader !== undefined) requireHeaderName(timestampHeader, 'timestampHeader');
  const given = publicKeyList(options);
  // The keys are kept, not the promise of them: Workers forbids waiting for another request's promise.
  let keys: readonly CryptoKey[] | undefined;

  return async (verification) => {
    const { body } = verification;
    const signature = decodeSignature(requireHeader(verification, header), encoding);
    const timestamp =
      timestampHeader === undefined ? undefined : readTimestamp(verification, timestampHeader);
    keys ??= await Promise.all(given.map((key) => importKey(key, algorithm, 'public')));
    const content = concatBytes(utf8(timestampPrefix(timestamp)), body);
    if (signature === undefined || !(await anyKeyMade(keys, algorithm, signature, content))) {
      throw refusal(
        'webhook_bad_signature',
        signature === undefined
          ? `The header "${header}" is not ${encoding}: check \`encoding\`.`
          : `The signature in the header "${header}" does not match the body. ${mismatchAdvice} Check \`algorithm\`, too.`,
      );
    }
    if (timestamp !== undefined) requireFresh(timestamp, timestampHeader ?? header, verification);
    return true;
  };
}

async function anyKeyMade(
  keys: readonly CryptoKey[],
  algorithm: PublicKeyAlgorithm,
  signature: Bytes,
  content: Bytes,
): Promise<boolean> {
  for (const key of keys) {
    for (const form of signatureForms(algorithm, key, signature)) {
      if (await crypto.subtle.verify(subtleParameters(algorithm, key), key, form, content)) return true;
    }
  }
  return false;
}

/** The keys as a list that is not empty, each checked as far as that goes without importing it. */
export function publicKeyList(options: WebhookPublicKeys): readonly WebhookKey[] {
  requireOneOf('The verifier', 'publicKey', 'publicKeys', options);
  const keys = options.publicKeys ?? [options.publicKey];
  if (keys.length === 0) throw new ConfigurationError('publicKeys is empty: pass at least one public key.');
  for (const key of keys) requireKey(key, 'public');
  return keys;
}

function signatureForms(algorithm: PublicKeyAlgorithm, key: CryptoKey, signature: Bytes): Bytes[] {
  if (!algorithm.startsWith('ECDSA')) return [signature];
  const size = ecdsaSize(key);
  const fromDer = ecdsaFromDer(signature, size);
  const plain = signature.length === 2 * size ? [signature] : [];
  return fromDer === undefined ? plain : [...plain, fromDer];
}

/** `r ‖ s` of fixed size (IEEE P1363, what Web Crypto speaks) as DER, which most senders write. */
export function ecdsaToDer(signature: Uint8Array): Bytes {
  const half = signature.length / 2;
  const integers = concatBytes(derInteger(signature.subarray(0, half)), derInteger(signature.subarray(half)));
  return concatBytes(Uint8Array.of(0x30, integers.length), integers);
}

/**
 * DER as `r ‖ s` of `size` bytes each, or undefined where it is not strict DER of two such numbers, of which the second
 * ends with the last byte.
 */
export function ecdsaFromDer(der: Uint8Array, size: number): Bytes | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const r = readInteger(der, 2, size);
  if (r === undefined) return undefined;
  const s = readInteger(der, r.end, size);
  if (s === undefined || s.end !== der.length) return undefined;
  return concatBytes(r.bytes, s.bytes);
}

function derInteger(number: Uint8Array): Bytes {
  let start = 0;
  while (start < number.length - 1 && number[start] === 0) start += 1;
  const digits = number.subarray(start);
  const padding = (digits[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : Uint8Array.of();
  return concatBytes(Uint8Array.of(0x02, digits.length + padding.length), padding, digits);
}

function readInteger(der: Uint8Array, at: number, size: number): { bytes: Bytes; end: number } | undefined {
  const length = der[at + 1] ?? 0;
  if (der[at] !== 0x02 || length === 0) return undefined;
  const end = at + 2 + length;
  const first = der[at + 2] ?? 0x80;
  if (first >= 0x80) return undefined;
  const second = der[at + 3] ?? 0;
  if (first === 0 && length > 1 && second < 0x80) return undefined;
  const digits = der.subarray(first === 0 ? at + 3 : at + 2, end);
  if (digits.length > size) return undefined;
  return { bytes: concatBytes(new Uint8Array(size - digits.length), digits), end };
}
