import type { ProtectedHeaderParameters } from 'jose';
import { ConfigurationError } from '../../../errors/index.ts';
import { requireOneOf } from '../../options.ts';
import { importJoseKey } from '../keys.ts';
import { publicKeyList, type WebhookPublicKeys } from '../public-key-signature.ts';
import { requireSeconds } from '../verifier.ts';
import { keySetOf, remoteKeySet } from './key-set.ts';

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
      readonly jwksTimeout?: never;
      /** Not with public keys. */
      readonly jwksCooldown?: never;
      /** Not with public keys. */
      readonly jwksMaximumAge?: never;
    })
  | {
      /** The key set. */
      readonly jwks: WebhookKeySet;
      /** The longest time that one fetch of the set may take, in seconds; 5 by default. */
      readonly jwksTimeout?: number;
      /** The least time between two fetches, in seconds, also after a failed one; 30 by default. */
      readonly jwksCooldown?: number;
      /** The time for which a fetched set is used before it is fetched again, in seconds; 600 by default. */
      readonly jwksMaximumAge?: number;
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

export function keyCandidates(options: JwtKeys): KeyCandidates {
  for (const name of ['publicKey', 'publicKeys']) requireOneOf('jwtBearer', 'jwks', name, options);
  if (options.jwks !== undefined) return fromKeySet(options);
  for (const name of ['jwksTimeout', 'jwksCooldown', 'jwksMaximumAge']) {
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
  const { jwks, jwksTimeout = 5, jwksCooldown = 30, jwksMaximumAge = 600 } = options;
  for (const [name, value] of Object.entries({ jwksTimeout, jwksCooldown, jwksMaximumAge })) {
    requireSeconds(value, name);
  }
  if (typeof jwks === 'object' && 'keys' in jwks) return keySetOf(jwks);
  const url = requireAddress(jwks);
  const remote = remoteKeySet(url, {
    timeout: jwksTimeout,
    cooldown: jwksCooldown,
    maximumAge: jwksMaximumAge,
  });
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
