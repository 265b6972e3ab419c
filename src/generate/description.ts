import { isRecord } from '../shared/values.ts';

/** An object of the description. */
export type Json = Readonly<Record<string, unknown>>;

/** Reports a command line or a description that cannot be used. */
export class GenerateError extends Error {}

/** The body of a request, as far as the client needs it. */
export interface DescribedBody {
  readonly kind: 'json' | 'multipart' | 'urlencoded' | 'bytes';
  readonly mediaType: string;
  /** The names of the fields. */
  readonly fields: readonly string[];
}

/** One operation of the description. */
export interface DescribedOperation {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path as the client sends it. */
  readonly path: string;
  /** The path as the description has it. */
  readonly source: string;
  readonly tag: string | undefined;
  readonly operationId: string | undefined;
  readonly summary: string;
  readonly deprecated: boolean;
  readonly query: readonly string[];
  /** Headers that the service requires, without the token and the idempotency key. */
  readonly headers: readonly string[];
  /** The header for an idempotency key. */
  readonly keyHeader: string | undefined;
  readonly body: DescribedBody | undefined;
  /** The successful statuses, each with its JSON type, or another one. */
  readonly responses: readonly { readonly status: string; readonly mediaType: string | undefined }[];
  /** The schema of the first successful response with JSON. */
  readonly schema: Json | undefined;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** An OpenAPI description whose references can be followed. */
export class Description {
  readonly document: Json;
  readonly #properties = new Map<Json, Map<string, unknown>>();

  /** @throws GenerateError when the document is not an OpenAPI 3 description. */
  constructor(document: Json) {
    const version = versionOf(document.openapi ?? document.swagger);
    if (!/^3\.\d/.test(version) || !isRecord(document.paths))
      throw new GenerateError(
        version.startsWith('2')
          ? 'The description is Swagger 2. Convert it to OpenAPI 3 first: npx swagger2openapi old.json -o openapi.json'
          : 'The file is not an OpenAPI 3 description: it has no `openapi: 3.…` or no `paths`.',
      );
    this.document = { ...document, openapi: version };
  }

  /** Follows references inside the description. */
  follow(value: unknown): Json {
    let found = value;
    for (let steps = 0; isRecord(found) && typeof found.$ref === 'string'; steps += 1) {
      if (steps > 50) throw new GenerateError(`The reference ${found.$ref} leads to itself.`);
      found = this.#at(found.$ref);
    }
    return isRecord(found) ? found : {};
  }

  #at(reference: string): unknown {
    if (!reference.startsWith('#/'))
      throw new GenerateError(
        `The description refers to another file (${reference}). Bundle it first: npx @redocly/cli bundle openapi.yaml --ext json -o openapi.json`,
      );
    let found: unknown = this.document;
    for (const part of reference.slice(2).split('/')) {
      const name = decodedPart(part, reference).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    if (found === undefined) throw new GenerateError(`The reference ${reference} leads nowhere.`);
    return found;
  }

  /** The properties that every object of a schema has. Each schema is read once, also one that contains itself. */
  propertiesOf(schema: unknown): Map<string, unknown> {
    const resolved = this.follow(schema);
    const known = this.#properties.get(resolved);
    if (known !== undefined) return known;
    // Its own first: a variant that contains this schema reads what is here so far.
    const own = isRecord(resolved.properties) ? Object.entries(resolved.properties) : [];
    const found = new Map<string, unknown>(own);
    this.#properties.set(resolved, found);
    const add = (name: string, inner: unknown) => found.has(name) || found.set(name, inner);
    for (const part of arrayOf(resolved.allOf))
      for (const [name, inner] of this.propertiesOf(part)) add(name, inner);
    const variants = [...arrayOf(resolved.oneOf), ...arrayOf(resolved.anyOf)]
      .map((variant) => this.propertiesOf(variant))
      .filter((variant) => variant.size > 0);
    for (const [name, inner] of variants[0] ?? [])
      if (variants.every((variant) => variant.has(name))) add(name, inner);
    return found;
  }

  /** All operations, by path and then by method. */
  operations(): DescribedOperation[] {
    const paths = isRecord(this.document.paths) ? this.document.paths : {};
    const [server] = arrayOf(this.document.servers);
    // The client leaves a second `/v2` out, so a path with it works with both forms of the base address.
    const isBelow = /\/v2\/?$/.test(String(Reflect.get(Object(server), 'url')));
    return Object.keys(paths)
      .sort()
      .flatMap((source) => {
        const item = this.follow(paths[source]);
        const path = isBelow && !source.startsWith('/v2/') ? `/v2${source}` : source;
        return methods.flatMap((method) => {
          const operation = item[method.toLowerCase()];
          return isRecord(operation) ? [this.#describe(method, source, path, item, operation)] : [];
        });
      });
  }

  #describe(
    method: DescribedOperation['method'],
    source: string,
    path: string,
    item: Json,
    operation: Json,
  ): DescribedOperation {
    const given = [...arrayOf(item.parameters), ...arrayOf(operation.parameters)].map((one) =>
      this.follow(one),
    );
    const parameters = [...new Map(given.map((one) => [`${one.in} ${one.name}`, one])).values()];
    const named = (place: string) => parameters.filter((one) => one.in === place);
    const [tag] = arrayOf(operation.tags);
    const responses = this.#responsesOf(operation);
    const json = responses.find(({ mediaType }) => isJson(mediaType));
    return {
      method,
      source,
      path,
      tag: typeof tag === 'string' ? tag : undefined,
      operationId: typeof operation.operationId === 'string' ? operation.operationId : undefined,
      summary: String(operation.summary ?? operation.description ?? '').split('\n')[0] ?? '',
      deprecated: operation.deprecated === true,
      query: named('query').map(({ name }) => String(name)),
      headers: named('header')
        .filter(({ required, name }) => required === true && !ownHeader.test(String(name)))
        .map(({ name }) => String(name)),
      keyHeader: named('header')
        .map(({ name }) => String(name))
        .find((name) => keyHeader.test(name)),
      body: method === 'GET' || method === 'HEAD' ? undefined : this.#bodyOf(operation),
      responses: responses.map(({ status, mediaType }) => ({ status, mediaType })),
      schema: json?.schema,
    };
  }

  #bodyOf(operation: Json): DescribedBody | undefined {
    if (operation.requestBody === undefined) return undefined;
    const content = this.follow(operation.requestBody).content;
    const types = isRecord(content) ? Object.keys(content) : [];
    const mediaType = types.find(isJson) ?? types.find((type) => type.startsWith('multipart/')) ?? types[0];
    if (mediaType === undefined || !isRecord(content)) return undefined;
    const { schema } = this.follow(content[mediaType]);
    const kind = isJson(mediaType)
      ? 'json'
      : mediaType.startsWith('multipart/')
        ? 'multipart'
        : mediaType === 'application/x-www-form-urlencoded'
          ? 'urlencoded'
          : 'bytes';
    return { kind, mediaType, fields: [...this.propertiesOf(schema).keys()] };
  }

  #responsesOf(operation: Json) {
    const responses = isRecord(operation.responses) ? operation.responses : {};
    const statuses = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
    const chosen = statuses.length === 0 && 'default' in responses ? ['default'] : statuses;
    return chosen.map((status) => {
      const { content } = this.follow(responses[status]);
      const types = isRecord(content) ? Object.keys(content) : [];
      const mediaType = types.find(isJson) ?? types[0];
      const { schema } = this.follow(mediaType !== undefined && isRecord(content) ? content[mediaType] : {});
      return { status, mediaType, schema: schema === undefined ? undefined : this.follow(schema) };
    });
  }

  /** The description of some operations only, with the components to which they refer, and without operation ids. */
  only(operations: readonly DescribedOperation[]): Json {
    const paths: Record<string, Json> = {};
    for (const { source, method } of operations) {
      const item = this.follow(isRecord(this.document.paths) ? this.document.paths[source] : {});
      const name = method.toLowerCase();
      // Two operations may have one id by mistake; without ids, each type stands at its path.
      const { operationId: _id, ...operation } = isRecord(item[name]) ? item[name] : {};
      paths[source] = { parameters: item.parameters ?? [], ...paths[source], [name]: operation };
    }
    const { openapi, info, components } = this.document;
    return { openapi, info, paths, components: this.#used(paths, components) };
  }

  #used(from: unknown, components: unknown): Json {
    const used: Record<string, Record<string, unknown>> = {};
    const seen = new Set<string>();
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const item of value) visit(item);
      if (!isRecord(value)) return;
      const { $ref } = value;
      if (typeof $ref === 'string' && !seen.has($ref)) {
        seen.add($ref);
        const [, , group = '', name = ''] = $ref.split('/').map((part) => decodedPart(part, $ref));
        const target =
          isRecord(components) && isRecord(components[group]) ? components[group][name] : undefined;
        if (target !== undefined) used[group] = { ...used[group], [name]: target };
        const part = this.#at($ref);
        // All of a component is written, so that what its other parts refer to is needed, too.
        visit(target ?? part);
      }
      // The mapping of a discriminator has references without the name `$ref`.
      const mapping = isRecord(value.discriminator) ? value.discriminator.mapping : undefined;
      if (isRecord(mapping)) for (const target of Object.values(mapping)) visit({ $ref: target });
      for (const inner of Object.values(value)) visit(inner);
    };
    visit(from);
    return used;
  }
}

/** Decodes a part of a reference, which is an address. */
function decodedPart(part: string, reference: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new GenerateError(
      `The reference ${reference} cannot be read: it has a % that begins no character.`,
    );
  }
}

/** The version as text. In YAML `3.0` without quotes is a number. */
const versionOf = (version: unknown): string =>
  typeof version === 'number' ? `${version.toFixed(1)}.0` : String(version ?? '');

const keyHeader = /^(?:x-)?idempotency-?key$/i;
const ownHeader = /^(?:authorization|accept|content-type|(?:x-)?idempotency-?key)$/i;

/** Returns true for JSON: `application/json`, types such as `application/problem+json`, and any type. */
export const isJson = (mediaType: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b|^\*\/\*$/i.test(mediaType ?? '');

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
