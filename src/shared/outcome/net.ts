import { isRecord } from '../values.ts';

/**
 * Row 5: the words that may be about an earlier request with the same key. They can only make a refusal less certain. No
 * other word of a service is read, and this list never grows.
 */
const net = /request[\s_-]?(id|key)|idempoten|duplicat|already|in[\s_-]progress|being[\s_-]processed/i;

/** Returns true if the net matches a name. Such a name cannot be in `refusals.sure`: a list cannot settle it. */
export const isNameInNet = (name: string): boolean => net.test(name);

/**
 * Returns true if the net matches a string value of a body, echoes of what was sent included, or if the body has a field
 * `requestId` or `request_id` inside `details` or `errors`, at the top or in `error`.
 */
export function isInNet(body: unknown): boolean {
  let isMatched = false;
  walk(body, (_name, value) => {
    if (typeof value === 'string' && net.test(value)) isMatched = true;
  });
  return isMatched || namesTheKey(body);
}

/** A field that names the key. A path such as `body.requestId` is one, too. */
const keyField = /(?:^|[.\]])request_?id$/i;

function namesTheKey(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const inner = isRecord(body.error) ? body.error : {};
  let isNamed = false;
  for (const place of [body.details, body.errors, inner.details, inner.errors])
    walk(place, (name) => {
      if (keyField.test(name)) isNamed = true;
    });
  return isNamed;
}

/** Visits a value and all values in it, with their names. Without recursion, as a body may nest deeper than the stack. */
function walk(value: unknown, visit: (name: string, value: unknown) => void): void {
  const waiting: [name: string, value: unknown][] = [['', value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    visit(next[0], next[1]);
    if (typeof next[1] !== 'object' || next[1] === null) continue;
    // One by one: a list may have more items than a call can have arguments.
    for (const entry of Object.entries(next[1])) waiting.push(entry);
  }
}
