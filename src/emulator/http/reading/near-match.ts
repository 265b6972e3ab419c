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
  const plain = plainOf(name);
  const same = names.find((candidate) => plainOf(candidate) === plain);
  if (same !== undefined) return same;
  const synonym = SYNONYMS.get(plain);
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  let best: { name: string; distance: number } | undefined;
  for (const candidate of names) {
    const distance = distanceOf(plain, plainOf(candidate));
    const near = distance <= Math.max(1, Math.floor(candidate.length / 3));
    if (near && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best?.name;
}

function plainOf(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** How many letters must be added, left out, replaced or swapped with the next one. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, place) => place)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : replaced;
      row.push(Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return at(a.length, b.length);
}
