/** How a signature is written in a header. */
export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/** Bytes over a plain ArrayBuffer, which is what Web Crypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Compares in a time that depends on the length alone. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index += 1) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}

export function encodeBytes(bytes: Uint8Array, encoding: SignatureEncoding): string {
  if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  if (encoding === 'base64') return base64;
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes that a text stands for, or undefined where it is not of that encoding. Never throws. */
export function decodeBytes(text: string, encoding: SignatureEncoding): Bytes | undefined {
  if (encoding === 'hex') return /^(?:[0-9a-f]{2})+$/i.test(text) ? fromHex(text) : undefined;
  const alphabet = encoding === 'base64' ? /^[A-Za-z0-9+/]+={0,2}$/ : /^[A-Za-z0-9_-]+={0,2}$/;
  if (!alphabet.test(text)) return undefined;
  const digits = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return digits.length % 4 === 1 ? undefined : fromBinary(atob(digits));
}

function fromHex(text: string): Bytes {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = (hexDigit(text.charCodeAt(2 * index)) << 4) | hexDigit(text.charCodeAt(2 * index + 1));
  }
  return bytes;
}

/** The digits are 0x30 to 0x39; the letters, in lower case or capitals, end in 1 to 6. */
const hexDigit = (code: number): number => (code < 0x3a ? code - 0x30 : (code & 7) + 9);

function fromBinary(binary: string): Bytes {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
