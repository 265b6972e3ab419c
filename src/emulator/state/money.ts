/** Amounts as whole millionths, so that sums and fees are exact: the decimals of the common stablecoins. */
export type Micros = bigint;

export const DECIMALS = 6;
const SCALE = 10n ** BigInt(DECIMALS);

/** Exact millionths of a number or a decimal text, or `undefined` where it is not finite or has more decimals. */
export function microsOf(amount: number | string): Micros | undefined {
  // The text of a number that is not finite does not match.
  const match = /^(-?)(\d+)(?:\.(\d*?)0*)?(?:e([+-]\d+))?$/.exec(String(amount));
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) - fraction.length + DECIMALS;
  // Zeros at the end do not count: one with more decimals is no whole number of millionths.
  if (shift < 0) return undefined;
  const micros = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return sign === '-' ? -micros : micros;
}

/** A decimal text with at least two and at most six decimals: `100.00`, `0.000125`. */
export function decimalOf(micros: Micros): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${fraction}`;
}

/** The amount of a text that `decimalOf` wrote. */
export function microsOfDecimal(decimal: string): Micros {
  return BigInt(decimal.replace('.', '').padEnd(decimal.indexOf('.') + DECIMALS, '0'));
}

/** The number nearest to an amount, for the fields that are JSON numbers. */
export function numberOfMicros(micros: Micros): number {
  return Number(decimalOf(micros));
}

/** A share in basis points, rounded down to whole hundredths of the currency. */
export function basisPoints(micros: Micros, points: bigint): Micros {
  const hundredth = SCALE / 100n;
  return ((micros * points) / 10_000n / hundredth) * hundredth;
}

/** An amount times a rate given in units of 1e-10, rounded down to millionths. */
export function atRate(micros: Micros, rate: bigint): Micros {
  return (micros * rate) / RATE_SCALE;
}

export const RATE_SCALE = 10n ** 10n;

/** The decimal text of a rate given in units of 1e-10. */
export function rateText(rate: bigint): string {
  const digits = rate.toString().padStart(11, '0');
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '');
}
