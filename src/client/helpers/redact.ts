import { isKycRecord, type Treatment, treatmentOf } from './sensitive-fields.ts';

const mask = '[redacted]';

/** Deeper than any record of the service. */
const deepest = 100;

/** The maximum length of a text that is searched for tokens, in characters. */
const maxLength = 10_000;

/**
 * Copies a value for logs: `[redacted]` replaces personal data, bank numbers and tokens. Of a KYC record, only `type`,
 * `status`, ids and times stay; of bank details, only fields that identify nobody. JSON inside a string is masked, too.
 * Another text of more than 10,000 characters becomes `[redacted]`, a reference to an enclosing object `[circular]`, and a promise a text that names the missing `await`.
 *
 * @param value - Any parameter or result of the client. It is not changed.
 *
 * @example
 * ```ts
 * console.log(redact(await payments.kyc.retrieve(userId)));
 * ```
 */
export function redact<T>(value: T): T;
export function redact(value: unknown): unknown {
  return new Copy().of(value, 'shown', 0);
}

/** One copy: each object is visited once for each treatment, so that shared objects cost no more than others. */
class Copy {
  readonly #done = new Map<Treatment, Map<object, unknown>>();
  readonly #open = new Set<object>();

  of(value: unknown, treatment: Treatment, depth: number): unknown {
    if (value === null || value === undefined) return value;
    if (typeof value === 'function') return treatment === 'shown' ? value : mask;
    if (typeof value !== 'object')
      return treatment === 'masked' || treatment === 'kyc' ? mask : this.#leaf(value);
    if (depth > deepest) return mask;
    const done = this.#done.get(treatment) ?? new Map<object, unknown>();
    this.#done.set(treatment, done);
    if (this.#open.has(value)) return '[circular]';
    if (done.has(value)) return done.get(value);
    this.#open.add(value);
    const copy = this.#object(value, treatment, depth);
    this.#open.delete(value);
    done.set(value, copy);
    return copy;
  }

  #object(value: object, treatment: Treatment, depth: number): unknown {
    try {
      if (Array.isArray(value)) return value.map((item) => this.of(item, treatment, depth + 1));
      if (ArrayBuffer.isView(value)) return mask;
      // A log line must not fail.
      if (value instanceof Promise) return '[promise: the `await` is missing]';
      if (value instanceof Date) return treatment === 'masked' || treatment === 'kyc' ? mask : value;
      const entries =
        value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value);
      const fields = entries.map(([key]) => String(key));
      const within = treatment === 'shown' && isKycRecord(fields) ? 'kyc' : treatment;
      return Object.fromEntries(
        entries.map(([key, field]) => [key, this.of(field, treatmentOf(String(key), within), depth + 1)]),
      );
    } catch {
      // A getter or a proxy that throws shows nothing.
      return mask;
    }
  }

  #leaf(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const isJson = /^\s*[[{]/.test(value);
    // Patterns take too long for more. JSON is masked field by field.
    if (value.length > maxLength) return isJson ? (this.#json(value) ?? mask) : mask;
    const text = value
      .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, mask)
      .replace(/\bwhsec_[\w+/=-]{4,}/g, mask)
      .replace(/\bBearer\s+\S+/gi, `Bearer ${mask}`);
    return isJson ? (this.#json(text) ?? text) : text;
  }

  #json(text: string): string | undefined {
    try {
      return JSON.stringify(redact(JSON.parse(text)));
    } catch {
      return undefined;
    }
  }
}
