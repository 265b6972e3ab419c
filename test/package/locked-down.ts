import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, run } from './checklist.ts';

/** Runs client, emulator and receiver in processes that forbid what a dependency in the process could abuse. */
export async function checkLockedDown(place: string): Promise<void> {
  const flags: readonly (readonly string[])[] = [
    ['--disallow-code-generation-from-strings'],
    ['--frozen-intrinsics'],
    ['--permission', `--allow-fs-read=${place}`],
  ];
  for (const some of flags)
    await check(`node ${some[0]}`, () =>
      run(process.execPath, ['--no-warnings', ...some, 'locked-down.mjs'], place),
    );
  const names = ['stablecoin-payments', 'stablecoin-payments/emulator', 'stablecoin-payments/webhooks'];
  const imports = names.map((name) => `await import('${name}');`).join('\n');
  const orders = { before: '', after: imports };
  for (const [order, first] of Object.entries(orders)) {
    const file = `lockdown-${order}.mjs`;
    writeFileSync(
      join(place, file),
      `import 'ses';\n${first}\nlockdown();\nawait import('./locked-down.mjs');\n`,
    );
    await check(`SES lockdown ${order} the import`, () => run(process.execPath, [file], place));
  }
}
