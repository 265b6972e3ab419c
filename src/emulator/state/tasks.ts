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
 * The tasks that are not due yet, by their times, and then by their planning. Nothing runs by itself: each use of the
 * emulator runs the tasks that are due.
 */
export class Tasks {
  #queue: Task[] = [];
  /** Called with each record whose task changes, and the task or `null`. */
  onChange: (id: string, task: Task | null) => void = () => {};

  plan(task: Task): void {
    this.cancel(task.id);
    const later = this.#queue.findLastIndex(({ at }) => at <= task.at) + 1;
    this.#queue.splice(later, 0, task);
    this.onChange(task.id, task);
  }

  has(id: string): boolean {
    return this.#queue.some((task) => task.id === id);
  }

  cancel(id: string): void {
    const place = this.#queue.findIndex((task) => task.id === id);
    if (place === -1) return;
    this.#queue.splice(place, 1);
    this.onChange(id, null);
  }

  /** Removes and yields what is due by now in the order of its time, also what a task plans in its turn. */
  *due(now: number): Generator<Task> {
    for (;;) {
      const [task] = this.#queue;
      if (task === undefined || task.at > now) return;
      this.cancel(task.id);
      yield task;
    }
  }

  /** The time of the earliest task, in milliseconds since 1970, or `undefined` if there is none. */
  next(): number | undefined {
    return this.#queue[0]?.at;
  }

  list(): Task[] {
    return [...this.#queue];
  }

  replaceWith(tasks: readonly Task[]): void {
    this.#queue = [...tasks].sort((one, other) => one.at - other.at);
  }
}
