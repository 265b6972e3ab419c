/**
 * How many cases a property test makes: `few` in `npm test`, which makes the same ones in each run, and `many` where
 * `PAYMENTS_PROPERTY_CASES` is `many`, as in `.ci/run` and at night.
 */
export const cases = (few: number, many: number): number =>
  process.env.PAYMENTS_PROPERTY_CASES === 'many' ? many : few;
