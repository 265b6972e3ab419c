/** Writes docs/api/index.md: the pages of the API reference in their groups, with what each is for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { callablesOf } from '../docs/.vitepress/reference.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const groups: Record<string, Record<string, string>> = JSON.parse(read('docs/reference/pages.json'));

/** The classes of the client's nouns. */
const NOUNS = [
  ...['Onramps', 'Accounts', 'Transfers', 'Bridges', 'Offramps'],
  ...['Approvals', 'Reporting', 'Kyc', 'ExternalWallets'],
];

/** The functions and methods that a row shows. */
const MOST = 6;

/** The first sentence of the comment above a page's exports. */
const sentenceOf = (page: string): string =>
  /\/\*\*\n \* (.+)/.exec(read(`docs/reference/${page}.ts`))?.[1] ?? '';

/** A function, or a method of the client, as a program calls it; `undefined` for a method of another object. */
function called(name: string): string | undefined {
  const [owner = '', method] = name.replace(/\(\)$/, '').split('.');
  if (method === undefined) return owner;
  if (owner === 'PaymentsClient') return `payments.${method}`;
  if (!NOUNS.includes(owner)) return undefined;
  return `payments.${owner.charAt(0).toLowerCase()}${owner.slice(1)}.${method}`;
}

function row(page: string, title: string): string {
  const links = callablesOf(read(`docs/api/${page}.md`)).flatMap(({ name, anchor }) => {
    const call = called(name);
    return call === undefined ? [] : [`[\`${call}\`](${page}.md#${anchor})`];
  });
  const more = links.length > MOST ? [`[${links.length - MOST} more](${page}.md)`] : [];
  return `| [${title}](${page}.md) | ${sentenceOf(page)} | ${[...links.slice(0, MOST), ...more].join(', ')} |`;
}

const tables = Object.entries(groups).map(([group, pages]) => {
  const rows = Object.entries(pages).map(([page, title]) => row(page, title));
  return [`## ${group}`, '', '| Page | What it is | Methods and functions |', '|---|---|---|', ...rows].join(
    '\n',
  );
});

writeFileSync(
  'docs/api/index.md',
  [
    '# API reference',
    'Each method of the client is `payments.<noun>.<verb>`. The [operations](../guides/service.md#operations) name the endpoint of each.',
    ...tables,
    '## Over HTTP',
    '[HTTP API](http.md): the service as the emulator implements it, with every field. A running emulator has it as OpenAPI 3.1.',
    '',
  ].join('\n\n'),
);
