import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, root, run, typeCheck } from './checklist.ts';

/** Runs the package under Jest, in environments that imitate a browser, with msw 2, and compiles it with TypeScript 5.4. Returns the folder. */
export async function checkEnvironments(folder: string, tarball: string): Promise<string> {
  const place = join(folder, 'environments');
  cpSync(join(root, 'test/package/environments'), place, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  run('npm', ['ci', '--no-audit', '--no-fund'], place);
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', tarball], place);

  const jest = (file: string, env: Record<string, string>) =>
    execFileSync(process.execPath, ['node_modules/jest/bin/jest.js', `/${file}.test.ts$`], {
      cwd: place,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  await check('Jest over ts-jest: client, emulator, msw 2 and webhooks', () =>
    jest('payments', { HOW: 'ts-jest' }),
  );
  await check('Jest over swc, CommonJS', () => jest('payments', { HOW: 'swc to CommonJS' }));
  await check('Jest over swc, ES modules', () =>
    jest('payments', { HOW: 'swc to ES modules', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' }),
  );
  for (const [name, DOM] of [
    ['jsdom', 'jsdom'],
    ['happy-dom', '@happy-dom/jest-environment'],
  ] as const) {
    await check(`Jest in ${name}`, () => jest('dom', { HOW: 'swc to CommonJS', DOM }));
  }

  const DOM = join(place, 'node-dom-environment.cjs');
  await check("Jest in jsdom with Node's platform: client and emulator", () =>
    jest('dom-client', { HOW: 'swc to CommonJS', DOM }),
  );

  const bare = `import { PaymentsClient } from 'stablecoin-payments';
    import { createEmulator } from 'stablecoin-payments/emulator';
    import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
    import { payoutsOnPgBoss } from 'stablecoin-payments/payouts';
    import { createWebhookReceiver } from 'stablecoin-payments/webhooks';
    export { createEmulator, payoutsOnPgBoss, createWebhookReceiver, PaymentsClient, startEmulatorServer };`;
  for (const [module, moduleResolution] of [
    ['commonjs', 'node10'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    for (const types of [['node'], []]) {
      const project = join(place, `${moduleResolution}-${types.length}`);
      mkdirSync(project);
      cpSync(join(root, 'test/package/consumer.ts'), join(project, 'with-node.ts'));
      writeFileSync(join(project, 'bare.ts'), bare);
      const options = { module, moduleResolution, types, lib: ['es2022'], target: 'es2022' };
      await check(`TypeScript 5.4, ${moduleResolution}, ${types[0] ?? 'no platform'} types`, () =>
        typeCheck(
          join(place, 'node_modules/typescript54/bin/tsc'),
          project,
          [types.length > 0 ? 'with-node.ts' : 'bare.ts'],
          options,
        ),
      );
    }
  }
  return place;
}
