/**
 * Runs Stryker, and fails for each surviving mutant that accepted.json does not name, and for each entry of accepted.json
 * whose line is gone.
 *   npm run mutation                          all parts of parts.ts, one after the other
 *   npm run mutation -- outcome               one part; what follows its name goes to Stryker
 *   npm run mutation -- call                  all parts whose names begin with `call-`
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parts } from './parts.ts';

interface Accepted {
  readonly file: string;
  /** The line on which the mutant begins, without its indentation; or several such lines. */
  readonly code: string | readonly string[];
  readonly mutators: readonly string[];
  /** Why the mutant does the same as the code. */
  readonly reason: string;
}

/** The parts of Stryker's JSON report that are read here. */
interface Report {
  readonly files: Record<string, { source: string; mutants: readonly Mutant[] }>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  /** True for a mutant outside of functions, which every test judges. */
  readonly static?: boolean;
  readonly location: { readonly start: { readonly line: number } };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'));
const stryker = `${root}node_modules/@stryker-mutator/core/bin/stryker.js`;
const accepted: readonly Accepted[] = read('test/mutants/accepted.json');
const [name, ...options] = process.argv.slice(2);
const names = Object.keys(parts);
const chosen = names.filter((part) => name === undefined || part === name || part.startsWith(`${name}-`));
if (chosen.length === 0) throw new Error(`There is no part ${name}. Parts: ${names.join(', ')}.`);
for (const part of chosen) judge(part);

/** Runs one part, and prints what it leaves. */
function judge(part: string): void {
  const run = spawnSync(process.execPath, [stryker, 'run', 'test/mutants/stryker.config.mjs', ...options], {
    cwd: root,
    stdio: 'inherit',
    // In a zone of its own, so that a date that is read in the zone of the machine is found out.
    env: { ...process.env, TZ: 'Asia/Tokyo', PAYMENTS_MUTATED_PART: part },
  });
  if (run.status !== 0) {
    process.exitCode = 1;
    return;
  }
  const { files }: Report = read(`reports/mutation/${part}.json`);
  const problems: string[] = [];
  let killed = 0;
  let allowed = 0;
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n').map((line) => line.trim());
    const ofFile = accepted.filter((entry) => entry.file === file);
    for (const code of ofFile.flatMap((entry) => entry.code)) {
      if (!lines.includes(code)) problems.push(`${file}: accepted.json names a line that is gone: ${code}`);
    }
    for (const { mutatorName, replacement, status, static: isStatic, location } of mutants) {
      // All tests together may be slow: only where few tests judge a mutant, it is the mutant that never ends.
      const isKilled = status === 'Killed' || (status === 'Timeout' && isStatic !== true);
      if (isKilled) killed += 1;
      if (isKilled || !['Survived', 'NoCoverage', 'Timeout'].includes(status)) continue;
      const code = lines[location.start.line - 1];
      const isAllowed = ofFile.some(
        (entry) => [entry.code].flat().includes(code ?? '') && entry.mutators.includes(mutatorName),
      );
      if (isAllowed) allowed += 1;
      else
        problems.push(
          `${file}:${location.start.line} ${status}: ${mutatorName} → ${replacement}\n    ${code}`,
        );
    }
  }
  console.log(`${part}: ${killed} mutants killed, ${allowed} accepted (test/mutants/accepted.json)`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
