import { evaluate } from './processes.ts';
import { programs } from './programs.ts';
import { lowerQuartile } from './statistics.ts';

interface Start {
  readonly import: number;
  readonly first: number;
  readonly rss: number;
}

/** Measures cold starts in interleaved rounds: milliseconds of import, and from process start to the first answer. */
export async function measureStarts(base: string, rounds: number) {
  const samples = new Map<string, Start[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { specifier, source }] of Object.entries(programs)) {
      const imported = await evaluate<{ import: number }>(
        `const before = performance.now(); await import('${specifier}');
         process.stdout.write(JSON.stringify({ import: performance.now() - before })); process.exit();`,
      );
      // performance.now() counts from the start of the process.
      const answered = await evaluate<{ first: number; rss: number }>(
        `${source(base)}
         if (answer?.userId === undefined) throw new Error('no answer');
         const { rss } = process.memoryUsage();
         process.stdout.write(JSON.stringify({ first: performance.now(), rss: rss / 1e6 })); process.exit();`,
      );
      samples.set(name, [...(samples.get(name) ?? []), { ...imported, ...answered }]);
    }
  }
  return Object.fromEntries(
    [...samples].map(([name, starts]) => [
      name,
      {
        import: lowerQuartile(starts.map((start) => start.import)),
        first: lowerQuartile(starts.map((start) => start.first)),
        rss: lowerQuartile(starts.map((start) => start.rss)),
      },
    ]),
  );
}
