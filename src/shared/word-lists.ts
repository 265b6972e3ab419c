/** The words of a text. Lists of names are written this way; a bundler drops those that nobody uses. */
/* @__NO_SIDE_EFFECTS__ */
export function words(text: string): readonly string[] {
  return text.split(' ');
}

/** The words of a text, as a set. */
/* @__NO_SIDE_EFFECTS__ */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text));
}
