import { unknown } from 'zod/mini';
import { type $loose, type $ZodLooseShape, type $ZodObject, $ZodObjectJIT } from 'zod/v4/core';

// The part of zod that the schemas of answers are made of: its functional form, which weighs a quarter of the chained
// one. Only its objects check four times slower; so objects are the compiled ones of zod's core, as in the chained form.
export {
  array,
  boolean,
  discriminatedUnion,
  literal,
  minLength,
  nullish,
  number,
  optional,
  string,
  union,
  unknown,
} from 'zod/mini';
export { type $ZodType as Type, type output as infer, safeParse } from 'zod/v4/core';

/** An object with known fields and any others, which are kept. */
export function looseObject<Shape extends $ZodLooseShape>(shape: Shape): $ZodObject<Shape, $loose> {
  const object: unknown = new $ZodObjectJIT({ type: 'object', shape, catchall: unknown() });
  // zod types this constructor for any shape; the shape that goes in is the one that comes out.
  return object as $ZodObject<Shape, $loose>;
}
