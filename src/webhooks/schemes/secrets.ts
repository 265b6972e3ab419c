import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, concatBytes, decodeBytes, utf8 } from './bytes.ts';
import { requireOneOf } from './verifier.ts';

/** One shared secret, or several of which any may have signed (while a secret is being rotated). */
export type WebhookSecrets =
  | {
      /** The secret. White space around a text is removed. */
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
const minimumBytes = 4;

/** The UTF-8 of every secret, checked: an attacker can sign with a secret that is empty or a placeholder. */
export const textSecrets = (options: WebhookSecrets): readonly Bytes[] => secretBytes(options, utf8);

/** As `textSecrets`, for secrets in base64. */
export const base64Secrets = (options: WebhookSecrets): readonly Bytes[] =>
  secretBytes(options, (secret) => fromBase64(withoutWhsec(secret)));

function secretBytes(options: WebhookSecrets, read: (secret: string) => Bytes): readonly Bytes[] {
  requireOneOf('The webhook scheme', 'secret', 'secrets', options);
  const secrets: readonly unknown[] = Array.isArray(options.secrets) ? options.secrets : [options.secret];
  if (secrets.length === 0)
    throw new ConfigurationError('secrets is empty: pass at least one webhook secret.');
  return secrets.map((secret) => requireStrong(oneSecret(secret, read)));
}

function oneSecret(secret: unknown, read: (secret: string) => Bytes): Bytes {
  if (typeof secret === 'string') {
    const text = secret.trim();
    requireSecretText(text);
    return read(text);
  }
  if (!(secret instanceof Uint8Array)) {
    throw new ConfigurationError('The webhook secret is missing: pass it as a string or a Uint8Array.');
  }
  const text = new TextDecoder().decode(secret);
  // Bytes that are a text come from a file or a variable. Other bytes are a key, in which every byte is right.
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) {
    if (text.trim() !== '' && text !== text.trim()) {
      throw wrongSecret('begins or ends with white space', 'Remove the white space, or pass a string.');
    }
    requireSecretText(text);
  }
  return concatBytes(secret);
}

const withoutWhsec = (secret: string): string =>
  secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;

function fromBase64(text: string): Bytes {
  const bytes = decodeBytes(text, 'base64');
  if (bytes !== undefined) return bytes;
  throw new ConfigurationError(
    'The webhook secret is not base64. Standard Webhooks secrets are base64, with or without the prefix ' +
      '"whsec_"; pass a secret of any other kind as a Uint8Array.',
  );
}

/** A variable that is not set, after a template, a shell or `String()`, and words that stand for a secret to come. */
const placeholderWords =
  /^(?:undefined|null|nan|none|\[object object\]|(?:change|replace)[-_ ]?(?:me|this|it)|your[-_ ](?:\w+[-_ ])*secret(?:[-_ ]here)?|secret|password|placeholder|example|todo|tbd)$/i;

/** A reference that nobody has replaced with its value. */
const reference =
  /[$#]\{.*\}|\$\(.*\)|\{\{.*\}\}|^\$[A-Z_][A-Z0-9_]*$|^%\w+%$|^<.*>$|^process\.env\b|^[a-z]+:\/\/|^arn:aws:|^\/run\/secrets\/|^_*(?:[A-Z]+_)+(?:SECRET|KEY|TOKEN)_*$/;

function requireSecretText(secret: string): void {
  const text = withoutWhsec(secret).trim();
  if (text === '') throw wrongSecret('is empty or blank');
  if (/^(["'`]).*\1$/s.test(secret)) {
    throw wrongSecret('has quotation marks around it', 'Remove them where the variable is set.');
  }
  if (/(?:\\[nr])$/.test(secret)) {
    throw wrongSecret('ends with the characters \\n or \\r', 'Remove them where the variable is set.');
  }
  if (/[\p{Cc}\p{Cf}]/u.test(secret)) {
    throw wrongSecret('contains a line break or another invisible character', 'Copy it again.');
  }
  if (/^(.)\1+$/.test(text)) throw wrongSecret('repeats one character');
  if (placeholderWords.test(text)) throw wrongSecret(`is the placeholder "${text.toLowerCase()}"`);
  if (reference.test(text)) throw wrongSecret('is a reference to a value, not the value itself');
}

function requireStrong(bytes: Bytes): Bytes {
  if (bytes.length === 0) throw wrongSecret('is empty or blank');
  if (bytes.length < minimumBytes) throw wrongSecret(`is shorter than ${minimumBytes} bytes`);
  if (bytes.every((byte) => byte === bytes[0])) throw wrongSecret('repeats one byte');
  return bytes;
}

/** Never quotes the secret. */
const wrongSecret = (
  what: string,
  remedy = 'Check that its environment variable is set.',
): ConfigurationError => new ConfigurationError(`The webhook secret ${what}. ${remedy}`);
