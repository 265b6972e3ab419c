import { createLocalJWKSet, type JSONWebKeySet, type ProtectedHeaderParameters } from 'jose';
import { ConfigurationError } from '../../../errors/index.ts';
import { requireStrongJwk } from '../key-strength.ts';
import { refusal } from '../verifier.ts';

/** The keys of a set that fit a token: none, one, or several where the token names none. */
export type KeySet = (header: ProtectedHeaderParameters) => AsyncIterable<CryptoKey>;

/** Reads a JSON Web Key Set, or throws a ConfigurationError that says what is wrong with it. */
export function keySetOf(value: unknown): KeySet {
  if (!isKeySet(value)) throw new ConfigurationError('jwks is not a JSON Web Key Set.');
  for (const key of value.keys) requireStrongJwk(key);
  const find = finderOf(value);
  return async function* (header) {
    try {
      yield await find(header);
    } catch (error) {
      const code: unknown = Reflect.get(Object(error), 'code');
      if (code === 'ERR_JWKS_NO_MATCHING_KEY') return;
      if (code !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS' || !isAsyncIterable(error)) {
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
    throw new ConfigurationError('jwks is not a JSON Web Key Set.');
  }
}

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' &&
  value !== null &&
  'keys' in value &&
  Array.isArray(value.keys) &&
  value.keys.every((key) => typeof key === 'object' && key !== null);

const isAsyncIterable = (value: unknown): value is AsyncIterable<CryptoKey> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
