/** Something that time will do to a record. Plain data, so that a snapshot can hold it. */
export interface Task {
  /** The record's id: a record has at most one thing ahead of it. */
  id: string;
  /** The action. */
  kind:
    | 'account.validate'
    | 'approval.expire'
    | 'delivery.attempt'
    | 'onramp.expire'
    | 'onramp.step'
    | 'quote.expire'
    | 'transfer.step';
  /** The time at which it is due, in milliseconds since 1970. */
  at: number;
}

/**
 * The tasks that are not due yet, by record, earliest first. Nothing runs by itself: each use of the emulator runs the
 * tasks that are due.
 */
export class Tasks {
  #byRecord = new Map<string, Task>();
  /** In the order of their times, and then of their planning. Those before `#first` were taken. */
  #queue: Task[] = [];
  #first = 0;
  /** Called with each record whose task changes, and the task or `null`. */
  onChange: (id: string, task: Task | null) => void = () => {};

  plan(task: Task): void {
    // A record's earlier task gives up its place, so that the tasks stand in the order of their planning.
    this.cancel(task.id);
    this.#byRecord.set(task.id, task);
    this.onChange(task.id, task);
    // Taken, cancelled and replaced tasks stay in the queue; once they are the greater part, it is built anew.
    if (this.#queue.length > 2 * this.#byRecord.size + 64) this.#rebuild();
    else this.#queue.splice(this.#placeAfter(task.at), 0, task);
  }

  has(id: string): boolean {
    return this.#byRecord.has(id);
  }

  cancel(id: string): void {
    if (this.#byRecord.delete(id)) this.onChange(id, null);
  }

  /** Removes and yields what is due by now in the order of its time, also what a task plans in its turn. */
  *due(now: number): Generator<Task> {
    for (;;) {
      const task = this.#queue[this.#first];
      if (task === undefined || task.at > now) return;
      this.#first += 1;
      if (this.#byRecord.get(task.id) !== task) continue;
      this.cancel(task.id);
      yield task;
    }
  }

  /** The time of the earliest task, in milliseconds since 1970, or `undefined` if there is none. */
  next(): number | undefined {
    return this.#queue[this.#first]?.at;
  }

  list(): Task[] {
    return [...this.#byRecord.values()];
  }

  replaceWith(tasks: readonly Task[]): void {
    this.#byRecord = new Map(tasks.map((task) => [task.id, task]));
    this.#rebuild();
  }

  #rebuild(): void {
    this.#queue = this.list().sort((one, other) => one.at - other.at);
    this.#first = 0;
  }

  /** The place behind every task that is due at a time or before it. */
  #placeAfter(at: number): number {
    let [low, high] = [this.#first, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
