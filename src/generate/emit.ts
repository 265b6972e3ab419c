import { definedPath } from '../resources/custom/resource-types.ts';
import { type Description, isJson } from './description.ts';
import { camel, capital, type NamedOperation } from './names.ts';
import { describedPaging } from './paging.ts';

/** The resources of a description as source text, with the operations that no resource can express. */
export interface Emitted {
  readonly text: string;
  readonly operations: readonly NamedOperation[];
  readonly skipped: readonly string[];
}

/** Writes the namespaces of operations in the order of their names. */
export function emit(description: Description, all: readonly NamedOperation[]): Emitted {
  const prepared = all.map((operation) => ({ ...operation, path: cleanPath(operation.path) }));
  const operations = prepared.filter(({ path }) => definedPath.test(path));
  const skipped = prepared
    .filter(({ path }) => !definedPath.test(path))
    // A line break would end the comment in which the path stands.
    .map(({ method, source }) => `${method} ${source.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')}`);
  const namespaces = [...new Set(operations.map(({ namespace }) => namespace))].sort();
  const constant = (namespace: string) => capital(namespace);
  const blocks = namespaces.map((namespace) => {
    const members = operations.filter((operation) => operation.namespace === namespace);
    const methods = members.map((operation) => methodOf(description, operation));
    return `/** The operations of \`${namespace}\`. */\nexport const ${constant(namespace)} = defineResource('${namespace}', {\n${methods.join('\n')}\n});\n`;
  });
  const fields = namespaces.map((namespace) => `  ${namespace}: ${constant(namespace)},\n`).join('');
  const missing =
    skipped.length === 0
      ? ''
      : `// Not generated, because a method cannot express the path. Use \`payments.request\`:\n${skipped.map((one) => `// - ${one}\n`).join('')}\n`;
  const service = `/** All namespaces, for \`payments.with(service)\`. */\nexport const service = {\n${fields}};\n`;
  return { text: `${missing}${[...blocks, service].join('\n')}`, operations, skipped };
}

/** `{user-id}` becomes `{userId}`: a placeholder is a word, and no two have one name. */
function cleanPath(path: string): string {
  const used = new Set<string>();
  return path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const word = /^\w+$/.test(name) ? name : camel(name);
    let free = word;
    for (let number = 2; used.has(free); number += 1) free = `${word}${number}`;
    used.add(free);
    return `{${free}}`;
  });
}

function methodOf(description: Description, operation: NamedOperation): string {
  const { name, method, path, source, body, query, responses, headers } = operation;
  const type = `paths[${quoted(source)}]['${method.toLowerCase()}']`;
  const lines = [`method: '${method}',`, `path: '${path}',`];
  const notes: string[] = [];
  if (body !== undefined) {
    lines.push(`body: ofType<${bodyType(operation, type)}>(),`);
    if (body.kind === 'multipart')
      notes.push(`A form with the fields ${body.fields.join(', ') || 'of the service'}.`);
  }
  if (query.length > 0) lines.push(`query: ofType<NonNullable<${type}['parameters']['query']>>(),`);
  const list = describedPaging(description, operation);
  const returned = responses
    .filter(({ mediaType }) => isJson(mediaType))
    .map(
      ({ status, mediaType }) =>
        `${type}['responses'][${statusKey(status)}]['content'][${quoted(mediaType ?? '')}]`,
    );
  if (list !== undefined) {
    const [whole = 'unknown'] = returned;
    const items = list.keys.reduce((inner, key) => `NonNullable<${inner}[${quoted(key)}]>`, whole);
    const key = list.keys.at(-1);
    lines.push(`response: ofType<${items}[number]>(),`, `paginate: '${list.paginate}',`);
    if (key !== undefined) lines.push(`key: ${quoted(key)},`);
    if (list.cursorParam !== undefined) lines.push(`cursorParam: ${quoted(list.cursorParam)},`);
  } else if (returned.length > 0) {
    const none = responses.some(({ mediaType }) => mediaType === undefined) ? ['undefined'] : [];
    lines.push(`response: ofType<${[...returned, ...none].join(' | ')}>(),`);
  } else {
    const other = responses.find(({ mediaType }) => mediaType !== undefined)?.mediaType;
    if (other === undefined) lines.push('response: ofType<undefined>(),');
    else notes.push(`The response is ${other}. Read its bytes with \`.asResponse()\`.`);
  }
  lines.push(...safetyLines(operation));
  if (headers.length > 0)
    notes.push(`The service requires ${headers.join(', ')}: pass the option \`headers\`.`);
  return [
    ...docOf(operation, notes),
    `  ${property(name)}: {`,
    ...lines.map((line) => `    ${line}`),
    '  },',
  ].join('\n');
}

function bodyType({ body }: NamedOperation, type: string): string {
  if (body?.kind === 'multipart') return 'FormData';
  if (body?.kind === 'urlencoded') return 'URLSearchParams';
  if (body?.kind === 'bytes') return 'Blob | ArrayBuffer | ArrayBufferView';
  return `NonNullable<${type}['requestBody']>['content'][${quoted(body?.mediaType ?? '')}]`;
}

/** Returns the retry rule of an operation. Only a key, GET, HEAD and DELETE are safe to retry after any failure. */
function safetyLines({ method, body, keyHeader }: NamedOperation): string[] {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return [];
  const hasField = body?.kind === 'json' || body?.kind === 'multipart';
  if (hasField && body.fields.includes('requestId')) return ["idempotencyKey: { field: 'requestId' },"];
  if (keyHeader !== undefined) return [`idempotencyKey: { header: ${quoted(keyHeader)} },`];
  return [
    '// The description names no idempotency key, so the client sends it again only if the service surely did not',
    '// receive it. If a second request is harmless, use `refresh`.',
    "retrySafety: 'once',",
  ];
}

function docOf({ summary, method, source, deprecated }: NamedOperation, notes: readonly string[]): string[] {
  const sentences = [
    summary.trim(),
    ...notes,
    `${method} ${source}`,
    ...(deprecated ? ['@deprecated The service says so.'] : []),
  ];
  const lines = sentences
    .filter((line) => line !== '')
    .map((line) => `   * ${line.replaceAll('*/', '*\\/')}`);
  return ['  /**', ...lines, '   */'];
}

const statusKey = (status: string): string => (/^\d+$/.test(status) ? status : quoted(status));
const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`;
