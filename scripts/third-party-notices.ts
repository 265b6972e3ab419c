/** Writes THIRD-PARTY-NOTICES.txt: the license of each package whose code is in the build. Runs after each build. */
import { writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled-packages.ts';

const line = '-'.repeat(80);
const notices = bundledPackages().map(({ name, version, license, homepage, text }) =>
  [
    line,
    `${name} ${version} (${license})`,
    ...(homepage === undefined ? [] : [homepage]),
    line,
    '',
    text,
  ].join('\n'),
);
writeFileSync(
  new URL('../THIRD-PARTY-NOTICES.txt', import.meta.url),
  `stablecoin-payments includes code of these packages.\n\n${notices.join('\n\n')}\n`,
);
