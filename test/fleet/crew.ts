import type { ChildProcess } from 'node:child_process';
import { messageOf, start, stop } from './children.ts';
import { random } from './random.ts';

const PROGRAMS = 'examples/payout-fleet/src';

/** The processes of a fleet: workers and the receiver, and how they die. */
export class Crew {
  #environment: Record<string, string>;
  readonly #working = new Set<ChildProcess>();
  readonly #starting = new Set<Promise<void>>();
  #receiver: ChildProcess | undefined;
  #port = 0;
  #dismissed = false;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  /** Adds to the environment of those that start from now on. */
  learn(environment: Record<string, string>): void {
    this.#environment = { ...this.#environment, ...environment };
  }

  /** Starts the receiver. Returns its port, which it keeps. */
  async receive(): Promise<number> {
    this.#receiver = start(`${PROGRAMS}/receiver.ts`, [], { ...this.#environment, PORT: String(this.#port) });
    const message = await messageOf(this.#receiver);
    if (typeof message === 'object' && message !== null && 'port' in message)
      this.#port = Number(message.port);
    return this.#port;
  }

  async hire(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#hireOne()));
  }

  /** Kills a worker without warning, and starts another in its place. */
  killWorker(): void {
    const candidates = [...this.#working];
    const victim = candidates[Math.floor(random() * candidates.length)];
    if (victim === undefined) return;
    this.#working.delete(victim);
    victim.kill('SIGKILL');
    this.#track(this.#hireOne());
  }

  /** Kills the receiver without warning, and starts another on the same port. */
  killReceiver(): void {
    this.#receiver?.kill('SIGKILL');
    this.#track(this.receive().then(() => {}));
  }

  /** Enqueues as the submitter does. With `killAfter` milliseconds the program is killed on its way. */
  async submit(month: string, file: string, batch: number, killAfter?: number): Promise<boolean> {
    const args = ['--month', month, '--file', file, '--batch', String(batch)];
    const submitter = start(`${PROGRAMS}/enqueue.ts`, args, this.#environment);
    const timer =
      killAfter === undefined ? undefined : setTimeout(() => submitter.kill('SIGKILL'), killAfter);
    const code = await new Promise<number | null>((resolve) => submitter.once('exit', resolve));
    clearTimeout(timer);
    return code === 0;
  }

  /** The process ids by what they do. */
  processes(): { workers: number[]; receiver: number | undefined } {
    return { workers: [...this.#working].flatMap(({ pid }) => pid ?? []), receiver: this.#receiver?.pid };
  }

  /** Lets the workers end, sweeps included. No other starts afterwards. */
  async dismissWorkers(): Promise<void> {
    this.#dismissed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#working].map((worker) => stop(worker)));
  }

  async dismiss(): Promise<void> {
    await this.dismissWorkers();
    if (this.#receiver !== undefined) await stop(this.#receiver);
  }

  async #hireOne(): Promise<void> {
    if (this.#dismissed) return;
    const worker = start(`${PROGRAMS}/worker.ts`, [], this.#environment);
    await messageOf(worker);
    this.#working.add(worker);
  }

  #track(starting: Promise<void>): void {
    const tracked = starting
      .catch((error: unknown) => console.error('a process did not start:', error))
      .finally(() => this.#starting.delete(tracked));
    this.#starting.add(tracked);
  }
}
