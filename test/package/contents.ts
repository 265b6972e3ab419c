import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { emulatorPage } from '../../tools/emulator-page.ts';
import { check, NotCheckable, root, run } from './checklist.ts';

/** What the installed package holds, and what it depends on. */
export async function checkContents(project: string): Promise<void> {
  const installed = join(project, 'node_modules/stablecoin-payments');
  const { files }: { files: string[] } = JSON.parse(run(process.execPath, ['-e', listFiles], installed));
  const read = (file: string) => readFileSync(join(installed, file), 'utf8');
  // Statements begin their line, which tells them from the examples in comments.
  const importsOf = (file: string) =>
    [
      ...read(file).matchAll(/^(?:import|export|\}).*?['"]([^'"\n]+)['"];?$/gm),
      ...read(file).matchAll(/\bimport\(['"]([^'"\n]+)['"]\)/g),
    ].map(([, name = '']) => name);

  await check('shows no type of ky, msw or another tool in its own types', () => {
    const allowed: readonly (readonly [file: RegExp, imports: RegExp])[] = [
      [/emulator\/msw\.d\.c?ts$/, /^msw$/],
      [/opentelemetry\.d\.c?ts$/, /^@opentelemetry\/api$/],
      [/emulator\/node\.d\.c?ts$/, /^node:/],
      [/./, /^\./],
    ];
    for (const file of files.filter((name) => /\.d\.c?ts$/.test(name))) {
      const strangers = importsOf(file).filter(
        (name) => !allowed.some(([where, what]) => where.test(file) && what.test(name)),
      );
      if (strangers.length > 0) throw new Error(`${file} imports ${strangers.join(', ')}`);
    }
  });
  await check("takes the types of msw and OpenTelemetry in the reader's module format", () => {
    for (const [entry, name] of [
      ['emulator/msw', 'msw'],
      ['opentelemetry', '@opentelemetry/api'],
    ] as const)
      for (const file of [`dist/${entry}.d.ts`, `dist/${entry}.d.cts`])
        if (!importsOf(file).includes(name)) throw new Error(`${file} does not import ${name} itself`);
  });
  await check('has no source maps, whose sources would be those of other packages, too', () => {
    const maps = files.filter((name) => name.endsWith('.map'));
    if (maps.length > 0) throw new Error(maps.join(', '));
  });
  await check('imports nothing that it does not depend on', () => {
    const manifest: { dependencies?: object; peerDependencies: object } = JSON.parse(read('package.json'));
    const known = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.peerDependencies),
    ]);
    for (const file of files.filter((name) => /\.(c?js|d\.c?ts)$/.test(name))) {
      const requires = [...read(file).matchAll(/[\s=(,]require\(['"]([^'"]+)['"]\)/g)].map(
        ([, name = '']) => name,
      );
      for (const name of [...importsOf(file), ...requires]) {
        const owner = name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/');
        // The command uses the package by its own name.
        if (owner === 'stablecoin-payments') continue;
        if (!/^(\.|node:)/.test(name) && !nodeModules.has(name) && /^[@a-z]/.test(name) && !known.has(owner))
          throw new Error(`${file} imports ${name}`);
      }
    }
  });
  await check('has dependencies without known vulnerabilities (npm audit)', () => {
    try {
      run('npm', ['audit', '--omit', 'dev'], project);
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? `${error.stderr}` : '';
      if (/audit endpoint returned an error|ENOTFOUND|ECONNREFUSED/.test(said))
        throw new NotCheckable('the registry in use answers no audits');
      throw error;
    }
  });
  // Found by a build of its own, not by the code that writes the notices.
  const bundled = await packagesReached();
  await check('has no runtime dependencies', () => {
    const { dependencies }: { dependencies?: object } = JSON.parse(read('package.json'));
    if (dependencies !== undefined) throw new Error(Object.keys(dependencies).join(', '));
  });
  await check('ships the licence of every bundled package', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt');
    if (bundled.size < 5) throw new Error(`only ${[...bundled].join(', ')} found: the check sees too little`);
    for (const name of bundled) {
      const { version }: { version: string } = JSON.parse(
        readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
      );
      const at = notices.indexOf(`\n${name} ${version} (`);
      if (at < 0) throw new Error(`${name} ${version} is missing`);
      if (!/Permission is hereby granted|Permission to use, copy/.test(notices.slice(at, at + 1500)))
        throw new Error(`${name} is named without its licence`);
    }
  });
  await check('has a bill of materials that names every bundled package', () => {
    const bill: { components: { name: string }[] } = JSON.parse(
      run(process.execPath, [join(root, 'scripts/third-party.ts'), '--sbom']),
    );
    const names = bill.components.map(({ name }) => name);
    for (const name of bundled) if (!names.includes(name)) throw new Error(`${name} is missing`);
    if (names.includes('vitest')) throw new Error('tools of the development are in it');
  });
}

/** The packages that the published entries import, as esbuild finds them from the sources. */
async function packagesReached(): Promise<Set<string>> {
  const { metafile } = await build({
    plugins: [emulatorPage],
    entryPoints: [
      'index',
      'webhooks/index',
      'emulator/index',
      'emulator/msw',
      'emulator/node',
      'payouts/index',
    ].map((name) => join(root, `src/${name}.ts`)),
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['msw', 'node:*', 'http', 'http2', 'https', 'stream', 'crypto'],
    logLevel: 'error',
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return new Set(
    used.flatMap((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
}

const nodeModules = new Set(process.getBuiltinModule('node:module').builtinModules);

const listFiles =
  "console.log(JSON.stringify({ files: require('node:fs').readdirSync('dist', { recursive: true }).map((name) => 'dist/' + name) }))";
