import * as z from 'zod/mini';
import { type WebhookErrorCode, WebhookVerificationError } from '../../shared/errors/index.ts';
import { lazy, matching, strictObject, text } from '../../shared/schema/schema.ts';
import { optionsOf } from './options.ts';

/** An event that a scheme proves by itself, where the body may be spelt in other ways. */
export interface ProvedEvent {
  /** The event, with what the scheme adds to it. */
  readonly event: unknown;
  /** What the event says, from `exactJson`, without what the scheme adds. */
  readonly content: () => unknown;
}

/** The acceptance of a delivery, with its id if the signature covers one. Only `verified()` creates it. */
export class VerifiedWebhook {
  /** The delivery's id, where the scheme signs one. It takes precedence over an id in the body. */
  readonly id?: string;
  // A private field cannot be copied or forged, so no other object is taken for an acceptance.
  readonly #proved: ProvedEvent | undefined;

  /** @internal */
  constructor(id: string | undefined, proved?: ProvedEvent) {
    if (id !== undefined) this.id = id;
    this.#proved = proved;
  }

  /** @internal */
  static eventOf(accepted: VerifiedWebhook): ProvedEvent | undefined {
    return accepted.#proved;
  }

  /** @internal */
  static accepts(value: unknown): value is VerifiedWebhook {
    return typeof value === 'object' && value !== null && #proved in value;
  }
}

const verifiedDetails = /* @__PURE__ */ lazy(() =>
  matching<{ readonly id?: string }>()(strictObject({ id: z.optional(text()) })),
);

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
  return new VerifiedWebhook(optionsOf('verified', verifiedDetails(), details).id);
}

/** A delivery as a verifier receives it. */
export interface WebhookVerification {
  /**
   * The body byte for byte, without its content encoding (`gzip`, `deflate`, `br`). If you do not accept it, you are called
   * once more with the bytes as they were sent: some senders sign these.
   */
  readonly body: Uint8Array & {
    /** The memory of the bytes. */
    readonly buffer: ArrayBuffer;
  };
  /** The request's headers; names are case-insensitive. */
  readonly headers: Headers;
  /** The time at which the delivery was received, in milliseconds since 1970. Compare signed timestamps with it. */
  readonly now: number;
  /** The maximum difference between a signed timestamp and `now`, in milliseconds, in either direction. */
  readonly tolerance: number;
}

/**
 * Decides whether a delivery comes from the service. Only `true` and an object made by `verified({ id })` accept it.
 * `false` refuses it with 401. Anything else, such as `{ valid: true }` or a forgotten `return`, and any error refuse
 * it with 500: the verifier itself may be at fault, and senders do not retry after a 4xx.
 */
export type WebhookVerifier = (verification: WebhookVerification) => Promise<boolean | VerifiedWebhook>;

/** Creates a refusal with the status that belongs to its code, unless `status` is given. */
export function refusal(
  code: WebhookErrorCode,
  message: string,
  more: { readonly cause?: unknown; readonly status?: number } = {},
): WebhookVerificationError {
  return new WebhookVerificationError(message, { code, ...more });
}

/** Reads a header that the scheme cannot do without. */
export function requireHeader({ headers }: WebhookVerification, name: string): string {
  const value = headers.get(name);
  if (value) return value;
  throw refusal(
    'webhook_missing_header',
    `The header "${name}" is missing or empty: check the settings of the verifier.`,
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

/** Refuses signed Unix seconds that are too far in the past or the future. */
export function requireFresh(
  seconds: number,
  where: string,
  { now, tolerance }: Pick<WebhookVerification, 'now' | 'tolerance'>,
): void {
  const age = Math.floor(now / 1000) - seconds;
  if (Math.abs(age) * 1000 <= tolerance) return;
  const direction = age > 0 ? 'past' : 'future';
  throw refusal(
    'webhook_timestamp_out_of_tolerance',
    `The timestamp in ${where} is ${Math.abs(age)} s in the ${direction}; ` +
      `the tolerance is ${tolerance / 1000} s. The signature is good: check the clock of this machine.`,
  );
}
