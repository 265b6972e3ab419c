import { isRecord, kindOf } from '../../shared/values.ts';

const ownedByTheClient = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks headers of the caller's and returns them with lower-case names; `undefined` values are left out. `fail` may throw,
 * or returns what is taken in place of them.
 */
export function checkHeaders(
  headers: object,
  fail: (message: string) => Record<string, string>,
): Record<string, string> {
  const checked: Record<string, string> = Object.create(null);
  for (const [name, value] of headerEntries(headers)) {
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower)) {
      return fail(`\`headers\` contains a name that HTTP does not allow.`);
    }
    if (ownedByTheClient.has(lower)) {
      const remedy = lower === 'authorization' ? ' Use `accessToken`.' : '';
      return fail(`the header \`${lower}\` is set by the client.${remedy}`);
    }
    if (typeof value !== 'string') {
      return fail(`the header \`${lower}\` must be a string, but is ${kindOf(value)}.`);
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return fail(`the header \`${lower}\` contains a character that HTTP does not allow.`);
    }
    checked[lower] = value;
  }
  return checked;
}

const headerEntries = (headers: object): Iterable<[string, unknown]> =>
  headers instanceof Headers ? headers.entries() : Object.entries(headers);

/** Returns the headers of a hook that can be sent. One that cannot is the hook's fault, not the payment's. */
export function sendableHeaders(headers: unknown): Record<string, string> {
  const sendable: Record<string, string> = Object.create(null);
  if (!isRecord(headers)) return sendable;
  for (const [name, value] of headerEntries(headers))
    Object.assign(
      sendable,
      checkHeaders({ [name]: value }, () => ({})),
    );
  return sendable;
}
