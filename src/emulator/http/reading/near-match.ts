import { letterDistance, plainName } from '../../../closed-options.ts';

/** Other words for a field, which no distance of letters would find. */
const SYNONYMS = new Map([
  ['idempotencykey', 'requestId'],
  ['idempotencyid', 'requestId'],
  ['idempotenttoken', 'requestId'],
  ['clientrequestid', 'requestId'],
  ['clientreferenceid', 'requestId'],
  ['approvalrequired', 'requireApproval'],
  ['needsapproval', 'requireApproval'],
  ['sender', 'source'],
  ['from', 'source'],
  ['recipient', 'destination'],
  ['to', 'destination'],
  ['value', 'amount'],
  ['sum', 'amount'],
]);

/** The name that a misspelled one is nearest to, or `undefined` where none is near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = plainName(name);
  const same = names.find((candidate) => plainName(candidate) === plain);
  if (same !== undefined) return same;
  const synonym = SYNONYMS.get(plain);
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  let best: { name: string; distance: number } | undefined;
  for (const candidate of names) {
    const distance = letterDistance(plain, plainName(candidate));
    const near = distance <= Math.max(1, Math.floor(candidate.length / 3));
    if (near && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best?.name;
}
