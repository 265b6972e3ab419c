import { createEmulator, type DialectName, type DialectOptions } from 'stablecoin-payments/emulator';
import { caller } from '../support.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>>;
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
}

/** The description that an emulator serves. */
export async function documentOf(dialect: DialectName | DialectOptions) {
  const { body } = await caller(createEmulator({ dialect }).fetch, 'http://x')(
    'GET',
    '/_emulator/openapi.json',
  );
  return body as Document;
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
