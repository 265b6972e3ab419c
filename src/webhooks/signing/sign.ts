import { SignJWT } from 'jose';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { isRecord, jsonIn } from '../../shared/values.ts';
import { type Bytes, encodeBytes, sha256, utf8 } from '../schemes/bytes.ts';
import {
  hmacNames,
  hmacOf,
  standardWebhooksNames,
  standardWebhooksPrefix,
  timestampPrefix,
} from '../schemes/hmac.ts';
import { importKey, requireKey } from '../schemes/keys.ts';
import { requireHeaderName, requireMilliseconds, requireOptions } from '../schemes/options.ts';
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
  const given: Partial<Record<'standardWebhooks' | 'hmacSha256' | 'jwtBearer', object>> = options;
  requireOptions('signWebhook', given, { standardWebhooks: true, hmacSha256: true, jwtBearer: true });
  if (Object.keys(given).length > 1) {
    throw new ConfigurationError('signWebhook signs with one scheme: pass exactly one.');
  }
  if ('standardWebhooks' in options) return signStandard(event, body, options.standardWebhooks);
  if ('hmacSha256' in options) return signHmac(body, options.hmacSha256);
  if ('jwtBearer' in options) return signJwt(event, body, options.jwtBearer);
  throw new ConfigurationError('Name the scheme to sign with: standardWebhooks, hmacSha256 or jwtBearer.');
}

/** The given Unix seconds, or those of now. */
function unixSeconds(given: number | undefined): number {
  if (given === undefined) return Math.floor(Date.now() / 1000);
  if (Number.isFinite(given) && given < 1e11) return given;
  throw new ConfigurationError('The timestamp must be a number of Unix seconds, not milliseconds.');
}

async function signStandard(event: string | object, body: Bytes, options: StandardWebhooksSigning) {
  const names = { ...standardWebhooksNames, id: true, timestamp: true } as const;
  requireOptions('signWebhook, standardWebhooks', options, names);
  const id = options.id ?? eventIdIn(event) ?? `msg_${crypto.randomUUID()}`;
  const timestamp = String(unixSeconds(options.timestamp));
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

async function signHmac(body: Bytes, options: HmacSha256Signing): Promise<Record<string, string>> {
  requireOptions('signWebhook, hmacSha256', options, { ...hmacNames, timestamp: true });
  const { encoding = 'hex', format = 'plain', timestampHeader } = options;
  requireHeaderName(options.header, 'header');
  const inHeader = format === 't=,v1=';
  const timestamp =
    inHeader || timestampHeader !== undefined ? String(unixSeconds(options.timestamp)) : undefined;
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

async function signJwt(event: string | object, body: Bytes, options: JwtBearerSigning) {
  const names = {
    privateKey: true,
    algorithm: true,
    keyId: true,
    issuedAt: true,
    expiresIn: true,
    bodyBinding: true,
    claims: true,
    header: true,
  } as const;
  requireOptions('signWebhook, jwtBearer', options, names, {
    timestamp: 'the time of a token is `issuedAt`, in Unix seconds',
  });
  const {
    algorithm = 'RS256',
    bodyBinding = 'hash',
    expiresIn = 300_000,
    header = 'authorization',
  } = options;
  if (expiresIn !== null) requireMilliseconds({ expiresIn }, 1000);
  if (!['hash', 'event', 'none'].includes(bodyBinding))
    throw new ConfigurationError('bodyBinding must be "hash", "event" or "none".');
  const key = await importKey(requireKey(options.privateKey, 'private'), algorithm, 'private');
  const issuedAt = unixSeconds(options.issuedAt);
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
