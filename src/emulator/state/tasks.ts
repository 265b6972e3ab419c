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

interface Entry {
  task: Task;
  sequence: number;
}

/**
 * The tasks that are not due yet, by record, earliest first. Nothing runs by itself: each use of the emulator runs the
 * tasks that are due. A binary heap, since a jump of a week may bring ten thousand expiries at ten thousand instants.
 */
export class Tasks {
  #byRecord = new Map<string, Task>();
  #heap: Entry[] = [];
  #sequence = 0;
  /** Called with each record whose task changes, and the task or `null`. */
  onChange: (id: string, task: Task | null) => void = () => {};

  plan(task: Task): void {
    this.#byRecord.set(task.id, task);
    this.onChange(task.id, task);
    // Cancelled and replaced tasks stay in the heap; once they are the greater part, it is built anew.
    if (this.#heap.length > 2 * this.#byRecord.size + 64) this.#rebuild();
    else this.#push({ task, sequence: this.#sequence++ });
  }

  cancel(id: string): void {
    if (this.#byRecord.delete(id)) this.onChange(id, null);
  }

  /** Removes and yields what is due by now in the order of its time, also what a task plans in its turn. */
  *due(now: number): Generator<Task> {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.task.at > now) return;
      this.#pop();
      if (this.#byRecord.get(first.task.id) !== first.task) continue;
      this.#byRecord.delete(first.task.id);
      this.onChange(first.task.id, null);
      yield first.task;
    }
  }

  /** The time of the earliest task, in milliseconds since 1970, or `undefined` if there is none. */
  next(): number | undefined {
    return this.#heap[0]?.task.at;
  }

  list(): Task[] {
    return [...this.#byRecord.values()];
  }

  replaceWith(tasks: readonly Task[]): void {
    this.#byRecord = new Map(tasks.map((task) => [task.id, task]));
    this.#rebuild();
  }

  #rebuild(): void {
    this.#heap = [];
    this.#sequence = 0;
    for (const task of this.#byRecord.values()) this.#push({ task, sequence: this.#sequence++ });
  }

  #push(entry: Entry): void {
    let place = this.#heap.push(entry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#before(place, parent)) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(child, place)) return;
      this.#swap(place, child);
      place = child;
    }
  }

  #before(first: number, second: number): boolean {
    const a = this.#heap[first];
    const b = this.#heap[second];
    if (a === undefined || b === undefined) return false;
    return a.task.at < b.task.at || (a.task.at === b.task.at && a.sequence < b.sequence);
  }

  #swap(first: number, second: number): void {
    const a = this.#heap[first];
    const b = this.#heap[second];
    if (a === undefined || b === undefined) return;
    this.#heap[first] = b;
    this.#heap[second] = a;
  }
}
