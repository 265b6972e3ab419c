import type * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { optionsTakenBy } from '../../shared/schema/option-fault.ts';
import { lazy, textLike } from '../../shared/schema/schema.ts';

/**
 * Returns own options, checked by their schema.
 *
 * @param taker - The function that takes them.
 * @param hints - The right names for names that belong elsewhere.
 */
export const optionsOf = <Options>(
  taker: string,
  schema: z.ZodMiniType<Options>,
  given: unknown,
  hints?: Readonly<Record<string, string>>,
): Options => optionsTakenBy(taker, schema, given, refuseOptions, hints);

function refuseOptions(message: string): never {
  throw new ConfigurationError(message);
}

/** The schemas of options whose interface is a union: of every field that a member has. */
export type FieldsOf<Options> = Record<Options extends unknown ? keyof Options : never, z.ZodMiniType>;

/** The name of a header. */
export const headerName = /* @__PURE__ */ lazy(() =>
  textLike(/^[!#$%&'*+.^_`|~0-9a-z-]+$/i, 'must be the name of a header'),
);

/** Reads an option that is one value under one name, or a list that is not empty under another, and which it was. */
export function oneOrMany(one: string, many: string, options: object): readonly [string, readonly unknown[]] {
  const [single, list]: readonly unknown[] = [Reflect.get(options, one), Reflect.get(options, many)];
  if (list === undefined) return [one, [single]];
  if (single !== undefined) throw new ConfigurationError(`Pass \`${one}\` or \`${many}\`, not both.`);
  if (!Array.isArray(list) || list.length === 0)
    throw new ConfigurationError(`\`${many}\` must be a list of at least one.`);
  return [many, list];
}
