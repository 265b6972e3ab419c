import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

// Issue 61: "`openapi-typescript` beside TypeScript 7 crashes: the guide names the versions that work, and how."
test('the command that types a service runs the versions that the tests have', () => {
  const guide = readFileSync(new URL('../../docs/guides/other-operations.md', import.meta.url), 'utf8');
  const [command = ''] = /^npx .*openapi\.json.*$/m.exec(guide) ?? [];
  const { 'openapi-typescript': tool, typescript59 } = manifest.devDependencies;
  expect(command).toContain(`--package=openapi-typescript@${tool} `);
  // The only range that the tool takes, and a version of its own: never the one of the project.
  expect(command).toContain(`--package=${typescript59.replace('npm:', '')} openapi-typescript `);
});
