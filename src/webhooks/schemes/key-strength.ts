import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, decodeBytes } from './bytes.ts';
import { derElement } from './der.ts';

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
  if (modulus !== undefined) requireBits(bitsOf(modulus));
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
  return bitsOf(der.subarray(modulus.start, modulus.end));
}

function bitsOf(modulus: Uint8Array): number {
  const leading = modulus.findIndex((byte) => byte !== 0);
  return leading < 0 ? 0 : (modulus.length - leading) * 8 - Math.clz32(modulus[leading] ?? 0) + 24;
}
