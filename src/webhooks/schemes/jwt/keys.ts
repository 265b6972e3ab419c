import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type ProtectedHeaderParameters,
} from 'jose';
// One by one: as a namespace they would cost every import of the package a file more.
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../../shared/errors/index.ts';
import { checkedElsewhere } from '../../../shared/schema/option-values.ts';
import { lazy } from '../../../shared/schema/schema.ts';
import { isRecord } from '../../../shared/values.ts';
import { type AtFirstDelivery, atFirstDelivery } from '../at-first-delivery.ts';
import { importKey, requireKey, type WebhookKey } from '../keys.ts';
import { oneOrMany } from '../options.ts';
import { refusal } from '../verifier.ts';

/** A public key, or a function that returns it at the first delivery. */
export type WebhookPublicKey = AtFirstDelivery<WebhookKey>;

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
  | {
      /** The one key. */
      readonly publicKey: WebhookPublicKey;
      /** Not with `publicKey`. */
      readonly publicKeys?: never;
      /** Not with `publicKey`. */
      readonly jwks?: never;
    }
  | {
      /** The keys of which any may have signed, while a key is being rotated. */
      readonly publicKeys: readonly WebhookPublicKey[];
      /** Not with `publicKeys`. */
      readonly publicKey?: never;
      /** Not with `publicKeys`. */
      readonly jwks?: never;
    }
  | {
      /** The address of a key set, or its keys. A set is fetched within 5 s, and again after 10 minutes. */
      readonly jwks: WebhookKeySet;
      /** Not with a key set. */
      readonly publicKey?: never;
      /** Not with a key set. */
      readonly publicKeys?: never;
    };

/**
 * Yields the keys to try, in turn, for a token. The algorithm decides how a key is read, so it must be one of the pinned
 * ones: a token may name any other.
 */
export type KeyCandidates = (
  header: ProtectedHeaderParameters & { readonly alg: string },
) => AsyncIterable<KeyCandidate>;

/** Reads a key when it is tried. Throws a ConfigurationError if it cannot be read. */
export type KeyCandidate = () => Promise<CryptoKey>;

/** The options with the keys. What they are is checked where they are read. */
export const keyFields = /* @__PURE__ */ lazy(() => ({
  publicKey: z.optional(checkedElsewhere<WebhookPublicKey>()),
  publicKeys: z.optional(checkedElsewhere<readonly WebhookPublicKey[]>()),
  jwks: z.optional(checkedElsewhere<WebhookKeySet>()),
}));

/** The keys as they were given: under one of the names, if they are right. */
type GivenKeys = { readonly [Name in keyof KeyFields]?: z.output<KeyFields[Name]> };
type KeyFields = ReturnType<typeof keyFields>;

export function keyCandidates(options: GivenKeys): KeyCandidates {
  const { jwks } = options;
  if (jwks !== undefined) {
    if (options.publicKey !== undefined || options.publicKeys !== undefined)
      throw new ConfigurationError('jwtBearer: pass `jwks`, `publicKey` or `publicKeys`, not two of them.');
    return isRecord(jwks) && 'keys' in jwks ? localKeySet(jwks) : remoteKeySet(jwks);
  }
  const [option, given] = oneOrMany('publicKey', 'publicKeys', options);
  const keys = atFirstDelivery(option, given, (key) => requireKey(key, 'public'));
  const imported = new Map<string, CryptoKey>();
  return async function* ({ alg }) {
    for (const [index, key] of (await keys()).entries()) {
      const name = `${index} ${alg}`;
      yield async () => {
        const ready = imported.get(name) ?? (await importKey(key, alg, 'public'));
        imported.set(name, ready);
        return ready;
      };
    }
  };
}

/** The keys of a set that fit a token: none, one, or several where the token names none. */
async function* keysIn<Header>(
  find: (header: Header) => Promise<CryptoKey>,
  header: Header,
): AsyncGenerator<KeyCandidate> {
  try {
    const key = await find(header);
    yield async () => key;
  } catch (error) {
    if (error instanceof JWKSNoMatchingKey) return;
    if (!(error instanceof JWKSMultipleMatchingKeys))
      throw unavailable('could not be fetched or read', error);
    for await (const key of error) yield async () => key;
  }
}

function localKeySet(keySet: unknown): KeyCandidates {
  if (!isKeySet(keySet)) throw new ConfigurationError('jwks is not a JSON Web Key Set.');
  const find = createLocalJWKSet(keySet);
  return (header) => keysIn(find, header);
}

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isRecord(value) && Array.isArray(value.keys) && value.keys.every(isRecord);

/** Fetches the set when it is needed, and again for a token that no key fits: a key may have changed, also under its id. */
function remoteKeySet(address: string | URL): KeyCandidates {
  const url = URL.parse(String(address));
  const local = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && local)))
    throw new ConfigurationError('jwks must be a JSON Web Key Set or its https address.');
  const keySet = createRemoteJWKSet(url);
  return async function* (header) {
    const wasFetched = keySet.coolingDown;
    yield* keysIn(keySet, header);
    // Deliveries that nobody signed must not become requests to the key server.
    if (wasFetched) throw unavailable('was fetched less than 30 s ago, and has no key for this token');
    if (keySet.coolingDown) return;
    yield* keysIn(() => keySet.reload().then(() => keySet(header)), header);
  };
}

const unavailable = (what: string, cause?: unknown) =>
  refusal('webhook_keys_unavailable', `The JSON Web Key Set ${what}.`, { cause });
