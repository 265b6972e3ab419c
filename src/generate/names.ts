import type { DescribedOperation } from './description.ts';

/** An operation with the names under which it is called. */
export interface NamedOperation extends DescribedOperation {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Gives each operation a namespace, from its tag or its path, and a method name, from its id or its path. Names that
 * clash get a longer form, then a number, in the order of the operations.
 *
 * @param taken - Names of the client that a namespace cannot have.
 */
export function nameAll(
  operations: readonly DescribedOperation[],
  taken: ReadonlySet<string>,
): NamedOperation[] {
  const used = new Set<string>();
  return operations.map((operation) => {
    const wanted = namespaceOf(operation);
    const namespace = taken.has(wanted) ? camel(`more ${wanted}`) : wanted;
    const free = candidatesOf(operation, namespace).find(
      (name) => !used.has(`${namespace}.${name}`.toLowerCase()),
    );
    const name = free ?? numberedName(camel(`${operation.method} ${operation.path}`), namespace, used);
    used.add(`${namespace}.${name}`.toLowerCase());
    return { ...operation, namespace, name };
  });
}

function numberedName(name: string, namespace: string, used: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1)
    if (!used.has(`${namespace}.${name}${number}`.toLowerCase())) return `${name}${number}`;
}

function namespaceOf({ tag, path }: DescribedOperation): string {
  const names = [tag ?? '', ...staticParts(path)].map(camel);
  return identifier(names.find((name) => name !== '') ?? 'service');
}

/** The names of a method, the best first. */
function candidatesOf({ operationId = '', method, path }: DescribedOperation, namespace: string): string[] {
  // `UsersController_create` and `users.create` are `create` in the namespace of users.
  const [owner = '', ...rest] = operationId.split(/Controller_|[./:#_]/).filter((part) => part !== '');
  const isOwner = stem(owner) === stem(namespace) && rest.length > 0;
  const byPath = camel(`${verbOf(method, path)} ${staticParts(path).slice(1).join(' ')}`);
  return [
    isOwner ? camel(rest.join(' ')) : camel(operationId),
    camel(operationId),
    camel(withoutNamespace(byPath, namespace)),
    byPath,
  ]
    .filter((name) => name !== '')
    .map(identifier);
}

const stem = (name: string): string => name.toLowerCase().replace(/s$/, '');

const withoutNamespace = (name: string, namespace: string): string =>
  wordsIn(name)
    .filter((word) => word.toLowerCase() !== namespace.toLowerCase())
    .join(' ');

function verbOf(method: string, path: string): string {
  const isOne = path.endsWith('}');
  if (method === 'GET') return isOne ? 'retrieve' : 'list';
  if (method === 'POST') return isOne ? 'post' : 'create';
  return { PUT: 'replace', PATCH: 'update', DELETE: 'delete' }[method] ?? method.toLowerCase();
}

/** The segments of a path without its version and its placeholders. */
const staticParts = (path: string): string[] =>
  path.split('/').filter((part) => part !== '' && !part.includes('{') && !/^v\d+$/.test(part));

const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '');

/** `Virtual Account` becomes `virtualAccount`. */
export const camel = (text: string): string =>
  wordsIn(text)
    .map((word, index) => (index === 0 ? word.toLowerCase() : capital(word.toLowerCase())))
    .join('');

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Names that an object has already, or that would make it a promise. */
const identifier = (name: string): string => {
  if (name === 'then' || name in Object.prototype) return `${name}Operation`;
  return /^\d/.test(name) ? `n${name}` : name;
};
