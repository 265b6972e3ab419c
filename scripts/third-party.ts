/**
 * Names the packages whose code is in the build, in two files that the package ships. The build runs it at its end.
 *
 * THIRD-PARTY-NOTICES.txt has the license of each. sbom.cdx.json is a CycloneDX bill of materials: `npm sbom` makes it of
 * everything that package-lock.json names, and what is not in the build is left out here.
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

const line = '-'.repeat(80);
const notices = packages.map(({ name, version, license, homepage, text }) =>
  [line, `${name} ${version} (${license})`, ...(homepage ? [homepage] : []), line, '', text].join('\n'),
);
const head = 'stablecoin-payments includes code of these packages.';
writeFileSync(`${root}THIRD-PARTY-NOTICES.txt`, `${[head, ...notices].join('\n\n')}\n`);

const bill = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }),
);
const inside = packages.map(({ name, version }) => `${name}@${version}`);
const components: { 'bom-ref': string; scope: string; properties: { name: string; value: string }[] }[] =
  bill.components;
bill.components = components.filter((component) => inside.includes(component['bom-ref']));
if (bill.components.length !== inside.length)
  throw new Error(`package-lock.json does not name all of ${inside}.`);
// They are tools of the development to npm; in the package, they are what its code consists of.
for (const component of bill.components) {
  component.scope = 'required';
  component.properties = [{ name: 'cdx:npm:package:bundled', value: 'true' }];
}
bill.metadata.component.name = 'stablecoin-payments'; // npm names it after its folder.
bill.dependencies = [{ ref: bill.metadata.component['bom-ref'], dependsOn: inside }];
// These differ from run to run, or from npm to npm. Without them, two builds of one commit are equal.
delete bill.serialNumber;
delete bill.metadata.timestamp;
delete bill.metadata.tools;
delete bill.metadata.component.properties;
writeFileSync(`${root}sbom.cdx.json`, `${JSON.stringify(bill, undefined, 2)}\n`);
