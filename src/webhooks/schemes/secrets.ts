import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, concatBytes, decodeBytes, utf8 } from './bytes.ts';

/** One shared secret, or several of which any may have signed (while a secret is being rotated). */
export type WebhookSecrets =
  | {
      /** The one secret. */
      readonly secret: string | Uint8Array;
      /** Not with `secret`. */
      readonly secrets?: never;
    }
  | {
      /** The secrets of which any may have signed. */
      readonly secrets: readonly (string | Uint8Array)[];
      /** Not with `secrets`. */
      readonly secret?: never;
    };

const prefix = 'whsec_';

/** The UTF-8 of every secret, checked: an attacker can sign with a secret that is empty or a placeholder. */
export const textSecrets = (options: WebhookSecrets): readonly Bytes[] => secretBytes(options, utf8);

/** As `textSecrets`, for secrets in base64. */
export const base64Secrets = (options: WebhookSecrets): readonly Bytes[] =>
  secretBytes(options, (secret) => fromBase64(withoutPrefix(secret)));

function secretBytes(options: WebhookSecrets, read: (secret: string) => Bytes): readonly Bytes[] {
  const secrets: readonly unknown[] = Array.isArray(options.secrets) ? options.secrets : [options.secret];
  if (secrets.length === 0)
    throw new ConfigurationError('secrets is empty: pass at least one webhook secret.');
  return secrets.map((secret) => oneSecret(secret, read));
}

function oneSecret(secret: unknown, read: (secret: string) => Bytes): Bytes {
  if (secret instanceof Uint8Array) {
    requireFilled(new TextDecoder().decode(secret));
    if (secret.every((byte) => byte === 0)) throw blank('holds only zero bytes');
    return concatBytes(secret);
  }
  if (typeof secret !== 'string') {
    throw new ConfigurationError('The webhook secret is missing: pass it as a string or a Uint8Array.');
  }
  requireFilled(withoutPrefix(secret));
  return read(secret);
}

function withoutPrefix(secret: string): string {
  return secret.trim().startsWith(prefix) ? secret.trim().slice(prefix.length) : secret;
}

function fromBase64(text: string): Bytes {
  const bytes = decodeBytes(text, 'base64');
  if (bytes !== undefined) return bytes;
  throw new ConfigurationError(
    'The webhook secret is not base64. Standard Webhooks secrets are base64, with or without the prefix ' +
      '"whsec_"; pass a secret of any other kind as a Uint8Array.',
  );
}

/** What a variable that is not set turns into on its way through a template, a shell or `String()`. */
const placeholders = ['undefined', 'null', 'nan', 'none', '[object object]'];

function requireFilled(text: string): void {
  const word = text.trim().toLowerCase();
  if (word === '') throw blank('is empty or blank');
  if (placeholders.includes(word)) throw blank(`is the word "${word}"`);
}

const blank = (what: string): ConfigurationError =>
  new ConfigurationError(`The webhook secret ${what}. Check that its environment variable is set.`);
