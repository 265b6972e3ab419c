import { isRecord, jsonIn } from '../../shared/values.ts';

/** A captured delivery. */
export interface Delivery {
  readonly headers: Headers;
  /** The body as text. An editor may have added a line break, so there may be a second form without it. */
  readonly bodies: readonly string[];
  /** The parsed body, or undefined if it is not JSON. */
  readonly event: unknown;
}

/** Reads a delivery from an HTTP request as text, or from JSON with `headers` and `body`. */
export function readDelivery(text: string): Delivery | undefined {
  const parsed = jsonIn(text);
  if (parsed !== undefined) {
    if (!isRecord(parsed) || !isRecord(parsed.headers)) return undefined;
    const { headers, body } = parsed;
    return deliveryOf(
      Object.entries(headers),
      typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
    );
  }
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const lines = head.split(/\r?\n/).filter((line) => /^[\w-]+:/.test(line));
  if (lines.length === 0) return undefined;
  const entries = lines.map(
    (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
  );
  return deliveryOf(entries, text.slice(text.indexOf(rest[0] ?? '', head.length)));
}

function deliveryOf(entries: Iterable<readonly [string, unknown]>, body: string): Delivery {
  const headers = new Headers();
  for (const [name, value] of entries) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (typeof text === 'string' && /^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(text))
      headers.set(name, text);
  }
  return { headers, bodies: [...new Set([body, body.trimEnd()])], event: jsonIn(body) };
}
