import { describe, it } from 'vitest';
import * as z from 'zod/mini';
import { object, params } from '../../src/shared/schema/object.ts';
import { of } from '../../src/shared/schema/of.ts';

interface Coin {
  name: 'usdc' | 'usdt' | (string & {});
  kind: 'a' | 'b';
  amount: number | string;
  chain?: string | null;
  issuer: { country?: string };
  tags?: { text: string }[] | null;
  more?: unknown;
}

const kind = () => z.literal(['a', 'b']);
const fields = () => ({
  name: z.string(),
  kind: kind(),
  amount: z.union([z.number(), z.string()]),
  chain: z.nullish(z.string()),
  issuer: params({ country: z.optional(z.string()) }),
  tags: z.nullish(z.array(object({ text: z.string() }))),
  more: z.optional(z.unknown()),
});

/** A recipient by one of two fields. */
type Either = { a: string; b?: null } | { a?: null; b: string };
const absent = () => z.optional(z.null());

describe('a schema and its interface', () => {
  it('compile together where they are the same', () => {
    of<Coin>()(object(fields()));
    of<Coin>()(params(fields()));
    of<Either>()(z.union([params({ a: z.string(), b: absent() }), params({ a: absent(), b: z.string() })]));
    // A schema that was compared counts as its interface.
    of<{ coin: Coin }>()(object({ coin: of<Coin>()(object(fields())) }));
  });

  it('do not compile if a field is missing in the schema', () => {
    const { chain: _chain, ...rest } = fields();
    // @ts-expect-error: chain
    of<Coin>()(object(rest));
  });

  it('do not compile if the schema has a field too many', () => {
    // @ts-expect-error: decimals
    of<Coin>()(object({ ...fields(), decimals: z.number() }));
    // @ts-expect-error: decimals
    of<Coin>()(object({ ...fields(), decimals: z.optional(z.number()) }));
  });

  it('do not compile if the schema is wider', () => {
    // @ts-expect-error: any text
    of<Coin>()(object({ ...fields(), kind: z.string() }));
    // @ts-expect-error: null
    of<Coin>()(object({ ...fields(), name: z.nullable(z.string()) }));
    // @ts-expect-error: a boolean
    of<Coin>()(object({ ...fields(), amount: z.union([z.number(), z.string(), z.boolean()]) }));
  });

  it('do not compile if the schema is narrower', () => {
    // @ts-expect-error: one word
    of<Coin>()(object({ ...fields(), kind: z.literal('a') }));
    // @ts-expect-error: known words only
    of<Coin>()(object({ ...fields(), name: z.literal(['usdc', 'usdt']) }));
    // @ts-expect-error: a number only
    of<Coin>()(object({ ...fields(), amount: z.number() }));
    // @ts-expect-error: never null
    of<Coin>()(object({ ...fields(), chain: z.optional(z.string()) }));
  });

  it('do not compile if a field is optional on one side only', () => {
    // @ts-expect-error: required in the interface
    of<Coin>()(object({ ...fields(), name: z.optional(z.string()) }));
    // @ts-expect-error: optional in the interface
    of<Coin>()(object({ ...fields(), chain: z.nullable(z.string()) }));
    // @ts-expect-error: optional in the interface
    of<Coin>()(object({ ...fields(), more: z.unknown() }));
  });

  it('do not compile if a nested object, an item or an alternative differs', () => {
    // @ts-expect-error: country
    of<Coin>()(object({ ...fields(), issuer: params({}) }));
    // @ts-expect-error: text
    of<Coin>()(object({ ...fields(), tags: z.nullish(z.array(object({ txt: z.string() }))) }));
    const second = params({ a: absent(), b: z.string() });
    // @ts-expect-error: a field too many in one of two
    of<Either>()(z.union([params({ a: z.string(), b: absent(), c: z.string() }), second]));
    // @ts-expect-error: one of two is missing
    of<Either>()(z.union([params({ a: z.string(), b: absent() })]));
  });
});
