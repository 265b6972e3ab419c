import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { isNumbered } from '../dialect/errors.ts';
import { createStatusOf, type Route } from '../http/routes/route.ts';
import { noBody } from '../reading/check.ts';
import { ERRORS, RESPONSES, TAGS } from './operations.ts';
import { annotated, responseSchemas } from './responses.ts';

type DocumentPart = Record<string, unknown>;

/** The OpenAPI 3.1 description of the emulated service in a dialect, made of the schemas by which the client reads it. */
export function openApiOf(dialect: Dialect, allRoutes: readonly Route[], origin: string) {
  const routes = allRoutes.filter((route) => isSpoken(dialect, route));
  const requests = new Map(
    routes.filter(({ body }) => body !== noBody).map((route) => [requestName(route), route.body(dialect)]),
  );
  const paths: Record<string, DocumentPart> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(dialect, route) };
  }
  const tags = new Map(routes.map((route) => tagOf(route)).map((tag) => [tag?.name, tag]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stablecoin and fiat payments service',
      version: '2.0.0',
      description:
        'The service as the emulator of `stablecoin-payments` speaks it. What its documentation leaves open is a decision of the emulator.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin, description: 'The emulator.' }],
    tags: [...tags.values()],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: usedOf(paths, {
        ...componentsOf(requests, 'input'),
        ...componentsOf(responseSchemas(dialect), 'output'),
      }),
    },
  };
}

/** The components that something refers to: not every dialect has every shape. */
function usedOf(paths: unknown, schemas: Record<string, DocumentPart>): Record<string, DocumentPart> {
  const whole = JSON.stringify([paths, schemas]);
  const used = Object.entries(schemas).filter(([name]) => whole.includes(`"${ref(name).$ref}"`));
  return Object.fromEntries(used);
}

/** The acceptance of quotes is an operation only where quotes wait for it. */
function isSpoken({ acceptQuotes }: Dialect, { operation }: Route): boolean {
  const [family, name] = operation.split('.');
  return name !== 'acceptQuote' || acceptQuotes.some((accepted) => accepted === family);
}

const tagOf = ({ operation }: Route) => TAGS[operation.split('.')[0] ?? ''];

function operationOf(dialect: Dialect, route: Route): DocumentPart {
  const [named, ...errors] = RESPONSES[route.operation];
  const schema = named === 'DeletedAccount' && dialect.name === 'field' ? 'Account' : named;
  const creates = /\.create(Batch)?$/.test(route.operation);
  const refusals = creates && route.operation !== 'accounts.create' ? [dialect.duplicateStatus] : [];
  const failures = [...new Set([400, 401, ...errors, ...refusals, 500])].sort((a, b) => a - b);
  const required = !route.body(dialect).safeParse(undefined).success;
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [tagOf(route)?.name],
    ...parametersOf(dialect, route),
    ...(route.body === noBody ? {} : { requestBody: { required, content: jsonOf(requestName(route)) } }),
    responses: {
      [creates ? createStatusOf(dialect) : 200]: { description: 'Done.', content: jsonOf(schema) },
      ...Object.fromEntries(failures.map((failure) => [failure, errorResponse(dialect, failure)])),
    },
  };
}

function errorResponse(dialect: Dialect, status: number): DocumentPart {
  const name = isNumbered(dialect, status) ? 'NumberedError' : 'NestedError';
  return { description: ERRORS[status] ?? 'The request failed.', content: jsonOf(name) };
}

function parametersOf(dialect: Dialect, route: Route): DocumentPart {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(route.query(dialect).shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: z.toJSONSchema(z.object({ [name]: schema }), { io: 'output' }).properties?.[name],
  }));
  const parameters = [...inPath, ...inQuery];
  return parameters.length === 0 ? {} : { parameters };
}

/** Zod schemas as components that refer to one another. */
function componentsOf(
  schemas: ReadonlyMap<string, z.core.$ZodType>,
  io: 'input' | 'output',
): Record<string, DocumentPart> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of schemas) registry.add(schema, { id });
  const uri = (id: string) => ref(id).$ref;
  const made = z.toJSONSchema(registry, { io, uri, unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, schema]) => {
      const { $id: _id, $schema: _schema, '~standard': _standard, ...rest } = schema;
      return [id, io === 'output' ? annotated(id, rest) : rest];
    }),
  );
}

/** `onramps.create` is `OnrampsCreateRequest`. */
const requestName = ({ operation }: Route): string =>
  `${operation.replace(/(^|[.])(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}Request`;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const jsonOf = (name: string) => ({ 'application/json': { schema: ref(name) } });
