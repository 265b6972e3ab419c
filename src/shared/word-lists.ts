/** The words of a text. Lists of names are written this way; a bundler drops those that nobody uses. */
/* @__NO_SIDE_EFFECTS__ */
export function words(text: string): readonly string[] {
  return text.split(' ');
}

/** One of the words of a text. */
export type Word<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Word<Rest>
  : Text;
