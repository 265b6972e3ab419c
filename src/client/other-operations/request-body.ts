import { isRecord, kindOf } from '../../shared/values.ts';
import { RawBody } from '../call/raw-body.ts';

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

/** The reason why a body cannot be sent, or undefined. A stream can be read only once, so a retry would send nothing. */
export function bodyFault(body: unknown): string | undefined {
  if (body === undefined || Array.isArray(body) || isBinary(body)) return undefined;
  if (!isRecord(body))
    return `must be plain data, a list, FormData, URLSearchParams, a Blob or bytes, but is ${kindOf(body)}`;
  const isStream = 'getReader' in body || Symbol.asyncIterator in body;
  return isStream ? 'is a stream, which cannot be sent again; read it into a Blob or bytes' : undefined;
}

const isBinary = (body: unknown): body is FormData | URLSearchParams | Blob | ArrayBuffer | ArrayBufferView =>
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body);

/** Takes the bytes of a body that is not JSON, as they are now; gives plain data and lists back. */
export function takeBody(body: unknown): unknown {
  if (!isBinary(body)) return body;
  // The platform writes forms; there is no other way to their bytes. Views of shared memory have the same bytes.
  return rawBody(new Response((body instanceof FormData ? copyOf(body) : body) as BodyInit));
}

async function rawBody(written: Response): Promise<RawBody> {
  const type = written.headers.get('content-type') ?? 'application/octet-stream';
  return new RawBody(new Uint8Array(await written.arrayBuffer()), type);
}

/** A copy of a form, which its owner may go on changing. */
function copyOf(form: FormData): FormData {
  const copy = new FormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}
