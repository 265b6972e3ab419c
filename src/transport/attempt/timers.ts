/** Waits for a number of milliseconds. A test can advance its own clock instead. */
export type Sleep = (milliseconds: number) => unknown;

/** The two functions that limits and waits need. */
export interface Timers {
  setTimeout(run: () => void, milliseconds: number): ReturnType<typeof setTimeout>;
  clearTimeout(timer: ReturnType<typeof setTimeout> | undefined): void;
}

/** Whether a test has put something in place of a timer: sinon, which jest and vitest use, or a mock of jest. */
const isFaked = (timer: unknown): boolean =>
  typeof timer === 'function' && ('clock' in timer || '_isMockFunction' in timer);

/** A test that fakes timers before it imports this package does not mean this package's: nobody would move them on. */
const fakedBeforehand = /* @__PURE__ */ (() => isFaked(globalThis.setTimeout))();

/**
 * The timers to use now. Fakes that are installed later are used, so that a test can let time pass; those that were
 * there before this package are gone around, where the platform lets it.
 */
export function timers(): Timers {
  if (!fakedBeforehand) return globalThis;
  const real: Timers | undefined = globalThis.process?.getBuiltinModule?.('node:timers');
  return real === undefined || isFaked(real.setTimeout) ? globalThis : real;
}
