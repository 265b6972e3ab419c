/** A description with the oddities that published descriptions have, as YAML. */
export const oddDescription = `# A comment.
openapi: 3.0
info:
  title: Odd
  version: 2024-01-01
servers:
  - url: https://service.example/v2
tags:
  - name: Users / Members
paths:
  /users/{user-id}:
    parameters:
      - $ref: '#/components/parameters/UserId'
      - { name: X-Tenant, in: header, required: true, schema: { type: string } }
    get:
      tags: [Users / Members]
      operationId: get-/users/{user-id}
      summary: |
        Retrieves a user. */ \`quoted\` \${x}
        More.
      responses:
        default: { $ref: '#/components/responses/User' }
    put:
      tags: [Users / Members]
      operationId: 123put
      requestBody: { $ref: '#/components/requestBodies/User' }
      responses:
        2XX: { description: Done., content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/User' } } } }
        400: { description: No., content: { application/problem+json: { schema: {} } } }
    delete:
      tags: [Users / Members]
      operationId: delete
      responses: { 200: { description: Done., content: { application/json: { schema: {} } } }, 204: { description: Done. } }
  /users/{user-id}/friends/{userId}:
    parameters:
      - { name: user-id, in: path, required: true, schema: { type: string } }
      - { name: userId, in: path, required: true, schema: { type: integer } }
    get:
      tags: [Users / Members]
      operationId: friend
      responses: { 200: { $ref: '#/components/responses/User' } }
  /users/{user-id}/avatar:
    parameters:
      - $ref: '#/components/parameters/UserId'
    post:
      tags: [Users / Members]
      operationId: upload avatar!
      requestBody:
        content:
          multipart/form-data:
            schema:
              allOf:
                - type: object
                  properties: { file: { type: string, format: binary }, requestId: { type: string } }
                - type: object
                  properties: { labels: { type: array, items: { type: string } } }
      responses: { 201: { description: Done., content: { application/json: { schema: { type: object, nullable: true } } } } }
    get:
      tags: [Users / Members]
      operationId: then
      responses: { 200: { description: Done., content: { image/png: { schema: { type: string, format: binary } } } } }
  /users/:
    get:
      tags: [Users / Members]
      operationId: list users
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: { kind: { type: string } } } }
        - { name: ids, in: query, schema: { type: array, items: { type: string } } }
        - { name: session, in: cookie, schema: { type: string } }
      responses:
        200:
          description: Done.
          content:
            application/json:
              schema:
                allOf:
                  - $ref: '#/components/schemas/Envelope'
                  - type: object
                    properties:
                      data: { type: array, nullable: true, items: { $ref: '#/components/schemas/User' } }
  /tree:
    get:
      operationId: constructor
      responses: { 200: { description: Done., content: { application/vnd.api+json: { schema: { $ref: '#/components/schemas/Tree.Node' } } } } }
    post:
      operationId: Constructor
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Tree.Node' } }, multipart/form-data: { schema: { type: object } } } }
      responses: { 202: { description: Done. } }
    options: { responses: { 204: { description: Done. } } }
  /class:
    get:
      tags: [class]
      operationId: new
      responses: { 200: { description: Done., content: { text/csv: {} } } }
    head:
      tags: [class]
      responses: { 200: { description: Done. } }
  /default:
    post:
      tags: [await]
      operationId: await.default
      parameters:
        - { name: Idempotency-Key, in: header, schema: { type: string } }
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: string } } } } } }
      responses: { 200: { description: Done., content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { cat: Cat, dog: Dog } } } } } } }
    patch:
      tags: [await]
      operationId: await.default
      requestBody: { content: { application/octet-stream: {} } }
      responses: {}
  /größe/{größe}:
    get:
      tags: [Größe]
      operationId: größe
      parameters: [{ name: größe, in: path, required: true, schema: { type: string } }]
      responses: { 200: { description: Done., content: { application/json: { schema: { type: string } } } } }
  /request:
    get:
      tags: [request]
      operationId: request
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 200: { description: Done., content: { '*/*': { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } }
      parameters: [{ name: offset, in: query, schema: { type: integer } }, { name: limit, in: query, schema: { type: integer } }]
  /reports/{id}.csv:
    get:
      tags: [reports]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { 200: { description: Done., content: { text/csv: { schema: { type: string } } } } }
components:
  parameters:
    UserId: { name: user-id, in: path, required: true, schema: { type: string } }
  responses:
    User: { description: A user., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
  requestBodies:
    User: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
  schemas:
    Envelope: { type: object, properties: { metadata: { type: object, properties: { totalPages: { type: integer } } } } }
    User:
      type: object
      required: [id, name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, nullable: true }
        kind: { type: string, nullable: true, enum: [a, 'b', null] }
        since: { type: string, format: date, example: 2024-01-01 }
        parent: { nullable: true, allOf: [{ $ref: '#/components/schemas/User' }] }
        extra: { type: object, additionalProperties: { type: number } }
    Tree.Node: { type: object, properties: { children: { type: array, items: { $ref: '#/components/schemas/Tree.Node' } }, 'odd-key': { type: string } } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, purrs: { type: boolean } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, barks: { type: boolean } } }
`;
