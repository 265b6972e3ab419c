/** A part of a record: what has a value, by its path in the part, and the paths of what is empty. */
export interface Group {
  title: string;
  fields: readonly (readonly [path: string, value: string | number | boolean])[];
  empty: readonly string[];
}

/** The parts of records, by their paths. A longer path wins. */
const PARTS: readonly (readonly [path: string, title: string])[] = [
  ['', 'Record'],
  ['source', 'Source'],
  ['source.bankInfo', 'Bank'],
  ['destination', 'Destination'],
  ['quoteInformation', 'Quote'],
  ['depositInfo', 'Deposit'],
  ['receipt', 'Receipt'],
  ['receipt.approval', 'Approval'],
  ['approval', 'Approval'],
  ['developerFee', 'Developer fee'],
  ['accountHolder', 'Holder'],
  ['us', 'Bank'],
  ['africa', 'Bank'],
  ['details', 'Bank'],
  ['kycInfo', 'KYC'],
  ['data', 'Data'],
];

/** The fields of a record in groups. Those of a transfer stand without the object that they are all in. */
export function groupsOf(record: object, leftOut: readonly string[] = []): Group[] {
  const leaves = leavesOf(record)
    .map(([path, value]) => [path.replace(/^transferDetails\./, ''), value] as const)
    .filter(([path]) => !leftOut.some((part) => isIn(part, path)));
  // The ids stand in a record and again in its details.
  const unique = [...new Map(leaves)];
  return PARTS.flatMap(([part, title]) => {
    const own = unique.filter(([path]) => partOf(path) === part);
    const inPart = own.map(
      ([path, value]) => [part === '' ? path : path.slice(part.length + 1), value] as const,
    );
    const fields = inPart.flatMap(([path, value]) => (value === null ? [] : [[path, value] as const]));
    const empty = inPart.filter(([, value]) => value === null).map(([path]) => path);
    return own.length === 0 ? [] : [{ title, fields, empty }];
  });
}

/** A value that contains no other one; `null` where there is nothing to show. */
type Leaf = string | number | boolean | null;

const isIn = (part: string, path: string): boolean => part === '' || path.startsWith(`${part}.`);

const partOf = (path: string): string =>
  PARTS.map(([part]) => part)
    .filter((part) => isIn(part, path))
    .reduce((best, part) => (part.length > best.length ? part : best), '');

function leavesOf(value: unknown, path = ''): [string, Leaf][] {
  if (typeof value !== 'object' || value === null) return [[path, leaf(value)]];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[path, null]];
  return entries.flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`));
}

function leaf(value: unknown): Leaf {
  if (value === null || value === '') return null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
