/** The words of a text. Lists of names are written this way; a bundler drops those that nobody uses. */
/* @__NO_SIDE_EFFECTS__ */
export function words(text: string): readonly string[] {
  return text.split(' ');
}
