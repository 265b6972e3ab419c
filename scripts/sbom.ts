/**
 * Writes the bill of materials of the published package (CycloneDX 1.5, JSON) to standard output: what it depends
 * on, and what is bundled into it, which a list of its dependencies would leave out. What is bundled is read from the
 * build, so run it after one: `npm run --silent sbom > sbom.cdx.json`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages } from './bundled-packages.ts';

interface Component {
  'bom-ref': string;
  name: string;
  properties: { name: string; value: string }[];
}

interface Bill {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const { name }: { name: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function billOf(...options: string[]): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...options];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

const bill = billOf();
const required = new Set(billOf('--omit', 'dev').components.map((component) => component['bom-ref']));
const inside = new Map(bundledPackages().map(({ name, version }) => [name, version]));
const isBundled = (component: Component) =>
  component['bom-ref'] === `${component.name}@${inside.get(component.name)}`;

bill.components = bill.components.filter(
  (component) => required.has(component['bom-ref']) || isBundled(component),
);
for (const component of bill.components) {
  component.properties = component.properties.filter(
    ({ name: key }) => key !== 'cdx:npm:package:development',
  );
  if (isBundled(component)) component.properties.push({ name: 'cdx:npm:package:bundled', value: 'true' });
}
const missing = [...inside.keys()].filter(
  (one) => !bill.components.some((component) => component.name === one),
);
if (missing.length > 0) throw new Error(`The lock file does not know ${missing.join(', ')}.`);
// npm names the root after its folder.
bill.metadata.component.name = name;
const kept = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
console.log(JSON.stringify(bill, undefined, 2));
