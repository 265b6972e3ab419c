import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      [/./, /^(\.|zod(\/|$))/],
    ];
    for (const file of files.filter((name) => /\.d\.c?ts$/.test(name))) {
      const strangers = importsOf(file).filter(
        (name) => !allowed.some(([where, what]) => where.test(file) && what.test(name)),
      );
      if (strangers.length > 0) throw new Error(`${file} imports ${strangers.join(', ')}`);
    }
  });
  await check('has a source map, with the sources inside, for every file of code', () => {
    const code = files.filter((name) => /\.c?js$/.test(name));
    if (code.length === 0) throw new Error('there is no code');
    for (const file of code) {
      if (!/\n\/\/# sourceMappingURL=\S+\s*$/.test(read(file)))
        throw new Error(`${file} names no source map`);
      if (!existsSync(join(installed, `${file}.map`))) throw new Error(`${file}.map is missing`);
      const map: { sources: string[]; sourcesContent?: (string | null)[] } = JSON.parse(read(`${file}.map`));
      if (map.sources.length !== (map.sourcesContent ?? []).filter((text) => text !== null).length)
        throw new Error(`${file}.map lacks sources`);
    }
  });
  await check('imports nothing that it does not depend on', () => {
    const manifest: { dependencies: object; peerDependencies: object } = JSON.parse(read('package.json'));
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
  await check('has a bill of materials that names what is bundled', () => {
    const bill: { components: { name: string }[] } = JSON.parse(
      run(process.execPath, [join(root, 'scripts/sbom.ts')]),
    );
    const names = bill.components.map(({ name }) => name);
    for (const name of ['ky', 'zod', 'hono', 'jose', 'uuid'])
      if (!names.includes(name)) throw new Error(`${name} is missing`);
    if (names.includes('vitest')) throw new Error('tools of the development are in it');
  });
}

const nodeModules = new Set(process.getBuiltinModule('node:module').builtinModules);

const listFiles =
  "console.log(JSON.stringify({ files: require('node:fs').readdirSync('dist', { recursive: true }).map((name) => 'dist/' + name) }))";
