import { type SignedWebhook, signWebhook } from '../../webhooks/signing/index.ts';
import { eventWire } from '../dialect/wire.ts';
import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';
import type { WebhookKeys, World } from '../state/world.ts';
import type { DeliveryAttempt } from './delivery-records.ts';

/** The part of an attempt that does not depend on its delivery. */
export type AttemptResult = Pick<
  DeliveryAttempt,
  'status' | 'error' | 'retryAfter' | 'responseBody' | 'requestHeaders' | 'requestBody'
>;

/** The longest part of a response body that is kept, in characters. */
const SHOWN_BODY = 2000;

export interface Receiver {
  url: string;
  signer: EventSigner;
  timeout: number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Sends an event once. It never rejects: no response is a result, too. */
export async function sendEvent(
  { url, signer, timeout, fetch }: Receiver,
  event: EmulatorEvent,
  stop: AbortSignal,
): Promise<AttemptResult> {
  let limit: AbortSignal | undefined;
  const result: AttemptResult = {
    status: null,
    error: null,
    retryAfter: null,
    responseBody: null,
    requestHeaders: [],
    requestBody: '',
  };
  try {
    const { body, headers } = await signer.sign(event);
    result.requestHeaders = Object.entries(headers);
    result.requestBody = body;
    // The time of the receiver: to make the keys of the first signature may take seconds on a busy machine.
    limit = AbortSignal.timeout(timeout);
    const signal = AbortSignal.any([stop, limit]);
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    result.status = response.status;
    result.retryAfter = response.headers.get('retry-after');
    result.responseBody = '';
    result.responseBody = await startOfBody(response);
  } catch (error) {
    if (result.status === null)
      result.error = limit?.aborted === true ? `no response in ${timeout} ms` : networkReason(error);
  }
  return result;
}

async function startOfBody(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < SHOWN_BODY) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, SHOWN_BODY);
}

/** The code of a network failure, such as `ECONNREFUSED`, or else the error's message. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message.slice(0, 200) : 'the request failed';
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** Signs events as the dialect of the moment says. */
export class EventSigner {
  readonly #world: World;
  readonly #secret: string;
  #making: Promise<WebhookKeys> | undefined;

  constructor(world: World, secret: string) {
    this.#world = world;
    this.#secret = secret;
  }

  /** Makes the keys that the dialect needs, so that they can be stored before a delivery is signed. */
  async prepare(): Promise<void> {
    if (this.#world.dialect.webhookScheme === 'jwt') await this.keys();
  }

  /** Signs an event as of now by the emulator's clock, like everything that the emulator dates. */
  async sign(event: EmulatorEvent): Promise<SignedWebhook> {
    const { dialect, clock } = this.#world;
    const wire = eventWire(dialect, event);
    const now = Math.floor(clock.millis() / 1000);
    if (dialect.webhookScheme === 'standard-webhooks') {
      return signWebhook(wire, { standardWebhooks: { secret: this.#secret, timestamp: now } });
    }
    const { privateKey } = await this.keys();
    return signWebhook(wire, { jwtBearer: { privateKey, issuedAt: now } });
  }

  async keys(): Promise<WebhookKeys> {
    if (this.#world.webhookKeys === null) {
      this.#making ??= makeKeys();
      const made = await this.#making;
      this.#world.webhookKeys ??= made;
    }
    return this.#world.webhookKeys;
  }
}

async function makeKeys(): Promise<WebhookKeys> {
  const { subtle } = crypto;
  const { privateKey, publicKey } = await subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  return {
    privateKey: pem('PRIVATE KEY', await subtle.exportKey('pkcs8', privateKey)),
    publicKey: pem('PUBLIC KEY', await subtle.exportKey('spki', publicKey)),
  };
}

function pem(label: string, key: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(key)));
  return `-----BEGIN ${label}-----\n${base64.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;
}
