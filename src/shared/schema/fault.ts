import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What is wrong with a value, in zod's finding. */
export interface SchemaFault {
  readonly path: Path;
  readonly kind:
    | 'name' // The last name of the path does not exist.
    | 'type' // The value is of another type, or missing.
    | 'value' // The value is of the right type.
    | 'unwanted' // Another field was given in place of this one. `why` says all.
    | 'rule' // `why` says all.
    | 'member'; // The value belongs to another member of a union.
  /** The end of a sentence that begins with the path. */
  readonly why: string;
  /** The types that are taken, as far as zod names them. */
  readonly expected: readonly string[];
  /** The path of a field that could be given in place of this one. */
  readonly instead?: Path;
  /** The minimum of a duration: a value below it was meant in another unit. */
  readonly min?: number;
}

/** Returns the fault to tell. A name that does not exist comes first: it is often why another field is missing. */
export function firstFault(issues: readonly Issue[]): SchemaFault {
  const faults = faultsOf(issues, []);
  return faults.find(({ kind }) => kind === 'name') ?? faults[0] ?? unexplained;
}

/** An error of zod has a first issue; its type does not say so. */
const unexplained: SchemaFault = { path: [], kind: 'rule', why: 'cannot be used', expected: [] };

const faultsOf = (issues: readonly Issue[], outer: Path): readonly SchemaFault[] =>
  issues.flatMap((issue): readonly SchemaFault[] => {
    const path = [...outer, ...issue.path];
    const why = issue.message;
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({ path: [...path, key], kind: 'name', why, expected: [] }));
      case 'invalid_union':
        return ofUnion(issue.errors, path, why);
      case 'invalid_type':
        // If only null is allowed, another field was given instead of this one.
        return [
          { path, kind: isAbsence(issue.expected) ? 'unwanted' : 'type', why, expected: [issue.expected] },
        ];
      case 'invalid_value':
        return [{ path, kind: 'member', why, expected: [] }];
      case 'custom':
        return [ofCheck(issue, path)];
      default:
        return [{ path, kind: 'value', why, expected: [] }];
    }
  });

function ofCheck({ message: why, params }: z.core.$ZodIssueCustom, path: Path): SchemaFault {
  const kind = params?.kind === 'rule' || params?.kind === 'type' ? params.kind : 'value';
  const fault: SchemaFault = { path, kind, why, expected: [] };
  return typeof params?.min === 'number' ? { ...fault, min: params.min } : fault;
}

const isAbsence = (expected: string): boolean => expected === 'null' || expected === 'never';

/**
 * The faults of the member that is meant by the fields that are there: the one that refuses the fewest of them, then the one
 * with the fewest faults, the first of several.
 */
function ofUnion(errors: readonly (readonly Issue[])[], path: Path, why: string): readonly SchemaFault[] {
  const all = errors.map((issues) => faultsOf(issues, path));
  const isOfOtherType = (faults: readonly SchemaFault[]) =>
    faults.every((fault) => fault.kind === 'type' && fault.path.length === path.length);
  // If the value has the type of no member, use the union's message. If all members have the same message, use that.
  if (all.every(isOfOtherType)) {
    const [first, ...others] = all.flat();
    const isOneType = others.every((fault) => fault.why === first?.why);
    const expected = all.flat().flatMap((fault) => fault.expected);
    return [{ path, kind: 'type', why: isOneType ? (first?.why ?? why) : why, expected }];
  }
  const possible = anyOf(all, (faults) => faults.every(({ kind }) => kind !== 'member'));
  const members = anyOf(possible, (faults) => !isOfOtherType(faults));
  const nearest = fewest(
    fewest(members, ({ kind }) => kind === 'name' || kind === 'unwanted'),
    () => true,
  );
  const [meant = [], ...others] = nearest;
  // Among more than two members, another one is an alternative only if it is as near, and the only one.
  const alternatives = members.length === 2 ? members.filter((faults) => faults !== meant) : others;
  return alternatives.length === 1 ? withAlternative(meant, alternatives[0] ?? []) : meant;
}

/** Adds the field of another member that could be given in place of a missing one. */
function withAlternative(
  meant: readonly SchemaFault[],
  other: readonly SchemaFault[],
): readonly SchemaFault[] {
  const [own, second] = onlyIn(meant, other);
  const instead = onlyIn(other, meant)[0];
  if (own?.kind !== 'type' || second !== undefined || instead?.kind !== 'type') return meant;
  return meant.map((fault) => (fault === own ? { ...fault, instead: instead.path } : fault));
}

/** The faults that only the first of two members has. */
const onlyIn = (faults: readonly SchemaFault[], others: readonly SchemaFault[]): readonly SchemaFault[] =>
  faults.filter(({ path }) => !others.some((other) => isSame(other.path, path)));

/** The lists with the fewest faults that pass a test. */
function fewest(lists: readonly (readonly SchemaFault[])[], test: (fault: SchemaFault) => boolean) {
  const counts = lists.map((faults) => faults.filter(test).length);
  const min = Math.min(...counts);
  return lists.filter((_faults, index) => counts[index] === min);
}

/** The items that pass a test, or all of them where none does. */
function anyOf<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly Item[] {
  const passing = items.filter(test);
  return passing.length > 0 ? passing : items;
}

const isSame = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((key, index) => key === other[index]);
