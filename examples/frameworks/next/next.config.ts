import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

// The package and `pay.ts` of this example stand in folders above. An app with its own files needs no such setting.
const root = fileURLToPath(new URL('../../..', import.meta.url));

const config: NextConfig = { outputFileTracingRoot: root, turbopack: { root } };
export default config;
