import { calls } from './suite/calls.ts';
import type { Case } from './suite/check.ts';
import { failures } from './suite/failures.ts';
import { inProcess } from './suite/in-process.ts';
import { limits } from './suite/limits.ts';
import { lists } from './suite/lists.ts';
import { retries } from './suite/retries.ts';
import { Scene, type Surroundings } from './suite/scene.ts';
import { webhooks } from './suite/webhooks.ts';

export type { Surroundings };

/** How one case ended. */
export interface Result {
  title: string;
  /** Why it failed; undefined where it passed. */
  error?: string;
  milliseconds: number;
}

const cases: readonly Case<Scene>[] = [
  ...calls,
  ...failures,
  ...retries,
  ...limits,
  ...lists,
  ...webhooks,
  ...inProcess,
];

/** A case that takes longer hangs, which is a failure of its own. */
const patience = 20_000;

/**
 * Holds the built package to what it promises, on whatever platform this runs: plain functions and no test
 * framework, so that nothing stands between the package and the platform.
 */
export async function runSuite(at: Surroundings): Promise<Result[]> {
  const unhandled: string[] = [];
  watchUnhandled((reason) => unhandled.push(reason));
  const results: Result[] = [];
  for (const { title, run } of cases) {
    const started = Date.now();
    const error = await ended(Scene.open(at).then(run));
    results.push({ title, milliseconds: Date.now() - started, ...(error === undefined ? {} : { error }) });
  }
  // Platforms report a rejection that nobody handled once the tasks at hand are done.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const title = 'leaves no rejection unhandled';
  results.push({
    title,
    milliseconds: 100,
    ...(unhandled.length === 0 ? {} : { error: unhandled.join('; ') }),
  });
  return results;
}

async function ended(work: Promise<void>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`hangs: no end after ${patience} ms`), patience);
  });
  const end = work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([end, hung]).finally(() => clearTimeout(timer));
}

function watchUnhandled(note: (reason: string) => void): void {
  const textOf = (reason: unknown) =>
    reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
  const { process } = globalThis;
  if (typeof process?.on === 'function') process.on('unhandledRejection', (reason) => note(textOf(reason)));
  if (typeof globalThis.addEventListener === 'function') {
    globalThis.addEventListener('unhandledrejection', (event) => {
      event.preventDefault();
      note(textOf(event.reason));
    });
  }
}
