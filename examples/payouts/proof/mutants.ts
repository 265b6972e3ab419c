import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Plants bugs in a copy of the payouts, one at a time, and shows that the proof sees each of them. Each run of the proof has a
 * database of its own, and ends once the service's ledger contradicts a payout in the way that the bug must bring about. The
 * daily close of the run must find the bug, too, wherever the service's records show it.
 *
 *   npm run proof:mutants                  all of them
 *   npm run proof:mutants -- token quiet   those whose names contain one of the words
 */
interface Mutant {
  readonly name: string;
  /** The file, from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** A run of the proof in which the bug has its occasion. */
  readonly run: readonly string[];
  /** The kind of contradiction that the audit must find. */
  readonly seenAs: string;
  /** The finding of the daily close. Undefined where the service's records do not show the bug. */
  readonly closedAs: string | undefined;
  /** True for the proof of databases that go back; it has no close. */
  readonly isRestored?: boolean;
}

const BODY = 'const body = readBody(part.body);';
/** No events: one that comes before the retry would be evidence enough. */
const few = ['--payouts', '200', '--kills', '3', '--suspensions', '0', '--restarts', '0', '--unsent', '1'];
const mutants: readonly Mutant[] = [
  {
    name: 'retry under a new key',
    file: 'src/payouts/call-service.ts',
    find: BODY,
    replace: `const stored = readBody(part.body);
  const body = stored && part.doubtSince !== null ? { ...stored, requestId: crypto.randomUUID() } : stored;`,
    run: few,
    seenAs: 'paid more than once',
    closedAs: 'close: unordered paid',
  },
  {
    name: 'the body of a retry in the order of jsonb',
    file: 'src/payouts/call-service.ts',
    find: BODY,
    replace: `const stored = readBody(part.body);
  const sorted = Object.entries(stored ?? {}).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  const body = stored && part.doubtSince !== null ? Object.fromEntries(sorted) as unknown as PaymentBody : stored;`,
    run: few,
    seenAs: 'retries with other bytes than the first request',
    // The service refuses these bytes, and its records show the first ones.
    closedAs: undefined,
  },
  {
    name: 'absence without the quiet time',
    file: 'src/payouts/rules/apply-lookup.ts',
    find: 'if (asked < quiet) return',
    replace: 'if (asked < 0) return',
    run: [...few, '--late', '0.3'],
    seenAs: 'rejected, but paid',
    closedAs: 'close: differs paid state',
  },
  {
    name: 'no token rule',
    file: 'src/payouts/step.ts',
    find: 'if (!once && !isOurs)',
    replace: 'if (false)',
    run: ['--payouts', '600', '--workers', '2', '--kills', '6', '--refused', '0.3', '--suspensions', '0'],
    seenAs: 'rejected, but paid',
    closedAs: 'close: differs paid state',
  },
  {
    name: 'no version of the row',
    file: 'src/payouts/pg-boss/row.ts',
    find: 'where key = $1 and version = $2 returning key`,\n    [\n      row.key',
    replace: 'where key = $1 and version >= $2 returning key`,\n    [\n      row.key',
    // Two of three workers sleep at once in many calls: longer than the 30 seconds after which pg-boss gives a job to another
    // worker, and shorter than the 55 seconds after which a call ends. The bug shows where the service refused a batch twice,
    // to the worker that sleeps and to the other one: the halves that the other one has paid become unpaid again.
    run: [
      '--payouts',
      '1000',
      '--batch-every',
      '1',
      '--workers',
      '3',
      '--concurrency',
      '64',
      '--kills',
      '0',
      '--refused',
      '0.5',
      '--restarts',
      '0',
      '--suspensions',
      '2',
      '--suspended',
      '52',
      '--latency',
      '1500',
      '--timeout',
      '55000',
    ],
    seenAs: 'rejected, but paid',
    closedAs: 'close: differs paid state',
  },
  {
    name: 'a second round that does not ask the first one',
    file: 'src/payouts/pg-boss/rounds.ts',
    find: 'if (round === 1) return',
    replace: 'if (round >= 1) return',
    run: [
      ...['--payouts', '200', '--kills', '0', '--suspensions', '0', '--restarts', '0', '--refused', '0.3'],
      ...['--lost', '0', '--late', '0'],
    ],
    seenAs: 'paid more than once',
    closedAs: 'close: differs paid state',
  },
  {
    name: 'restored: orders and rounds made later are not asked for',
    file: 'src/payouts/rules/went-back.ts',
    find: 'command === null || known >= command.number ?',
    replace:
      'command === null || known >= command.number || situation.parts.every(({ begun }) => begun === null) ?',
    run: ['--runs', '4', '--way', 'backup'],
    seenAs: 'paid more than once',
    closedAs: undefined,
    isRestored: true,
  },
  {
    name: 'restored: a walk that did not end is whole',
    file: 'src/payouts/pg-boss/walk-payer.ts',
    find: 'return NO_WALK;\n    isWhole = false;',
    replace: 'return NO_WALK;',
    // Every fourth run has a list that fails after its first page.
    run: ['--runs', '8', '--way', 'backup'],
    seenAs: 'paid more than once',
    closedAs: undefined,
    isRestored: true,
  },
  {
    name: 'restored: no worker notices',
    file: 'src/payouts/pg-boss/database-identity.ts',
    find: 'one !== null && other !== null && one !== other;',
    replace: 'false && one !== other;',
    run: ['--runs', '4', '--way', 'failover'],
    seenAs: 'paid more than once',
    closedAs: undefined,
    isRestored: true,
  },
];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const words = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const missed: string[] = [];
for (const mutant of chosen) {
  const copy = mkdtempSync(join(tmpdir(), 'proof-mutant-'));
  try {
    plant(mutant, copy);
    const proof = mutant.isRestored
      ? ['proof/restores/restores.ts', ...mutant.run]
      : ['proof/proof.ts', '--minutes', '8', ...mutant.run, '--until', mutant.seenAs];
    console.log(`\n${mutant.name}: ${proof.join(' ')}`);
    const { status, stdout, stderr } = spawnSync(process.execPath, proof, {
      cwd: join(copy, 'examples/payouts'),
      encoding: 'utf8',
    });
    const tried = stdout.indexOf('Tried in');
    console.log(tried < 0 ? stdout.slice(-1500) : stdout.slice(tried).trim());
    // A run that is only late has findings, too: they do not count.
    const expected = [mutant.seenAs, ...(mutant.closedAs === undefined ? [] : [mutant.closedAs])];
    const isSeen = status === 2 && expected.every((kind) => stderr.includes(`WRONG: ${kind},`));
    const said = status === 2 ? stderr.slice(stderr.search(/^(?:WRONG|OPEN): /m)) : stderr.slice(-1500);
    console.log(said.trim());
    console.log(
      isSeen ? 'SEEN' : `MISSED: expected "${expected.join('" and "')}"; the proof ended with ${status}`,
    );
    if (!isSeen) missed.push(mutant.name);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
console.log(`\n${chosen.length - missed.length} of ${chosen.length} planted bugs are seen.`);
if (missed.length > 0) {
  console.error(`Not seen: ${missed.join(', ')}.`);
  process.exitCode = 1;
}

/** Copies the package and this example, with the bug in `dist/payouts.js`. */
function plant({ name, file, find, replace }: Mutant, copy: string): void {
  for (const part of [
    'package.json',
    'dist',
    'src',
    'tools',
    'examples/payouts/src',
    'examples/payouts/proof',
  ])
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  cpSync(join(root, 'examples/payouts/package.json'), join(copy, 'examples/payouts/package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // All packages but this one, which is the copy.
  const from = join(root, 'examples/payouts/node_modules');
  const to = join(copy, 'examples/payouts/node_modules');
  mkdirSync(to);
  for (const one of readdirSync(from))
    if (one !== 'stablecoin-payments') symlinkSync(join(from, one), join(to, one));
  symlinkSync(copy, join(to, 'stablecoin-payments'));

  const source = readFileSync(join(copy, file), 'utf8');
  if (!source.includes(find)) throw new Error(`${name}: ${file} does not contain what is to be replaced.`);
  writeFileSync(
    join(copy, file),
    source.replace(find, () => replace),
  );
  // The command is a script or a program, as the platform needs.
  const built = spawnSync(
    join(root, 'node_modules/.bin/esbuild'),
    [
      'src/payouts/index.ts',
      '--bundle',
      '--format=esm',
      '--platform=node',
      '--inject:tools/lazy-text.ts',
      '--outfile=dist/payouts.js',
    ],
    { cwd: copy, encoding: 'utf8' },
  );
  if (built.status !== 0) throw new Error(`${name}: ${built.stderr}`);
}
