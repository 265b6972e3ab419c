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
