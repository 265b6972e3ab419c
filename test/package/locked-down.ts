import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, run } from './checklist.ts';

/** Runs client, emulator, payouts and receiver in processes that forbid what a dependency in the process could abuse. */
export async function checkLockedDown(place: string): Promise<void> {
  const flags: readonly (readonly string[])[] = [
    ['--disallow-code-generation-from-strings'],
    ['--frozen-intrinsics'],
    ['--permission', `--allow-fs-read=${place}`],
  ];
  // Under SES a failed program ends with 0, too.
  const runs = (args: readonly string[]) => {
    const written = run(process.execPath, args, place);
    if (!written.endsWith('paid once, told once\n')) throw new Error(`It wrote ${JSON.stringify(written)}`);
  };
  for (const format of ['mjs', 'cjs'])
    for (const some of flags)
      await check(`node ${some[0]}, ${format}`, () =>
        runs(['--no-warnings', ...some, `locked-down.${format}`]),
      );
  const entries = ['', '/emulator', '/payouts', '/webhooks'].map((entry) => `stablecoin-payments${entry}`);
  const loads: Readonly<Record<string, (module: string) => string>> = {
    mjs: (module) => `await import('${module}');`,
    cjs: (module) => `require('${module}');`,
  };
  for (const [format, load] of Object.entries(loads))
    for (const [order, first] of Object.entries({ before: [], after: entries })) {
      const file = `lockdown-${order}.${format}`;
      const modules = ['ses', ...first].map(load);
      const lines = [...modules, 'lockdown();', load(`./locked-down.${format}`)];
      writeFileSync(join(place, file), lines.join('\n'));
      await check(`SES lockdown ${order} the import, ${format}`, () => runs([file]));
    }
}
