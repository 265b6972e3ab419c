/** Returns a sentence about the first name that does not exist, or undefined. `noun`: what a name is, with its article. */
export function findUnknown(
  options: object,
  known: Readonly<Record<string, unknown>>,
  noun: string,
): string | undefined {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  return unknown === undefined ? undefined : `${shown(unknown)} is not ${noun}${adviceFor(unknown, known)}`;
}

/** Returns the end of a sentence about a name that does not exist: the name that was probably meant, or all names. */
export function adviceFor(
  name: string,
  known: Readonly<Record<string, unknown>>,
  hints: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(known);
  const meant = nearestName(name, [...names, ...Object.keys(hints)]);
  return meant === undefined
    ? `. Possible names: ${names.map((one) => `\`${one}\``).join(', ')}.`
    : `. Did you mean ${Object.hasOwn(known, meant) ? `\`${meant}\`` : hints[meant]}?`;
}

/** A name that is not a word may be a value, such as a token. */
const shown = (name: string): string =>
  /^[\w$-]{1,40}$/.test(name) ? `\`${name}\`` : 'A name that was given';

/**
 * Returns the name that a misspelled one is nearest to, or undefined if none is near. Case and separators do not count,
 * a name within a longer one is near (`maxRetries`, `retries`), and so is one that differs in a third of its letters.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const plain = plainName(name);
  const within = (candidate: string) =>
    candidate !== plain &&
    Math.min(candidate.length, plain.length) > 3 &&
    (plain.includes(candidate) || candidate.includes(plain));
  const distances = names.map((candidate) => {
    const other = plainName(candidate);
    const distance = within(other) ? 0.5 : letterDistance(plain, other);
    return { candidate, distance, near: distance <= Math.max(1, Math.floor(other.length / 3)) };
  });
  const [nearest] = distances.filter(({ near }) => near).sort((a, b) => a.distance - b.distance);
  return plain === '' ? undefined : nearest?.candidate;
}

/** Returns a name in lower-case letters and digits, at most 64 of them. */
export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 64);

/** Counts the letters that must be added, left out, replaced, or swapped with the next one. */
export function letterDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_none, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/** The end of a sentence about a name that would be dropped. A spread alone would drop it, too. */
export const inheritedWhy = (name: string): string =>
  `comes from a class or another prototype and not from the object itself, so it would be dropped. Give plain fields: \`{ ...values }\` copies only those of the object itself, so add this one by its name: \`{ ...values, ${name}: values.${name} }\``;
