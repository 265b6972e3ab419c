/** A description of about 80 operations, written by hand, with what real descriptions have. */

type Json = Record<string, unknown>;

const ref = (name: string, group = 'schemas'): Json => ({ $ref: `#/components/${group}/${name}` });
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
const query = (...names: string[]): Json[] =>
  names.map((name) => ({
    name,
    in: 'query',
    schema: /limit|page|offset/.test(name) ? { type: 'integer' } : text,
  }));
const path = (...names: string[]): Json[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const list = (item: Json, key = 'data', more: Record<string, Json> = {}): Json =>
  object({ [key]: { type: 'array', items: item }, ...more }, [key]);

const nouns = ['Wallet', 'Swap', 'Deposit', 'Payee', 'Invoice', 'Card', 'Rule', 'Report', 'Member', 'Device'];

/** Six plain operations of a noun: list, create, retrieve, replace, update, delete. */
function plain(noun: string): Record<string, Json> {
  const plural = `/v2/${noun.toLowerCase()}s`;
  const tags = [noun];
  const one = ok(ref(noun));
  return {
    [plural]: {
      get: {
        tags,
        operationId: `list${noun}s`,
        parameters: query('cursor', 'limit'),
        ...ok(list(ref(noun), 'data', { nextCursor: text })),
      },
      post: { tags, operationId: `create${noun}`, ...body(ref(`${noun}Params`)), ...ok(ref(noun), '201') },
    },
    [`${plural}/{${noun.toLowerCase()}Id}`]: {
      parameters: [ref(`${noun}Id`, 'parameters')],
      get: { tags, operationId: `retrieve${noun}`, summary: `Retrieves a ${noun.toLowerCase()}.`, ...one },
      put: { tags, operationId: `replace${noun}`, ...body(ref(`${noun}Params`)), ...one },
      patch: { tags, operationId: `update${noun}`, requestBody: ref(`${noun}Body`, 'requestBodies'), ...one },
      delete: { tags, operationId: `delete${noun}`, ...empty },
    },
  };
}

const paths: Record<string, Json> = Object.assign({}, ...nouns.map(plain), {
  // The client has these.
  '/v2/onramps': {
    post: {
      tags: ['Onramp'],
      operationId: 'createOnramp',
      ...body(object({ requestId: text })),
      ...ok(object({})),
    },
  },
  '/v2/users/{user}/kyc': { get: { tags: ['Kyc'], parameters: path('user'), ...ok(object({})) } },
  // A tag that the client has as a namespace.
  '/v2/accounts/search': {
    get: {
      tags: ['Accounts'],
      operationId: 'searchAccounts',
      parameters: query('page', 'limit', 'q'),
      ...ok(list(ref('Wallet'), 'items', { metadata: object({ hasMore: { type: 'boolean' } }) })),
    },
  },
  '/v2/users': {
    get: {
      tags: ['User'],
      operationId: 'UsersController_list',
      parameters: query('offset', 'limit'),
      ...ok(list(ref('User'), 'users')),
    },
    post: {
      tags: ['User'],
      operationId: 'UsersController_create',
      ...body(ref('NewUser')),
      ...ok(ref('User')),
    },
  },
  '/v2/users/{user-id}': {
    get: {
      tags: ['User'],
      operationId: 'UsersController_get',
      parameters: path('user-id'),
      ...ok(ref('User')),
    },
    // The id of another operation, by mistake.
    delete: { tags: ['User'], operationId: 'UsersController_get', parameters: path('user-id'), ...empty },
  },
  '/v2/users/{userId}/documents': {
    post: {
      tags: ['User'],
      operationId: 'UsersController_upload',
      summary: 'Uploads a document. */',
      parameters: path('userId'),
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
    get: { tags: ['User'], parameters: path('userId'), ...ok({ type: 'array', items: ref('Document') }) },
  },
  '/v2/users/{userId}/documents/{documentId}/file': {
    get: {
      tags: ['User'],
      parameters: path('userId', 'documentId'),
      responses: {
        200: {
          description: 'The file.',
          content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
        },
      },
    },
  },
  '/v2/offramps/{offrampId}/quote/accept': {
    post: {
      tags: ['Offramp'],
      operationId: 'acceptOfframpQuote',
      deprecated: true,
      parameters: path('offrampId'),
      ...ok(ref('AnyTransfer')),
    },
  },
  '/v2/transfers': {
    get: {
      tags: ['Transfer'],
      operationId: 'list',
      parameters: query('createdBefore', 'limit'),
      ...ok({ type: 'array', items: ref('Document') }),
    },
    post: {
      tags: ['Transfer'],
      operationId: 'create',
      ...body({
        oneOf: [ref('WalletTransfer'), ref('BankTransfer')],
        discriminator: {
          propertyName: 'kind',
          mapping: { wallet: ref('WalletTransfer').$ref, bank: ref('BankTransfer').$ref },
        },
      }),
      ...ok(ref('AnyTransfer')),
    },
  },
  '/v2/transfers/nested': {
    get: {
      tags: ['Transfer'],
      parameters: query('after'),
      ...ok(object({ result: list(ref('Document'), 'records', { next_cursor: text }) })),
    },
  },
  '/v2/payments/keyed': {
    post: {
      tags: ['Payment'],
      parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: text }],
      ...body(object({ amount: { type: 'number' } }, ['amount'])),
      ...ok(object({ id: text })),
    },
  },
  '/v2/payments/by-region': {
    post: {
      tags: ['Payment'],
      parameters: [{ name: 'X-Region', in: 'header', required: true, schema: text }],
      requestBody: { content: { 'application/x-www-form-urlencoded': { schema: object({ region: text }) } } },
      responses: {
        200: { description: 'Done.', ...json(object({ id: text })) },
        202: { description: 'Later.', ...json(object({ job: text })) },
      },
    },
  },
  '/v2/payments/{id}:cancel': { post: { tags: ['Payment'], parameters: path('id'), ...empty } },
  '/v2/trees': {
    // A body of GET, which no client may send; any media type; and schemas that contain each other.
    get: {
      tags: ['Tree'],
      operationId: 'findTrees',
      requestBody: json(object({ filter: text })),
      responses: { 200: { description: 'Done.', content: { '*/*': { schema: ref('Tree') } } } },
    },
    patch: {
      tags: ['Tree'],
      operationId: 'graft',
      parameters: [{ name: 'idempotency-key', in: 'header', schema: text }],
      requestBody: { content: { '*/*': { schema: ref('Tree') } } },
      ...empty,
    },
  },
  '/v2/import': {
    post: {
      tags: ['constructor'],
      requestBody: { content: { 'application/octet-stream': {} } },
      responses: { '2XX': { description: 'Done.', ...json(object({ rows: { type: 'integer' } })) } },
    },
  },
  '/v2/health': {
    head: { responses: { 200: { description: 'Up.' } } },
    get: { responses: { default: { description: 'Up.', ...json(object({ up: { type: 'boolean' } })) } } },
  },
});

const named = (make: (noun: string) => [string, Json]) => Object.fromEntries(nouns.map(make));

/** The description. */
export const largeDescription: Json = {
  openapi: '3.0.3',
  info: { title: 'A large service', version: '1' },
  servers: [{ url: 'https://service.example/v2' }],
  paths,
  components: {
    parameters: named((noun) => [
      `${noun}Id`,
      { name: `${noun.toLowerCase()}Id`, in: 'path', required: true, schema: text },
    ]),
    requestBodies: named((noun) => [`${noun}Body`, { required: true, ...json(ref(`${noun}Params`)) }]),
    schemas: {
      ...named((noun) => [noun, { allOf: [ref('Base'), object({ name: text, parent: ref(noun) })] }]),
      ...named((noun) => [`${noun}Params`, object({ name: text }, ['name'])]),
      Base: object({ id: text, createdAt: { type: 'string', format: 'date-time' } }, ['id']),
      User: object({ userId: text, email: text }, ['userId']),
      NewUser: { allOf: [object({ email: text }, ['email']), object({ requestId: text })] },
      Document: object({ id: text, createdAt: text }, ['id']),
      WalletTransfer: object(
        { kind: { type: 'string', enum: ['wallet'] }, requestId: text, walletAddress: text },
        ['kind', 'requestId'],
      ),
      BankTransfer: object({ kind: { type: 'string', enum: ['bank'] }, requestId: text, accountId: text }, [
        'kind',
        'requestId',
      ]),
      AnyTransfer: { anyOf: [ref('WalletTransfer'), ref('BankTransfer')] },
      Tree: { anyOf: [ref('Branch'), ref('Leaf')] },
      Branch: object({ left: ref('Tree'), right: ref('Tree') }, ['left']),
      Leaf: { allOf: [ref('Base'), object({ neighbors: { type: 'array', items: ref('Tree') } })] },
      Unused: object({ never: text }),
    },
  },
};
