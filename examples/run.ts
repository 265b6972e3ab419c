/** Runs one of the examples against the emulator: `npm run example -- africa-mobile-money`. */
import { scenes } from './scenes.ts';

const name = process.argv[2] ?? '';
const scene = Object.hasOwn(scenes, name) ? scenes[name] : undefined;
if (scene === undefined) {
  console.error(`Give the name of an example: ${Object.keys(scenes).join(', ')}`);
  process.exitCode = 1;
} else await scene();
