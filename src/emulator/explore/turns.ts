/** Timers as they were when the package was imported: a test may fake them later. */
const { setTimeout, clearTimeout } = globalThis;

/** jsdom has none. */
const setImmediate: (callback: () => void) => unknown =
  globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0));

/** Lets the event loop turn so many times. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}

/** Resolves as the work does, or with `late` after so many milliseconds of real time. */
export function within<T, L>(work: Promise<T>, milliseconds: number, late: L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** What a process that died waits for. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});
