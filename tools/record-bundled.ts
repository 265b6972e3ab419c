import { mkdirSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * The packages whose code is in the output of any build of this process. The emulator's page, which contains preact, is
 * a text to the builds of the package.
 */
const packages = new Set(['preact']);

/** Writes the names of the bundled packages beside the output, for the third-party notices and the bill of materials. */
export const recordBundled: Plugin = {
  name: 'record-bundled',
  setup: (build) => {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
        for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
          const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
          if (name !== undefined && bytesInOutput > 0) packages.add(name);
        }
      }
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/bundled-packages.json', JSON.stringify([...packages].sort()));
    });
  },
};
