import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A package whose code is inside the build. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly homepage: string | undefined;
  /** The text of its license. */
  readonly text: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages whose code is in `dist`, by name. Run it after a build. */
export function bundledPackages(): BundledPackage[] {
  const names: string[] = JSON.parse(readFileSync(join(root, 'dist/bundled-packages.json'), 'utf8'));
  // The emulator's page is bundled into a text by scripts/build-page.ts, which no bundler of the package looks into.
  return [...new Set([...names, 'preact'])].sort().map(describe);
}

function describe(name: string): BundledPackage {
  const folder = join(root, 'node_modules', name);
  const { version, license, homepage }: { version: string; license: string; homepage?: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (file === undefined) throw new Error(`${name} is bundled, but has no licence file to ship.`);
  return { name, version, license, homepage, text: readFileSync(join(folder, file), 'utf8').trim() };
}
