/** A text in one spelling of many, and the part of the original text that each of its UTF-16 units stands for. */
export interface Spelling {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Stands for the one character that a named reference of HTML means. There are 2,000 names, and no list of them here: such
 * a reference may be any character that is no ASCII letter and no digit.
 */
export const anySymbol = '\uFFFC';

/** A text that was escaped more often is another one. */
const maxEscapes = 3;

/**
 * Returns the spellings of a text: without its escapes as well as with them, all in one Unicode form, without case and
 * invisible characters.
 */
export const spellingsOf = (text: string): readonly Spelling[] => unescapedForms(text).map(folded);

/** Returns a text without its escapes. Most have none. */
export const withoutEscapes = (text: string): string =>
  /[&\\%]/.test(text) ? (unescapedForms(text).at(-1)?.text ?? text) : text;

function unescapedForms(text: string): readonly Spelling[] {
  const units = [...Array(text.length).keys()];
  const forms: Spelling[] = [];
  let form: Spelling | undefined = { text, starts: units, ends: units.map((unit) => unit + 1) };
  while (form !== undefined && forms.length <= maxEscapes) {
    forms.push(form);
    form = unescaped(form);
  }
  return forms;
}

const escapes =
  /&#x(?<hex>[\da-f]{1,6});?|&#(?<decimal>\d{1,7});?|&(?<name>[a-z][a-z\d]{1,30});|\\u(?<unit>[\da-f]{4})|\\(?<short>["\\/bfnrt])|(?<bytes>(?:%[\da-f]{2})+)/gi;

/** The text without one level of escapes; undefined if it has none. */
function unescaped({ text, starts, ends }: Spelling): Spelling | undefined {
  const found = [...text.matchAll(escapes)];
  if (found.length === 0) return undefined;
  const next = new SpellingWriter();
  let from = 0;
  const copyTo = (end: number) => {
    for (; from < end; from += 1) next.write(text[from] ?? '', starts[from] ?? 0, ends[from] ?? 0);
  };
  for (const { 0: match, index, groups = {} } of found) {
    copyTo(index);
    from = index + match.length;
    next.write(characterOf(groups), starts[index] ?? 0, ends[from - 1] ?? 0);
  }
  copyTo(text.length);
  return next;
}

class SpellingWriter implements Spelling {
  text = '';
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  /** Adds a text that stands for a part of the original. */
  write(text: string, start: number, end: number): void {
    this.text += text;
    for (let unit = 0; unit < text.length; unit += 1) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }
}

const markup: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function characterOf({
  hex,
  decimal,
  name,
  unit,
  short,
  bytes,
}: Readonly<Record<string, string | undefined>>) {
  if (hex !== undefined) return fromCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return fromCode(Number(decimal));
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (bytes !== undefined) return fromBytes(bytes);
  if (short !== undefined) return /[bfnrt]/.test(short) ? ' ' : short;
  return markup.get(name?.toLowerCase() ?? '') ?? anySymbol;
}

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : anySymbol);

/** The text of percent escapes: of UTF-8, or else of one byte for each character. */
function fromBytes(escaped: string): string {
  const bytes = Uint8Array.from(escaped.slice(1).split('%'), (byte) => Number.parseInt(byte, 16));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return String.fromCharCode(...bytes);
  }
}

function folded({ text, starts, ends }: Spelling): Spelling {
  const next = new SpellingWriter();
  let unit = 0;
  for (const character of text) {
    const last = unit + character.length - 1;
    next.write(foldedText(character), starts[unit] ?? 0, ends[last] ?? 0);
    unit = last + 1;
  }
  return next;
}

/** A text in one Unicode form, without case and invisible characters. Each white space is a space. */
export const foldedText = (text: string): string =>
  // Each character by itself: the lower case of a Greek sigma depends on what stands around it.
  Array.from(text.normalize('NFKD'), (character) => character.toLowerCase().toUpperCase().toLowerCase())
    .join('')
    .replace(/\s/g, ' ')
    .replace(/\p{Cf}/gu, '');

/** The UTF-8 of a text in base64 and in its form for URLs, without padding. */
export function base64Of(text: string): readonly string[] {
  const plain = btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/=+$/, '');
  return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')];
}
