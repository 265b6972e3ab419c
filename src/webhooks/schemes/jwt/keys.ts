import { createLocalJWKSet, type JSONWebKeySet, type ProtectedHeaderParameters } from 'jose';
// One by one: as a namespace they would cost every import of the package a file more.
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import { ConfigurationError } from '../../../errors/index.ts';
import { textWithin } from '../../../shared/text-within.ts';
import { importJoseKey, requireStrongJwk } from '../keys.ts';
import { publicKeyList, type WebhookPublicKeys } from '../public-key-signature.ts';
import { refusal, requireOneOf, requireSeconds } from '../verifier.ts';

/** A JSON Web Key Set: its address (https, or http on this machine), or the set itself. */
export type WebhookKeySet =
  | string
  | URL
  | {
      /** The keys as JWK objects. */
      readonly keys: readonly object[];
    };

/** The public keys of `jwtBearer`, or the address of a set of them. */
export type JwtKeys =
  | (WebhookPublicKeys & {
      /** Not with public keys. */
      readonly jwks?: never;
      /** Not with public keys. */
      readonly jwksTimeoutSeconds?: never;
      /** Not with public keys. */
      readonly jwksCooldownSeconds?: never;
      /** Not with public keys. */
      readonly jwksMaxAgeSeconds?: never;
    })
  | {
      /** The address of a key set, or its keys. */
      readonly jwks: WebhookKeySet;
      /** The longest time that one fetch of the set may take, in seconds; 5 by default. */
      readonly jwksTimeoutSeconds?: number;
      /** The least time between two fetches, in seconds, also after a failed one; 30 by default. */
      readonly jwksCooldownSeconds?: number;
      /** The time for which a fetched set is used before it is fetched again, in seconds; 600 by default. */
      readonly jwksMaxAgeSeconds?: number;
      /** Not with a key set. */
      readonly publicKey?: never;
      /** Not with a key set. */
      readonly publicKeys?: never;
    };

/**
 * Yields the keys to try, in turn, for a token. `now` is the receiver's clock, in milliseconds. The algorithm decides how
 * a key is read, so it must be one of the pinned ones: a token may name any other.
 */
export type KeyCandidates = (
  header: ProtectedHeaderParameters & { readonly alg: string },
  now: number,
) => AsyncIterable<CryptoKey>;

const jwksTimes = ['jwksTimeoutSeconds', 'jwksCooldownSeconds', 'jwksMaxAgeSeconds'] as const;
type JwksTime = (typeof jwksTimes)[number];

export function keyCandidates(options: JwtKeys): KeyCandidates {
  for (const name of ['publicKey', 'publicKeys']) requireOneOf('jwtBearer', 'jwks', name, options);
  if (options.jwks !== undefined) return fromKeySet(options);
  for (const name of jwksTimes) {
    if (Reflect.get(options, name) !== undefined)
      throw new ConfigurationError(`jwtBearer: \`${name}\` needs \`jwks\`.`);
  }
  const keys = publicKeyList(options);
  const imported = new Map<string, CryptoKey>();
  return async function* ({ alg }) {
    for (const [index, given] of keys.entries()) {
      const name = `${index} ${alg}`;
      const key = imported.get(name) ?? (await importJoseKey(given, [alg], 'public'));
      imported.set(name, key);
      yield key;
    }
  };
}

function fromKeySet(options: Extract<JwtKeys, { jwks: WebhookKeySet }>): KeyCandidates {
  const { jwks, jwksTimeoutSeconds = 5, jwksCooldownSeconds = 30, jwksMaxAgeSeconds = 600 } = options;
  const times = { jwksTimeoutSeconds, jwksCooldownSeconds, jwksMaxAgeSeconds };
  for (const [name, value] of Object.entries(times)) requireSeconds(value, name);
  if (typeof jwks === 'object' && 'keys' in jwks) return keySetOf(jwks);
  const remote = remoteKeySet(requireAddress(jwks), times);
  return async function* (header, now) {
    const { keys, wasFetched } = await remote.current(now);
    yield* keys(header);
    // Another key may have been published since, also under the same id. A set that was fetched for this token is new.
    if (!wasFetched) yield* (await remote.newer(now))(header);
  };
}

function requireAddress(address: string | URL): URL {
  const url = URL.parse(String(address));
  const local = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return url;
  throw new ConfigurationError('jwks must be a JSON Web Key Set or its https address.');
}

/** The keys of a set that fit a token: none, one, or several where the token names none. */
type KeySet = (header: ProtectedHeaderParameters) => AsyncIterable<CryptoKey>;

/** Reads a JSON Web Key Set, or throws a ConfigurationError that says what is wrong with it. */
function keySetOf(value: unknown): KeySet {
  if (!isKeySet(value)) throw notAKeySet();
  const find = finderOf(value);
  for (const key of value.keys) requireStrongJwk(key);
  return async function* (header) {
    try {
      yield await find(header);
    } catch (error) {
      if (error instanceof JWKSNoMatchingKey) return;
      if (!(error instanceof JWKSMultipleMatchingKeys)) {
        throw refusal('webhook_keys_unavailable', 'A key of the JSON Web Key Set cannot be read.', {
          cause: error,
        });
      }
      yield* error;
    }
  };
}

function finderOf(keySet: JSONWebKeySet) {
  try {
    return createLocalJWKSet(keySet);
  } catch {
    throw notAKeySet();
  }
}

const notAKeySet = () => new ConfigurationError('jwks is not a JSON Web Key Set.');

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  Array.isArray(Reflect.get(Object(value), 'keys'));

/**
 * Fetches a key set once for all deliveries that wait for it, and not again before the cooldown has passed, whether the
 * fetch succeeded or failed: deliveries that nobody signed must not become requests to the key server.
 */
function remoteKeySet(url: URL, times: Readonly<Record<JwksTime, number>>) {
  // A signal takes whole milliseconds only.
  const [timeout, cooldown] = [Math.ceil(times.jwksTimeoutSeconds * 1000), times.jwksCooldownSeconds * 1000];
  let loaded: { readonly keys: KeySet; readonly at: number } | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let loading: { readonly promise: Promise<KeySet>; readonly since: number } | undefined;

  const load = async (now: number): Promise<KeySet> => {
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/jwk-set+json, application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const text = await textWithin(response.body, maximumBytes);
      if (text === undefined) throw new Error(`more than ${maximumBytes} bytes`);
      const keys = keySetOf(requireFew(JSON.parse(text)));
      loaded = { keys, at: now };
      return keys;
    } catch (cause) {
      throw unavailable(`could not be fetched from ${url.host}`, cause);
    } finally {
      loading = undefined;
    }
  };

  const refresh = (now: number): Promise<KeySet> => {
    // A fetch that outlives its timeout belongs to a request that the platform ended.
    if (loading !== undefined && now - loading.since <= timeout) {
      if (mayShare()) return loading.promise;
      throw unavailable('is being fetched by another delivery');
    }
    if (Math.abs(now - attemptedAt) < cooldown) {
      throw unavailable(`was fetched less than ${times.jwksCooldownSeconds} s ago`);
    }
    attemptedAt = now;
    const promise = load(now);
    loading = { promise, since: now };
    return promise;
  };

  return {
    /** Returns the set to use at this time. It is fetched if there is none, or if it is too old. */
    async current(now: number) {
      if (loaded !== undefined && Math.abs(now - loaded.at) < times.jwksMaxAgeSeconds * 1000) {
        return { keys: loaded.keys, wasFetched: false };
      }
      return { keys: await refresh(now), wasFetched: true };
    },
    /** Fetches the set again for a token that no key of the current one fits. Throws a 503 refusal in the cooldown. */
    newer: async (now: number) => refresh(now),
  };
}

/** Sets have a handful of keys. A token without a key id is tried with each of them. */
const maximumKeys = 100;
const maximumBytes = 262_144;

function requireFew(set: unknown): unknown {
  const keys: unknown = Reflect.get(Object(set), 'keys');
  if (Array.isArray(keys) && keys.length > maximumKeys) throw new Error(`more than ${maximumKeys} keys`);
  return set;
}

/** Workers forbids waiting for a promise of another request. */
const mayShare = (): boolean => globalThis.navigator?.userAgent !== 'Cloudflare-Workers';

const unavailable = (what: string, cause?: unknown) =>
  refusal('webhook_keys_unavailable', `The JSON Web Key Set ${what}.`, { cause });
