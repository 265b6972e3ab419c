import { type Bytes, decodeBytes, equalBytes } from '../bytes.ts';
import { refusal } from '../verifier.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * How a token's claims must vouch for the body.
 *
 * - `'required'`: one of the claims, of whatever name, is the SHA-256 of the body or the event itself; or the claims
 *   together are the event.
 * - The name of a claim: that claim is the SHA-256 of the body (hex, base64 or base64url) or the event itself.
 * - `'none'`: the claims are not compared with the body. Anyone who sees one valid token can send any body with it.
 */
export type JwtBodyBinding = 'required' | 'none' | (string & {});

/** Refuses a body for which the claims do not vouch in the way that was chosen. */
export async function requireBinding(binding: JwtBodyBinding, claims: Claims, body: Bytes): Promise<void> {
  if (binding === 'none') return;
  const candidates =
    binding === 'required' ? Object.values(claims) : Object.hasOwn(claims, binding) ? [claims[binding]] : [];
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const event = parsed(new TextDecoder().decode(body));
  if (candidates.some((claim) => isDigest(claim, digest) || isEvent(claim, event))) return;
  if (binding === 'required' && isEvent(withoutRegistered(claims, event), event)) return;
  if (binding !== 'required' ? candidates.length > 0 : candidates.some(speaksOfSomeBody)) {
    throw refusal(
      'webhook_body_mismatch',
      "The token's claims vouch for another body than the one received.",
    );
  }
  // The sender signed this token and says nothing of the body: the chosen binding may be wrong.
  throw refusal(
    'webhook_body_mismatch',
    binding === 'required'
      ? "None of the token's claims vouches for the body. If the service's tokens never do, choose bodyBinding: 'none'."
      : `The token has no claim ${JSON.stringify(binding)}, which bodyBinding names.`,
    { status: 500 },
  );
}

const isDigest = (claim: unknown, digest: Uint8Array): boolean =>
  digestsIn(claim).some((bytes) => equalBytes(bytes, digest));

function digestsIn(claim: unknown): Uint8Array[] {
  if (typeof claim !== 'string') return [];
  const text = claim.replace(/^sha-?256[=:]/i, '');
  return (['hex', 'base64', 'base64url'] as const)
    .map((encoding) => decodeBytes(text, encoding))
    .filter((bytes) => bytes !== undefined)
    .filter(({ length }) => length === 32);
}

const isEvent = (claim: unknown, event: unknown): boolean => {
  const carried = typeof claim === 'string' ? parsed(claim) : claim;
  return isRecord(carried) && sameJson(carried, event);
};

/** Claims that a library adds to a payload when it signs it. */
const registered = ['iat', 'exp', 'nbf', 'iss', 'aud', 'sub', 'jti'];

/** The claims without those that a library added to the event. */
const withoutRegistered = (claims: Claims, event: unknown): Claims =>
  Object.fromEntries(
    Object.entries(claims).filter(
      ([name]) => !registered.includes(name) || Object.hasOwn(Object(event), name),
    ),
  );

const speaksOfSomeBody = (claim: unknown): boolean =>
  digestsIn(claim).length > 0 || 'eventType' in Object(typeof claim === 'string' ? parsed(claim) : claim);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON carries no event.
  }
  return undefined;
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
