import * as z from 'zod/mini';
import { longTime } from '../../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../../shared/schema/schema.ts';
import { isRecord, jsonIn } from '../../../shared/values.ts';
import { type Bytes, decodeBytes, equalBytes, sha256 } from '../bytes.ts';
import { exactJson } from '../exact-json.ts';
import { type ProvedEvent, refusal, requireFresh, type WebhookVerification } from '../verifier.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims that must prove the body.
 *
 * - `'required'`: the claims together are the event, with or without the claims that libraries add, such as `iat`; or one
 *   claim, of any name, is the SHA-256 of the body. A single claim is never the event: a payer may have written it.
 * - The name of a claim: that claim is the SHA-256 of the body (hex, base64 or base64url) or the event itself.
 * - `'none'`: the claims are not compared with the body. Anyone who sees one valid token can send any body with it.
 */
export type JwtBodyBinding = 'required' | 'none' | (string & {});

/** A token of a sender: its claims, and their text. */
export interface SignedToken {
  readonly claims: Claims;
  readonly text: string;
}

/**
 * Refuses a body that the claims do not prove as `binding` says. Returns the event that the claims are, if it is they that
 * prove the body: whoever has the token can spell the body anew, and the event stays the same.
 */
export async function provedBy(
  binding: JwtBodyBinding,
  token: SignedToken,
  body: Bytes,
): Promise<ProvedEvent | undefined> {
  if (binding === 'none') return undefined;
  const digest = await sha256(body);
  const event = jsonIn(new TextDecoder().decode(body));
  return binding === 'required'
    ? provedByAll(token, digest, event)
    : provedByOne(binding, token, digest, event);
}

/** Refuses a body that neither the claims together prove nor a digest among them. */
function provedByAll(
  { claims, text }: SignedToken,
  digest: Uint8Array,
  event: unknown,
): ProvedEvent | undefined {
  const others = Object.entries(claims).filter(([, claim]) => !isDigest(claim, digest));
  if (isEvent(withoutRegistered(others, event), event))
    return { event: claims, content: () => withoutAllRegistered(exactJson(text)) };
  // Any text of an event may be a payer's, so a digest proves nothing where the other claims are another event.
  if (areAnEvent(claims)) throw anotherEvent(event);
  if (others.length < Object.keys(claims).length) return undefined;
  if (others.some(([, claim]) => digestsIn(claim).length > 0)) throw anotherBody();
  const [carrier] = others.find(([, claim]) => 'eventType' in Object(carried(claim))) ?? [];
  throw noProof(
    carrier === undefined
      ? "None of the token's claims proves the body. If the service's tokens never do, set bodyBinding: 'none' and " +
          '`dedupe`, and read the record through the client before you act on an event.'
      : `The token has an event in its claim ${JSON.stringify(carrier)}. If that is the event of the body, set bodyBinding: '${carrier}'.`,
  );
}

/** Refuses a body that the claim of one name does not prove. */
function provedByOne(
  name: string,
  { claims, text }: SignedToken,
  digest: Uint8Array,
  event: unknown,
): ProvedEvent | undefined {
  if (!Object.hasOwn(claims, name)) {
    throw noProof(`The token has no claim ${JSON.stringify(name)}, which bodyBinding names.`);
  }
  const claim = claims[name];
  if (isDigest(claim, digest)) return undefined;
  if (!isEvent(claim, event)) throw typeof carried(claim) === 'object' ? anotherEvent(event) : anotherBody();
  const content = () =>
    typeof claim === 'string' ? exactJson(claim) : Reflect.get(Object(exactJson(text)), name);
  return { event: carried(claim), content };
}

const anotherBody = () =>
  refusal('webhook_body_mismatch', "The token's claims are about another body than the one received.");

/** A body of another form than an event may be genuine: a later release of the receiver may read it. */
const anotherEvent = (body: unknown) =>
  isRecord(body) && areAnEvent(body)
    ? anotherBody()
    : noProof(
        "The token's claims are an event, and the body is of another form. Expected: the same event, an object with `eventType` and `data`.",
      );

/** The sender signed this token and says nothing of the body, so the chosen binding may be wrong. */
const noProof = (message: string) => refusal('webhook_body_mismatch', message, { status: 500 });

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

/** The JSON value of a claim, which may be a text of JSON. */
const carried = (claim: unknown): unknown => (typeof claim === 'string' ? jsonIn(claim) : claim);

const isEvent = (claim: unknown, event: unknown): boolean => {
  const value = carried(claim);
  return typeof value === 'object' && value !== null && sameJson(value, event);
};

/** Claims that a library adds to a payload when it signs it. */
const registered = ['iat', 'exp', 'nbf', 'iss', 'aud', 'sub', 'jti'];

/** The claims without those that a library added to the event. */
const withoutRegistered = (claims: readonly (readonly [string, unknown])[], event: unknown): Claims =>
  Object.fromEntries(
    claims.filter(([name]) => !registered.includes(name) || Object.hasOwn(Object(event), name)),
  );

const withoutAllRegistered = (claims: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(claims)).filter(([name]) => !registered.includes(name)));

const areAnEvent = (claims: Claims): boolean => 'eventType' in claims && 'data' in claims;

function sameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const given = new Map(Object.entries(left));
  const wanted = new Map(Object.entries(right));
  return (
    given.size === wanted.size &&
    // What is missing is undefined, which no value of JSON is.
    [...given].every(([name, value]) => sameJson(value, wanted.get(name)))
  );
}

/**
 * The age at which a token is refused.
 *
 * - `{ maxAge }`: a token is accepted for this many milliseconds after its `iat` (without `iat`: after its `exp`),
 *   although it has expired. The default is 90,000,000 (25 hours), for senders that retry for 24 hours with the first
 *   token of an event. De-duplication stops replays within that time.
 * - `'strict'`: `exp` is obeyed; a token without `exp` needs an `iat` within the receiver's tolerance. A retry with the
 *   first token is refused, and its event is lost.
 * - `'none'`: any age, also without `exp` and `iat`. Only de-duplication stops replays.
 */
export type JwtFreshness =
  | 'strict'
  | 'none'
  | {
      /** Milliseconds after `iat`, or else after `exp`; a minute or more. */
      readonly maxAge: number;
    };

/** 24 hours of retries, and an hour for the last of them to arrive. */
export const defaultFreshness: JwtFreshness = { maxAge: 90_000_000 };

export const freshnessOption = /* @__PURE__ */ lazy(() => {
  const words = 'must be "strict", "none" or { maxAge } in milliseconds';
  const word = z.custom<'strict' | 'none'>((given) => given === 'strict' || given === 'none', {
    error: words,
    params: { kind: 'type' },
  });
  return matching<JwtFreshness>()(z.union([word, strictObject({ maxAge: longTime(60_000) }, words)]));
});

/** Refuses a token that is too old, or not valid yet. The signature is valid, so the response lets the sender retry. */
export function requireFreshToken(
  claims: Claims,
  freshness: JwtFreshness,
  clockSkew: number,
  verification: WebhookVerification,
): void {
  const now = Math.floor(verification.now / 1000);
  const skew = clockSkew / 1000;
  const [exp, iat, nbf] = ['exp', 'iat', 'nbf'].map((name) => seconds(claims, name));
  if ((nbf ?? 0) > now + skew) {
    throw refusal(
      'webhook_claim_refused',
      "The token's claim nbf is in the future: check the clock of this machine.",
    );
  }
  if (freshness === 'none') return;
  const age = freshness === 'strict' ? undefined : freshness.maxAge;
  if (iat !== undefined) {
    const isCounted = age !== undefined || exp === undefined;
    const maxAge = isCounted ? (age ?? verification.tolerance) : Number.POSITIVE_INFINITY;
    const tolerance = iat > now ? verification.tolerance : maxAge;
    requireFresh(iat, "the token's iat", { now: verification.now, tolerance });
    if (isCounted) return;
  }
  if (exp === undefined) {
    throw refusal(
      'webhook_claim_refused',
      'The token has neither exp nor iat, so its age is not known. The signature is good: if the tokens of the service ' +
        "never have a time, set freshness: 'none' and `dedupe`.",
    );
  }
  if (exp + (age ?? 0) / 1000 > now - skew) return;
  throw refusal(
    'webhook_token_expired',
    'The token has expired. The signature is good: check the clock of this machine, and set `freshness` if the sender ' +
      'retries with its first token.',
  );
}

function seconds(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  if (Number.isFinite(value)) return Number(value);
  throw refusal('webhook_claim_refused', `The token's claim ${name} is not a number.`);
}
