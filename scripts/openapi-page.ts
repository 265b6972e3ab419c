/** Writes docs/api/http.md: the OpenAPI description of the emulated service as a page of the site. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createEmulator } from '../src/emulator/index.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const response = await createEmulator({ seed: 'openapi' }).fetch('http://localhost/_emulator/openapi.json');
const description: Description = await response.json();

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('{', '&#123;').replaceAll(/\s+/g, ' ');
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference;
const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`;

/** A schema in a few words, for a table. */
function inShort(schema: Schema | undefined): string {
  if (schema === undefined) return 'any';
  if (schema.$ref !== undefined) return linkTo(nameOf(schema.$ref));
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(inShort))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array') return `list of ${inShort(schema.items)}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

/** The fields of an object, nested ones by their path. */
function fieldsOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true;
    const row = `| \`${prefix}${name}\` | ${cell(inShort(field))} | ${isRequired ? 'yes' : 'no'} |`;
    return [row, ...fieldsOf(field, `${prefix}${name}.`)];
  });
}

const table = (head: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n');

const bodyOf = (content: Content | undefined): Schema | undefined =>
  content?.content?.['application/json']?.schema;

function operationSection(path: string, method: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, schema }) =>
      `| \`${name}\` | ${place} | ${cell(inShort(schema))} | ${required === true ? 'yes' : 'no'} |`,
  );
  const responses = Object.entries(operation.responses).map(
    ([status, content]) =>
      `| ${status} | ${cell(content.description ?? '')} | ${cell(inShort(bodyOf(content)))} |`,
  );
  return [
    `## ${operation.operationId}`,
    `\`\`\`http\n${method.toUpperCase()} ${path}\n\`\`\``,
    operation.summary,
    table(['Parameter', 'In', 'Type', 'Required'], parameters),
    operation.requestBody === undefined ? '' : `Body: ${inShort(bodyOf(operation.requestBody))}.`,
    table(['Status', 'Meaning', 'Body'], responses),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => operationSection(path, method, operation)),
);
const schemas = Object.entries(description.components.schemas).map(([name, schema]) => {
  const rows = fieldsOf(schema);
  const shape = rows.length === 0 ? `Type: ${inShort(schema)}.` : table(['Field', 'Type', 'Required'], rows);
  return `## ${name}\n\n${shape}`;
});

mkdirSync('docs/api', { recursive: true });
writeFileSync(
  'docs/api/http.md',
  [
    '# HTTP API',
    'The service over HTTP, as the emulator implements it. A running emulator has the OpenAPI 3.1 description at `GET /_emulator/openapi.json`.',
    ...operations,
    ...schemas,
    '',
  ].join('\n\n'),
);
