import { type Bytes, concatBytes } from './bytes.ts';

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
