import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type ProtectedHeaderParameters,
} from 'jose';
import { ConfigurationError } from '../../errors/index.ts';
import { importJoseKey } from './keys.ts';
import { publicKeyList, type WebhookPublicKeys } from './public-key-signature.ts';
import { refusal } from './verifier.ts';

/** A JSON Web Key Set: its address (https, or http on this machine), or the set itself. */
export type WebhookKeySet =
  | string
  | URL
  | {
      /** The keys as JWK objects. */
      readonly keys: readonly object[];
    };

/** Where `jwtBearer` finds its public keys. */
export type JwtKeys =
  | (WebhookPublicKeys & {
      /** Not with public keys. */
      readonly jwks?: never;
    })
  | {
      /** The key set. */
      readonly jwks: WebhookKeySet;
      /** Not with a key set. */
      readonly publicKey?: never;
      /** Not with a key set. */
      readonly publicKeys?: never;
    };

/** The keys to try, in turn, for a token. */
export type KeyCandidates = (header: ProtectedHeaderParameters) => AsyncIterable<CryptoKey>;

export function keyCandidates(options: JwtKeys, algorithms: readonly string[]): KeyCandidates {
  if (options.jwks !== undefined) return fromKeySet(options.jwks);
  const keys = publicKeyList(options);
  const imported = new Map<string, CryptoKey>();
  return async function* ({ alg }) {
    // A token may name any algorithm; only a pinned one may decide how a key is read.
    const algorithm = algorithms.find((pinned) => pinned === alg);
    if (algorithm === undefined) return;
    for (const [index, given] of keys.entries()) {
      const name = `${index} ${algorithm}`;
      const key = imported.get(name) ?? (await importJoseKey(given, [algorithm], 'public'));
      imported.set(name, key);
      yield key;
    }
  };
}

function fromKeySet(keySet: WebhookKeySet): KeyCandidates {
  const find = keyFinder(keySet);
  return async function* (header) {
    try {
      yield await find(header);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ERR_JWKS_NO_MATCHING_KEY') return;
      if (code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS' && isAsyncIterable(error)) yield* error;
      else
        throw refusal('webhook_keys_unavailable', 'The JSON Web Key Set cannot be read at present.', error);
    }
  };
}

function keyFinder(keySet: WebhookKeySet) {
  if (isKeySet(keySet)) {
    try {
      return createLocalJWKSet(keySet);
    } catch {
      throw new ConfigurationError('jwks is not a JSON Web Key Set.');
    }
  }
  const url = URL.parse(String(keySet));
  const local = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return createRemoteJWKSet(url);
  throw new ConfigurationError('jwks must be a JSON Web Key Set or its https address.');
}

const isKeySet = (value: WebhookKeySet): value is JSONWebKeySet =>
  typeof value === 'object' && 'keys' in value;

const isAsyncIterable = (value: unknown): value is AsyncIterable<CryptoKey> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
