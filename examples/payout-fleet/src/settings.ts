import { PaymentsClient } from 'stablecoin-payments';

/** A setting that must be there. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`Set ${name}; see examples/payout-fleet/README.md.`);
  return value;
}

/** A whole number from the environment, or its default. */
export function wholeNumber(name: string, otherwise: number): number {
  const value = process.env[name] ?? '';
  if (value === '') return otherwise;
  if (!/^\d{1,9}$/.test(value)) throw new Error(`${name} must be a whole number.`);
  return Number(value);
}

/**
 * The client of a worker. It does not repeat by itself: the queue does, durably, and a 429 then holds for the fleet.
 * Reads of the sweep are repeated, since nothing else would.
 */
export function paymentsClient(fetch?: typeof globalThis.fetch): PaymentsClient {
  return new PaymentsClient({
    retries: 0,
    timeout: wholeNumber('CALL_TIMEOUT_MS', 10_000),
    ...(fetch === undefined ? {} : { fetch }),
  });
}
