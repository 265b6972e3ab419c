import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { errorShapeOf } from '../dialect/errors.ts';
import type { Route } from '../http/routes/route.ts';
import { noBody } from '../reading/check.ts';
import { ERRORS, exampleOf, RESPONSES, successStatusOf, tagOf } from './operations.ts';
import { responseSchemas } from './schemas.ts';
import { webhookSchemas } from './webhooks.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of the emulated service in a dialect, made of the schemas by which the emulator checks and writes. */
export function openApiOf(dialect: Dialect, allRoutes: readonly Route[], origin: string) {
  const routes = allRoutes.filter((route) => isSpoken(dialect, route));
  const requests = new Map(
    routes.filter(({ body }) => body !== noBody).map((route) => [requestName(route), route.body(dialect)]),
  );
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(dialect, route, paths) };
  }
  const events = webhookSchemas(dialect);
  const webhooks = Object.fromEntries(
    [...events.keys()].map((kind) => [kind, { post: webhookOperation(dialect, kind) }]),
  );
  const tags = new Map(routes.map(({ operation }) => tagOf(operation)).map((tag) => [tag.name, tag]));
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
    webhooks,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: usedOf([paths, webhooks], {
        ...componentsOf(requests, 'input'),
        ...componentsOf(new Map(Object.entries(responseSchemas(dialect))), 'output'),
        ...componentsOf(new Map([...events].map(([kind, schema]) => [eventName(kind), schema])), 'output'),
      }),
    },
  };
}

/** The components that something refers to: not every dialect has every shape. */
function usedOf(paths: unknown, schemas: Record<string, Json>): Record<string, Json> {
  const whole = JSON.stringify([paths, schemas]);
  const used = Object.entries(schemas).filter(([name]) => whole.includes(`"${ref(name).$ref}"`));
  return Object.fromEntries(used);
}

/** The acceptance of quotes is an operation only where quotes wait for it. */
function isSpoken({ acceptQuotes }: Dialect, { operation }: Route): boolean {
  const [family, name] = operation.split('.');
  return name !== 'acceptQuote' || acceptQuotes.some((accepted) => accepted === family);
}

function operationOf(dialect: Dialect, route: Route, before: Record<string, Json>): Json {
  const [schema, ...errors] = RESPONSES[route.operation];
  const success = successStatusOf(dialect, route.operation);
  const refusals = takesRequestId(dialect, route) ? [dialect.duplicateStatus] : [];
  const failures = [...new Set([400, 401, ...errors, ...refusals, 500])].sort((a, b) => a - b);
  // Two paths may lead to one operation; its id is that of the first.
  const again = JSON.stringify(before).includes(`"operationId":"${route.operation}"`);
  return {
    operationId: again ? `${route.operation}.alias` : route.operation,
    summary: route.summary,
    tags: [tagOf(route.operation).name],
    ...parametersOf(dialect, route),
    ...(route.body === noBody
      ? {}
      : {
          requestBody: {
            required: !route.body(dialect).safeParse(undefined).success,
            content: {
              'application/json': {
                schema: ref(requestName(route)),
                example: exampleOf(dialect, route.operation),
              },
            },
          },
        }),
    responses: {
      [success]:
        success === 204
          ? { description: 'Done.' }
          : { description: 'Done.', content: { 'application/json': { schema: ref(schema) } } },
      ...Object.fromEntries(failures.map((failure) => [failure, errorResponse(dialect, failure)])),
    },
  };
}

/** Describes the delivery of a kind of event, and the response of its receiver. */
function webhookOperation({ webhookScheme }: Dialect, kind: string): Json {
  const inHeader = (name: string, description: string) => {
    return { name, in: 'header', required: true, description, schema: { type: 'string' } };
  };
  const parameters = [
    inHeader('webhook-id', 'The id of the event.'),
    inHeader('webhook-timestamp', 'Seconds since 1970.'),
    inHeader('webhook-signature', 'The signature of Standard Webhooks.'),
  ];
  return {
    operationId: `webhook.${kind}`,
    summary: `Delivers ${kind}.`,
    ...(webhookScheme === 'jwt' ? { security: [{ bearer: [] }] } : { security: [], parameters }),
    requestBody: { required: true, content: { 'application/json': { schema: ref(eventName(kind)) } } },
    responses: {
      '2XX': { description: 'The event was accepted.' },
      '4XX': { description: 'The event was refused. It is not delivered again.' },
      '5XX': { description: 'The event is delivered again for up to 24 hours.' },
    },
  };
}

function errorResponse(dialect: Dialect, status: number): Json {
  const name = { numbered: 'NumberedError', nested: 'NestedError', bare: 'BareError' }[
    errorShapeOf(dialect.errorShapes, status)
  ];
  return {
    description: ERRORS[status] ?? 'The request failed.',
    content: { 'application/json': { schema: ref(name) } },
  };
}

function parametersOf(dialect: Dialect, route: Route): Json {
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
  schemas: ReadonlyMap<string, z.ZodMiniType>,
  io: 'input' | 'output',
): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of schemas) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Responses may have more fields tomorrow.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, schema]) => {
      const { $id: _id, $schema: _schema, '~standard': _standard, ...rest } = schema;
      return [id, rest];
    }),
  );
}

/** `ACCOUNT.ONRAMP.CREATE` is `AccountOnrampCreateEvent`. */
const eventName = (kind: string): string =>
  `${kind.toLowerCase().replace(/(^|[._])(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}Event`;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `onramps.create` is `OnrampsCreateRequest`. */
function requestName({ operation }: Route): string {
  return `${operation.replace(/(^|\.)(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}Request`;
}

function takesRequestId(dialect: Dialect, { body }: Route): boolean {
  const schema = body(dialect);
  return schema instanceof z.ZodMiniObject && 'requestId' in schema.shape;
}
