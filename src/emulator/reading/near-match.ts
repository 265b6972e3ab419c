import { nearestName, plainName, refuseUnknown } from '../../closed-options.ts';

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
  const synonym = SYNONYMS.get(plainName(name));
  return synonym !== undefined && names.includes(synonym) ? synonym : nearestName(name, names);
}

/** Throws a TypeError that names the place if an options object has a name that does not exist. */
export function refuse(place: string, options: object, known: Readonly<Record<string, true>>): void {
  refuseUnknown(options, known, (message) => {
    throw new TypeError(`${place}: ${message}`);
  });
}
