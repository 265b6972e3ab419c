import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, decodeBytes } from './bytes.ts';

type KeyKind = 'public' | 'private';

/** The PEM of a key text, or an error that says what the text is instead. */
export function keyText(key: unknown, kind: KeyKind): string {
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
  return bare === undefined ? text : `-----BEGIN ${bare}-----\n${text}\n-----END ${bare}-----`;
}

/** The label of a key without PEM lines, told by the beginning of its DER. */
function labelOfBareKey(text: string): string | undefined {
  const der = decodeBytes(text.replaceAll(/\s/g, ''), 'base64');
  if (der === undefined || der[0] !== 0x30) return undefined;
  const first = derElement(der, derElement(der, 0).start);
  // SPKI: a sequence that names the algorithm. A certificate: a sequence that holds a version or a serial number.
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
export function requireStrongKey({ algorithm }: { readonly algorithm: object }): void {
  if ('modulusLength' in algorithm) requireBits(Number(algorithm.modulusLength));
  const hash = 'hash' in algorithm ? algorithm.hash : undefined;
  const name = typeof hash === 'object' && hash !== null && 'name' in hash ? hash.name : hash;
  if (name === 'SHA-1') {
    throw new ConfigurationError(
      'The CryptoKey was imported for SHA-1, with which signatures can be forged. Import it with the hash SHA-256.',
    );
  }
}

/** Refuses the PEM of an RSA key that is too small. Other keys pass. */
export function requireStrongPem(pem: string): void {
  const der = decodeBytes(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const bits = der === undefined ? undefined : rsaBits(der);
  if (bits !== undefined) requireBits(bits);
}

/** Refuses a JSON Web Key that is for SHA-1 or an RSA key that is too small. */
export function requireStrongJwk(key: object): void {
  const modulus = 'n' in key && typeof key.n === 'string' ? decodeBytes(key.n, 'base64url') : undefined;
  if (modulus !== undefined) requireBits(keyBits(modulus));
  if ('alg' in key && key.alg === 'RS1') {
    throw new ConfigurationError(
      'The key set holds a key for RS1, which is SHA-1: signatures can be forged.',
    );
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
  // The bit string holds a count of unused bits and a sequence, which begins with the modulus.
  const bitString = derElement(der, mark + rsaMark.length - 1);
  const modulus = derElement(der, derElement(der, bitString.start + 1).start);
  return keyBits(der.subarray(modulus.start, modulus.end));
}

function keyBits(modulus: Uint8Array): number {
  const leading = modulus.findIndex((byte) => byte !== 0);
  return leading < 0 ? 0 : (modulus.length - leading) * 8 - Math.clz32(modulus[leading] ?? 0) + 24;
}

/** One element of DER: its tag, and where its content begins and ends. */
export interface DerElement {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Reads the element at an offset. Of a text that is not DER it reads nonsense, but never throws. */
export function derElement(der: Uint8Array, at: number): DerElement {
  const first = der[at + 1] ?? 0;
  const lengthBytes = Math.max(first - 0x80, 0);
  const start = at + 2 + lengthBytes;
  const length =
    lengthBytes === 0 ? first : der.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { tag: der[at] ?? 0, start, end: start + length };
}
