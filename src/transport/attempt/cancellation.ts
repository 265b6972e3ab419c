/**
 * Lets the time limits end an attempt that is under way. Cheaper than an AbortController, which costs more than the
 * rest of the limits; one is made only for a `fetch` that asks for its signal.
 */
export class Cancellation {
  #cancelled = false;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** Whether the attempt was ended. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** The same as an AbortSignal, made when it is first asked for. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Names what is to be called when the attempt is ended. There is one listener; a later one takes its place. */
  whenCancelled(listener: () => void): void {
    this.#listener = listener;
    if (this.#cancelled) listener();
  }

  /** Ends the attempt. */
  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#listener?.();
    this.#controller?.abort();
  }
}
