/**
 * A word as the search compares it: without the endings in which English words differ, so that "installation" finds
 * "install" and "transfers" finds "transfer". The site's script contains this function, so it must stand alone.
 */
export function searchTerm(term: string): string {
  const word = term.toLowerCase();
  return word.length < 6 ? word : word.replace(/(ations?|ings?|ies|es|ed|s|e|y)$/, '');
}
