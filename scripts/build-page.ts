/** Writes src/emulator/page/built.ts, to run the emulator with its page from its sources. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtPage } from '../tools/emulator-page.ts';

writeFileSync(fileURLToPath(new URL('../src/emulator/page/built.ts', import.meta.url)), await builtPage());
