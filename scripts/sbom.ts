/**
 * Writes the bill of materials of the published package (CycloneDX 1.5, JSON) to standard output: what it depends
 * on, and what is bundled into it, which a list of its dependencies would leave out. What is bundled is read from the
 * source maps of the build, so run it after one: `npm run --silent sbom > sbom.cdx.json`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
const dist = join(root, 'dist');
const { name }: { name: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The packages whose sources are in the build. */
function bundled(): Set<string> {
  const packages = new Set<string>();
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.map')) continue;
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(dist, file), 'utf8'));
    for (const source of sources) {
      const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
      if (found !== undefined) packages.add(found);
    }
  }
  return packages;
}

function billOf(...options: string[]): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...options];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

const bill = billOf();
const required = new Set(billOf('--omit', 'dev').components.map((component) => component['bom-ref']));
const inside = bundled();
// At the top of the tree stands the version that the build takes.
const versions: { packages: Record<string, { version?: string }> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
const isBundled = (component: Component) =>
  inside.has(component.name) &&
  component['bom-ref'] ===
    `${component.name}@${versions.packages[`node_modules/${component.name}`]?.version}`;

bill.components = bill.components.filter(
  (component) => required.has(component['bom-ref']) || isBundled(component),
);
for (const component of bill.components) {
  component.properties = component.properties.filter(
    ({ name: key }) => key !== 'cdx:npm:package:development',
  );
  if (isBundled(component)) component.properties.push({ name: 'cdx:npm:package:bundled', value: 'true' });
}
const missing = [...inside].filter((one) => !bill.components.some((component) => component.name === one));
if (missing.length > 0) throw new Error(`The lock file does not know ${missing.join(', ')}.`);
// npm names the root after its folder.
bill.metadata.component.name = name;
const kept = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
console.log(JSON.stringify(bill, undefined, 2));
