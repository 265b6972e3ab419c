import { expect } from 'vitest';

/**
 * Stands for `lazy` of src/shared/schema/schema.ts while mutants are judged: builds the value once for each test. Within a test it is one
 * object, since some rules compare schemas.
 */
export function lazy<T>(build: () => T): () => T {
  let kept: { readonly value: T; readonly test: string | undefined } | undefined;
  return () => {
    const test = expect.getState().currentTestName;
    if (kept === undefined || kept.test !== test) kept = { value: build(), test };
    return kept.value;
  };
}
