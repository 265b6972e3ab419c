import { SignJWT } from 'jose';
import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, concatBytes, encodeBytes, utf8 } from '../schemes/bytes.ts';
import { ecdsaToDer } from '../schemes/ecdsa-signature.ts';
import { hmacOf, timestampPrefix } from '../schemes/hmac.ts';
import { importJoseKey, importKey, requireAlgorithm, requireKey, subtleParameters } from '../schemes/keys.ts';
import { base64Secrets, textSecrets } from '../schemes/secrets.ts';
import { standardWebhooksPrefix } from '../schemes/standard-webhooks.ts';
import type {
  HmacSha256Signing,
  JwtBearerSigning,
  PublicKeySigning,
  SignedWebhook,
  SignWebhookOptions,
  StandardWebhooksSigning,
} from './options.ts';

/** What `signWebhook` does, in a file that is loaded only where something is signed. */
export async function signDelivery(
  event: string | object,
  options: SignWebhookOptions,
): Promise<SignedWebhook> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const headers = await signatureHeaders(event, utf8(body), options);
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}

function signatureHeaders(
  event: string | object,
  body: Bytes,
  options: SignWebhookOptions,
): Promise<Record<string, string>> {
  if ('standardWebhooks' in options) return signStandard(event, body, options.standardWebhooks);
  if ('hmacSha256' in options) return signHmac(body, options.hmacSha256);
  if ('publicKeySignature' in options) return signPublicKey(body, options.publicKeySignature);
  if ('jwtBearer' in options) return signJwt(event, body, options.jwtBearer);
  throw new ConfigurationError(
    'Name the scheme to sign with: standardWebhooks, hmacSha256, publicKeySignature or jwtBearer.',
  );
}

const unixSeconds = (given: number | undefined): number => given ?? Math.floor(Date.now() / 1000);

async function signStandard(event: string | object, body: Bytes, options: StandardWebhooksSigning) {
  const id = options.id ?? idOf(event) ?? `msg_${crypto.randomUUID()}`;
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
  const { encoding = 'hex', format = 'plain', timestampHeader } = options;
  const inHeader = format === 't=,v1=';
  const timestamp =
    inHeader || timestampHeader !== undefined ? String(unixSeconds(options.timestamp)) : undefined;
  const signatures = (await hmacs(textSecrets(options), timestampPrefix(timestamp), body)).map((signature) =>
    encodeBytes(signature, encoding),
  );
  const value = inHeader
    ? [`t=${timestamp}`, ...signatures.map((signature) => `v1=${signature}`)].join(',')
    : (signatures[0] ?? '');
  return withTimestamp(
    { [options.header.toLowerCase()]: value },
    inHeader ? undefined : timestampHeader,
    timestamp,
  );
}

async function signPublicKey(body: Bytes, options: PublicKeySigning): Promise<Record<string, string>> {
  const { algorithm, encoding = 'base64', ecdsaFormat = 'der', timestampHeader } = options;
  requireAlgorithm(algorithm);
  requireKey(options.privateKey, 'private');
  const key = await importKey(options.privateKey, algorithm, 'private');
  const timestamp = timestampHeader === undefined ? undefined : String(unixSeconds(options.timestamp));
  const raw = new Uint8Array(
    await crypto.subtle.sign(
      subtleParameters(algorithm, key),
      key,
      concatBytes(utf8(timestampPrefix(timestamp)), body),
    ),
  );
  const signature = algorithm.startsWith('ECDSA') && ecdsaFormat === 'der' ? ecdsaToDer(raw) : raw;
  return withTimestamp(
    { [options.header.toLowerCase()]: encodeBytes(signature, encoding) },
    timestampHeader,
    timestamp,
  );
}

async function signJwt(event: string | object, body: Bytes, options: JwtBearerSigning) {
  const { algorithm = 'RS256', binding = 'hash', expiresIn = 300, header = 'authorization' } = options;
  requireKey(options.privateKey, 'private');
  const key = await importJoseKey(options.privateKey, [algorithm], 'private');
  const issuedAt = unixSeconds(options.issuedAt);
  const token = await new SignJWT({
    iat: issuedAt,
    ...(expiresIn === null ? {} : { exp: issuedAt + expiresIn }),
    ...(binding === 'hash' ? { bodyHash: await sha256Hex(body) } : {}),
    ...(binding === 'event' ? { event: typeof event === 'string' ? JSON.parse(event) : event } : {}),
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

const hmacs = (secrets: readonly Bytes[], prefix: string, body: Bytes): Promise<Uint8Array[]> =>
  Promise.all(secrets.map(async (secret) => hmacOf(secret)(prefix, body)));

const sha256Hex = async (body: Bytes): Promise<string> =>
  encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', body)), 'hex');

const withTimestamp = (
  headers: Record<string, string>,
  name: string | undefined,
  timestamp: string | undefined,
): Record<string, string> =>
  name === undefined || timestamp === undefined ? headers : { ...headers, [name.toLowerCase()]: timestamp };

const idOf = (event: string | object): string | undefined =>
  typeof event === 'object' && 'eventId' in event && typeof event.eventId === 'string' && event.eventId !== ''
    ? event.eventId
    : undefined;
