/**
 * Names the packages whose code is in the build. Run it after one:
 *
 *   node scripts/third-party.ts            writes THIRD-PARTY-NOTICES.txt, with the license of each
 *   npm run --silent sbom > sbom.cdx.json  prints their bill of materials (CycloneDX), as `npm sbom` describes them
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const names: string[] = JSON.parse(readFileSync(`${root}dist/bundled-packages.json`, 'utf8'));
const packages = names.map((name) => {
  const folder = `${root}node_modules/${name}`;
  const manifest: { version: string; license: string; homepage?: string } = JSON.parse(
    readFileSync(`${folder}/package.json`, 'utf8'),
  );
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (file === undefined) throw new Error(`${name} is bundled, but has no license file to ship.`);
  return { name, ...manifest, text: readFileSync(`${folder}/${file}`, 'utf8').trim() };
});

if (process.argv.includes('--sbom')) {
  const bill = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  );
  const inside = packages.map(({ name, version }) => `${name}@${version}`);
  const components: { 'bom-ref': string; properties: { name: string }[] }[] = bill.components;
  bill.components = components.filter((component) => inside.includes(component['bom-ref']));
  if (bill.components.length !== inside.length)
    throw new Error(`package-lock.json does not name all of ${inside}.`);
  // They are tools of the development to npm; in the package, they are what its code consists of.
  for (const component of bill.components)
    component.properties = [{ name: 'cdx:npm:package:bundled', value: 'true' }];
  bill.metadata.component.name = 'stablecoin-payments'; // npm names it after its folder.
  bill.dependencies = [{ ref: bill.metadata.component['bom-ref'], dependsOn: inside }];
  console.log(JSON.stringify(bill, undefined, 2));
} else {
  const line = '-'.repeat(80);
  const notices = packages.map(({ name, version, license, homepage, text }) =>
    [line, `${name} ${version} (${license})`, ...(homepage ? [homepage] : []), line, '', text].join('\n'),
  );
  const head = 'stablecoin-payments includes code of these packages.';
  writeFileSync(`${root}THIRD-PARTY-NOTICES.txt`, `${[head, ...notices].join('\n\n')}\n`);
}
