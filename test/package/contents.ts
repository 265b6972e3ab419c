import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, NotCheckable, run } from './checklist.ts';

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
      run('npm', ['audit', '--omit', 'dev', '--loglevel', 'error'], project);
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? `${error.stderr}` : '';
      if (/audit endpoint returned an error|ENOTFOUND|ECONNREFUSED/.test(said))
        throw new NotCheckable('the registry in use answers no audits');
      throw error;
    }
  });
  await check('has no runtime dependencies', () => {
    const { dependencies }: { dependencies?: object } = JSON.parse(read('package.json'));
    if (dependencies !== undefined) throw new Error(Object.keys(dependencies).join(', '));
  });
}

const nodeModules = new Set(process.getBuiltinModule('node:module').builtinModules);

const listFiles =
  "console.log(JSON.stringify({ files: require('node:fs').readdirSync('dist', { recursive: true }).map((name) => 'dist/' + name) }))";
