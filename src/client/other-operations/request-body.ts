import { isRecord, kindOf } from '../../shared/values.ts';
import { RawBody } from '../call/body.ts';
import type { FieldError } from './field-error.ts';

/**
 * The body of a request to `request()`: plain data and lists are sent as JSON, forms as `multipart/form-data` or
 * `application/x-www-form-urlencoded`, and bytes as they are. The `type` of a `Blob` is its content type; other bytes
 * are `application/octet-stream`.
 */
export type RequestBody = Record<string, unknown> | readonly unknown[] | FormOrBytes;

/** A body that is not sent as JSON. */
export type FormOrBytes = FormData | URLSearchParams | Blob | ArrayBuffer | ArrayBufferView;

/** The reason why a body cannot be sent, or undefined. A stream can be read only once, so a retry would send nothing. */
export function bodyFault(body: unknown): string | undefined {
  if (body === undefined || Array.isArray(body) || isBinary(body)) return undefined;
  if (!isRecord(body)) return `${kinds}, but is ${kindOf(body)}`;
  const name = classNameOf(body);
  if (isFormOfLibrary(body, name))
    return "is a FormData of a library; use the platform's `FormData`, or a Blob of its bytes whose `type` is its content type";
  if (platformBodies.includes(name)) return `is a ${name} of a library; use the platform's \`${name}\``;
  if (hasMethod(body, 'then')) return 'is a promise; await it';
  if ('getReader' in body || Symbol.asyncIterator in body || hasMethod(body, 'pipe'))
    return 'is a stream, which cannot be sent again; read it into a Blob or bytes';
  // JSON would send `{}` of it.
  const isEmptied = name !== '' && Object.keys(body).length === 0 && !hasMethod(body, 'toJSON');
  return isEmptied ? `${kinds}, but is a ${name}` : undefined;
}

const kinds = 'must be plain data, a list, FormData, URLSearchParams, a Blob or bytes';

/** Bodies that the platform writes, where they are of its own classes. */
const platformBodies: readonly string[] = ['FormData', 'Blob', 'File', 'URLSearchParams'];

/** The name of a class that says its name, as those of the platform do, and of polyfills; empty for any other. */
function classNameOf(body: object): string {
  const name: unknown = Reflect.get(body, Symbol.toStringTag);
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : '';
}

/** Some libraries have a FormData that is a stream, with a boundary and headers of its own. */
const isFormOfLibrary = (body: object, name: string): boolean =>
  name === 'FormData' ||
  (hasMethod(body, 'append') && (hasMethod(body, 'getBoundary') || hasMethod(body, 'getHeaders')));

const hasMethod = (body: object, name: string): boolean => typeof Reflect.get(body, name) === 'function';

const isBinary = (body: unknown): body is FormOrBytes =>
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  body instanceof Blob ||
  isBuffer(body) ||
  ArrayBuffer.isView(body);

/** Also one of another realm, such as that of a test runner. */
const isBuffer = (body: unknown): body is ArrayBuffer =>
  Object.prototype.toString.call(body) === '[object ArrayBuffer]';

/** Takes the bytes of a body that is not JSON, as they are now; gives plain data and lists back. */
export function takeBody(body: unknown, wrong: FieldError): unknown {
  if (!isBinary(body)) return body;
  // The platform writes forms; there is no other way to their bytes. Views of shared memory have the same bytes.
  const written = new Response((body instanceof FormData ? copyOf(body) : body) as BodyInit);
  // `text/plain` shows that Response did not know the class: a test environment has replaced it.
  if (written.headers.get('content-type') === 'text/plain;charset=UTF-8')
    throw wrong('body', "cannot be written by `Response`, since its class is not the platform's; use bytes");
  return rawBody(written);
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
