import { importPKCS8, importSPKI } from 'jose';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { decodeBytes } from './bytes.ts';

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
  const [begin, end] = [`-----BEGIN ${wanted}-----`, `-----END ${wanted}-----`];
  // Environment variables often carry a PEM with its line ends escaped, or within quotes.
  const text = typeof key === 'string' ? key.replaceAll(/\\[rn]|["']/g, '').trim() : '';
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  const within = new RegExp(`${begin}([\\s\\S]*?)${end}`).exec(text)?.[1];
  const base64 = (within ?? text).replaceAll(/\s/g, '');
  const der = decodeBytes(base64, 'base64');
  if (der !== undefined && isWholeDer(der)) return [begin, base64, end].join('\n');
  throw new ConfigurationError(
    `The ${kind} key ${faultOf(text, label, wanted, within, der)}. Pass a PEM that begins with "${begin}", ` +
      'the base64 between its first and last line, or a CryptoKey.',
  );
}

function faultOf(
  text: string,
  label: string | undefined,
  wanted: string,
  within: string | undefined,
  der: Uint8Array | undefined,
): string {
  if (text === '') return 'is missing or blank: check that its environment variable is set';
  if (label !== undefined && label !== wanted) return `is a PEM "${label}"`;
  if (text.includes('\\'))
    return 'contains backslashes: its line ends were escaped twice. Write each as a line break, or escape it once (\\n)';
  if (label !== undefined && within === undefined) return 'is cut off';
  if (der === undefined) return 'is not readable: it is not base64';
  if (new TextDecoder().decode(der).includes('-----BEGIN '))
    return 'is the base64 of a whole PEM: decode it first';
  return der[0] === sequence
    ? 'is cut off, or something follows it'
    : 'is not readable: its base64 is not a key';
}

/** The first byte of a key in DER. */
const sequence = 0x30;

/** Returns true for one sequence of DER that is as long as it says. What it contains is read with the algorithm. */
function isWholeDer(bytes: Uint8Array): boolean {
  const [first, length = 0] = bytes;
  // Above 0x80 it is the number of the bytes in which the length stands.
  const more = Math.max(length - 0x80, 0);
  const stated = more === 0 ? length : bytes.subarray(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0);
  return first === sequence && bytes.length === 2 + more + stated;
}
