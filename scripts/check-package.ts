/**
 * Checks the package as a stranger gets it: packs a tarball, installs it into a fresh folder, and uses it from ESM,
 * from CommonJS, on the command line, in strict TypeScript 5.4 to 7 with every way to resolve modules, under Jest, and in
 * bundles.
 * Run it with `npm run test:package` after a build.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { snippetsOf } from '../test/docs/documents.ts';
import { checkBill } from '../test/package/bill.ts';
import { checkBundles } from '../test/package/bundles.ts';
import { check, root, run, summary, typeCheck } from '../test/package/checklist.ts';
import { checkContents } from '../test/package/contents.ts';
import { checkEnvironments } from '../test/package/environments.ts';
import { brokenLinks } from '../test/package/links.ts';
import { checkLockedDown } from '../test/package/locked-down.ts';
import { checkRebuild } from '../test/package/rebuild.ts';
import { checkSourceMaps } from '../test/package/source-maps.ts';

const folder = mkdtempSync(join(tmpdir(), 'stablecoin-payments-'));
const tool = (name: string) => join(root, 'node_modules', '.bin', name);
const packed: [{ filename: string; size: number; unpackedSize: number; files: { path: string }[] }] =
  JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder]));
const [{ filename, size, unpackedSize, files }] = packed;
const tarball = join(folder, filename);

console.log('The tarball');
await check(
  'contains the built files, the docs in one file and the examples, and no sources or tests',
  () => {
    const expected =
      /^(dist\/|examples\/|README|CHANGELOG|SECURITY|LICENSE|THIRD-PARTY-NOTICES|sbom\.cdx\.json$|AGENTS|llms|package\.json$)/;
    const strangers = files.map(({ path }) => path).filter((path) => !expected.test(path));
    if (strangers.length > 0) throw new Error(`unexpected: ${strangers.join(', ')}`);
  },
);
console.log(`    ${size} bytes packed, ${unpackedSize} unpacked, docs and examples included`);
await check('passes publint --strict', () => run(tool('publint'), ['--strict', tarball]));
await check('has right types in every format (attw)', () => run(tool('attw'), [tarball]));

const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(
  join(project, 'package.json'),
  JSON.stringify({ name: 'consumer', private: true, type: 'commonjs' }),
);
run('npm', ['install', '--no-audit', '--no-fund', tarball, '@types/node@22'], project);

await checkContents(project);
await checkBill(folder, project);
await checkSourceMaps(project);
await checkRebuild(folder, tarball);
await check('has no link that leads nowhere', () => {
  const installed = join(project, 'node_modules/stablecoin-payments');
  const broken = brokenLinks(
    files.map(({ path }) => path),
    (path) => readFileSync(join(installed, path), 'utf8'),
  );
  if (broken.length > 0) throw new Error(broken.join('\n'));
});

console.log('At run time');
const [tour] = snippetsOf('README.md').filter(({ runs }) => runs);
if (tour === undefined) throw new Error('README has no program to run');
await check("the README's program runs as pasted into pay.mts, in a folder as `npm init -y` makes it", () => {
  writeFileSync(join(project, 'pay.mts'), tour.code);
  // The README shows what it prints in its first block of text.
  const [, shown] = /```text\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const printed = run(process.execPath, ['pay.mts'], project);
  if (printed !== shown) throw new Error(`pay.mts printed something else than the README says: ${printed}`);
});
for (const file of readdirSync(join(root, 'test/package/programs'))) {
  cpSync(join(root, 'test/package/programs', file), join(project, file));
  await check(`${file} runs`, () => run(process.execPath, ['--no-warnings', file], project));
}
await check('the command serves the emulator and ends on SIGTERM', () => serve());

console.log('In strict TypeScript');
const tsc = (compiler: string) => join(root, 'node_modules', compiler, 'bin/tsc');
for (const [name, module, moduleResolution, type] of [
  ['nodenext ESM', 'nodenext', 'nodenext', 'module'],
  ['nodenext CommonJS', 'nodenext', 'nodenext', 'commonjs'],
  ['node16 CommonJS', 'node16', 'node16', 'commonjs'],
  ['bundler', 'esnext', 'bundler', 'module'],
] as const) {
  const place = join(project, name.replaceAll(' ', '-'));
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ type }));
  cpSync(join(root, 'test/package/consumer.ts'), join(place, 'consumer.ts'));
  const options = {
    module,
    moduleResolution,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  };
  for (const compiler of ['typescript59', 'typescript', 'typescript7'])
    await check(`${compiler}, ${name}`, () => typeCheck(tsc(compiler), place, ['consumer.ts'], options));
}
await check('an ES module passes its client to a CommonJS library', () => {
  const place = join(project, 'mixed');
  cpSync(join(root, 'test/package/mixed'), place, { recursive: true });
  typeCheck(tsc('typescript7'), place, ['app.mts', 'library.cts'], { module: 'nodenext' });
});

console.log('In other environments');
const environments = await checkEnvironments(folder, tarball);
await checkLockedDown(environments);

console.log('In bundles');
await checkBundles(folder, tarball);

rmSync(folder, { recursive: true, force: true });
process.exitCode = summary();

async function serve(): Promise<void> {
  const child = spawn(
    process.execPath,
    ['node_modules/stablecoin-payments/dist/cli.js', 'emulator', '--port', '0'],
    { cwd: project },
  );
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /http:\/\/[\w.:[\]]+/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`ended early: ${output}`)));
  });
  const response = await fetch(`${url}/_emulator/state`);
  if (!response.ok) throw new Error(`state answered ${response.status}`);
  child.kill('SIGTERM');
  const status = await ended;
  if (status !== 0) throw new Error(`ended with ${status}`);
}
