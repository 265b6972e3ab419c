/** A wait that ends early when something happened. */
export class InterruptibleWait {
  #wake: (() => void) | undefined;
  #isEnded = false;

  /** Ends the wait, or the next one where nobody waits. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /**
   * Waits for so many milliseconds, or until `end` is called.
   *
   * @param milliseconds - The longest wait.
   * @param anew - True ignores an `end` before the wait.
   */
  async wait(milliseconds: number, anew = false): Promise<void> {
    if (anew) this.#isEnded = false;
    if (!this.#isEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#isEnded = false;
  }
}

/**
 * Starts to measure. The function that it returns gives the milliseconds since then, by the clock that ran further: the
 * monotonic one stands still while a virtual machine is suspended, and the other one can be set back.
 */
export function stopwatch(): () => number {
  const [started, startedOn] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - started, Date.now() - startedOn);
}
