import { digestOf } from '../../evidence/key-memory.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { RawBody } from '../../transport/request/body.ts';

/**
 * The body of a request to `request()`: plain data and lists are sent as JSON, forms as `multipart/form-data` or
 * `application/x-www-form-urlencoded`, and bytes as they are. The `type` of a `Blob` is its content type; other bytes
 * are `application/octet-stream`.
 */
export type RequestBody =
  | Record<string, unknown>
  | readonly unknown[]
  | FormData
  | URLSearchParams
  | Blob
  | ArrayBuffer
  | ArrayBufferView;

const octets = 'application/octet-stream';

/** The reason why a body cannot be sent, or undefined. A stream can be read only once, so a retry would send nothing. */
export function bodyFault(body: unknown): string | undefined {
  if (body === undefined || Array.isArray(body) || isBinary(body)) return undefined;
  if (!isRecord(body))
    return `must be plain data, a list, FormData, URLSearchParams, a Blob or bytes, but is ${kindOf(body)}`;
  const isStream = 'getReader' in body || Symbol.asyncIterator in body;
  return isStream ? 'is a stream, which cannot be sent again; read it into a Blob or bytes' : undefined;
}

const isBinary = (body: unknown): boolean =>
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body);

/** Takes the bytes of a body that is not JSON; gives plain data and lists back. Bytes are copied at once. */
export function takeBody(body: unknown): unknown {
  if (body instanceof URLSearchParams) {
    const text = body.toString();
    return new RawBody(text, 'application/x-www-form-urlencoded;charset=UTF-8', text);
  }
  if (body instanceof ArrayBuffer) return rawBytes(new Uint8Array(body.slice(0)), octets);
  if (ArrayBuffer.isView(body)) {
    const bytes = new Uint8Array(body.byteLength);
    bytes.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
    return rawBytes(bytes, octets);
  }
  if (body instanceof FormData) return takeForm(copyOf(body));
  // A Blob cannot change.
  if (body instanceof Blob)
    return body.arrayBuffer().then((content) => rawBytes(new Uint8Array(content), body.type || octets));
  return body;
}

/** A copy of a form, which its owner may go on changing. */
export function copyOf(form: FormData): FormData {
  const copy = new FormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}

async function takeForm(form: FormData): Promise<RawBody> {
  // The platform writes the form; there is no other way to its bytes and its boundary.
  const written = new Response(form);
  const content = new Uint8Array(await written.arrayBuffer());
  const entries = await Promise.all(
    [...form].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : await likenessOf(value),
    ]),
  );
  return new RawBody(
    content,
    written.headers.get('content-type') ?? 'multipart/form-data',
    JSON.stringify(entries),
  );
}

const likenessOf = async (file: File): Promise<unknown[]> => [
  file.name,
  file.type,
  bytesDigest(new Uint8Array(await file.arrayBuffer())),
];

const rawBytes = (bytes: Uint8Array<ArrayBuffer>, type: string): RawBody =>
  new RawBody(bytes, type, `${type} ${bytesDigest(bytes)}`);

function bytesDigest(bytes: Uint8Array): string {
  return `${bytes.length} ${digestOf(new TextDecoder('latin1').decode(bytes))}`;
}
