import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { here, root } from './processes.ts';
import { programs } from './programs.ts';
import { lowerQuartile } from './statistics.ts';

const require = createRequire(`${root}package.json`);

/** Bundles each client's one-call program as esbuild does it, minified, and weighs it. */
export async function measureBundles() {
  // esbuild comes with the project's own build tool.
  const { build } = createRequire(require.resolve('tsup'))('esbuild');
  const sizes: Record<string, { min: number; gzip: number }> = {};
  for (const [name, { source }] of Object.entries(programs)) {
    const { outputFiles } = await build({
      stdin: { contents: source('https://payments.test'), resolveDir: here },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      write: false,
      logLevel: 'error',
    });
    const bytes: Uint8Array = outputFiles[0].contents;
    sizes[name] = { min: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  }
  return sizes;
}

/** Seconds of the compiler's time that importing the package adds to a one-file program. */
export function measureTypes(rounds: number): number {
  const folder = `${here}.types/`;
  mkdirSync(folder, { recursive: true });
  const write = (name: string, source: string) => writeFileSync(`${folder}${name}`, source);
  const options = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  write('package.json', '{ "type": "module" }');
  write('empty.ts', 'export {};\n');
  write(
    'one.ts',
    `import { PaymentsClient } from '../../dist/index.js';
const payments = new PaymentsClient({ baseUrl: 'https://payments.test', accessToken: 'example' });
const { kycInfo } = await payments.kyc.retrieve('u-1');
export const name: string | null | undefined = kycInfo.firstName;
`,
  );
  const secondsOf = (file: string): number => {
    write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: [file] }));
    const tsc = require.resolve('typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the type-check failed: ${stdout}`);
    return Number(/Total time:\s+([\d.]+)s/.exec(stdout)?.[1]);
  };
  const added: number[] = [];
  for (let round = 0; round < rounds; round += 1) added.push(secondsOf('one.ts') - secondsOf('empty.ts'));
  rmSync(folder, { recursive: true });
  return lowerQuartile(added);
}
