import * as z from './zod.ts';

/**
 * What an answer must look like: a schema, built when it is first needed, and the paths without which
 * the answer is useless.
 */
export interface ResponseShape<T> {
  /** Builds the schema at the first call and returns the same one afterwards. */
  readonly schema: () => z.Type<T>;
  /** Dotted paths whose absence or wrong type makes the answer useless. */
  readonly essential: readonly string[];
}

/** Declares the shape of an answer. */
/* @__NO_SIDE_EFFECTS__ */
export function shape<T>(schema: () => z.Type<T>, essential: readonly string[]): ResponseShape<T> {
  return { schema, essential };
}

/** Puts off building a schema until it is first used: building all of them would slow every start. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

/** The known values with autocomplete, and any other string: a new value of the service is no error. */
export type Open<Known extends string> = Known | (string & {});

/** A string that is usually one of the known values. */
export function openEnum<const Known extends string>(_known: readonly Known[]): z.Type<Open<Known>> {
  // Every string is valid at run time; only the type names the known ones, which no parse can express.
  return z.string() as unknown as z.Type<Open<Known>>;
}

/** Text that the service may leave out or set to null. */
export const optionalText = lazy(() => z.nullish(z.string()));
