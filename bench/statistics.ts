/** The value below which a given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** What a cost is when little else runs: other work on the machine can only add to it. */
export const lowerQuartile = (values: readonly number[]) => quantile(values, 0.25);

/** What a rate is when little else runs. */
export const upperQuartile = (values: readonly number[]) => quantile(values, 0.75);

/** A ratio as it is shown. */
export const factor = (value: number) => `${value.toFixed(2)} ×`;
