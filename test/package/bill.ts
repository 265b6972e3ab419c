import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, root, run } from './checklist.ts';
import { mappedFiles } from './source-maps.ts';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license: { readonly id?: string } }[];
}

/** Checks that the package names the packages whose code it contains: these, and no others. */
export async function checkBill(folder: string, project: string): Promise<void> {
  const installed = join(project, 'node_modules/stablecoin-payments');
  const read = (file: string) => readFileSync(join(installed, file), 'utf8');
  const bundled = packagesInside(installed);

  await check('ships the licence of every bundled package', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt');
    for (const { name, version } of bundled) {
      const at = notices.indexOf(`\n${name} ${version} (`);
      if (at < 0) throw new Error(`${name} ${version} is missing`);
      if (!/Permission is hereby granted|Permission to use, copy/.test(notices.slice(at, at + 1500)))
        throw new Error(`${name} is named without its licence`);
    }
  });
  await check('ships a bill of materials that lists the bundled packages and nothing else', () => {
    const { components }: { components: Component[] } = JSON.parse(read('sbom.cdx.json'));
    const listed = components.map(({ name, version }) => `${name}@${version}`).sort();
    const expected = bundled.map(({ name, version }) => `${name}@${version}`).sort();
    if (!listed.includes(`ky@${versionOf('ky')}`) || !listed.includes(`zod@${versionOf('zod')}`))
      throw new Error(`ky and zod are not both in ${listed.join(', ')}`);
    if (listed.join() !== expected.join())
      throw new Error(`${listed.join(', ')} instead of ${expected.join(', ')}`);
    for (const { name, version, purl, licenses } of components) {
      if (purl !== `pkg:npm/${name.replace('@', '%40')}@${version}`) throw new Error(`${name}: purl ${purl}`);
      if (licenses[0]?.license.id === undefined) throw new Error(`${name} has no licence`);
    }
  });
  // Another npm than the one of the release must write the same bytes.
  await check('ships a bill of materials that does not tell which npm wrote it', () => {
    const { metadata, components } = JSON.parse(read('sbom.cdx.json'));
    const told = Object.keys({ ...metadata, ...metadata.component });
    const unlike = told.filter((name) => ['tools', 'timestamp', 'properties'].includes(name));
    const scopes = new Set(components.map(({ scope }: { scope: string }) => scope));
    if (unlike.length > 0 || [...scopes].join() !== 'required')
      throw new Error(`${unlike.join(', ')}; scopes ${[...scopes].join(', ')}`);
  });
  await check("has a bill of materials that CycloneDX's own schema takes", () => {
    const place = join(folder, 'bill');
    cpSync(join(root, 'test/package/bill'), place, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    run('npm', ['ci', '--no-audit', '--no-fund'], place);
    run(process.execPath, ['validate.mjs', join(installed, 'sbom.cdx.json')], place);
  });
}

const versionOf = (name: string): string => {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return version;
};

/** What the source maps say is inside, which is not how the build finds it. To them, the emulator's page is a text. */
function packagesInside(installed: string): { name: string; version: string }[] {
  const sources = mappedFiles(installed).flatMap(({ map }) => map.sources);
  const names = new Set([
    'preact',
    ...sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []),
  ]);
  return [...names].map((name) => ({ name, version: versionOf(name) }));
}
