import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether CHANGELOG.md tells of the last change of the report. It does if it differs from what it was before that
 * change: before the commit that last touched the report, or in the last commit where the report is changed and not
 * committed yet. So a forgotten entry is found however many commits were made since, and a later commit can bring it.
 *
 * @param root - The repository.
 * @param report - The folder of the report, from the root.
 * @returns `told`, `missing`, or `unknown` where there is no history to compare with.
 */
export function changelogTellsOf(root: string, report: string): 'told' | 'missing' | 'unknown' {
  const git = (...args: string[]): string | undefined => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return undefined;
    }
  };
  const changed = git('status', '--porcelain', '--', report);
  const last = git('log', '-1', '--format=%H', '--', report)?.trim();
  if (changed === undefined || last === undefined) return 'unknown';
  // A report that no commit has is a first one; there is nothing that it could have changed.
  if (last === '') return 'told';
  const before = changed.trim() === '' ? `${last}~1` : 'HEAD';
  if (git('rev-parse', '--verify', '--quiet', before) === undefined) return 'unknown';
  if ((git('ls-tree', '--name-only', before, '--', `${report}/`) ?? '') === '') return 'told';
  const then = git('show', `${before}:CHANGELOG.md`) ?? '';
  return then === readFileSync(join(root, 'CHANGELOG.md'), 'utf8') ? 'missing' : 'told';
}
