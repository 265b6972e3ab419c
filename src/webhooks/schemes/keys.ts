import { importPKCS8, importSPKI, importX509 } from 'jose';
import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, decodeBytes } from './bytes.ts';

type KeyKind = 'public' | 'private';

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
  const hash = hashOf(key);
  return hash === undefined || hash === `SHA-${size}`;
}

/** The name of the hash that a key was imported for. */
function hashOf({ hash }: { readonly hash?: unknown }): unknown {
  return typeof hash === 'object' && hash !== null && 'name' in hash ? hash.name : hash;
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

/** The PEM of a key text, or an error that says what the text is instead. */
function keyText(key: unknown, kind: KeyKind): string {
  if (typeof key !== 'string') throw new ConfigurationError(keyAdvice(undefined, kind));
  // Environment variables often carry a PEM with its line ends escaped, or within quotes.
  const text = key
    .replaceAll(/\\[rn]/g, '\n')
    .replace(/^["']|["']$/g, '')
    .trim();
  const bare = labelOfBareKey(text);
  const label = bare ?? /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  const wanted: readonly unknown[] = kind === 'private' ? ['PRIVATE KEY'] : ['PUBLIC KEY', 'CERTIFICATE'];
  if (!wanted.includes(label)) throw new ConfigurationError(keyAdvice(label, kind));
  if (bare !== undefined) return `-----BEGIN ${bare}-----\n${text}\n-----END ${bare}-----`;
  // openssl writes attributes before a key, and a chain of certificates after the first one.
  const pem = /-----BEGIN ([^-]+)-----[^-]*-----END \1-----/.exec(text)?.[0];
  if (pem === undefined)
    throw new ConfigurationError(`The key is cut off: its last line, "-----END ${label}-----", is missing.`);
  return pem;
}

/** The label of a key without PEM lines, told by the beginning of its DER. */
function labelOfBareKey(text: string): string | undefined {
  const der = decodeBytes(text.replaceAll(/\s/g, ''), 'base64');
  if (der === undefined || der[0] !== 0x30) return undefined;
  const first = derElement(der, derElement(der, 0).start);
  // SPKI: a sequence that names the algorithm. A certificate: a sequence that contains a version or a serial number.
  if (first.tag === 0x30) return der[first.start] === 0x06 ? 'PUBLIC KEY' : 'CERTIFICATE';
  if (first.tag !== 0x02) return undefined;
  // Private keys begin with a version, which PKCS#8 continues with the algorithm; a PKCS#1 public key with the modulus.
  if (first.end - first.start > 1) return 'RSA PUBLIC KEY';
  return der[first.end] === 0x30 ? 'PRIVATE KEY' : 'RSA PRIVATE KEY';
}

function keyAdvice(label: string | undefined, kind: KeyKind): string {
  const wanted =
    kind === 'public'
      ? 'a PEM public key ("-----BEGIN PUBLIC KEY-----", SPKI), its base64 without the PEM lines, an X.509 ' +
        'certificate in PEM or a CryptoKey'
      : 'a PEM private key ("-----BEGIN PRIVATE KEY-----", PKCS#8) or a CryptoKey';
  if (label === undefined) return `The key is not readable: pass ${wanted}.`;
  if (label === 'RSA PUBLIC KEY') {
    return `The key is in PKCS#1 form: pass ${wanted}. "openssl rsa -RSAPublicKey_in -pubout" converts it.`;
  }
  if (kind === 'public' && label.endsWith('PRIVATE KEY')) {
    return `The key is a private key, which a receiver must not have: pass ${wanted}.`;
  }
  return `The key is a PEM "${label}": pass ${wanted}.`;
}

const minimumBits = 2048;

/** Refuses an imported key that is for SHA-1 or an RSA key that is too small. */
function requireStrongKey({ algorithm }: { readonly algorithm: object }): void {
  if ('modulusLength' in algorithm) requireBits(Number(algorithm.modulusLength));
  if (hashOf(algorithm) === 'SHA-1') {
    throw new ConfigurationError(
      'The CryptoKey was imported for SHA-1, with which signatures can be forged. Import it with the hash SHA-256.',
    );
  }
}

/** Refuses the PEM of an RSA key that is too small. Other keys pass. */
function requireStrongPem(pem: string): void {
  const der = decodeBytes(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const bits = der === undefined ? undefined : rsaBits(der);
  if (bits !== undefined) requireBits(bits);
}

/** Refuses a JSON Web Key that is for SHA-1 or an RSA key that is too small. */
export function requireStrongJwk(key: object): void {
  const modulus = 'n' in key && typeof key.n === 'string' ? decodeBytes(key.n, 'base64url') : undefined;
  if (modulus !== undefined) requireBits(keyBits(modulus));
  if ('alg' in key && key.alg === 'RS1') {
    throw new ConfigurationError('The key set has a key for RS1, which is SHA-1: signatures can be forged.');
  }
}

function requireBits(bits: number): void {
  if (bits >= minimumBits) return;
  throw new ConfigurationError(
    `The RSA key has ${bits} bits and can be broken; at least ${minimumBits} bits are needed.`,
  );
}

/** The object identifier of RSA keys with its empty parameters, and the tag of the bit string that follows. */
const rsaMark = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00, 0x03];

/** The size of the RSA key in an SPKI or a certificate, or undefined where there is none. */
function rsaBits(der: Bytes): number | undefined {
  const mark = der.findIndex((_byte, at) => rsaMark.every((byte, index) => der[at + index] === byte));
  if (mark < 0) return undefined;
  // The bit string contains a count of unused bits and a sequence, which begins with the modulus.
  const bitString = derElement(der, mark + rsaMark.length - 1);
  const modulus = derElement(der, derElement(der, bitString.start + 1).start);
  return keyBits(der.subarray(modulus.start, modulus.end));
}

function keyBits(modulus: Uint8Array): number {
  const leading = modulus.findIndex((byte) => byte !== 0);
  return leading < 0 ? 0 : (modulus.length - leading) * 8 - Math.clz32(modulus[leading] ?? 0) + 24;
}

/** Reads the tag, start and end of the DER element at an offset. If the bytes are not DER, they mean nothing. Never throws. */
export function derElement(der: Uint8Array, at: number) {
  const first = der[at + 1] ?? 0;
  const lengthBytes = Math.max(first - 0x80, 0);
  const start = at + 2 + lengthBytes;
  const length =
    lengthBytes === 0 ? first : der.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { tag: der[at] ?? 0, start, end: start + length };
}
