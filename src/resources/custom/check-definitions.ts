import { findUnknown, type OptionNames } from '../../closed-options.ts';
import { ConfigurationError } from '../../errors/index.ts';
import { isRecord } from '../../values.ts';
import { ownParams } from '../checks/rules.ts';
import { definedPath } from './defined-path.ts';
import { keyFault } from './idempotency-key.ts';
import { pagings } from './list.ts';
import { describedHints, requestMethods, safetyFault } from './request.ts';
import type { OperationDefinition } from './resource-types.ts';
import { isStandardSchema } from './standard-schema.ts';

const definitionNames: OptionNames<OperationDefinition> = {
  method: true,
  path: true,
  body: true,
  query: true,
  response: true,
  essential: true,
  paginate: true,
  key: true,
  cursorParam: true,
  retrySafety: true,
  idempotencyKey: true,
  identity: true,
};

const definitionHints: Readonly<Record<string, string>> = {
  ...describedHints,
  schema: 'give the schema of the response as `response`',
  idempotent: "give `retrySafety: 'refresh'`",
};

const isPaths = (value: unknown): boolean =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path !== '');

function isIdentity(value: unknown, path: unknown): boolean {
  if (!isRecord(value) || findUnknown(value, { echoes: true, record: true }) !== undefined) return false;
  const { echoes = {}, record = [] } = value;
  if (!isRecord(echoes) || !isPaths(record)) return false;
  return Object.entries(echoes).every(
    ([name, paths]) => (name === 'requestId' || String(path).includes(`{${name}}`)) && isPaths(paths),
  );
}

/** Checks the definitions of a resource. Throws a ConfigurationError that names the first fault. */
export function checkDefinitions(name: unknown, given: unknown): [string, OperationDefinition][] {
  const wrong = (what: string) => new ConfigurationError(`defineResource: ${what}.`);
  if (typeof name !== 'string' || !/^[a-z]\w*$/i.test(name))
    throw wrong('the name must be a word such as `quotes`');
  if (!isRecord(given)) throw wrong(`the operations of \`${name}\` must be an object`);
  return Object.entries(given).map(([method, described]) => {
    const operation = `\`${name}.${method}\``;
    if (method === 'then' || method in Object.prototype) throw wrong(`${operation} has a name that is taken`);
    if (!isRecord(described)) throw wrong(`${operation} must be an object`);
    const definition: Record<string, unknown> = ownParams(described);
    if (!requestMethods.includes(String(definition.method)))
      throw wrong(`the method of ${operation} must be one of ${requestMethods.join(', ')}`);
    const unknown = findUnknown(definition, definitionNames, definitionHints);
    if (unknown !== undefined) throw wrong(`${operation}: ${unknown.replace(/\.$/, '')}`);
    const { path, paginate, body, idempotencyKey, identity } = definition;
    const unsafe = safetyFault(definition.retrySafety);
    if (unsafe !== undefined) throw wrong(`\`retrySafety\` of ${operation} ${unsafe}`);
    const keyless = idempotencyKey === undefined ? undefined : keyFault(idempotencyKey);
    if (keyless !== undefined) throw wrong(`\`idempotencyKey\` of ${operation} ${keyless}`);
    for (const field of ['key', 'cursorParam']) {
      const name = definition[field];
      if (name !== undefined && (typeof name !== 'string' || name === ''))
        throw wrong(`\`${field}\` of ${operation} must be a non-empty string`);
    }
    if (definition.essential !== undefined && !isPaths(definition.essential))
      throw wrong(`\`essential\` of ${operation} must be a list of dotted paths`);
    if (identity !== undefined && !isIdentity(identity, path))
      throw wrong(
        `\`identity\` of ${operation} must be like \`{ echoes: { userId: ['owner.userId'] }, record: ['id'] }\``,
      );
    if (typeof path !== 'string' || !definedPath.test(path) || /\/\.\.?(?:\/|$)/.test(path))
      throw wrong(`the path of ${operation} must be like \`/v2/offramps/{offrampId}/quote/accept\``);
    const twice = path.match(/\{\w+\}/g)?.find((name, index, all) => all.indexOf(name) !== index);
    if (twice !== undefined) throw wrong(`the path of ${operation} has the placeholder ${twice} twice`);
    for (const field of ['body', 'query', 'response']) {
      if (definition[field] !== undefined && !isStandardSchema(definition[field]))
        throw wrong(
          `\`${field}\` of ${operation} must be a Standard Schema, such as one of zod; or \`ofType<…>()\``,
        );
    }
    if (paginate !== undefined && (definition.method !== 'GET' || !pagings.includes(paginate)))
      throw wrong(`${operation} can be paginated by \`cursor\`, \`offset\` or \`page\`, with GET`);
    if (body !== undefined && ['GET', 'HEAD'].includes(String(definition.method)))
      throw wrong(`${operation} cannot have a body: it is a ${definition.method}`);
    // Every field that is read has been checked.
    return [method, definition as unknown as OperationDefinition];
  });
}
