import { ConfigurationError, WebhookVerificationError } from '../../errors/index.ts';
import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import type { SignatureEncoding } from './bytes.ts';

let isMadeHere: (value: object) => boolean;

/** The acceptance of a delivery, with its id if the signature covers one. Only `verified()` creates it. */
export class VerifiedWebhook {
  /** The delivery's id, where the scheme signs one. It takes precedence over an id in the body. */
  readonly id?: string;
  // A private field cannot be copied or forged, so no other object is taken for an acceptance.
  readonly #made: unknown;

  static {
    isMadeHere = (value) => #made in value;
  }

  /** @internal */
  constructor(id: string | undefined) {
    if (id !== undefined) this.id = id;
  }
}

/**
 * Accepts a delivery from a verifier of your own and names the delivery's id. The receiver and `verified` must come
 * from the same copy of this package: objects of another copy (ESM and CommonJS in one process, a duplicate install) are refused.
 *
 * @param details - `id`: the delivery's id, as far as the signature covers it. Never pass an unsigned header.
 * @returns The object for the verifier to resolve with.
 * @throws ConfigurationError when `id` is not a string or is blank: every event would have the same id.
 * @example
 * ```ts
 * import { verified, type WebhookVerifier } from 'stablecoin-payments/webhooks';
 *
 * const verifier: WebhookVerifier = async ({ headers, body }) => {
 *   const id = headers.get('x-delivery-id') ?? '';
 *   return (await signatureCovers(id, body, headers.get('x-signature'))) && verified({ id });
 * };
 *
 * declare function signatureCovers(id: string, body: Uint8Array, signature: string | null): Promise<boolean>;
 * ```
 */
export function verified(details: { readonly id?: string } = {}): VerifiedWebhook {
  requireOptions('verified', details, { id: true });
  const id: unknown = details.id;
  if (id !== undefined && (typeof id !== 'string' || id.trim() === '')) {
    throw new ConfigurationError('verified({ id }) needs an id that is a string and not blank.');
  }
  return new VerifiedWebhook(id);
}

export const isVerified = (value: unknown): value is VerifiedWebhook =>
  typeof value === 'object' && value !== null && isMadeHere(value);

/** A delivery as a verifier receives it. */
export interface WebhookVerification {
  /** The body, byte for byte as it was received. */
  readonly body: Uint8Array & {
    /** The memory of the bytes. */
    readonly buffer: ArrayBuffer;
  };
  /** The request's headers; names are case-insensitive. */
  readonly headers: Headers;
  /** The time at which the delivery was received, in milliseconds since 1970. Compare signed timestamps with it. */
  readonly now: number;
  /** The largest difference between a signed timestamp and `now`, in seconds, in either direction. */
  readonly tolerance: number;
  /** The current time in milliseconds, if it is not `now`: the delivery was received earlier and is verified now. */
  readonly clock?: number;
}

/**
 * Decides whether a delivery comes from the service. Only `true` and an object made by `verified({ id })` accept it.
 * `false` refuses it with 401. Anything else, such as `{ valid: true }` or a forgotten `return`, and any error refuse
 * it with 500: the verifier itself may be at fault, and senders do not retry after a 4xx.
 */
export type WebhookVerifier = (verification: WebhookVerification) => Promise<boolean | VerifiedWebhook>;

/** The reasons for which a delivery is refused: the `code` of a `WebhookVerificationError`. */
export type WebhookErrorCode =
  | 'webhook_missing_header'
  | 'webhook_malformed_header'
  | 'webhook_bad_signature'
  | 'webhook_timestamp_out_of_tolerance'
  | 'webhook_token_expired'
  | 'webhook_claim_refused'
  | 'webhook_body_mismatch'
  | 'webhook_keys_unavailable'
  | 'webhook_verifier_failed'
  | 'webhook_missing_body'
  | 'webhook_upload_aborted'
  | 'webhook_body_already_parsed'
  | 'webhook_body_too_large'
  | 'webhook_malformed_body'
  | 'webhook_method_not_allowed'
  | 'webhook_in_progress'
  | 'webhook_claim_lost'
  | 'webhook_store_unavailable';

/** Creates a refusal with the status that belongs to its code, unless `status` is given. */
export function refusal(
  code: WebhookErrorCode,
  message: string,
  more: { readonly cause?: unknown; readonly status?: number } = {},
): WebhookVerificationError {
  return new WebhookVerificationError(message, { code, ...more });
}

/** Reads a header that the scheme cannot do without. The refusal names headers of the request that may be meant. */
export function requireHeader({ headers }: WebhookVerification, name: string): string {
  const value = headers.get(name);
  if (value) return value;
  const similar = [...headers.keys()]
    .filter((present) => present !== name.toLowerCase() && /sign|hmac|digest|auth|webhook|svix/.test(present))
    .slice(0, 5)
    .map((present) => `"${present.slice(0, 60)}"`);
  throw refusal(
    'webhook_missing_header',
    `The header "${name}" is missing or empty.` +
      (similar.length === 0
        ? ''
        : ` The delivery has ${similar.join(', ')}: check the settings of the verifier.`),
  );
}

/** The advice for a signature that has the right form and does not match. */
export const mismatchAdvice =
  'Check that the secret or key is the one of this endpoint and environment, and that nothing changes the body before it is verified.';

/** Reads the Unix seconds of a header. They are compared with the clock after the signature has vouched for them. */
export function readTimestamp(verification: WebhookVerification, name: string): string {
  const timestamp = requireHeader(verification, name);
  requireUnixSeconds(timestamp, name);
  return timestamp;
}

export function requireUnixSeconds(timestamp: string, header: string): void {
  if (/^\d{1,12}$/.test(timestamp)) return;
  throw refusal(
    'webhook_malformed_header',
    `The timestamp in the header "${header}" is not a number of Unix seconds.`,
  );
}

/** Refuses a signed timestamp that is too far in the past or the future. */
export function requireFresh(timestamp: string, header: string, verification: WebhookVerification): void {
  requireWithinTolerance(Number(timestamp), `the header "${header}"`, verification);
}

/** As `requireFresh`, for a timestamp that is already a number. */
export function requireWithinTolerance(
  seconds: number,
  where: string,
  verification: WebhookVerification,
): void {
  const age = Math.floor(verification.now / 1000) - seconds;
  if (Math.abs(age) <= verification.tolerance) return;
  const direction = age > 0 ? 'past' : 'future';
  throw refusal(
    'webhook_timestamp_out_of_tolerance',
    `The timestamp in ${where} is ${Math.abs(age)} s in the ${direction}; ` +
      `the tolerance is ${verification.tolerance} s. The signature is good: check the clock of this machine.`,
  );
}

/**
 * Refuses options that are not an object, and names that do not exist.
 *
 * @param where - The function, for the message.
 * @param options - The options as given.
 * @param names - The names that exist.
 * @param hints - The right names for names that belong elsewhere, which stand in lower-case letters and digits.
 */
export function requireOptions<Options extends object>(
  where: string,
  options: Options,
  names: OptionNames<Options>,
  hints?: Readonly<Record<string, string>>,
): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ConfigurationError(`${where} needs an object with its options.`);
  }
  const fail = (message: string): never => {
    throw new ConfigurationError(`${where}: ${message}`);
  };
  refuseUnknown(given, names, fail, hints);
}

/** Refuses two options of which one would be ignored. */
export function requireOneOf(where: string, first: string, second: string, options: object): void {
  const isGiven = (name: string): boolean => Reflect.get(options, name) !== undefined;
  if (isGiven(first) && isGiven(second)) {
    throw new ConfigurationError(`${where}: pass \`${first}\` or \`${second}\`, not both.`);
  }
}

export function requireHeaderName(name: unknown, option: string): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) return;
  throw new ConfigurationError(`${option} must be the name of a header.`);
}

export function requireEncoding(encoding: SignatureEncoding): void {
  if (['hex', 'base64', 'base64url'].includes(encoding)) return;
  throw new ConfigurationError('encoding must be "hex", "base64" or "base64url".');
}

/** Refuses anything but a number of seconds, 0 or more. */
export function requireSeconds(seconds: unknown, option: string): void {
  if (Number.isFinite(seconds) && Number(seconds) >= 0) return;
  throw new ConfigurationError(`${option} must be a number of seconds, 0 or more.`);
}
