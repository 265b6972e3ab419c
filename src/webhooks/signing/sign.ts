import { SignJWT } from 'jose';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { checkedElsewhere, longTime, objectOf, oneFrom } from '../../shared/schema/option-values.ts';
import { anyText, check, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { isRecord, jsonIn } from '../../shared/values.ts';
import { type Bytes, encodeBytes, sha256, utf8 } from '../schemes/bytes.ts';
import {
  hmacFields,
  hmacOf,
  standardWebhooksFields,
  standardWebhooksPrefix,
  timestampPrefix,
} from '../schemes/hmac.ts';
import { importKey, requireKey, type WebhookKey } from '../schemes/keys.ts';
import { type FieldsOf, headerName, optionsOf } from '../schemes/options.ts';
import { base64Secrets, type SecretBytes, textSecrets } from '../schemes/secrets.ts';
import type {
  HmacSha256Signing,
  JwtBearerSigning,
  SignedWebhook,
  SignWebhookOptions,
  StandardWebhooksSigning,
} from './options.ts';

/**
 * Signs an event as a sender would, for tests and for the emulator.
 *
 * @param event - The event, or the raw JSON text exactly as it is to be sent.
 * @param options - One scheme with its secret or private key; timestamps are Unix seconds.
 * @returns The body and the headers of the delivery.
 * @throws ConfigurationError when there is not exactly one scheme, an option does not exist, the secret
 * is empty or the key does not fit the algorithm.
 * @example
 * ```ts
 * import { signWebhook } from 'stablecoin-payments/webhooks';
 *
 * const { body, headers } = await signWebhook(
 *   { eventId: 'evt_1', eventType: 'TRANSFER.APPROVAL.PENDING', data: { transferId: 'tr_1' } },
 *   { standardWebhooks: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
 * );
 * await fetch('http://127.0.0.1:3000/webhooks', { method: 'POST', body, headers });
 * ```
 */
export async function signWebhook(
  event: string | object,
  options: SignWebhookOptions,
): Promise<SignedWebhook> {
  const body: unknown = typeof event === 'string' ? event : JSON.stringify(event);
  if (typeof body !== 'string')
    throw new ConfigurationError('signWebhook needs an event: an object, or the raw JSON text.');
  const headers = await signatureHeaders(event, utf8(body), options);
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}

function signatureHeaders(
  event: string | object,
  body: Bytes,
  options: SignWebhookOptions,
): Promise<Record<string, string>> {
  const own = optionsOf('signWebhook', schemes(), options);
  if (Object.keys(own).length > 1) {
    throw new ConfigurationError('signWebhook signs with one scheme: pass exactly one.');
  }
  if ('standardWebhooks' in own) return signStandard(event, body, own.standardWebhooks);
  if ('hmacSha256' in own) return signHmac(body, own.hmacSha256);
  if ('jwtBearer' in own) return signJwt(event, body, own.jwtBearer);
  throw new ConfigurationError('Name the scheme to sign with: standardWebhooks, hmacSha256 or jwtBearer.');
}

/** The schemes to sign with. What each takes is checked where it signs. */
const schemes = /* @__PURE__ */ lazy(() =>
  strictObject({
    standardWebhooks: z.optional(checkedElsewhere()),
    hmacSha256: z.optional(checkedElsewhere()),
    jwtBearer: z.optional(checkedElsewhere()),
  } satisfies FieldsOf<SignWebhookOptions>),
);

const standardSigning = /* @__PURE__ */ lazy(() =>
  strictObject({
    ...standardWebhooksFields(),
    id: z.optional(anyText()),
    timestamp: z.optional(unixSeconds()),
  } satisfies FieldsOf<StandardWebhooksSigning>),
);

const hmacSigning = /* @__PURE__ */ lazy(() =>
  strictObject({
    ...hmacFields(),
    timestamp: z.optional(unixSeconds()),
  } satisfies FieldsOf<HmacSha256Signing>),
);

const jwtSigning = /* @__PURE__ */ lazy(() =>
  matching<JwtBearerSigning>()(
    strictObject({
      privateKey: checkedElsewhere<WebhookKey>(),
      algorithm: z.optional(anyText()),
      keyId: z.optional(anyText()),
      issuedAt: z.optional(unixSeconds()),
      expiresIn: z.optional(z.nullable(longTime(1_000))),
      bodyBinding: z.optional(oneFrom(['hash', 'event', 'none'])),
      claims: z.optional(objectOf<Readonly<Record<string, unknown>>>()),
      header: z.optional(headerName()),
    }),
  ),
);

/** Unix seconds. */
const unixSeconds = /* @__PURE__ */ lazy(() => {
  const error = 'must be a number of Unix seconds, not milliseconds';
  return z.number({ error }).check(check((value) => value < 1e11, error));
});

const secondsNow = (): number => Math.floor(Date.now() / 1000);

async function signStandard(event: string | object, body: Bytes, given: unknown) {
  const options = optionsOf('signWebhook, standardWebhooks', standardSigning(), given);
  const id = options.id ?? eventIdIn(event) ?? `msg_${crypto.randomUUID()}`;
  const timestamp = String(options.timestamp ?? secondsNow());
  const { headerPrefix: prefix = 'webhook' } = options;
  const signatures = await hmacs(base64Secrets(options), standardWebhooksPrefix(id, timestamp), body);
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: signatures
      .map((signature) => `v1,${encodeBytes(signature, 'base64')}`)
      .join(' '),
  };
}

async function signHmac(body: Bytes, given: unknown): Promise<Record<string, string>> {
  const options = optionsOf('signWebhook, hmacSha256', hmacSigning(), given);
  const { encoding = 'hex', format = 'plain', timestampHeader } = options;
  const inHeader = format === 't=,v1=';
  const timestamp =
    inHeader || timestampHeader !== undefined ? String(options.timestamp ?? secondsNow()) : undefined;
  const signatures = (await hmacs(textSecrets(options), timestampPrefix(timestamp), body)).map((signature) =>
    encodeBytes(signature, encoding),
  );
  const value = inHeader
    ? [`t=${timestamp}`, ...signatures.map((signature) => `v1=${signature}`)].join(',')
    : (signatures[0] ?? '');
  return {
    [options.header.toLowerCase()]: value,
    ...(timestampHeader === undefined || timestamp === undefined
      ? {}
      : { [timestampHeader.toLowerCase()]: timestamp }),
  };
}

async function signJwt(event: string | object, body: Bytes, given: unknown) {
  const options = optionsOf('signWebhook, jwtBearer', jwtSigning(), given, {
    timestamp: 'the time of a token is `issuedAt`, in Unix seconds',
  });
  const {
    algorithm = 'RS256',
    bodyBinding = 'hash',
    expiresIn = 300_000,
    header = 'authorization',
  } = options;
  const key = await importKey(requireKey(options.privateKey, 'private'), algorithm, 'private');
  const issuedAt = options.issuedAt ?? secondsNow();
  const token = await new SignJWT({
    iat: issuedAt,
    ...(expiresIn === null ? {} : { exp: issuedAt + Math.ceil(expiresIn / 1000) }),
    ...(bodyBinding === 'hash' ? { bodyHash: encodeBytes(await sha256(body), 'hex') } : {}),
    ...(bodyBinding === 'event' ? { event: eventOf(event) } : {}),
    ...options.claims,
  })
    .setProtectedHeader({
      alg: algorithm,
      typ: 'JWT',
      ...(options.keyId === undefined ? {} : { kid: options.keyId }),
    })
    .sign(key);
  return { [header.toLowerCase()]: `Bearer ${token}` };
}

const hmacs = async (secrets: SecretBytes, prefix: string, body: Bytes): Promise<Uint8Array[]> =>
  Promise.all((await secrets()).map((secret) => hmacOf(secret)(prefix, body)));

function eventOf(event: string | object): unknown {
  const value: unknown = typeof event === 'string' ? jsonIn(event) : event;
  if (value !== undefined) return value;
  throw new ConfigurationError(
    'The event is not JSON, so a claim cannot carry it: set bodyBinding to "hash".',
  );
}

const eventIdIn = (event: unknown): string | undefined =>
  isRecord(event) && typeof event.eventId === 'string' && event.eventId !== '' ? event.eventId : undefined;
