import { type Bytes, decodeBytes } from './bytes.ts';

/** The claims in which senders put a SHA-256 of the body. */
export const bodyHashClaims: readonly string[] = [
  'bodyHash',
  'body_hash',
  'bodySha256',
  'body_sha256',
  'request_body_sha256',
  'payloadHash',
  'payload_hash',
  'payload_sha256',
];

/** The claims in which senders put the whole event. */
const eventClaims: readonly string[] = ['event', 'payload'];

/** The fields of an event that senders spread over the claims. */
const eventFields: readonly string[] = ['eventId', 'eventType', 'data'];

export type Claims = Readonly<Record<string, unknown>>;

/**
 * - `whole`: the claims vouch for the whole body.
 * - `part`: they vouch for a part of it, such as the event's kind.
 * - `none`: nothing in them speaks of the body.
 * - `mismatch`: they speak of another body.
 */
export type BodyBinding = 'whole' | 'part' | 'none' | 'mismatch';

/** Compares whatever the claims say about the body with the body. */
export async function bodyBinding(
  claims: Claims,
  body: Bytes,
  hashClaims: readonly string[],
): Promise<BodyBinding> {
  const hashes = await compareHashes(claims, body, hashClaims);
  const json = parsed(new TextDecoder().decode(body));
  const findings = [
    hashes,
    ...eventClaims.map((name) => compareEvent(own(claims, name), json)),
    compareFields(claims, json),
  ];
  for (const finding of ['mismatch', 'whole', 'part'] as const)
    if (findings.includes(finding)) return finding;
  return 'none';
}

async function compareHashes(claims: Claims, body: Bytes, names: readonly string[]): Promise<BodyBinding> {
  const hashes = names.map((name) => own(claims, name)).filter((hash) => hash !== undefined);
  if (hashes.length === 0) return 'none';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return hashes.every((hash) => typeof hash === 'string' && isDigest(hash, digest)) ? 'whole' : 'mismatch';
}

function isDigest(text: string, digest: Uint8Array): boolean {
  const candidates = [decodeBytes(text, 'hex'), decodeBytes(text, 'base64'), decodeBytes(text, 'base64url')];
  return candidates.some(
    (candidate) =>
      candidate?.length === digest.length && candidate.every((byte, index) => byte === digest[index]),
  );
}

function compareEvent(claim: unknown, json: unknown): BodyBinding {
  if (claim === undefined) return 'none';
  if (typeof claim === 'string') {
    if (claim === own(json, 'eventType')) return 'part';
    const carried = parsed(claim);
    return carried !== undefined && sameJson(carried, json) ? 'whole' : 'mismatch';
  }
  return sameJson(claim, json) ? 'whole' : 'mismatch';
}

function compareFields(claims: Claims, json: unknown): BodyBinding {
  const carried = eventFields.filter((name) => own(claims, name) !== undefined);
  if (carried.length === 0) return 'none';
  return carried.every((name) => sameJson(own(claims, name), own(json, name))) ? 'part' : 'mismatch';
}

function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right) || Array.isArray(left) || Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
