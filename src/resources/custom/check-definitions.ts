import { ConfigurationError } from '../../errors/index.ts';
import { findUnknown } from '../../shared/option-names.ts';
import { isRecord } from '../../shared/values.ts';
import { optional, ownParams, requiredText } from '../checks/rules.ts';
import { describedHints, type FieldRules, noRule, paths } from './description.ts';
import { keyFault } from './idempotency-key.ts';
import { pagings } from './list.ts';
import { bodyOnRead, methodRule, safetyRule } from './request.ts';
import { definedPath, type OperationDefinition } from './resource-types.ts';
import { schemaRule } from './standard-schema.ts';

const definitionRules: FieldRules<OperationDefinition> = {
  method: methodRule,
  path: (path) =>
    typeof path === 'string' && definedPath.test(path) && !/\/\.\.?(?:\/|$)/.test(path)
      ? undefined
      : 'must be like `/v2/offramps/{offrampId}/quote/accept`',
  body: schemaRule,
  query: schemaRule,
  response: schemaRule,
  essential: optional(paths),
  paginate: noRule,
  key: optional(requiredText),
  cursorParam: optional(requiredText),
  retrySafety: safetyRule,
  idempotencyKey: optional(keyFault),
  identity: noRule,
};

const definitionHints: Readonly<Record<string, string>> = {
  ...describedHints,
  schema: '`response`',
  idempotent: "`retrySafety: 'refresh'`",
};

function isIdentity(value: unknown, path: unknown): boolean {
  if (!isRecord(value) || findUnknown(value, { echoes: true, record: true }) !== undefined) return false;
  const { echoes = {}, record = [] } = value;
  if (!isRecord(echoes) || paths(record) !== undefined) return false;
  return Object.entries(echoes).every(
    ([name, places]) =>
      (name === 'requestId' || String(path).includes(`{${name}}`)) && paths(places) === undefined,
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
    const unknown = findUnknown(definition, definitionRules, definitionHints);
    if (unknown !== undefined) throw wrong(`${operation}: ${unknown.replace(/\.$/, '')}`);
    for (const [field, rule] of Object.entries(definitionRules)) {
      const why = rule(definition[field]);
      if (why !== undefined) throw wrong(`\`${field}\` of ${operation} ${why}`);
    }
    const { path, paginate, body, identity } = definition;
    if (identity !== undefined && !isIdentity(identity, path))
      throw wrong(
        `\`identity\` of ${operation} must be like \`{ echoes: { userId: ['owner.userId'] }, record: ['id'] }\``,
      );
    const twice = String(path)
      .match(/\{\w+\}/g)
      ?.find((name, index, all) => all.indexOf(name) !== index);
    if (twice !== undefined) throw wrong(`the path of ${operation} has the placeholder ${twice} twice`);
    if (paginate !== undefined && (definition.method !== 'GET' || !pagings.includes(paginate)))
      throw wrong(`${operation} can be paginated by \`cursor\`, \`offset\` or \`page\`, with GET`);
    if (bodyOnRead(String(definition.method), body) !== undefined)
      throw wrong(`${operation} cannot have a body: it is a ${definition.method}`);
    // Every field that is read has been checked.
    return [method, definition as unknown as OperationDefinition];
  });
}
