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

export function encodeBytes(bytes: Uint8Array, encoding: SignatureEncoding): string {
  if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  if (encoding === 'base64') return base64;
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes that a text stands for, or undefined where it is not of that encoding. Never throws. */
export function decodeBytes(text: string, encoding: SignatureEncoding): Bytes | undefined {
  if (encoding === 'hex') {
    if (text.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(text)) return undefined;
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  }
  const alphabet = encoding === 'base64' ? /^[A-Za-z0-9+/]+={0,2}$/ : /^[A-Za-z0-9_-]+={0,2}$/;
  if (!alphabet.test(text)) return undefined;
  const digits = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (digits.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}
