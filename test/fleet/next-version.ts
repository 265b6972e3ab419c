import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = join(root, 'examples/payout-fleet');
const MIGRATE = 'async function migratePayouts(';

/**
 * Makes the next version of the fleet in a folder: the example's programs with a build of their own of the package, which
 * has a further version of the tables. Returns the folder of the programs.
 */
export function nextVersion(folder: string): string {
  const own = join(folder, 'node_modules/stablecoin-payments');
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(join(example, 'node_modules'))) {
    const isOwn = name === 'stablecoin-payments' || name.startsWith('.');
    if (!isOwn) symlinkSync(join(example, 'node_modules', name), join(folder, 'node_modules', name));
  }
  cpSync(join(example, 'src'), join(folder, 'src'), { recursive: true });
  cpSync(join(example, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'package.json'), join(own, 'package.json'));
  cpSync(join(root, 'dist'), join(own, 'dist'), { recursive: true });
  const entry = join(own, 'dist/payouts.js');
  const source = readFileSync(entry, 'utf8');
  if (!source.includes(MIGRATE))
    throw new Error('The build has no migratePayouts that the next version can add to.');
  const statement = 'alter table payout_payment add column of_the_next_version text';
  const migration = `{ version: payoutMigrations.length + 1, statements: ['${statement}'] }`;
  writeFileSync(entry, source.replace(MIGRATE, `payoutMigrations.push(${migration});\n${MIGRATE}`));
  return join(folder, 'src');
}
