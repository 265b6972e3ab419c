/**
 * Everything that looks random in the emulator comes from here: a pure function of the seed, a purpose and a
 * count, so that the same script meets the same ids whatever else happens between.
 */
export class Ids {
  seed: string;
  counters: Record<string, number> = {};

  constructor(seed: string) {
    this.seed = seed;
  }

  /** The number of ids of a kind so far, this one included. */
  count(kind: string): number {
    const count = (this.counters[kind] ?? 0) + 1;
    this.counters[kind] = count;
    return count;
  }

  /** The next id of its kind, in the shape of a random (version 4) UUID. */
  uuid(kind: string): string {
    return uuidOf(hexOf(`${this.seed}/${kind}/${this.count(kind)}`, 32));
  }

  /** Hexadecimal digits that are always the same for the same purpose. */
  hex(purpose: string, length: number): string {
    return hexOf(`${this.seed}/${purpose}`, length);
  }

  /** A whole number from 0 up to, but without, `below`, always the same for the same purpose. */
  integer(purpose: string, below: number): number {
    return Number.parseInt(hexOf(`${this.seed}/${purpose}`, 12), 16) % below;
  }

  /** Decimal digits, always the same for the same purpose. */
  digits(purpose: string, length: number): string {
    let digits = '';
    for (let part = 0; digits.length < length; part += 1) {
      digits += String(this.integer(`${purpose}/${part}`, 1_000_000_000)).padStart(9, '0');
    }
    return digits.slice(0, length);
  }

  /** One of a few choices, always the same for the same purpose. */
  pick<T>(purpose: string, choices: readonly [T, ...T[]]): T {
    return choices[this.integer(purpose, choices.length)] ?? choices[0];
  }
}

/** 32 hexadecimal digits in the shape of a random (version 4) UUID. */
export function uuidOf(hex: string): string {
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...groups, `${variant}${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

/** A spread-out, not a secret, hash of a text as hexadecimal digits. */
export function hexOf(text: string, length: number): string {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x85ebca6b) ^ (b >>> 13);
    b = Math.imul(b ^ unit, 0xc2b2ae35) ^ (c >>> 11);
    c = Math.imul(c ^ unit, 0x27d4eb2f) ^ (d >>> 15);
    d = Math.imul(d ^ unit, 0x165667b1) ^ (a >>> 16);
  }
  let hex = '';
  while (hex.length < length) {
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ d;
    b = Math.imul(b ^ (b >>> 15), 0xc2b2ae35) ^ a;
    c = Math.imul(c ^ (c >>> 14), 0x27d4eb2f) ^ b;
    d = Math.imul(d ^ (d >>> 13), 0x165667b1) ^ c;
    d = (d + 0x9e3779b9) | 0;
    hex += (d >>> 0).toString(16).padStart(8, '0');
  }
  return hex.slice(0, length);
}
