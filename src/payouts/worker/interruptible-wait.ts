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
