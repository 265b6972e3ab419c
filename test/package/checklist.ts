import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const failed: string[] = [];
const leftOut: string[] = [];
let passed = 0;

/** Thrown where a check cannot be made here; it then counts as neither passed nor failed, and is named at the end. */
export class NotCheckable extends Error {}

/** Runs a command to its end and gives what it wrote; a status other than 0 is an error. */
export const run = (command: string, args: readonly string[], cwd: string = root): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Compiles files of a folder strictly, the types of the package included. */
export function typeCheck(tsc: string, place: string, files: readonly string[], options: object): string {
  const strict = { strict: true, skipLibCheck: false, noEmit: true };
  const compilerOptions = { ...strict, lib: ['es2023'], target: 'es2023', types: ['node'], ...options };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [tsc, '-p', place], place);
}

export async function check(name: string, work: () => unknown): Promise<void> {
  try {
    await work();
    passed += 1;
    console.log(`  ✓ ${name}`);
  } catch (error) {
    if (error instanceof NotCheckable) {
      leftOut.push(`${name}: ${error.message}`);
      console.log(`  - ${name}: not checked, ${error.message}`);
      return;
    }
    failed.push(name);
    const output = error instanceof Error && 'stdout' in error ? `${error.stdout}` : '';
    console.log(`  ✗ ${name}\n${error instanceof Error ? error.message : error}\n${output}`);
  }
}

/** Says how it went, and gives the exit status. */
export function summary(): number {
  for (const line of leftOut) console.log(`not checked: ${line}`);
  console.log(`${passed} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}
