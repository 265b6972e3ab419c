import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check, root, run } from './checklist.ts';

const digest = (file: string) => createHash('sha512').update(readFileSync(file)).digest('hex');

/** Builds the sources again in another folder, as SECURITY.md tells anybody to. The tarball must have the same bytes. */
export async function checkRebuild(folder: string, tarball: string): Promise<void> {
  await check('is bit for bit the same when it is built in another folder', () => {
    const copy = join(folder, 'another', 'folder');
    const listed = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z']).split('\0');
    for (const file of listed.filter((name) => name !== '' && existsSync(join(root, name)))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], copy);
    run('npm', ['run', 'build'], copy);
    const packed = run('npm', ['pack', '--json', '--pack-destination', join(folder, 'another')], copy);
    const [{ filename }]: [{ filename: string }] = JSON.parse(packed);
    const [first, second] = [digest(tarball), digest(join(folder, 'another', filename))];
    if (first !== second) throw new Error(`sha512 ${first} here, ${second} in the other folder`);
  });
}
