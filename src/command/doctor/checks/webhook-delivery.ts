import { isPaymentsError } from 'stablecoin-payments';
import type { DialectOptions } from 'stablecoin-payments/emulator';
import {
  createWebhookReceiver,
  WebhookVerificationError,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import { isRecord, jsonIn } from '../../../shared/values.ts';
import type { Level } from '../report.ts';

/** The keys of the environment, with which a signature can be verified. */
export interface DeliveryKeys {
  readonly secret: string | undefined;
  readonly publicKey: string | undefined;
}

/** The scheme that signed a delivery. */
export interface Scheme {
  /** The verifier as source text; undefined where none of the client accepts the delivery. */
  readonly option: string | undefined;
  readonly level: Level;
  readonly message: string;
  readonly details?: readonly string[];
  /** The scheme as the emulator has it; undefined for one that it does not have. */
  readonly webhookScheme?: DialectOptions['webhookScheme'];
}

/** A captured delivery. */
export interface CheckedDelivery {
  readonly headers: Headers;
  /** The body as text. An editor may have added a line break, so there may be a second form without it. */
  readonly bodies: readonly string[];
}

/** Reads a delivery from an HTTP request as text, or from JSON with `headers` and `body`. */
export function readDelivery(text: string): CheckedDelivery | undefined {
  const parsed = jsonIn(text);
  if (parsed === undefined) {
    const end = /\r?\n\r?\n|$/.exec(text);
    const head = text.slice(0, end?.index);
    const body = text.slice(head.length + (end?.[0].length ?? 0));
    const entries = [...head.matchAll(/^([\w-]+):(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value.trim()] as const,
    );
    return entries.length === 0 ? undefined : deliveryOf(entries, body);
  }
  if (!isRecord(parsed) || !isRecord(parsed.headers)) return undefined;
  const { headers, body } = parsed;
  return deliveryOf(Object.entries(headers), typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
}

function deliveryOf(entries: Iterable<readonly [string, unknown]>, body: string): CheckedDelivery {
  const headers = new Headers();
  for (const [name, value] of entries) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (typeof text === 'string' && /^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(text))
      headers.set(name, text);
  }
  return { headers, bodies: [...new Set([body, body.trimEnd()])] };
}

/** A refusal of the receiver. */
interface Refused {
  readonly code: string;
  /** The HTTP status of the response; 500 and more where a setting of the receiver may be wrong. */
  readonly status: number;
}

/** The refusal of a delivery by the receiver at a time (Unix seconds), or undefined if it accepts the delivery. */
export async function refusalOf(
  verifier: WebhookVerifier,
  { headers, bodies }: CheckedDelivery,
  seconds: number,
): Promise<Refused | undefined> {
  const receiver = createWebhookReceiver({ verifier, unverifiedStatus: 401, now: () => seconds * 1000 });
  let refused: Refused | undefined;
  for (const body of bodies) {
    refused = await receiver.unwrap(body, headers).then(() => undefined, refusedOf);
    if (refused === undefined) break;
  }
  return refused;
}

/** A body that is not an event was verified before it was read; its own finding says what is wrong with it. */
function refusedOf(error: unknown): Refused | undefined {
  if (!isPaymentsError(error)) throw error;
  const { code } = error;
  if (code === 'webhook_malformed_body') return undefined;
  return { code, status: error instanceof WebhookVerificationError ? error.status : 500 };
}

/** A verifier as source text, in the form in which users write it. */
export function deliverySourceOf(factory: string, key: string, options: object): string {
  const parts = Object.entries(options).map(
    ([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`,
  );
  return `${factory}({ ${[key, ...parts].join(', ')} })`;
}
