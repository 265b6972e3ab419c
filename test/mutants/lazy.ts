/** Stands for src/shared/schema/lazy.ts while mutants are judged: builds the value at each call. */
export const lazy = <T>(build: () => T): (() => T) => build;
