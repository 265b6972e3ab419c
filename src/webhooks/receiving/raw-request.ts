import { isPaymentsError } from '../../shared/errors/index.ts';
import { type Bytes, concatBytes, decodeBytes, utf8 } from '../schemes/bytes.ts';
import { refusal } from '../schemes/verifier.ts';

/** The body byte for byte as it was received. Text is taken as UTF-8. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** Headers of a Fetch request, of a Node request, or a plain object. Names are case-insensitive. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | number | null | undefined>>;

/** Says what to do instead, because that differs from one framework to the next. */
const rawBodyAdvice =
  'The signature covers the bytes as they were sent, so they are needed before any JSON parser has read them. ' +
  'Express: mount nodeHandler before express.json(), or use express.raw({ type: "*/*" }) on the route. ' +
  'Fastify: register fastifyPlugin. ' +
  'Fetch handlers (Hono, Next.js, Bun, Deno, Workers): pass the untouched Request (in Hono context.req.raw, and no ' +
  'middleware may read the body first), or await request.text() or .bytes().';

export const bodyAlreadyParsed = (found: string) =>
  refusal('webhook_body_already_parsed', `The body ${found}. ${rawBodyAdvice}`);

export const bodyTooLarge = (limit: number) =>
  refusal('webhook_body_too_large', `The body is larger than the limit of ${limit} bytes (maxBodyBytes).`);

/** The bytes of a raw body, or a clear refusal of anything else. */
export function bodyBytes(body: unknown, limit: number): Bytes {
  if (body === undefined || body === null) {
    throw refusal('webhook_missing_body', `There is no body. ${rawBodyAdvice}`);
  }
  const bytes = typeof body === 'string' ? utf8(body) : bytesOfBuffer(body);
  if (bytes === undefined) throw bodyAlreadyParsed('was already parsed into an object');
  if (bytes.length === 0) throw refusal('webhook_missing_body', `The body is empty. ${rawBodyAdvice}`);
  if (bytes.length > limit) throw bodyTooLarge(limit);
  if (isBase64(bytes)) throw refusal('webhook_body_already_parsed', asBase64);
  return bytes;
}

/** Serverless platforms pass a body so, and say it beside the body: base64 of JSON, or of what gzip or zlib has made of it. */
function isBase64(bytes: Bytes): boolean {
  if (bytes[0] === openBrace) return false;
  const [first] = decodeBytes(new TextDecoder().decode(bytes).trim(), 'base64') ?? [];
  return first === openBrace || first === 0x5b || first === 0x1f || first === 0x78;
}

const openBrace = 0x7b;

const asBase64 =
  "The body was passed as base64. Decode it first, as an AWS Lambda function does where event.isBase64Encoded is true: Buffer.from(event.body, 'base64').";

function bytesOfBuffer(body: unknown): Bytes | undefined {
  if (ArrayBuffer.isView(body)) {
    // A copy, so that what was verified is what is parsed, whatever its owner does to the buffer meanwhile.
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  }
  return body instanceof ArrayBuffer ? new Uint8Array(body).slice() : undefined;
}

/** Reads a stream to its end, and no further than the limit. A stream that breaks is an upload that was aborted. */
export async function readRawBody(
  chunks: AsyncIterable<unknown>,
  declaredLength: string | null,
  limit: number,
): Promise<Bytes> {
  if (Number(declaredLength) > limit) throw bodyTooLarge(limit);
  const received: Bytes[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      const bytes = bytesOfBuffer(chunk);
      if (bytes === undefined) throw bodyAlreadyParsed('is read as text: remove setEncoding or the decoder');
      length += bytes.length;
      if (length > limit) throw bodyTooLarge(limit);
      received.push(bytes);
    }
  } catch (error) {
    throw isPaymentsError(error) ? error : uploadAborted(error);
  }
  return concatBytes(...received);
}

const uploadAborted = (cause: unknown) =>
  refusal('webhook_upload_aborted', 'The sender hung up before the body was complete.', { cause });

/** Any kind of headers as Fetch's, whose names are case-insensitive. What is not a header is left out. */
export function normalHeaders(given: unknown): Headers {
  if (given instanceof Headers) return given;
  if (typeof given !== 'object' || given === null) {
    throw refusal(
      'webhook_missing_header',
      "There are no headers. Pass the request's headers with its body.",
    );
  }
  const headers = new Headers();
  // Also Headers of another realm or library.
  const entries: Iterable<unknown[]> =
    Symbol.iterator in given ? Array.from(Object(given)) : Object.entries(given);
  for (const [name, values] of entries) for (const value of [values].flat()) append(headers, name, value);
  return headers;
}

function append(headers: Headers, name: unknown, value: unknown): void {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  try {
    headers.append(String(name), String(value));
  } catch {
    // Such as ":method" of HTTP/2. A header that a verifier needs is missed there, and refused.
  }
}
