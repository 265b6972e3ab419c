import openapiTS, { astToString } from 'openapi-typescript';

type Json = Record<string, unknown>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const text: Json = { type: 'string' };
const object = (properties: Record<string, Json>, required: string[] = []): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const ok = (schema: Json, status = '200'): Json => ({
  responses: { [status]: { description: 'Done.', ...json(schema) } },
});
const empty: Json = { responses: { 204: { description: 'Done.' } } };
const body = (schema: Json): Json => ({ requestBody: { required: true, ...json(schema) } });
const inQuery = (...names: string[]): Json[] =>
  names.map((name) => ({
    name,
    in: 'query',
    schema: name === 'status' ? { type: 'array', items: text } : text,
  }));
const deepObject = (name: string, schema: Json): Json => ({
  name,
  in: 'query',
  style: 'deepObject',
  explode: true,
  schema,
});
const inPath = (...names: string[]): Json[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));

const nouns = ['Wallet', 'Swap', 'Deposit', 'Payee', 'Invoice', 'Card', 'Rule', 'Report', 'Member', 'Device'];

/** Six operations of a noun: list, create, retrieve, replace, update, delete. */
function operationsOf(noun: string): Record<string, Json> {
  const plural = `/v2/${noun.toLowerCase()}s`;
  const one = ok(ref(noun));
  const list = object({ data: { type: 'array', items: ref(noun) }, nextCursor: text }, ['data']);
  return {
    [plural]: {
      get: { operationId: `list${noun}s`, parameters: inQuery('cursor', 'status'), ...ok(list) },
      post: { operationId: `create${noun}`, ...body(ref(`${noun}Params`)), ...ok(ref(noun), '201') },
    },
    [`${plural}/{id}`]: {
      parameters: inPath('id'),
      get: { operationId: `retrieve${noun}`, ...one },
      put: { operationId: `replace${noun}`, ...body(ref(`${noun}Params`)), ...one },
      patch: { operationId: `update${noun}`, requestBody: json(ref(`${noun}Params`)), ...one },
      delete: { operationId: `delete${noun}`, ...empty },
    },
  };
}

/** A description of 70 operations, with what real descriptions have. */
const description: Json = {
  openapi: '3.0.3',
  info: { title: 'A large service', version: '1' },
  paths: Object.assign({}, ...nouns.map(operationsOf), {
    '/v2/users': {
      get: {
        parameters: [
          ...inQuery('cursor'),
          deepObject('created', object({ gte: { type: 'integer' }, lte: { type: 'integer' } })),
          deepObject('metadata', { type: 'object', additionalProperties: text }),
          { name: 'email', in: 'query', schema: { type: 'string', nullable: true } },
        ],
        ...ok(object({ users: { type: 'array', items: ref('User') } })),
      },
      post: { ...body(ref('NewUser')), ...ok(ref('User')) },
    },
    '/v2/users/{userId}': {
      get: { operationId: 'UsersController_get', parameters: inPath('userId'), ...ok(ref('User')) },
      // The id of another operation, by mistake.
      delete: { parameters: inPath('userId'), ...empty },
    },
    '/v2/users/{user-id}/documents': {
      post: {
        parameters: inPath('user-id'),
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: object({ purpose: text, file: { type: 'string', format: 'binary' } }),
            },
          },
        },
        ...ok(object({ documentId: text })),
      },
    },
    '/v2/statements/{month}/{number}': {
      get: {
        parameters: [
          ...inPath('month'),
          { name: 'number', in: 'path', required: true, schema: { type: 'integer' } },
        ],
        responses: {
          200: {
            description: 'A file.',
            content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
    '/v2/offramps/{offrampId}/quote/accept': {
      post: { parameters: inPath('offrampId'), ...ok(ref('AnyTransfer')) },
    },
    '/v2/payments/keyed': {
      post: {
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: text }],
        ...body(object({ amount: { type: 'number' } }, ['amount'])),
        ...ok(object({ id: text })),
      },
    },
    '/v2/payments/{id}:cancel': { post: { parameters: inPath('id'), ...empty } },
    '/v2/health': {
      get: { responses: { default: { description: 'Up.', ...json(object({ up: { type: 'boolean' } })) } } },
    },
  }),
  components: {
    schemas: {
      ...Object.fromEntries(
        nouns.flatMap((noun) => [
          [noun, object({ id: text, name: text, parent: ref(noun) }, ['id'])],
          [`${noun}Params`, object({ name: text }, ['name'])],
        ]),
      ),
      User: object({ userId: text, email: text }, ['userId']),
      NewUser: { allOf: [object({ email: text }, ['email']), object({ requestId: text })] },
      AnyTransfer: { anyOf: [ref('Wallet'), ref('Deposit')] },
    },
  },
};

/** The types that `npx openapi-typescript` writes of the description. */
export const typesOf = async (): Promise<string> => astToString(await openapiTS(JSON.stringify(description)));
