import { createEmulator, type DialectName, type DialectOptions } from 'stablecoin-payments/emulator';
import { caller } from '../support.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>>;
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } } | undefined
  >;
  components: { schemas: Record<string, Schema> };
}

export interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: string[];
  const?: string;
  required?: string[];
}

const documents = new Map<string, Promise<Document>>();

/** The description that an emulator serves, asked for once in each dialect. */
export function documentOf(dialect: DialectName | DialectOptions): Promise<Document> {
  const key = JSON.stringify(dialect);
  const document = documents.get(key) ?? serve(dialect);
  documents.set(key, document);
  return document;
}

async function serve(dialect: DialectName | DialectOptions): Promise<Document> {
  const { fetch } = createEmulator({ dialect });
  return (await caller(fetch, 'http://x')('GET', '/_emulator/openapi.json')).body;
}

/** The paths of all fields of a schema, those of list items with `[]`. */
export function pathsOf(schemas: Record<string, Schema>, schema: Schema | undefined, prefix = ''): string[] {
  if (schema === undefined) return [];
  if (schema.$ref !== undefined)
    return pathsOf(schemas, schemas[schema.$ref.split('/').at(-1) ?? ''], prefix);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      prefix + name,
      ...pathsOf(schemas, field, `${prefix}${name}.`),
    ]),
    ...pathsOf(schemas, schema.items, `${prefix}[].`),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => pathsOf(schemas, part, prefix)),
  ];
}

/** The paths of the fields that a body must have, those of list items with `[]`; of every form, if it has several. */
export function requiredIn(schema: Schema | undefined, prefix = ''): string[] {
  if (schema?.anyOf !== undefined && schema.properties === undefined) {
    return schema.anyOf.flatMap((form) => requiredIn(form, prefix));
  }
  return (schema?.required ?? []).flatMap((name) => {
    const field = schema?.properties?.[name];
    const path = prefix + name;
    return [path, ...requiredIn(field, `${path}.`), ...requiredIn(field?.items, `${path}.[].`)];
  });
}
