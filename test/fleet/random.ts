let state = Number(process.env.PAYMENTS_TEST_SEED ?? 20_261_122) >>> 0;

/** A number from 0 to 1; the same row of them in each run (mulberry32), and another one with `PAYMENTS_TEST_SEED`. */
export function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
