import { importPKCS8, importSPKI } from 'jose';
import { ConfigurationError } from '../../shared/errors/index.ts';

type KeyKind = 'public' | 'private';

/**
 * Key text or an imported key. Text is PEM (SPKI; PKCS#8 for a private key), or the base64 between the PEM lines. Line
 * ends that an environment variable has escaped (`\n`) are read.
 */
export type WebhookKey = string | ImportedWebhookKey;

/** A key as Web Crypto imports it: the `CryptoKey` of any runtime. */
export interface ImportedWebhookKey {
  /** `public` or `private`. */
  readonly type: string;
  /** The algorithm that it is for. */
  readonly algorithm: object;
}

/** Checks what can be checked without importing, and returns the PEM of a key text, or the `CryptoKey`. */
export function requireKey(key: unknown, kind: KeyKind): string | CryptoKey {
  if (!isCryptoKey(key)) return pemOf(key, kind);
  if (key.type === kind) return key;
  throw new ConfigurationError(`The key is a ${key.type} key; a ${kind} key is needed.`);
}

/** Imports a key for a JOSE algorithm. A `CryptoKey` is checked where it is used. */
export async function importKey(
  key: string | CryptoKey,
  algorithm: string,
  kind: KeyKind,
): Promise<CryptoKey> {
  if (typeof key !== 'string') return key;
  try {
    return await (kind === 'private' ? importPKCS8 : importSPKI)(key, algorithm);
  } catch {
    // What the library says of a key is not for an error's text.
    throw new ConfigurationError(`The ${kind} key cannot be read as a key for ${algorithm}.`);
  }
}

const isCryptoKey = (value: unknown): value is CryptoKey =>
  Object.prototype.toString.call(value) === '[object CryptoKey]';

/** The PEM of a key text, or an error that says what the text is instead. */
function pemOf(key: unknown, kind: KeyKind): string {
  const wanted = kind === 'private' ? 'PRIVATE KEY' : 'PUBLIC KEY';
  // Environment variables often carry a PEM with its line ends escaped, or within quotes.
  const text = typeof key === 'string' ? key.replaceAll(/\\[rn]|["']/g, '').trim() : '';
  if (/^[A-Za-z0-9+/\s]{40,}={0,2}$/.test(text))
    return `-----BEGIN ${wanted}-----\n${text}\n-----END ${wanted}-----`;
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  const pem = new RegExp(`-----BEGIN ${wanted}-----[^-]+-----END ${wanted}-----`).exec(text)?.[0];
  if (pem !== undefined) return pem;
  const other =
    label === wanted ? 'is cut off' : label === undefined ? 'is not readable' : `is a PEM "${label}"`;
  const what = text === '' ? 'is missing or blank: check that its environment variable is set' : other;
  throw new ConfigurationError(
    `The ${kind} key ${what}. Pass a PEM that begins with "-----BEGIN ${wanted}-----", ` +
      'the base64 between its first and last line, or a CryptoKey.',
  );
}
