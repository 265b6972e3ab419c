import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { typesOf } from '../client/other-operations/description.ts';
import { compile } from '../types/compile.ts';
import { documents, root, snippetsOf } from './documents.ts';

const folder = `${root}.snippets`;
const snippets = documents().flatMap(snippetsOf);

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: ['*.ts'],
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
  // What the guides call the types of the service's own description.
  writeFileSync(`${folder}/service.d.ts`, await typesOf());
  for (const { name, code } of snippets) writeFileSync(`${folder}/${name}`, `${code}\nexport {};\n`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every TypeScript block of README and docs compiles under the strict settings', {
  timeout: 60_000,
}, async () => {
  expect(snippets.length).toBeGreaterThan(5);
  expect(await compile(folder)).toBe('');
});

describe('every block that is marked as a program runs against the emulator', () => {
  for (const { name, code } of snippets.filter(({ runs }) => runs)) {
    test(name, async () => {
      vi.stubEnv('PAYMENTS_DIALECT_GROUP', 'snippets');
      const server = await startEmulatorServer();
      const lines: unknown[][] = [];
      vi.spyOn(console, 'log').mockImplementation((...line) => void lines.push(line));
      vi.stubEnv('PAYMENTS_BASE_URL', server.url);
      vi.stubEnv('PAYMENTS_ACCESS_TOKEN', 'token');
      // The quickstart uses the address at which the command starts the emulator.
      writeFileSync(
        `${folder}/${name}`,
        `${code.replaceAll('http://127.0.0.1:4010', server.url)}\nexport {};\n`,
      );
      try {
        await import(/* @vite-ignore */ `${folder}/${name}`);
      } finally {
        vi.unstubAllEnvs();
        vi.restoreAllMocks();
        await server.close();
      }
      expect(lines.length).toBeGreaterThan(0);
    });
  }
});
