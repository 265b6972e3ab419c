import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrange } from './docs/site/arrange.mjs';

const pages = JSON.parse(readFileSync(new URL('./docs/pages.json', import.meta.url), 'utf8'));
const documents = Object.values(pages)
  .flat()
  .map((path) => join('docs', path))
  .filter((path) => existsSync(new URL(path, import.meta.url)));

const decisions = readdirSync(new URL('./docs/decisions', import.meta.url))
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => `docs/decisions/${file}`);

/** @type {import('typedoc').TypeDocOptions} */
export default {
  name: 'stablecoin-payments',
  entryPoints: [
    'src/index.ts',
    'src/webhooks/index.ts',
    'src/emulator/index.ts',
    'src/emulator/msw.ts',
    'src/emulator/node.ts',
    'src/opentelemetry/index.ts',
    'src/payouts/index.ts',
  ],
  out: 'docs/api',
  plugin: [arrange],
  // In the order of docs/pages.json; its keys become the groups of the navigation.
  projectDocuments: [...documents, ...decisions],
  groupOrder: [...Object.keys(pages), 'Decisions', '*'],
  navigation: {
    includeGroups: true,
    includeCategories: false,
    includeFolders: false,
    excludeReferences: true,
  },
  sort: ['kind', 'instance-first', 'alphabetical-ignoring-documents'],
  router: 'pages',
  highlightLanguages: ['ts', 'js', 'sh', 'json', 'diff', 'sql', 'yaml', 'toml', 'html'],
  customCss: 'docs/site/style.css',
  hideGenerator: true,
  searchInDocuments: true,
  // Who searches for a word wants to be told about it before being shown where it is declared.
  searchGroupBoosts: Object.fromEntries(Object.keys(pages).map((group) => [group, 3])),
  searchInComments: true,
  includeVersion: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  githubPages: false,
  disableSources: true,
  skipErrorChecking: true,
  treatWarningsAsErrors: true,
  // What public types are made of, but nobody names: constants behind types, and parameters of inner constructors.
  intentionallyNotExported: [
    'src/schemas/account.ts:AccountParamsBase',
    'src/schemas/deposit.ts:paymentRails',
    'src/schemas/onramp.ts:onrampFailureCodes',
    'src/schemas/webhook-event.ts:knownWebhookEventSchema',
    'src/schemas/webhook-event.ts:webhookEventTypes',
    'src/errors/connection.ts:ConnectionDetails',
    'src/transport/api-promise.ts:PendingCall',
    'src/pagination/list-response.ts:ReceivedPage',
    'src/pagination/page.ts:PageContext',
    'src/pagination/strategy.ts:PageQuery',
  ],
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  requiredToBeDocumented: [
    'Enum',
    'Variable',
    'Function',
    'Class',
    'Interface',
    'Property',
    'Method',
    'Accessor',
    'TypeAlias',
  ],
};
