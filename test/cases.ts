import * as fc from 'fast-check';

/**
 * How many cases a property test makes: `few` in `npm test`, which makes the same ones in each run, and `many` where
 * `PAYMENTS_PROPERTY_CASES` is `many`, as at night.
 */
export const cases = (few: number, many: number): number =>
  process.env.PAYMENTS_PROPERTY_CASES === 'many' ? many : few;

/** Code units that are no character by themselves. */
const SURROGATES = 0x08_00;

/**
 * Any character of Unicode, for strings. The `binary` unit of fast-check gives the same ones, but lists all million of
 * them as soon as a string has it.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ff_ff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < 0xd8_00 ? place : place + SURROGATES),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined) throw new Error('not a character');
    return point < 0xd8_00 ? point : point - SURROGATES;
  },
);
