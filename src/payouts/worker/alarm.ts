/** A wait that ends early when somebody rings. */
export class Alarm {
  #wake: (() => void) | undefined;
  #rung = false;

  /** Ends the wait, or the next one where nobody waits. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /**
   * Waits for so many milliseconds or for a ring.
   *
   * @param milliseconds - The longest wait.
   * @param anew - True ignores a ring before the wait.
   */
  async wait(milliseconds: number, anew = false): Promise<void> {
    if (anew) this.#rung = false;
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
