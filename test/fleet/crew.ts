import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, start, stop } from './children.ts';
import { random } from './random.ts';

/** The processes of a fleet: workers and the receiver, and how they die. */
export class Crew {
  /** The folder of the programs. */
  #programs = 'examples/payout-fleet/src';
  #environment: Record<string, string>;
  readonly #working = new Map<ChildProcess, Record<string, string>>();
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
    this.#receiver = start(`${this.#programs}/receiver.ts`, [], {
      ...this.#environment,
      PORT: String(this.#port),
    });
    const message = await messageOf(this.#receiver);
    if (typeof message === 'object' && message !== null && 'port' in message)
      this.#port = Number(message.port);
    return this.#port;
  }

  /** Starts workers; `own` is what their environment has besides. */
  async hire(count: number, own: Record<string, string> = {}): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#hireOne(own)));
  }

  /** Kills a worker without warning, and starts another in its place. */
  killWorker(): void {
    const [victim, own] = this.#anyWorker() ?? [];
    if (victim === undefined || own === undefined) return;
    this.#working.delete(victim);
    victim.kill('SIGKILL');
    this.#track(this.#hireOne(own));
  }

  /**
   * Stops all workers for longer than their leases last, and starts others. Then the stopped ones
   * go on with what they had.
   */
  async makeZombies(milliseconds: number): Promise<void> {
    const zombies = [...this.#working];
    for (const [zombie] of zombies) zombie.kill('SIGSTOP');
    this.#track(
      wait(milliseconds).then(() => {
        for (const [zombie] of zombies) zombie.kill('SIGCONT');
      }),
    );
    await Promise.all(zombies.map(([, own]) => this.#hireOne(own)));
  }

  /** Replaces all processes by those of the next version, one after the other, as a deployment does. */
  async deploy(programs: string, next: Record<string, string>): Promise<void> {
    this.#programs = programs;
    this.learn(next);
    for (const [worker, own] of [...this.#working]) {
      this.#working.delete(worker);
      await this.#hireOne(own);
      await stop(worker);
    }
    if (this.#receiver !== undefined) await stop(this.#receiver);
    await this.receive();
  }

  #anyWorker(): [ChildProcess, Record<string, string>] | undefined {
    const all = [...this.#working];
    return all[Math.floor(random() * all.length)];
  }

  /** Kills the receiver without warning, and starts another on the same port. */
  killReceiver(): void {
    this.#receiver?.kill('SIGKILL');
    this.#track(this.receive().then(() => {}));
  }

  /** Enqueues as the submitter does. With `killAfter` milliseconds the program is killed on its way. */
  async submit(
    month: string,
    file: string,
    batch: number,
    own: Record<string, string> = {},
    killAfter?: number,
  ): Promise<boolean> {
    const args = ['--month', month, '--file', file, '--batch', String(batch)];
    const submitter = start(`${this.#programs}/enqueue.ts`, args, { ...this.#environment, ...own });
    const timer =
      killAfter === undefined ? undefined : setTimeout(() => submitter.kill('SIGKILL'), killAfter);
    const code = await new Promise<number | null>((resolve) => submitter.once('exit', resolve));
    clearTimeout(timer);
    return code === 0;
  }

  /** The process ids by what they do. */
  processes(): { workers: number[]; receiver: number | undefined } {
    return {
      workers: [...this.#working.keys()].flatMap(({ pid }) => pid ?? []),
      receiver: this.#receiver?.pid,
    };
  }

  /** Lets the workers end, sweeps included. No other starts afterwards. */
  async dismissWorkers(): Promise<void> {
    this.#dismissed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#working.keys()].map((worker) => stop(worker)));
  }

  async dismiss(): Promise<void> {
    await this.dismissWorkers();
    if (this.#receiver !== undefined) await stop(this.#receiver);
  }

  async #hireOne(own: Record<string, string>): Promise<void> {
    if (this.#dismissed) return;
    const worker = start(`${this.#programs}/worker.ts`, [], { ...this.#environment, ...own });
    await messageOf(worker);
    this.#working.set(worker, own);
  }

  #track(starting: Promise<void>): void {
    const tracked = starting
      .catch((error: unknown) => console.error('a process did not start:', error))
      .finally(() => this.#starting.delete(tracked));
    this.#starting.add(tracked);
  }
}
