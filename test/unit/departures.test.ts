import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from '../../src/schemas/zod.ts';

/** The types of schemas are for the compiler only; here they are of any type. */
const marked = (type: z.Type) => type as z.Field<unknown>;

const names = fc.constantFrom('id', 'status', 'amount', 'other');

const { schema } = fc.letrec<{ schema: z.Field<unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<() => z.Type>(z.text, z.number, z.boolean, z.unknown).map((make) => marked(make())),
    tie('schema').map((inner) => marked(z.list(inner))),
    tie('schema').map((inner) => marked(z.maybe(inner))),
    tie('schema').map((inner) => marked(z.nullish(inner))),
    fc.tuple(tie('schema'), tie('schema')).map((either) => z.either(...either)),
    fc
      .dictionary(names, tie('schema'), { noNullPrototype: true })
      .map((fields) => marked(z.record<object>(fields))),
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
  const type = z.record<{ id: string; status: string; note?: string | null }>({
    id: z.text(),
    status: z.text(),
    note: z.nullish(z.text()),
  });
  const whole = { id: 'a', status: 'b', more: 1 };
  expect(z.departuresOf(type, whole)).toEqual([]);
  const { [missing as 'id']: _gone, ...rest } = whole;
  expect(z.departuresOf(type, rest)).toMatchObject([{ path: [missing] }]);
});
