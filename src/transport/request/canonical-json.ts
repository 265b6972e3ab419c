import { isRecord } from '../kind.ts';

/**
 * The same text for the same payload: fields in order, without `requestId` (which is compared by itself), and
 * amounts as numbers, so that `25`, `"25"` and `"25.00"` are one amount. Text that is no JSON stays as it is.
 */
export function canonicalJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  return JSON.stringify(isRecord(value) ? ordered(value, true) : inOrder(value, ''));
}

function inOrder(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, name));
  if (isRecord(value)) return ordered(value, false);
  return typeof value === 'string' && /amount$/i.test(name) ? plainAmount(value) : value;
}

function ordered(record: Record<string, unknown>, isRoot: boolean): Record<string, unknown> {
  const names = Object.keys(record).filter((name) => !(isRoot && name === 'requestId'));
  return Object.fromEntries(names.sort().map((name) => [name, inOrder(record[name], name)]));
}

/** An amount without the zeros that do not count; a string, as a number could not hold every digit. */
function plainAmount(text: string): unknown {
  const match = /^0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text);
  if (match === null) return text;
  const [, whole, fraction] = match;
  const plain = fraction === undefined || fraction === '' ? `${whole}` : `${whole}.${fraction}`;
  return String(Number(plain)) === plain ? Number(plain) : plain;
}
