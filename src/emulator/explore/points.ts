import { type Failure, lineOf, type PointKind, type Schedule } from './schedule.ts';

/** A line of the story: a step, and what came of it. */
export interface Line {
  step: string;
  came: string;
}

/** A point that a run came to: its kind, and what could happen there. */
export interface Point {
  readonly kind: PointKind;
  readonly offers: readonly Failure[];
}

/** The points of one run, the failures that its schedule plans for them, and what happened, a line a step. */
export class Points {
  readonly passed: Point[] = [];
  /** Why the schedule does not fit the program. */
  misfit: string | undefined;
  readonly #schedule: Schedule;
  readonly #lines: Line[] = [];

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Counts a point. Returns what happens there, and its line. */
  pass(kind: PointKind, offers: readonly Failure[], text: string) {
    const number = this.passed.push({ kind, offers });
    const line = this.note(`${String(number).padStart(4)} ${kind.padEnd(7)} ${text}`);
    const planned = this.#schedule.steps.find(({ point }) => point === number)?.failure;
    if (planned === undefined) return { failure: undefined, line };
    line.came += ` | ${planned}`;
    if (offers.includes(planned)) return { failure: planned, line };
    this.misfit ??= `Point ${number} is a ${kind}, where '${planned}' cannot happen`;
    return { failure: undefined, line };
  }

  /** Adds a line that is not a point. */
  note(step: string): Line {
    const line = { step, came: '' };
    this.#lines.push(line);
    return line;
  }

  /** The number of failures that are still to come. */
  get left(): number {
    return this.#schedule.steps.filter(({ point }) => point > this.passed.length).length;
  }

  story(): string {
    return [lineOf(this.#schedule), ...this.#lines.map(({ step, came }) => step + came)].join('\n');
  }
}
