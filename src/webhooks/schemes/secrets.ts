import * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { checkedElsewhere } from '../../shared/schema/option-values.ts';
import { lazy } from '../../shared/schema/schema.ts';
import { type AtFirstDelivery, atFirstDelivery } from './at-first-delivery.ts';
import { type Bytes, concatBytes, decodeBytes, utf8 } from './bytes.ts';
import { oneOrMany } from './options.ts';

/** A shared secret, or a function that returns it at the first delivery. White space around a text is removed. */
export type WebhookSecret = AtFirstDelivery<string | Uint8Array>;

/** One shared secret, or several of which any may have signed (while a secret is being rotated). */
export type WebhookSecrets =
  | {
      /** The secret. */
      readonly secret: WebhookSecret;
      /** Not with `secret`. */
      readonly secrets?: never;
    }
  | {
      /** The secrets of which any may have signed. */
      readonly secrets: readonly WebhookSecret[];
      /** Not with `secrets`. */
      readonly secret?: never;
    };

/** The options with the secrets. What they are is checked where they are read. */
export const secretFields = /* @__PURE__ */ lazy(() => ({
  secret: z.optional(checkedElsewhere<WebhookSecret>()),
  secrets: z.optional(checkedElsewhere<readonly WebhookSecret[]>()),
}));

/** Returns the bytes of the secrets. */
export type SecretBytes = () => readonly Bytes[] | Promise<readonly Bytes[]>;

const minimumBytes = 4;

/** The UTF-8 of every secret, checked: an attacker can sign with a secret that is empty or a placeholder. */
export const textSecrets = (options: object): SecretBytes => secretBytes(options, utf8);

/** As `textSecrets`, for secrets in base64, with or without the prefix of Standard Webhooks. */
export const base64Secrets = (options: object): SecretBytes => secretBytes(options, fromBase64);

function secretBytes(options: object, read: (secret: string) => Bytes): SecretBytes {
  const [option, given] = oneOrMany('secret', 'secrets', options);
  return atFirstDelivery(option, given, (secret) => {
    const given = typeof secret === 'string' ? read(requireSecretText(secret)) : secret;
    if (!(given instanceof Uint8Array)) throw wrongSecret('must be a string or a Uint8Array');
    const bytes = concatBytes(given);
    if (bytes.length < minimumBytes) throw wrongSecret(`is shorter than ${minimumBytes} bytes`);
    if (bytes.every((byte) => byte === bytes[0])) throw wrongSecret('repeats one byte');
    return bytes;
  });
}

/** The text of a variable that is not set, after a template or `String()`, or of a reference that was not replaced. */
const unset = /^(?:undefined|null|\[object \w+\]|[$#]?\{[^}]*\}+|change[-_ ]?me)$/i;

function requireSecretText(secret: string): string {
  const text = secret.trim();
  const value = text.replace(/^whsec_/, '');
  if (value === '') throw wrongSecret('is empty or blank');
  if (unset.test(value)) throw wrongSecret('is a placeholder and not a secret');
  if (/^(["'`]).*\1$/s.test(text)) throw wrongSecret('is in quotes', alone);
  if (/\\[rn]$/.test(text)) throw wrongSecret('ends with an escaped line end', alone);
  return text;
}

function fromBase64(secret: string): Bytes {
  const bytes = decodeBytes(secret.replace(/^whsec_/, ''), 'base64');
  if (bytes !== undefined) return bytes;
  throw wrongSecret(
    'is not base64',
    'Standard Webhooks secrets are base64, with or without "whsec_". Pass any other secret as a Uint8Array.',
  );
}

const alone =
  'Pass the secret alone, such as whsec_MfKQ… without quotes. If these characters are part of it, pass it as a Uint8Array.';

/** Never quotes the secret. */
const wrongSecret = (what: string, remedy = 'Check that its environment variable is set.') =>
  new ConfigurationError(`The webhook secret ${what}. ${remedy}`);
