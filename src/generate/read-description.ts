import { createRequire } from 'node:module';
import { isRecord } from '../shared/values.ts';
import { GenerateError, type Json } from './description.ts';

/** Reads YAML; rejects if the package for it is not installed. */
export type YamlReader = (text: string) => Promise<unknown>;

/**
 * Reads the text of a description, which is JSON or YAML.
 *
 * @throws GenerateError when the text is neither, or when nothing is installed that reads YAML.
 */
export async function readDescription(received: string, readYaml: YamlReader = yamlOfTypes): Promise<Json> {
  const text = received.replace(/^\uFEFF/, '');
  const isJson = /^\s*[{[]/.test(text);
  // Parsed once more, so that a part that YAML shares between places is a part of its own in each.
  const json = isJson ? text : (JSON.stringify(await fromYaml(text, readYaml)) ?? '');
  try {
    const document: unknown = JSON.parse(json, withFullMapping);
    if (isRecord(document)) return document;
  } catch (error) {
    throw new GenerateError(`The description is not valid JSON: ${firstLineOf(error)}`);
  }
  throw new GenerateError(
    'The file is not an OpenAPI 3 description: it has no `openapi: 3.…` or no `paths`.',
  );
}

async function fromYaml(text: string, readYaml: YamlReader): Promise<unknown> {
  try {
    return await readYaml(text);
  } catch (error) {
    if (error instanceof GenerateError) throw error;
    throw new GenerateError(`The description is neither JSON nor YAML: ${firstLineOf(error)}`);
  }
}

const firstLineOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';

/** The reader of the package that writes the types: a reader of our own would be one more dependency. */
async function yamlOfTypes(text: string): Promise<unknown> {
  const parseYaml = readerOf();
  if (parseYaml === undefined)
    throw new GenerateError(
      'The description is not JSON. YAML is read by the package openapi-typescript. Install it: npm install --save-dev openapi-typescript. Or convert the file: npx @redocly/cli bundle openapi.yaml --ext json -o openapi.json',
    );
  return parseYaml(text);
}

function readerOf(): ((text: string) => unknown) | undefined {
  try {
    const types = createRequire(import.meta.url).resolve('openapi-typescript');
    const { parseYaml }: { parseYaml?: unknown } = createRequire(types)('@redocly/openapi-core');
    return typeof parseYaml === 'function' ? (text) => parseYaml(text) : undefined;
  } catch {
    return undefined;
  }
}

/** A discriminator may map to the name of a schema; a reference is the same, and other tools read it. */
function withFullMapping(key: string, value: unknown): unknown {
  if (key !== 'discriminator' || !isRecord(value) || !isRecord(value.mapping)) return value;
  const full = ([name, target]: [string, unknown]) => [
    name,
    /[/#]/.test(String(target)) ? target : `#/components/schemas/${target}`,
  ];
  return { ...value, mapping: Object.fromEntries(Object.entries(value.mapping).map(full)) };
}
