import { importPKCS8, importSPKI, importX509 } from 'jose';
import { ConfigurationError } from '../../errors/index.ts';
import { keyText, requireStrongKey, requireStrongPem } from './key-text.ts';

export type KeyKind = 'public' | 'private';

/**
 * Key text or an imported key. Text is PEM (SPKI or an X.509 certificate; PKCS#8 for a private key), or the base64
 * between the PEM lines of a public key.
 */
export type WebhookKey = string | ImportedWebhookKey;

/** A key as Web Crypto imports it: the `CryptoKey` of any runtime. */
export interface ImportedWebhookKey {
  /** `public` or `private`. */
  readonly type: string;
  /** True if the key can be exported. */
  readonly extractable: boolean;
  /** The algorithm that it is for. */
  readonly algorithm: {
    /** Its name in Web Crypto. */
    readonly name: string;
  };
  /** The allowed operations, such as `verify`. */
  readonly usages: readonly string[];
}

/**
 * The algorithm of a public-key signature. `ECDSA` takes the hash that belongs to the curve (SHA-256 for P-256,
 * SHA-384 for P-384); `ECDSA-SHA256` takes SHA-256 on either.
 */
export type PublicKeyAlgorithm = 'RSA-SHA256' | 'RSA-PSS-SHA256' | 'ECDSA' | 'ECDSA-SHA256' | 'Ed25519';

const joseAlgorithms: Readonly<Record<PublicKeyAlgorithm, readonly string[]>> = {
  'RSA-SHA256': ['RS256'],
  'RSA-PSS-SHA256': ['PS256'],
  ECDSA: ['ES256', 'ES384'],
  'ECDSA-SHA256': ['ES256', 'ES384'],
  Ed25519: ['Ed25519'],
};

/** The names of JOSE algorithms in Web Crypto, by the first letters. */
const keyNames: Readonly<Record<string, string>> = {
  RS: 'RSASSA-PKCS1-v1_5',
  PS: 'RSA-PSS',
  ES: 'ECDSA',
  Ed: 'Ed25519',
};

export function requireAlgorithm(algorithm: PublicKeyAlgorithm): void {
  if (Object.hasOwn(joseAlgorithms, algorithm)) return;
  throw new ConfigurationError(`algorithm must be one of ${Object.keys(joseAlgorithms).join(', ')}.`);
}

/** The parameters of Web Crypto to sign or verify with a key of this algorithm. */
export function subtleParameters(algorithm: PublicKeyAlgorithm, key: CryptoKey): AlgorithmIdentifier {
  if (algorithm === 'RSA-SHA256') return { name: 'RSASSA-PKCS1-v1_5' };
  if (algorithm === 'RSA-PSS-SHA256') return rsaPss;
  if (algorithm === 'Ed25519') return { name: 'Ed25519' };
  return ecdsa(algorithm === 'ECDSA' && ecdsaSize(key) === 48 ? 'SHA-384' : 'SHA-256');
}

const rsaPss: RsaPssParams = { name: 'RSA-PSS', saltLength: 32 };
const ecdsa = (hash: string): EcdsaParams => ({ name: 'ECDSA', hash });

/** The bytes of one of the two numbers in an ECDSA signature: 32 for P-256, 48 for P-384. */
export const ecdsaSize = (key: CryptoKey): number =>
  'namedCurve' in key.algorithm && key.algorithm.namedCurve === 'P-384' ? 48 : 32;

/** Checks at once what can be checked without importing: a clear error belongs where the key was passed. */
export function requireKey(key: unknown, kind: KeyKind): void {
  if (!isCryptoKey(key)) {
    requireStrongPem(keyText(key, kind));
    return;
  }
  if (key.type !== kind) {
    throw new ConfigurationError(`The key is a ${key.type} key; a ${kind} key is needed.`);
  }
  requireStrongKey(key);
}

/** Imports a key for an algorithm of `publicKeySignature`. */
export function importKey(key: WebhookKey, algorithm: PublicKeyAlgorithm, kind: KeyKind): Promise<CryptoKey> {
  return importJoseKey(key, joseAlgorithms[algorithm], kind);
}

/** Returns true if an imported key is for a JOSE algorithm: its kind, its hash (RSA) and its curve (ECDSA). */
function isFor(
  algorithm: string,
  key: { readonly name: string; readonly hash?: unknown; readonly namedCurve?: unknown },
) {
  if (keyNames[algorithm.slice(0, 2)] !== key.name) return false;
  const size = algorithm.slice(2);
  if (key.name === 'ECDSA') return key.namedCurve === (size === '512' ? 'P-521' : `P-${size}`);
  const { hash } = key;
  const name = typeof hash === 'object' && hash !== null && 'name' in hash ? hash.name : hash;
  return name === undefined || name === `SHA-${size}`;
}

/** Imports a key for the first JOSE algorithm that it fits. */
export async function importJoseKey(
  key: WebhookKey,
  algorithms: readonly string[],
  kind: KeyKind,
): Promise<CryptoKey> {
  if (typeof key !== 'string') {
    const fits = algorithms.some((algorithm) => isFor(algorithm, key.algorithm));
    if (isCryptoKey(key) && fits) return key;
    throw new ConfigurationError(`The ${kind} CryptoKey is not a key for ${algorithms.join(' or ')}.`);
  }
  const pem = keyText(key, kind);
  const read =
    kind === 'private'
      ? importPKCS8
      : pem.startsWith('-----BEGIN CERTIFICATE-----')
        ? importX509
        : importSPKI;
  for (const algorithm of algorithms) {
    try {
      return await read(pem, algorithm);
    } catch {
      // The next algorithm may fit; what the library says of a key is not for an error's text.
    }
  }
  throw new ConfigurationError(`The ${kind} key cannot be read as a key for ${algorithms.join(' or ')}.`);
}

export const isCryptoKey = (value: unknown): value is CryptoKey =>
  Object.prototype.toString.call(value) === '[object CryptoKey]';
