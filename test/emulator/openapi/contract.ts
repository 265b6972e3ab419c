import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Emulator } from 'stablecoin-payments/emulator';

type Json = Record<string, unknown>;
interface Described {
  requestBody?: { content: { 'application/json': { schema: Json } } };
  responses: Record<string, { content?: { 'application/json': { schema: Json } } }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, unknown> };
}

/**
 * The validators, by the text of all that they are made of. Most schemas are the same in several dialects, and to
 * compile them takes longer than everything else here.
 */
const compiled = new Map<string, ValidateFunction>();

/** Holds every response of an emulator against the description that the emulator itself serves. */
export class Contract {
  /** `POST /v2/onramps 201`, for every response that was held against the description. */
  readonly seen = new Set<string>();
  readonly #emulator: Emulator;
  readonly #document: Document;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    code: { optimize: false },
    inlineRefs: false,
  });
  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(emulator: Emulator, document: Document) {
    this.#emulator = emulator;
    this.#document = document;
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      // Requests state themselves what else may stand in them.
      if (!name.endsWith('Request')) document.components.schemas[name] = closed(schema);
    }
    formats.default(this.#ajv);
    this.#ajv.addSchema({ ...this.#document, $id: 'service' });
  }

  static async of(emulator: Emulator): Promise<Contract> {
    const response = await emulator.fetch('http://localhost/_emulator/openapi.json');
    return new Contract(emulator, JSON.parse(await response.text()) as Document);
  }

  /** Sends a request and holds the response, and an accepted body, against the description. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    token = 'token',
  ): Promise<{ status: number; body: Json }> {
    const [template, described] = this.#find(method, path);
    const response = await this.#emulator.fetch(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const what = `${method} ${template} ${response.status}`;
    const expected = described.responses[response.status];
    if (expected === undefined)
      throw new Error(`${what} is not in src/emulator/openapi/operations.ts: ${text}`);
    const received: unknown = text === '' ? undefined : JSON.parse(text);
    const at = `/paths/${pointer(template)}/${method.toLowerCase()}`;
    if (expected.content === undefined) {
      if (text !== '') throw new Error(`${what} has a body that is not described: ${text}`);
    } else {
      const { schema } = expected.content['application/json'];
      const place = `${at}/responses/${response.status}/content/application~1json/schema`;
      this.#hold(what, place, schema, received);
    }
    if (response.status < 300 && body !== undefined && described.requestBody !== undefined) {
      const { schema } = described.requestBody.content['application/json'];
      const sent: unknown = JSON.parse(JSON.stringify(body));
      this.#hold(`the body of ${what}`, `${at}/requestBody/content/application~1json/schema`, schema, sent);
    }
    this.seen.add(what);
    return { status: response.status, body: (received ?? {}) as Json };
  }

  /** Every operation of the description with its successful status. */
  successes(): string[] {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => status < '300')
          .map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
  }

  #find(method: string, path: string): [string, Described] {
    const bare = path.split('?')[0] ?? path;
    for (const [template, methods] of Object.entries(this.#document.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
      const described = methods[method.toLowerCase()];
      if (described !== undefined && pattern.test(bare)) return [template, described];
    }
    throw new Error(`${method} ${path} is not described`);
  }

  #compile(at: string, schema: Json): ValidateFunction {
    const text = textOf(schema, this.#document.components.schemas);
    const validate = compiled.get(text) ?? this.#ajv.compile({ $ref: `service#${encodeURI(at)}` });
    compiled.set(text, validate);
    return validate;
  }

  #hold(what: string, at: string, schema: Json, value: unknown): void {
    const validate = this.#validators.get(at) ?? this.#compile(at, schema);
    this.#validators.set(at, validate);
    if (!validate(value)) {
      throw new Error(
        `${what} departs from its description in src/emulator/openapi/ (${this.#ajv.errorsText(validate.errors)}): ` +
          `change that, or what src/emulator/service/ or src/emulator/dialect/ sends.\n${JSON.stringify(value)}`,
      );
    }
  }
}

/** A schema with every schema that it refers to, as text. */
function textOf(schema: Json, schemas: Record<string, unknown>): string {
  const texts = new Map([['', JSON.stringify(schema)]]);
  for (const text of texts.values()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!texts.has(name)) texts.set(name, JSON.stringify(schemas[name]));
    }
  }
  return JSON.stringify([...texts]);
}

/** With no field beside those of the description, where it states some: what the emulator writes must be described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isObjectSchema = inner.type === 'object' && inner.properties !== undefined;
  return isObjectSchema && inner.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');
