import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from '../../src/schemas/zod.ts';

const names = fc.constantFrom('id', 'status', 'amount', 'other');

const { schema } = fc.letrec<{ schema: z.Type }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(z.string, z.text, z.number, z.boolean, z.unknown).map((make) => make()),
    tie('schema').map((inner) => z.array(inner)),
    tie('schema').map((inner) => z.optional(inner)),
    tie('schema').map((inner) => z.nullish(inner)),
    fc.tuple(tie('schema'), tie('schema')).map((either) => z.union(either)),
    fc.dictionary(names, tie('schema'), { noNullPrototype: true }).map((fields) => z.looseObject(fields)),
  ),
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, -1.5, Number.POSITIVE_INFINITY, '', 'text'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value')),
  ),
}));

/** What zod itself says. */
function issuesOf(type: z.Type, given: unknown): number {
  const result = type._zod.run({ value: given, issues: [] }, { async: false });
  return result instanceof Promise ? Number.NaN : result.issues.length;
}

test('a response departs from its schema exactly where zod says so', () => {
  fc.assert(
    fc.property(schema, value, (type, given) => {
      expect(z.departuresOf(type, given)).toHaveLength(issuesOf(type, given));
    }),
    { numRuns: 1_000 },
  );
});

test.each(['id', 'status'])('a record without its required %s departs', (missing) => {
  const type = z.looseObject({ id: z.string(), status: z.text(), note: z.nullish(z.string()) });
  const whole = { id: 'a', status: 'b', more: 1 };
  expect(z.departuresOf(type, whole)).toEqual([]);
  const { [missing as 'id']: _gone, ...rest } = whole;
  expect(z.departuresOf(type, rest)).toMatchObject([{ path: [missing] }]);
});
