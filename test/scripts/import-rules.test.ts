import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IReporterOutput } from 'dependency-cruiser';
import { expect, it, onTestFinished } from 'vitest';
import config from '../../config/dependency-cruiser.mjs';

/** The names of the rules that a tree of files breaks. */
async function brokenBy(files: Readonly<Record<string, string>>): Promise<string[]> {
  const baseDir = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(baseDir, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(baseDir, dirname(path)), { recursive: true });
    writeFileSync(join(baseDir, path), text);
  }
  const { tsConfig: _tsConfig, ...options } = config.options;
  const { output }: IReporterOutput = await cruise(['src'], {
    ...options,
    baseDir,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  });
  if (typeof output === 'string') throw new Error(output);
  return [...new Set(output.summary.violations.map(({ rule }) => rule.name))];
}

const imports = (path: string) => `import { x } from '${path}';\nexport const y = x;\n`;
const x = 'export const x = 1;\n';

/** A folder or a file, what it imports, and whether it may. */
const arrows: readonly (readonly [from: string, to: string, may: boolean])[] = [
  ['shared/values.ts', 'client/index.ts', false],
  ['shared/values.ts', 'webhooks/index.ts', false],
  ['client/client.ts', 'shared/values.ts', true],
  ['client/client.ts', 'webhooks/index.ts', false],
  ['client/client.ts', 'emulator/index.ts', false],
  ['client/client.ts', 'payouts/index.ts', false],
  ['webhooks/index.ts', 'shared/values.ts', true],
  ['webhooks/index.ts', 'client/index.ts', false],
  ['payouts/index.ts', 'client/index.ts', true],
  ['payouts/index.ts', 'client/helpers/redact.ts', false],
  ['payouts/index.ts', 'webhooks/index.ts', false],
  ['emulator/index.ts', 'webhooks/signing/index.ts', true],
  ['emulator/index.ts', 'webhooks/signing/sign.ts', false],
  ['emulator/index.ts', 'client/index.ts', false],
  ['emulator/explore/run.ts', 'client/index.ts', true],
  ['emulator/explore/run.ts', 'client/client.ts', false],
  ['emulator/explore/run.ts', 'emulator/state/clock.ts', true],
  ['emulator/explore/run.ts', 'webhooks/index.ts', false],
  ['opentelemetry/index.ts', 'client/index.ts', true],
  ['opentelemetry/index.ts', 'client/call/hooks.ts', false],
  ['command/cli.ts', 'emulator/node.ts', true],
  ['command/cli.ts', 'emulator/state/clock.ts', false],
];

it.each(arrows)('%s imports %s: allowed %s', async (from, to, may) => {
  const path = `${'../'.repeat(from.split('/').length - 1)}${to}`;
  const broken = await brokenBy({ [`src/${from}`]: imports(path), [`src/${to}`]: x });
  expect(broken).toEqual(may ? [] : ['no-arrow-climbs']);
});

it('a cycle is refused', async () => {
  const broken = await brokenBy({
    'src/client/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
    'src/client/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
  });
  expect(broken).toEqual(['no-cycles']);
});

it('ky is imported by one file alone', async () => {
  const ky = { 'node_modules/ky/package.json': '{"name":"ky","main":"x.js"}', 'node_modules/ky/x.js': x };
  expect(await brokenBy({ ...ky, 'src/client/call/attempts.ts': imports('ky') })).toEqual([
    'only-the-wire-imports-ky',
  ]);
  expect(await brokenBy({ ...ky, 'src/client/wire/ky.ts': imports('ky') })).toEqual([]);
});

it('the emulator takes only types of the service, but for the responses of its OpenAPI document', async () => {
  const service = { 'src/shared/service/onramps.ts': `${x}export type X = 1;\n` };
  const from = (path: string, text: string) => brokenBy({ ...service, [path]: text });
  const types = "import type { X } from '../../shared/service/onramps.ts';\nexport type Y = X;\n";
  expect(await from('src/emulator/state/a.ts', imports('../../shared/service/onramps.ts'))).toEqual([
    'emulator-takes-only-types-of-the-service',
  ]);
  expect(await from('src/emulator/state/a.ts', types)).toEqual([]);
  expect(await from('src/emulator/openapi/responses.ts', imports('../../shared/service/onramps.ts'))).toEqual(
    [],
  );
});
