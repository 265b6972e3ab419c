import type { PaymentsClient } from 'stablecoin-payments';
import { checkedExploreOptions, type ExploreOptions } from './options.ts';
import type { Point } from './points.ts';
import { type Known, type Ordered, type Program, type Ran, Run } from './run.ts';
import { lineOf, MODES, type Schedule, scheduleIn, waits } from './schedule.ts';

/** So many runs that wait for a timeout wait side by side. */
const LANES = 32;

/** A run that does not fit its schedule is tried again, alone: a busy machine may have changed it. */
const TRIES = 3;

/** A schedule, and the points of the run that it continues. */
interface Planned {
  readonly schedule: Schedule;
  readonly parent?: readonly Point[];
}

/** What is wrong with a program. */
export interface Explored {
  schedules: number;
  wrong: { what: string; schedule: string; story: string }[];
}

/** Explores a program with a client of this class: in a process there may be two, one of each module format. */
export async function exploreBy(Client: typeof PaymentsClient, options: ExploreOptions): Promise<Explored> {
  const { depth = 2, processes = 1, schedule, ...program } = checkedExploreOptions(options);
  return new Exploration({ ...program, processes, Client }).run(depth, schedule);
}

class Exploration {
  readonly #program: Program;
  readonly #states = new Set<string>();
  #ordered: Ordered | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  async run(depth: number, line: string | undefined): Promise<Explored> {
    await this.#runWithoutFailures();
    if (line !== undefined) {
      const ran = await this.#tried({ schedule: scheduleIn(line) });
      return { schedules: 1, wrong: await this.#mistakesIn([ran]) };
    }
    let schedules = 0;
    let level: readonly Planned[] = MODES.map((mode) => ({ schedule: { mode, steps: [] } }));
    for (let failures = 0; ; failures += 1) {
      const rans = await this.#runAll(level);
      schedules += rans.length;
      const wrong = await this.#mistakesIn(rans);
      if (wrong.length > 0 || failures === depth) return { schedules, wrong };
      level = rans.flatMap(continued);
    }
  }

  /** The run without failures says which payments are ordered. */
  async #runWithoutFailures(): Promise<void> {
    const { wrong, made, story } = await this.#once({ mode: 'replay', steps: [] });
    const nothing = 'no payment was made. If `pay` has paid before, its memory says so: import it anew';
    const fault = wrong ?? (made.all.length > 0 ? undefined : nothing);
    if (fault !== undefined)
      throw new Error(`explore: the run without failures must end 'accepted', but: ${fault}.\n${story}`);
    this.#ordered = made;
  }

  /** Runs a level. Only then are its states known to others: the same schedules are run whatever ends first. */
  async #runAll(level: readonly Planned[]): Promise<readonly Ran[]> {
    const rans = new Map<Planned, Ran>();
    const [slow, quick] = [
      level.filter((one) => waits(one.schedule)),
      level.filter((one) => !waits(one.schedule)),
    ];
    for (const planned of quick) {
      const ran = await this.#tried(planned);
      rans.set(planned, ran);
      this.#learn(ran);
    }
    const queue = [...slow];
    const lane = async (): Promise<void> => {
      for (let planned = queue.shift(); planned !== undefined; planned = queue.shift())
        rans.set(planned, await this.#fitted(planned));
    };
    // What stops one lane stops the others.
    await Promise.all(Array.from({ length: LANES }, lane)).finally(() => queue.splice(0));
    for (const planned of slow)
      if (rans.get(planned)?.misfit !== undefined) rans.set(planned, await this.#tried(planned));
    const inOrder = level.flatMap((planned) => rans.get(planned) ?? []);
    for (const ran of inOrder) this.#learn(ran);
    return inOrder;
  }

  #learn({ states }: Ran): void {
    for (const state of states) this.#states.add(state);
  }

  async #tried(planned: Planned): Promise<Ran> {
    for (let tries = 1; ; tries += 1) {
      const ran = await this.#fitted(planned);
      if (ran.misfit === undefined || tries === TRIES) return ran;
    }
  }

  async #fitted({ schedule, parent }: Planned): Promise<Ran> {
    return withParent(await this.#once(schedule), parent);
  }

  #once(schedule: Schedule, states: ReadonlySet<string> = this.#states): Promise<Ran> {
    const known: Known = { ordered: this.#ordered, states };
    return new Run(this.#program, schedule, known).toEnd();
  }

  /** The mistakes of some runs, each once. Each is run again: one that depends on time or chance may not come again. */
  async #mistakesIn(rans: readonly Ran[]): Promise<Explored['wrong']> {
    const wrong: Explored['wrong'] = [];
    const told = new Set<string>();
    for (const { schedule, story, points, ...ran } of rans) {
      const what = ran.misfit === undefined ? ran.wrong : 'a replay differs';
      if (what === undefined || told.has(what)) continue;
      told.add(what);
      const again = ran.misfit === undefined ? await this.#once(schedule, new Set()) : undefined;
      const differs = again !== undefined && (again.wrong !== what || kindsOf(again) !== kindsOf({ points }));
      const end = ran.misfit ?? (differs ? 'A second run of this schedule went another way' : undefined);
      wrong.push({
        what: differs ? `${what} (a replay differs)` : what,
        schedule: lineOf(schedule),
        story: end === undefined ? story : `${story}\n${end}: the program depends on time, chance or memory`,
      });
    }
    return wrong;
  }
}

const kindsOf = ({ points }: Pick<Ran, 'points'>): string => points.map(({ kind }) => kind).join(' ');

/** The schedules with one more failure, at each point after the last one. */
function continued({ schedule: { mode, steps }, points: parent }: Ran): Planned[] {
  const from = steps.at(-1)?.point ?? 0;
  return parent.flatMap(({ offers }, index) => {
    const point = index + 1;
    if (point <= from) return [];
    return offers.map((failure) => ({ schedule: { mode, steps: [...steps, { point, failure }] }, parent }));
  });
}

/** Up to its last failure, a run goes the way of the run that it continues. */
function withParent(ran: Ran, parent: readonly Point[] | undefined): Ran {
  const last = ran.schedule.steps.at(-1)?.point ?? 0;
  if (parent === undefined || ran.misfit !== undefined || ran.wrong !== undefined) return ran;
  const place = ran.points.findIndex(({ kind }, index) => index < last && kind !== parent[index]?.kind);
  return place === -1 ? ran : { ...ran, misfit: `Point ${place + 1} was another one before` };
}
