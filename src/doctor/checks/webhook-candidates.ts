import { isPaymentsError } from 'stablecoin-payments';
import {
  createWebhookReceiver,
  WebhookVerificationError,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import type { Delivery } from './webhook-delivery.ts';

/** The keys of the environment, with which a signature can be verified. */
export interface WebhookKeys {
  readonly secret: string | undefined;
  readonly publicKey: string | undefined;
}

/** The scheme that signed a delivery, with the options that were tried. */
export interface Scheme {
  readonly name: string;
  /** The verifier as source text; undefined if the receiver cannot verify such a delivery. */
  readonly option: string | undefined;
  readonly level: 'ok' | 'note' | 'warning' | 'failure';
  readonly message: string;
  readonly details?: readonly string[];
}

/** A verifier with its source text. It has no verifier if the environment has no key. */
export interface Candidate {
  readonly option: string;
  readonly verifier: WebhookVerifier | undefined;
}

/** The options as source text, in the form in which users write them. */
export function candidateOf(
  factory: string,
  options: object,
  key: string | undefined,
  make: (key: string) => WebhookVerifier,
): Candidate {
  const keyName = /jwt|publicKey/.test(factory) ? 'publicKey' : 'secret';
  const parts = [keyName, ...Object.entries(options).map(([name, value]) => `${name}: ${sourceText(value)}`)];
  return {
    option: `${factory}({ ${parts.join(', ')} })`,
    verifier: key === undefined ? undefined : make(key),
  };
}

function sourceText(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(sourceText).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${sourceText(inner)}`)
      .join(', ')} }`;
  return String(value);
}

/** Tries candidates in turn with the receiver, at a time at which the delivery was fresh. */
export async function tried(
  name: string,
  message: string,
  candidates: readonly [Candidate, ...Candidate[]],
  delivery: Delivery,
  seconds: number | undefined,
): Promise<Scheme> {
  const [guess] = candidates;
  if (guess.verifier === undefined) {
    const key = /publicKey/.test(guess.option) ? 'WEBHOOK_PUBLIC_KEY' : 'WEBHOOK_SECRET';
    const hint = `The options are a guess: set ${key}, and run the doctor again to try them.`;
    return { name, option: guess.option, level: 'note', message: `${message} ${hint}` };
  }
  const codes: string[] = [];
  for (const { option, verifier } of candidates) {
    const refused = await refusalOf(verifier, delivery, [seconds ?? Date.now() / 1000]);
    if (refused === undefined)
      return {
        name,
        option,
        level: 'ok',
        message: `${message} The receiver accepts it with the options below.`,
      };
    codes.push(`${option}: ${refused.code}`);
  }
  const failure =
    'The receiver refuses it with the key of the environment. Check the key, and that the file has the headers and the body byte by byte.';
  return { name, option: guess.option, level: 'failure', message: `${message} ${failure}`, details: codes };
}

/** A refusal of the receiver. */
export interface Refused {
  readonly code: string;
  /** The HTTP status of the response; 500 and more where a setting of the receiver may be wrong. */
  readonly status: number;
}

/** The refusal of a delivery by the receiver at one of several times, or undefined if it accepts all. */
export async function refusalOf(
  verifier: WebhookVerifier | undefined,
  { headers, bodies }: Delivery,
  times: readonly number[],
): Promise<Refused | undefined> {
  if (verifier === undefined) return { code: 'not tried', status: 500 };
  let refused: Refused | undefined;
  for (const body of bodies) {
    refused = undefined;
    for (const seconds of times) {
      const receiver = createWebhookReceiver({ verifier, unverifiedStatus: 401, now: () => seconds * 1000 });
      refused ??= await receiver.unwrap(body, headers).then(() => undefined, refusedOf);
    }
    if (refused === undefined) return undefined;
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

/** Reads seconds since 1970; undefined for anything else. */
export const secondsIn = (text: string | null | undefined): number | undefined =>
  /^\d{1,12}$/.test(text ?? '') ? Number(text) : undefined;
