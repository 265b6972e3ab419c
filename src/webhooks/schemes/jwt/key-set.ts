import { createLocalJWKSet, type JSONWebKeySet, type ProtectedHeaderParameters } from 'jose';
// One by one: as a namespace they would cost every import of the package a file more.
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import { ConfigurationError } from '../../../errors/index.ts';
import { requireStrongJwk } from '../key-strength.ts';
import { refusal } from '../verifier.ts';

/** The keys of a set that fit a token: none, one, or several where the token names none. */
export type KeySet = (header: ProtectedHeaderParameters) => AsyncIterable<CryptoKey>;

/** Reads a JSON Web Key Set, or throws a ConfigurationError that says what is wrong with it. */
export function keySetOf(value: unknown): KeySet {
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
