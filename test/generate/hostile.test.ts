import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { generated } from './support.ts';
import { typeErrors } from './type-errors.ts';

const done = { description: 'Done.' };
const json = (schema: object) => ({ 200: { ...done, content: { 'application/json': { schema } } } });
const described = (paths: object, schemas: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'hostile', version: '1' },
  paths,
  components: { schemas },
});

/** Code that ends a comment, a text or a line, and notes that it ran. */
const attack = (name: string) =>
  `x */ globalThis.attacked='${name}'; /* '+(globalThis.attacked='${name}')+' \` \${globalThis.attacked=1} \\' " \n\r\u2028globalThis.attacked='${name}'; // `;

it('runs and breaks nothing that a description has in its names and texts', async () => {
  const schema = {
    type: 'object',
    title: attack('title'),
    description: attack('description'),
    required: [attack('property')],
    properties: {
      [attack('property')]: { type: 'string', enum: [attack('enum'), null], default: attack('default') },
      [attack('example')]: {
        type: 'string',
        example: attack('example'),
        format: attack('format'),
        const: attack('const'),
      },
      list: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
    },
  };
  const operation = (name: string, more: object = {}) => ({
    tags: [attack('tag')],
    operationId: attack(name),
    summary: attack('summary'),
    description: attack('text'),
    deprecated: true,
    ...more,
    responses: json(schema),
  });
  const parameters = ['query', 'header', 'cookie'].map((place) => ({
    name: attack(place),
    in: place,
    required: true,
    description: attack('parameter'),
    schema: { type: 'string' },
  }));
  const page = { name: 'after', in: 'query', schema: { type: 'string' } };
  const lists = {
    type: 'object',
    properties: { next: { type: 'string' }, [attack('key')]: { type: 'array', items: schema } },
  };
  const { status, stderr, out, text } = await generated(
    described(
      {
        [`/v2/${attack('path')}`]: { get: operation('strange') },
        '/v2/plain': {
          get: operation('get', { parameters }),
          post: {
            ...operation('post'),
            requestBody: { content: { [`application/json; ${attack('type')}`]: { schema } } },
          },
        },
        '/v2/lists': { get: { ...operation('list', { parameters: [page] }), responses: json(lists) } },
        '/v2/bytes': {
          get: { ...operation('bytes'), responses: { 200: { ...done, content: { [attack('media')]: {} } } } },
        },
      },
      { Item: { type: 'object', properties: { id: { type: 'string' } } } },
    ),
  );
  expect(status, stderr).toBe(0);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await typeErrors([out])).toBe('');
  await import(/* @vite-ignore */ pathToFileURL(out).href);
  expect(Reflect.get(globalThis, 'attacked')).toBeUndefined();
  expect(text).toContain('defineResource');
});

it('names a namespace whose path begins without a letter or digit', async () => {
  const get = { responses: json({ type: 'object' }) };
  const { status, out } = await generated(
    described({
      '/v2/-/health': { get },
      '/v2/~': { get },
      '/v2/_/{id}': {
        get: { ...get, parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] },
      },
    }),
  );
  expect([status, await typeErrors([out])]).toEqual([0, '']);
});

it('reads fields that are named like keywords of a schema', async () => {
  const names = [
    'mapping',
    'discriminator',
    '$ref',
    'allOf',
    'items',
    'properties',
    'type',
    '__proto__',
    'constructor',
  ];
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'object', properties: { type: { type: 'string' } } }]),
  );
  const { status, stderr, out } = await generated(
    described({ '/v2/x': { get: { responses: json({ type: 'object', properties }) } } }),
  );
  expect([status, stderr, await typeErrors([out])]).toEqual([0, '', '']);
});

it('keeps what a component refers to when only a part of it is used', async () => {
  const schemas = {
    Whole: {
      type: 'object',
      properties: { part: { type: 'string' }, other: { $ref: '#/components/schemas/Other' } },
    },
    Other: { type: 'object', properties: { n: { type: 'number' } } },
  };
  const { status, stderr, out } = await generated(
    described(
      { '/v2/x': { get: { responses: json({ $ref: '#/components/schemas/Whole/properties/part' }) } } },
      schemas,
    ),
  );
  expect([status, stderr, await typeErrors([out])]).toEqual([0, '', '']);
});

it('reads many schemas that are made of each other in no time', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schemas = Object.fromEntries(
    names.map((name) => [name, { anyOf: refs, properties: { [name]: {} } }]),
  );
  const { status } = await generated(
    described({ '/v2/x': { get: { responses: json({ anyOf: refs }) } } }, schemas),
    [],
    { typesOf: async () => '' },
  );
  expect(status).toBe(0);
}, 5_000);
