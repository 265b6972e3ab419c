/**
 * What each folder of `src` may import beside itself (docs/architecture.md). A product enters another one only by its
 * `index.ts`. `src/index.ts` and the entries of the build stand above all of them.
 */
const mayImport = {
  shared: [],
  client: ['src/shared/'],
  webhooks: ['src/shared/'],
  payouts: ['src/shared/', 'src/client/index.ts'],
  emulator: ['src/shared/', 'src/webhooks/signing/index.ts'],
  // It runs an integrator's function, which gets a client.
  'emulator/explore': ['src/shared/', 'src/client/index.ts', 'src/emulator/'],
  opentelemetry: ['src/shared/', 'src/client/index.ts'],
  command: [
    'src/shared/',
    'src/client/index.ts',
    'src/webhooks/index.ts',
    'src/payouts/index.ts',
    'src/emulator/index.ts',
    'src/emulator/node.ts',
    'src/emulator/settings/index.ts',
    'src/opentelemetry/index.ts',
  ],
};

const startsWith = (paths) => `^(${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})`;

/** The folders in a product that have a line of their own. */
const within = (product) =>
  Object.keys(mayImport)
    .filter((other) => other.startsWith(`${product}/`))
    .map((other) => `^src/${other}/`);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(mayImport).map(([product, others]) => ({
      name: 'no-arrow-climbs',
      severity: 'error',
      from: { path: `^src/${product}/`, pathNot: within(product) },
      to: { path: '^src/', pathNot: startsWith([`src/${product}/`, ...others]) },
    })),
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-the-wire-imports-ky',
      severity: 'error',
      from: { pathNot: '^src/client/wire/ky\\.ts$' },
      to: { path: '(^|/)node_modules/ky/' },
    },
    {
      // It writes its JSON by hand, so that one wrong schema does not pass both sides. The page does not load this file.
      name: 'emulator-takes-only-types-of-the-service',
      severity: 'error',
      from: { path: '^src/emulator/', pathNot: '^src/emulator/openapi/responses\\.ts$' },
      to: { path: '^src/shared/service/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
