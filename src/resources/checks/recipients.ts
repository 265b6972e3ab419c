import { readPath } from './rules.ts';

/** The service's limit for a batch. */
export const largestBatch = 50;

const usualNames = ['recipients', 'batch', 'destinations', 'transfers', 'payouts', 'payments', 'items'];

/** Finds the list of recipients under its usual names; the spec does not show its own. Undefined when unrecognised. */
export function findRecipients(params: unknown): { path: string; count: number } | undefined {
  const paths = [...usualNames, 'destination', ...usualNames.map((name) => `destination.${name}`)];
  for (const path of paths) {
    const value = readPath(params, path);
    if (Array.isArray(value)) return { path, count: value.length };
  }
  return undefined;
}
