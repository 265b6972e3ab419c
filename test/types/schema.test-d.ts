import { describe, it } from 'vitest';
import * as z from 'zod/mini';
import { looseObject, matching, strictObject } from '../../src/shared/schema/schema.ts';

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
  issuer: strictObject({ country: z.optional(z.string()) }),
  tags: z.nullish(z.array(looseObject({ text: z.string() }))),
  more: z.optional(z.unknown()),
});

/** A recipient by one of two fields. */
type Either = { a: string; b?: null } | { a?: null; b: string };
const absent = () => z.optional(z.null());

describe('a schema and its interface', () => {
  it('compile together where they are the same', () => {
    matching<Coin>()(looseObject(fields()));
    matching<Coin>()(strictObject(fields()));
    matching<Either>()(
      z.union([strictObject({ a: z.string(), b: absent() }), strictObject({ a: absent(), b: z.string() })]),
    );
    // A schema that was compared counts as its interface.
    matching<{ coin: Coin }>()(looseObject({ coin: matching<Coin>()(looseObject(fields())) }));
  });

  it('do not compile if a field is missing in the schema', () => {
    const { chain: _chain, ...rest } = fields();
    // @ts-expect-error: chain
    matching<Coin>()(looseObject(rest));
  });

  it('do not compile if the schema has a field too many', () => {
    // @ts-expect-error: decimals
    matching<Coin>()(looseObject({ ...fields(), decimals: z.number() }));
    // @ts-expect-error: decimals
    matching<Coin>()(looseObject({ ...fields(), decimals: z.optional(z.number()) }));
  });

  it('do not compile if the schema is wider', () => {
    // @ts-expect-error: any text
    matching<Coin>()(looseObject({ ...fields(), kind: z.string() }));
    // @ts-expect-error: null
    matching<Coin>()(looseObject({ ...fields(), name: z.nullable(z.string()) }));
    // @ts-expect-error: a boolean
    matching<Coin>()(looseObject({ ...fields(), amount: z.union([z.number(), z.string(), z.boolean()]) }));
  });

  it('do not compile if the schema is narrower', () => {
    // @ts-expect-error: one word
    matching<Coin>()(looseObject({ ...fields(), kind: z.literal('a') }));
    // @ts-expect-error: known words only
    matching<Coin>()(looseObject({ ...fields(), name: z.literal(['usdc', 'usdt']) }));
    // @ts-expect-error: a number only
    matching<Coin>()(looseObject({ ...fields(), amount: z.number() }));
    // @ts-expect-error: never null
    matching<Coin>()(looseObject({ ...fields(), chain: z.optional(z.string()) }));
  });

  it('do not compile if a field is optional on one side only', () => {
    // @ts-expect-error: required in the interface
    matching<Coin>()(looseObject({ ...fields(), name: z.optional(z.string()) }));
    // @ts-expect-error: optional in the interface
    matching<Coin>()(looseObject({ ...fields(), chain: z.nullable(z.string()) }));
    // @ts-expect-error: optional in the interface
    matching<Coin>()(looseObject({ ...fields(), more: z.unknown() }));
  });

  it('do not compile if a nested object, an item or an alternative differs', () => {
    // @ts-expect-error: country
    matching<Coin>()(looseObject({ ...fields(), issuer: strictObject({}) }));
    const tags = z.nullish(z.array(looseObject({ txt: z.string() })));
    // @ts-expect-error: text
    matching<Coin>()(looseObject({ ...fields(), tags }));
    const second = strictObject({ a: absent(), b: z.string() });
    // @ts-expect-error: a field too many in one of two
    matching<Either>()(z.union([strictObject({ a: z.string(), b: absent(), c: z.string() }), second]));
    // @ts-expect-error: one of two is missing
    matching<Either>()(z.union([strictObject({ a: z.string(), b: absent() })]));
  });
});
