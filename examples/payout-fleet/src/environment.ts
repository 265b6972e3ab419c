/** A setting that must be there. */
export function required(name: string): string {
  const value = process.env[name] ?? '';
  if (value === '') throw new Error(`Set ${name}; see examples/payout-fleet/README.md.`);
  return value;
}

/** A number of at least 0 from the environment, or its default. */
export function number(name: string, otherwise: number): number {
  const value = process.env[name] ?? '';
  if (value === '') return otherwise;
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(value)) throw new Error(`${name} must be a number.`);
  return Number(value);
}
