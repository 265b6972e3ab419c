/** Writes the OpenAPI description of the emulated service to dist/openapi.json. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createEmulator } from '../src/emulator/index.ts';

const response = await createEmulator({ seed: 'openapi' }).fetch(
  'http://127.0.0.1:4010/_emulator/openapi.json',
);
if (response.status !== 200)
  throw new Error(`The description was expected, but the emulator sent ${response.status}`);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/openapi.json', `${JSON.stringify(await response.json())}\n`);
