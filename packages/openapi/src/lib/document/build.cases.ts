import { defineProblems, ISSUES_SCHEMA } from '@plumbline/problem'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { type AnyOperation, defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { defineLink } from '../spec/link.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { Route } from '../spec/route.ts'
import { bearer, oauth2, openIdConnect } from '../spec/security.ts'
import type { DocumentOptions } from './builder.ts'
import type { BuildFaultCode } from './faults.ts'

/** A document that cannot be built, with all of its faults. */
export interface Rejected {
  readonly what: string
  readonly operations: readonly AnyOperation[]
  readonly options?: Partial<DocumentOptions>
  readonly errors: readonly (readonly [
    operationId: string | null,
    pointer: string,
    code: BuildFaultCode,
  ])[]
}

const ok = { 204: { description: 'Done' } }

/** An operation of `GET /books` by default. */
export function operation(
  operationId: string,
  spec: Partial<OperationSpec> = {},
  route: Route = { method: 'GET', pattern: '/books' },
): AnyOperation {
  return defineOperation(operationId, route, { summary: 'Summary', responses: ok, ...spec })
}

/** An operation that posts `body` to `/<operationId>`. */
export function posting(operationId: string, body: NonNullable<OperationSpec['body']>) {
  return operation(operationId, { body }, { method: 'POST', pattern: `/${operationId}` })
}

const problems = defineProblems('https://example.com/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
})

const book = z.object({ title: z.string() }).meta({ id: 'Book' })
const otherBook = z.object({ title: z.string(), pages: z.int() }).meta({ id: 'Book' })
const arkBook = type({ title: 'string' }).configure({ id: 'Book' })
const otherArkBook = type({ title: 'string', pages: 'number' }).configure({ id: 'Book' })
const shelfOf = (one: z.ZodType) => z.object({ books: z.array(one) }).meta({ id: 'Shelf' })
const arkShelfOf = (one: typeof arkBook) => type({ books: one.array() }).configure({ id: 'Shelf' })
// A value that a program without types may pass.
const valibotString = toStandardJsonSchema(v.string())
const bare = v.string() as unknown as Schema
const BODY = 'requestBody/content/application~1json/schema'

/** Routes that OpenAPI cannot express, with the code of the fault. */
const routes: readonly (readonly [method: string, pattern: string, code: BuildFaultCode])[] = [
  ['GET', '/books(/:bookId)', 'optional-segment'],
  ['GET', '/files/*', 'unnamed-wildcard'],
  ['GET', 'https://:tenant.example.com/books', 'hostname-variable'],
  ['ANY', '/books', 'any-method'],
  ['QUERY', '/books', 'unsupported-method'],
  ['GET', '/books?page', 'query-in-pattern'],
]

const none = { description: 'Nothing' }
const invalidStatuses = [
  '99',
  '600',
  '1000',
  '0XX',
  '6XX',
  'XXX',
  '2xx',
  '20X',
  '2X0',
  '2XXX',
  'x200',
  '200 ',
  'Default',
  'defaults',
  'my default',
]
const invalidTypes = [
  'json',
  'text/',
  '/plain',
  'text/plain x',
  'a text/plain',
  'te xt/plain',
  'text/pla in',
  '*',
  '*/plain',
  '*/*x',
  'x*/*',
  'text/*x',
  'text/plain;\n',
  'text/plain,text/csv',
]

const upload = z.object({ file: z.file() }).meta({ id: 'Upload' })

/** Every build fault of an operation. */
export const rejectedOperations: readonly Rejected[] = [
  ...routes.map(
    ([method, pattern, code]): Rejected => ({
      what: `the route ${method} ${pattern}`,
      operations: [operation('a', {}, { method, pattern })],
      errors: [['a', '/paths', code]],
    }),
  ),
  {
    what: 'a duplicate operationId',
    operations: [operation('a'), operation('a', {}, { method: 'POST', pattern: '/books' })],
    errors: [['a', '/paths/~1books/post', 'duplicate-operation-id']],
  },
  {
    what: 'a duplicate method and path',
    operations: [operation('a'), operation('b', {}, { method: 'get', pattern: 'books' })],
    errors: [['b', '/paths/~1books/get', 'duplicate-route']],
  },
  {
    what: 'paths that differ only in the names of their variables',
    operations: [
      operation('a', {}, { method: 'GET', pattern: '/books/:bookId/notes/:noteId' }),
      operation('b', {}, { method: 'PUT', pattern: '/books/:id/notes/:noteId' }),
      operation('c', {}, { method: 'PUT', pattern: '/books/:bookId/notes' }),
    ],
    errors: [['b', '/paths/~1books~1{id}~1notes~1{noteId}/put', 'conflicting-path']],
  },
  {
    what: 'params without a variable of the route, and with an unknown one',
    operations: [
      operation(
        'a',
        { params: z.object({ bookId: z.string(), pageId: z.string() }) },
        { method: 'GET', pattern: '/books/:bookId/notes/:noteId' },
      ),
    ],
    errors: [
      ['a', '/paths/~1books~1{bookId}~1notes~1{noteId}/get/parameters', 'missing-param'],
      ['a', '/paths/~1books~1{bookId}~1notes~1{noteId}/get/parameters', 'unknown-param'],
    ],
  },
  {
    what: 'deprecations that headers cannot carry (RFC 9745 §4, RFC 8594 §3, RFC 8288 §3)',
    operations: [
      { since: new Date('x') },
      { since: undefined as unknown as Date },
      { since: '2026-01-01' as unknown as Date },
      null as unknown as { since: Date },
      { since: new Date(1_000), sunset: new Date(0) },
      { since: new Date(0), sunset: new Date('x') },
      { since: new Date(0), sunset: new Date('+010000-01-01') },
      { since: new Date(0), link: '/a>; rel="next"' },
      { since: new Date(0), link: '/a b' },
      { since: new Date(0), link: '' },
      { since: new Date(0), link: '/ä%zz' },
    ].map((deprecated, at) =>
      operation(`o${at}`, { deprecated }, { method: 'GET', pattern: `/o${at}` }),
    ),
    errors: Array.from(
      { length: 11 },
      (_, at) => [`o${at}`, `/paths/~1o${at}/get/deprecated`, 'invalid-deprecation'] as const,
    ),
  },
  {
    what: 'a security scheme that the document does not have',
    operations: [operation('a', { security: [{ token: [] }, { key: [] }] })],
    options: { securitySchemes: { token: bearer() } },
    errors: [['a', '/paths/~1books/get/security', 'unknown-security-scheme']],
  },
  {
    what: 'scopes that no flow of the OAuth 2.0 scheme defines (OpenAPI 3.1.1 §4.8.30)',
    operations: [
      operation('a', {
        security: [{ oauth: ['read', 'write'] }, { oauth: ['wirte', '__proto__'] }],
      }),
      operation(
        'b',
        { security: [{ open: ['any'], token: ['role'] }] },
        { method: 'PUT', pattern: '/books' },
      ),
    ],
    options: {
      securitySchemes: {
        token: bearer(),
        open: openIdConnect({ openIdConnectUrl: 'https://example.com/' }),
        oauth: oauth2({
          flows: {
            password: { tokenUrl: 'https://example.com/', scopes: { read: '' } },
            clientCredentials: { tokenUrl: 'https://example.com/', scopes: { write: '' } },
            'x-flow': { scopes: { wirte: '' } },
          },
        }),
      },
      security: [{ oauth: ['raed'] }],
    },
    errors: [
      [null, '/security', 'unknown-scope'],
      ['a', '/paths/~1books/get/security', 'unknown-scope'],
      ['a', '/paths/~1books/get/security', 'unknown-scope'],
    ],
  },
  {
    what: 'a security scheme that only every object has',
    operations: [operation('a', { security: [{ constructor: [] }] })],
    errors: [['a', '/paths/~1books/get/security', 'unknown-security-scheme']],
  },
  {
    what: 'problems that the catalog does not have',
    operations: [operation('a', { problems: ['notFound', 'gone', 'toString'] })],
    options: { problems },
    errors: [
      ['a', '/paths/~1books/get/responses', 'unknown-problem'],
      ['a', '/paths/~1books/get/responses', 'unknown-problem'],
    ],
  },
  {
    what: 'a problem without a catalog',
    operations: [operation('a', { responses: {}, problems: ['notFound'] })],
    errors: [['a', '/paths/~1books/get/responses', 'unknown-problem']],
  },
  {
    what: 'a status that is declared as a response and as a problem',
    operations: [
      operation('a', { responses: { 404: { description: 'Gone' } }, problems: ['notFound'] }),
    ],
    options: { problems },
    errors: [['a', '/paths/~1books/get/responses/404', 'duplicate-status']],
  },
  {
    what: 'invalid statuses (OpenAPI 3.1.1 §4.8.16.2)',
    operations: [
      operation('a', {
        responses: Object.fromEntries(invalidStatuses.map((status) => [status, none])),
      }),
    ],
    errors: invalidStatuses.map((status) => [
      'a',
      `/paths/~1books/get/responses/${status}`,
      'invalid-status',
    ]),
  },
  {
    what: 'a body with a duplicate media type',
    operations: [
      posting('a', { 'text/csv': z.string(), 'Text/CSV; header=present': z.string().min(1) }),
    ],
    errors: [
      [
        'a',
        '/paths/~1a/post/requestBody/content/Text~1CSV; header=present',
        'duplicate-media-type',
      ],
    ],
  },
  {
    what: 'a body with an invalid media type, and one without media types',
    operations: [
      posting(
        'a',
        Object.fromEntries(['text/csv', ...invalidTypes].map((type) => [type, z.string()])),
      ),
      posting('b', {}),
    ],
    errors: [
      ...invalidTypes.map(
        (type) =>
          [
            'a',
            `/paths/~1a/post/requestBody/content/${type.replaceAll('/', '~1')}`,
            'invalid-media-type',
          ] as const,
      ),
      ['b', '/paths/~1b/post/requestBody', 'empty-body'],
    ],
  },
  {
    what: 'header parameters that OpenAPI ignores (OpenAPI 3.1.1 §4.8.12.1)',
    operations: [
      operation('a', {
        headers: z.object({
          accept: z.string(),
          'Content-Type': z.string(),
          AUTHORIZATION: z.string().optional(),
          'x-request-id': z.string(),
        }),
      }),
    ],
    errors: [
      ['a', '/paths/~1books/get/parameters/0', 'ignored-header'],
      ['a', '/paths/~1books/get/parameters/1', 'ignored-header'],
      ['a', '/paths/~1books/get/parameters/2', 'ignored-header'],
    ],
  },
  {
    what: 'headers whose names differ only in letter case (RFC 9110 §5.1)',
    operations: [
      operation('a', {
        query: z.object({ 'x-at': z.string().optional(), 'X-AT': z.string().optional() }),
        headers: z.object({ 'X-At': z.string(), by: z.string(), 'x-at': z.string().optional() }),
        responses: {
          200: { description: 'x', headers: { ETag: { schema: z.string() } } },
          201: {
            description: 'y',
            headers: { ETag: { schema: z.string() }, etag: { schema: z.string() } },
          },
        },
      }),
    ],
    errors: [
      ['a', '/paths/~1books/get/parameters/4', 'duplicate-header'],
      ['a', '/paths/~1books/get/responses/201/headers/etag/schema', 'duplicate-header'],
    ],
  },
  {
    what: 'headers whose names are not tokens (RFC 9110 §5.1)',
    operations: [
      operation('a', {
        headers: z.object({ 'x id': z.string().optional() }),
        responses: { 200: { description: 'x', headers: { 'x:at': { schema: z.string() } } } },
      }),
    ],
    errors: [
      ['a', '/paths/~1books/get/parameters/0', 'invalid-header-name'],
      ['a', '/paths/~1books/get/responses/200/headers/x:at/schema', 'invalid-header-name'],
    ],
  },
  {
    what: 'parameters that cannot be sent as text',
    operations: [
      operation('a', {
        query: z.object({
          tags: z.array(z.string()),
          filter: z.object({}),
          rows: z.array(z.array(z.string())),
          sort: z.tuple([z.string(), z.object({})]),
          none: z.null(),
          gone: z.never().optional(),
          file: z.file(),
          files: z.array(z.file()),
          fileOrText: z.union([z.file(), z.string()]),
        }),
        cookies: z.object({ seen: z.array(z.string()) }),
      }),
    ],
    errors: [
      ['a', '/paths/~1books/get/parameters/1', 'unsupported-parameter'],
      ['a', '/paths/~1books/get/parameters/2', 'unsupported-parameter'],
      ['a', '/paths/~1books/get/parameters/3', 'unsupported-parameter'],
      ['a', '/paths/~1books/get/parameters/4', 'unsupported-parameter'],
      ['a', '/paths/~1books/get/parameters/5', 'unsatisfiable-parameter'],
      ['a', '/paths/~1books/get/parameters/6', 'unsupported-parameter'],
      ['a', '/paths/~1books/get/parameters/7', 'unsupported-parameter'],
      ['a', '/paths/~1books/get/parameters/9', 'unsupported-parameter'],
    ],
  },
  {
    what: 'lists in the alternatives of a path or cookie parameter',
    operations: [
      operation(
        'a',
        {
          params: z.object({ id: z.union([z.literal('all'), z.array(z.int())]) }),
          query: z.object({ tag: z.union([z.literal('all'), z.array(z.int())]) }),
          cookies: z.object({
            seen: z.union([z.string(), z.array(z.string())]),
            anything: z.unknown(),
            objects: z.union([z.string(), z.array(z.string()), z.object({})]),
            files: z.union([z.string(), z.array(z.string()), z.file()]),
          }),
        },
        { method: 'GET', pattern: '/books/:id' },
      ),
    ],
    errors: [
      ['a', '/paths/~1books~1{id}/get/parameters/0', 'list-parameter'],
      ['a', '/paths/~1books~1{id}/get/parameters/2', 'list-parameter'],
      ['a', '/paths/~1books~1{id}/get/parameters/4', 'list-parameter'],
      ['a', '/paths/~1books~1{id}/get/parameters/5', 'list-parameter'],
    ],
  },
  {
    what: 'files in JSON and in urlencoded forms',
    operations: [
      operation('a', {
        body: {
          'multipart/form-data': upload,
          'application/json': upload,
          'Application/X-www-form-urlencoded': type({ file: 'File' }),
          'application/*': z.file(),
        },
        responses: {
          200: { description: '', body: type({ file: 'File[]' }) },
          201: { description: '', body: { 'application/json': z.file() } },
        },
      }),
    ],
    errors: [
      ['a', '/paths/~1books/get/requestBody/content/application~1json', 'file-in-text'],
      [
        'a',
        '/paths/~1books/get/requestBody/content/Application~1X-www-form-urlencoded',
        'file-in-text',
      ],
      ['a', '/paths/~1books/get/responses/200/content/application~1json', 'file-in-text'],
    ],
  },
  {
    what: 'a link to an unknown operation, whose expression does not lead to a value',
    operations: [
      operation('a', {
        responses: {
          204: {
            description: 'Done',
            links: {
              next: defineLink({ operationId: 'b', parameters: { id: '$response.body#/id' } }),
            },
          },
        },
      }),
    ],
    errors: [
      ['a', '/paths/~1books/get/responses/204/links/next', 'invalid-link'],
      ['a', '/paths/~1books/get/responses/204/links/next', 'invalid-link'],
    ],
  },
  {
    what: 'a query that is not an object',
    operations: [operation('a', { query: z.array(z.string()) })],
    errors: [['a', '/paths/~1books/get/parameters', 'not-an-object-schema']],
  },
]

/** Every build error that is about the document as such. */
export const rejectedDocuments: readonly Rejected[] = [
  {
    what: 'server urls that are not absolute',
    operations: [],
    options: {
      servers: [
        { url: 'https://example.com' },
        { url: '/v1' },
        { url: 'example.com' },
        { url: 'localhost:3000' },
        { url: '//example.com' },
        { url: 'https://' },
        { url: 'urn:a://example.com' },
        { url: 'https://:{port}/v1' },
      ],
    },
    errors: [
      [null, '/servers/1/url', 'relative-server-url'],
      [null, '/servers/2/url', 'relative-server-url'],
      [null, '/servers/3/url', 'relative-server-url'],
      [null, '/servers/4/url', 'relative-server-url'],
      [null, '/servers/5/url', 'relative-server-url'],
      [null, '/servers/6/url', 'relative-server-url'],
      [null, '/servers/7/url', 'relative-server-url'],
    ],
  },
  {
    what: 'a default security that names no scheme',
    operations: [],
    options: { security: [{ token: [] }] },
    errors: [[null, '/security', 'unknown-security-scheme']],
  },
  {
    what: 'names of components that OpenAPI does not allow (OpenAPI 3.1.1 §4.8.7.1)',
    operations: [],
    options: {
      securitySchemes: { 'a token': bearer() },
      problems: defineProblems('https://example.com/', {
        'no/found': { slug: 'a', status: 404, title: 'A' },
      }),
    },
    errors: [
      [null, '/components/responses/No~1found', 'invalid-component-name'],
      [null, '/components/securitySchemes/a token', 'invalid-component-name'],
    ],
  },
  {
    what: 'problems whose names differ only in their first letter',
    operations: [],
    options: {
      problems: defineProblems('https://example.com/', {
        gone: { slug: 'a', status: 410, title: 'A' },
        Gone: { slug: 'b', status: 410, title: 'B' },
      }),
    },
    errors: [[null, '/components/schemas/GoneProblem', 'reserved-schema-name']],
  },
]

/** A schema of a library that keeps its definitions by name. */
function ours(definition: unknown): Schema {
  const input = () => ({ $ref: '#/$defs/Book', $defs: { Book: definition } })
  const jsonSchema = { input, output: input }
  const validate = (value: unknown) => ({ value })
  return { '~standard': { version: 1, vendor: 'ours', validate, jsonSchema } }
}

/** Two definitions of one name, and the only thing in which they differ. */
const namesakes: readonly (readonly [what: string, one: unknown, other: unknown])[] = [
  ['true and false', true, false],
  ['false and true', false, true],
  ['true and an object', true, { type: 'object' }],
  ['an object and false', { type: 'object' }, false],
  ['a keyword that is true and false', { uniqueItems: true }, { uniqueItems: false }],
  ['a subschema that is true and false', { items: true }, { items: false }],
  ['a property that is true and false', { properties: { a: true } }, { properties: { a: false } }],
  [
    'a reference to another document',
    { properties: { a: { $ref: 'https://example.com/a' } } },
    { properties: { a: { $ref: 'https://example.com/b' } } },
  ],
  [
    'the reference that is the definition',
    { $ref: 'https://example.com/a' },
    { $ref: 'https://example.com/b' },
  ],
]

/** Every build fault of a schema. */
export const rejectedSchemas: readonly Rejected[] = [
  {
    what: 'names of schemas that OpenAPI does not allow (OpenAPI 3.1.1 §4.8.7.1)',
    operations: [
      posting('a', z.object({}).meta({ id: 'a/b' })),
      posting('b', type({ c: 'string' }).configure({ id: 'Book<User>' })),
    ],
    errors: [
      ['a', `/paths/~1a/post/${BODY}`, 'invalid-schema-name'],
      ['b', `/paths/~1b/post/${BODY}`, 'invalid-schema-name'],
    ],
  },
  {
    what: 'one name for a schema and for another schema within it',
    operations: [
      posting(
        'a',
        type({ part: type({ title: 'string' }).configure({ id: 'A' }) }).configure({ id: 'A' }),
      ),
    ],
    errors: [['a', `/paths/~1a/post/${BODY}`, 'duplicate-schema-name']],
  },
  {
    what: 'one name for two schemas, of one library',
    operations: [posting('a', z.object({ book })), posting('b', z.array(otherBook))],
    errors: [['b', `/paths/~1b/post/${BODY}`, 'duplicate-schema-name']],
  },
  ...namesakes.map(
    ([what, one, other]): Rejected => ({
      what: `one name for two schemas that differ only by ${what}`,
      operations: [posting('a', ours(one)), posting('b', ours(other))],
      errors: [['b', `/paths/~1b/post/${BODY}`, 'duplicate-schema-name']],
    }),
  ),
  {
    what: 'one name for two schemas, of two libraries',
    operations: [posting('a', otherBook), posting('b', type({ books: arkBook.array() }))],
    errors: [['b', `/paths/~1b/post/${BODY}`, 'duplicate-schema-name']],
  },
  ...[
    ['zod', shelfOf(book), shelfOf(otherBook)] as const,
    ['ArkType', arkShelfOf(arkBook), arkShelfOf(otherArkBook)] as const,
  ].map(
    ([library, one, other]): Rejected => ({
      what: `one name for two schemas, inside equal schemas that share another name (${library})`,
      operations: [posting('a', one), posting('b', other)],
      errors: [['b', `/paths/~1b/post/${BODY}`, 'duplicate-schema-name']],
    }),
  ),
  {
    what: 'one name for two schemas within one schema, which zod rejects itself',
    operations: [posting('a', z.object({ book, otherBook }))],
    errors: [['a', `/paths/~1a/post/${BODY}`, 'duplicate-schema-name']],
  },
  {
    what: 'an intersection of ArkType, which keeps the name for another shape',
    operations: [posting('a', type({ book: arkBook, more: arkBook.and({ pages: 'number' }) }))],
    errors: [['a', `/paths/~1a/post/${BODY}`, 'duplicate-schema-name']],
  },
  {
    what: "the names of a problem's schemas",
    operations: [
      posting('a', z.object({}).meta({ id: 'NotFoundProblem' })),
      posting('b', z.object({}).meta({ id: 'Problem' })),
    ],
    options: { problems },
    errors: [
      ['a', `/paths/~1a/post/${BODY}`, 'reserved-schema-name'],
      ['b', `/paths/~1b/post/${BODY}`, 'reserved-schema-name'],
    ],
  },
  {
    what: 'references to missing components',
    operations: [
      posting('a', z.any().meta({ $ref: '#/components/schemas/Nothing' })),
      posting('b', z.object({ c: z.any().meta({ $ref: '#/definitions/Nothing' }) })),
      posting(
        'c',
        z.any().meta({
          anyOf: ['None', 'Never'].map(($ref) => ({ $ref: `#/components/schemas/${$ref}` })),
        }),
      ),
      posting('d', z.any().meta({ $ref: 'https://example.com/schemas/book.json' })),
      posting('e', z.object({ f: book, g: z.any().meta({ $ref: '#/components/schemas/Book' }) })),
    ],
    errors: [
      ['a', `/paths/~1a/post/${BODY}`, 'unresolved-reference'],
      ['b', `/paths/~1b/post/${BODY}`, 'unresolved-reference'],
      ['c', `/paths/~1c/post/${BODY}`, 'unresolved-reference'],
      ['c', `/paths/~1c/post/${BODY}`, 'unresolved-reference'],
    ],
  },
  {
    what: 'dates of zod, in each place of an operation',
    operations: [
      posting('a', z.object({ loans: z.array(z.object({ 'until/to': z.date() })) })),
      operation('b', {
        query: z.object({ page: z.int(), from: z.date() }),
        responses: {
          200: {
            description: '',
            body: { 'application/json': z.date() },
            headers: { 'x-at': { schema: z.date() } },
          },
        },
      }),
    ],
    errors: [
      [
        'a',
        `/paths/~1a/post/${BODY}/properties/loans/items/properties/until~1to`,
        'no-json-schema',
      ],
      ['b', '/paths/~1books/get/parameters', 'no-json-schema'],
      ['b', '/paths/~1books/get/responses/200/headers/x-at/schema', 'no-json-schema'],
      ['b', '/paths/~1books/get/responses/200/content/application~1json/schema', 'no-json-schema'],
    ],
  },
  ...['Date', 'bigint', 'Map', 'symbol'].map(
    (name): Rejected => ({
      what: `a type of ArkType without JSON values: ${name}`,
      operations: [posting('a', type({ loan: type.raw({ until: name }) }))],
      errors: [['a', `/paths/~1a/post/${BODY}`, 'inexact-json-schema']],
    }),
  ),
  {
    what: 'the list of issues of the main entry in a zod object',
    operations: [],
    options: {
      problems: defineProblems('https://example.com/problems/', {
        invalid: {
          slug: 'invalid',
          status: 422,
          title: 'Invalid',
          extensions: z.object({ errors: ISSUES_SCHEMA }),
        },
      }),
    },
    errors: [
      [null, '/components/schemas/InvalidProblem/allOf/1/properties/errors', 'no-json-schema'],
    ],
  },
  {
    what: 'schemas of other libraries, in zod objects in each place of an operation',
    operations: [
      posting('a', z.object({ loans: z.array(z.object({ of: v.object({}) })) })),
      operation('b', {
        query: z.object({ page: v.string() }),
        responses: { 200: { description: '', body: z.object({ at: undefined }) } },
      }),
    ],
    errors: [
      ['a', `/paths/~1a/post/${BODY}/properties/loans/items/properties/of`, 'no-json-schema'],
      ['b', '/paths/~1books/get/parameters', 'no-json-schema'],
      [
        'b',
        '/paths/~1books/get/responses/200/content/application~1json/schema/properties/at',
        'no-json-schema',
      ],
    ],
  },
  {
    what: 'a schema of zod in one of Valibot',
    operations: [
      posting(
        'a',
        toStandardJsonSchema(v.object({ id: z.string() as unknown as v.GenericSchema })),
      ),
    ],
    errors: [['a', `/paths/~1a/post/${BODY}`, 'no-json-schema']],
  },
  {
    what: 'a schema of Valibot without toStandardJsonSchema',
    operations: [posting('a', { 'application/json': bare })],
    errors: [['a', `/paths/~1a/post/${BODY}`, 'no-json-schema']],
  },
  ...(
    [
      ['zod', z.object({ title: z.string() }), z.string()],
      ['ArkType', type({ title: 'string' }), type('string')],
      ['Valibot', toStandardJsonSchema(v.object({ title: v.string() })), valibotString],
    ] as const
  ).map(
    ([library, schema, text]): Rejected => ({
      what: `examples that a schema of ${library} rejects, in each place of an operation`,
      operations: [
        operation(
          'a',
          {
            query: schema,
            body: schema,
            examples: {
              query: { title: { good: { value: 'Emma' }, bad: { value: 7 } }, other: {} },
              body: { bad: { value: { title: 7 } }, good: { value: { title: 'Emma' } } },
            },
            responses: {
              200: {
                description: '',
                body: { 'application/json': schema, 'text/plain': text },
                examples: {
                  good: { value: 'Emma', mediaType: 'text/plain' },
                  bad: { value: { title: 7 } },
                },
                headers: { 'x-at': { schema: text, examples: { bad: { value: 7 } } } },
              },
            },
          },
          { method: 'POST', pattern: '/books' },
        ),
      ],
      errors: [
        ['a', '/paths/~1books/post/parameters', 'invalid-example'],
        ['a', '/paths/~1books/post/parameters/0/examples/bad', 'invalid-example'],
        [
          'a',
          '/paths/~1books/post/requestBody/content/application~1json/examples/bad',
          'invalid-example',
        ],
        ['a', '/paths/~1books/post/responses/200/headers/x-at/examples/bad', 'invalid-example'],
        [
          'a',
          '/paths/~1books/post/responses/200/content/application~1json/examples/bad',
          'invalid-example',
        ],
      ],
    }),
  ),
  ...(
    [
      ['zod', z.object({ title: z.string().meta({ examples: ['Emma', 7] }) })],
      ['ArkType', type({ title: type('string').configure({ examples: ['Emma', 7 as never] }) })],
      [
        'Valibot',
        toStandardJsonSchema(
          v.object({ title: v.pipe(v.string(), v.metadata({ examples: ['Emma', 7] })) }),
        ),
      ],
    ] as const
  ).map(
    ([library, body]): Rejected => ({
      what: `examples within a schema of ${library} that it rejects`,
      operations: [posting('a', body)],
      errors: [['a', `/paths/~1a/post/${BODY}/properties/title/examples/1`, 'invalid-example']],
    }),
  ),
  {
    what: 'examples of a component, next to a reference to it, and of a union',
    operations: [
      posting(
        'a',
        z.object({
          book: z
            .object({ title: z.string() })
            .meta({ id: 'Read', examples: [{}] })
            .optional()
            .meta({ examples: [{ title: 7 }] }),
          size: z.union([z.int(), z.null()]).meta({ examples: [null, 1, 1.5] }),
        }),
      ),
    ],
    errors: [
      ['a', '/components/schemas/Read/examples/0', 'invalid-example'],
      ['a', `/paths/~1a/post/${BODY}/properties/book/examples/0`, 'invalid-example'],
      ['a', `/paths/~1a/post/${BODY}/properties/size/examples/2`, 'invalid-example'],
    ],
  },
  {
    what: 'extensions of a problem without a JSON Schema',
    operations: [],
    options: {
      problems: {
        gone: Object.assign(() => new Response(), {
          type: 'https://example.com/gone',
          slug: 'gone',
          status: 410,
          title: 'Gone',
          extensions: z.object({ since: z.date() }),
        }),
      },
    },
    errors: [[null, '/components/schemas/GoneProblem/allOf/1/properties/since', 'no-json-schema']],
  },
]
