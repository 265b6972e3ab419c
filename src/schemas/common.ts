import type * as z from './zod.ts';

/**
 * The required form of a response: a schema, built when it is first needed, and the paths without which the response
 * is useless.
 */
export interface ResponseShape<T> {
  /** Builds the schema at the first call and returns the same one afterwards. */
  readonly schema: () => z.Type<T>;
  /** Dotted paths whose absence or wrong type makes the response useless. */
  readonly essential: readonly string[];
}

/** Declares the shape of a response. */
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
