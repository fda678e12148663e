import { defineProblems } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  JSON_SCHEMA_DIALECT,
  MEDIA_TYPE_JSON,
  MEDIA_TYPE_YAML,
  OPENAPI_VERSION,
} from '../constants.ts'
import type { Operation } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { bearer, oauth2 } from '../spec/security.ts'
import { stringify } from '../text/stringify.ts'
import { operation, posting } from './build.cases.ts'
import { createDocument } from './build.ts'
import type { DocumentOptions } from './builder.ts'

const info = { title: 'Books', version: '1.0.0' }

/** A builder that accepts any operation. */
function create(options: Partial<DocumentOptions> = {}) {
  const all: DocumentOptions = { info, ...options }
  return createDocument(all)
}

function build(operations: readonly AnyOperation[], options: Partial<DocumentOptions> = {}) {
  return unwrap(
    create(options)
      .add(...operations)
      .build(),
  )
}

/** The description of the only operation. */
function describeOne(of: AnyOperation, options: Partial<DocumentOptions> = {}): Operation {
  const [item] = Object.values(build([of], options).paths ?? {})
  return item?.get ?? {}
}

/** Every list and plain object in a value. */
function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const member of Object.values(value)) objectsIn(member, found)
  return found
}

const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})

describe('the constants', () => {
  it('the constants match the specification', () => {
    expect({
      MEDIA_TYPE_JSON,
      MEDIA_TYPE_YAML,
      OPENAPI_VERSION,
      JSON_SCHEMA_DIALECT,
    }).toStrictEqual({
      MEDIA_TYPE_JSON: 'application/json',
      MEDIA_TYPE_YAML: 'application/yaml',
      OPENAPI_VERSION: '3.1.1',
      JSON_SCHEMA_DIALECT: 'https://spec.openapis.org/oas/3.1/dialect/base',
    })
  })
})

describe('a built document', () => {
  it('the document has a version and a dialect, and copies the options', () => {
    const options = {
      servers: [
        {
          url: 'https://{region}.example.com:{port}/{base}',
          variables: { region: { default: 'eu' } },
        },
      ],
      tags: [{ name: 'books', description: 'All of them' }],
      securitySchemes: { token: bearer() },
      security: [{ token: [] }, {}],
    }
    expect(build([], { ...options, info: { ...info, 'x-a': 1 } })).toStrictEqual({
      openapi: OPENAPI_VERSION,
      jsonSchemaDialect: JSON_SCHEMA_DIALECT,
      info: { ...info, 'x-a': 1 },
      servers: options.servers,
      tags: options.tags,
      security: options.security,
      paths: {},
      components: { securitySchemes: options.securitySchemes },
    })
  })

  it('unset fields are omitted', () => {
    expect(build([])).toStrictEqual({
      openapi: '3.1.1',
      jsonSchemaDialect: JSON_SCHEMA_DIALECT,
      info,
      paths: {},
    })
  })

  it('members have a fixed order, and paths and operations keep the order they were added', () => {
    const book = z.object({}).meta({ id: 'Book' })
    const document = build(
      [
        operation('z', { body: book }, { method: 'PUT', pattern: '/z' }),
        operation('b', {}, { method: 'GET', pattern: '/a' }),
        operation('a', {}, { method: 'GET', pattern: '/z' }),
      ],
      {
        problems,
        securitySchemes: { token: bearer() },
        security: [],
        tags: [],
        servers: [{ url: 'https://example.com' }],
        info,
      },
    )
    expect(Object.keys(document)).toStrictEqual([
      'openapi',
      'jsonSchemaDialect',
      'info',
      'servers',
      'tags',
      'security',
      'paths',
      'components',
    ])
    const paths = Object.entries(document.paths ?? {})
    expect(paths.map(([path, item]) => [path, ...Object.keys(item)])).toStrictEqual([
      ['/z', 'put', 'get'],
      ['/a', 'get'],
    ])
    const { components = {} } = document
    expect(Object.keys(components)).toStrictEqual([
      'schemas',
      'responses',
      'examples',
      'securitySchemes',
    ])
    expect(Object.keys(components.schemas ?? {})).toStrictEqual([
      'Book',
      'Problem',
      'NotFoundProblem',
    ])
  })

  it('each build returns a new and equal document, also after an operation is added', () => {
    const builder = create().add(posting('a', z.object({ b: z.string() })))
    const first = unwrap(builder.build())
    const second = unwrap(builder.build())
    expect(second).toStrictEqual(first)
    expect(second).not.toBe(first)
    builder.add(posting('b', z.object({ b: z.string() })))
    expect(Object.keys(unwrap(builder.build()).paths ?? {})).toStrictEqual(['/a', '/b'])
    expect(Object.keys(first.paths ?? {})).toStrictEqual(['/a'])
  })

  it('each schema is converted once, although the document is built twice', () => {
    let conversions = 0
    const counted = (schema: z.ZodObject): Schema => {
      const { jsonSchema, ...standard } = schema['~standard']
      const input: typeof jsonSchema.input = (options) => {
        conversions += 1
        return jsonSchema.input(options)
      }
      return { '~standard': { ...standard, jsonSchema: { ...jsonSchema, input } } }
    }
    const builder = create()
    for (const name of ['a', 'b']) builder.add(posting(name, counted(z.object({ a: z.int() }))))
    const documents = [1, 2].map(() => unwrap(builder.build()))
    expect(conversions).toBe(2)
    const [first, second] = documents.map((document) => new Set(objectsIn(document)))
    expect(second?.size).toBe(first?.size)
    expect([...(first ?? [])].filter((one) => second?.has(one))).toStrictEqual([])
  })

  it('each build reports the same faults', () => {
    const schemas = [z.object({ at: z.string().meta({ id: 'A' }) }), z.object({ at: z.date() })]
    const builder = create().add(...schemas.map((schema, at) => posting(`a${at}`, schema)))
    const faults = [1, 2].map(() => {
      const built = builder.build()
      return isFailure(built) && built.error.errors.map(({ code, pointer }) => [code, pointer])
    })
    expect(faults[1]).toStrictEqual(faults[0])
    expect(faults[0]).toHaveLength(1)
  })

  it('a name OpenAPI does not allow is reported in each schema with it', () => {
    const named = z.object({ a: z.string() }).meta({ id: 'a b' })
    const schemas = [named, z.object({ named }), z.object({ named })]
    const built = create()
      .add(...schemas.map((schema, at) => posting(`${at}`, schema)))
      .build()
    const faults = isFailure(built) ? built.error.errors : []
    expect(
      faults.map(({ code, pointer }) => [code, pointer.slice(0, '/paths/~10'.length)]),
    ).toEqual([
      ['invalid-schema-name', '/paths/~10'],
      ['invalid-schema-name', '/paths/~11'],
      ['invalid-schema-name', '/paths/~12'],
    ])
  })

  it('a document shares no value with the inputs or other documents, so each can be changed', () => {
    const values = { example: { b: [1] }, examples: [{ b: [2] }] }
    const spec = {
      tags: ['books'],
      security: [{ token: ['read'] }],
      body: z.object({ a: z.enum(['x', 'y']).default('x') }).meta({ id: 'Book', ...values }),
      query: type({ a: 'string = "x"', b: type("'x' | 'y'").configure({ examples: ['x'] }) }),
      responses: {
        200: {
          description: 'Done',
          body: toStandardJsonSchema(
            v.pipe(v.picklist(['x', 'y']), v.metadata({ examples: ['x'] })),
          ),
        },
      },
      problems: ['notFound'],
    }
    const options = {
      info: { ...info, contact: { name: 'Anne' }, 'x-a': [{ b: 1 }] },
      servers: [{ url: 'https://{a}.example.com', variables: { a: { default: 'b' } } }],
      tags: [{ name: 'books', externalDocs: { url: 'https://example.com' } }],
      externalDocs: { url: 'https://example.com/guide' },
      security: [{ token: ['read'] }],
      securitySchemes: {
        token: oauth2({ flows: { password: { tokenUrl: '/', scopes: { read: '' } } } }),
      },
      problems,
    }
    const used = operation('a', spec, { method: 'PUT', pattern: '/books/:bookId' })
    const shared = objectsIn([options, spec, values])
    const texts = [1, 2].map(() => {
      const document = build([used], options)
      for (const one of objectsIn(document)) {
        expect(shared, JSON.stringify(one)).not.toContain(one)
        shared.add(one)
      }
      return JSON.stringify(document)
    })
    expect(texts[1]).toBe(texts[0])
  })

  it('an info object may contain itself, and stringify reports it', () => {
    const circle: { [name: string]: unknown } = {}
    circle.again = circle
    const document = build([], { info: { ...info, 'x-a': circle } })
    expect(stringify(document)).toMatchObject({ error: { pointer: '/info/x-a/again' } })
  })

  it('a server may have variables, also for the port (OpenAPI 3.1.1 §4.8.5.1)', () => {
    const servers = ['http://localhost:3000', '{scheme}://{host}:{port}/', 'wss://example.com'].map(
      (url) => ({ url }),
    )
    expect(build([], { servers }).servers).toStrictEqual(servers)
  })
})

describe('a builder', () => {
  it('adding operations does not assemble a document', () => {
    const bad = operation('a', { security: [{ nothing: [] }] })
    const builder = create()
    expect(builder.add(bad).add()).toBe(builder)
    expect(isFailure(builder.build())).toBe(true)
  })

  it('the builder returns the operations, in the order added, and the catalog', () => {
    const [a, b, c] = [posting('a', z.string()), posting('b', z.string()), posting('c', z.string())]
    const builder = create({ problems }).add(b, a).add(c)
    expect(builder.operations()).toStrictEqual([b, a, c])
    expect(builder.problems()).toBe(problems)
    expect(create().problems()).toStrictEqual({})
  })

  it('the builder returns the servers and the security, which are empty by default', () => {
    const servers = [{ url: 'https://example.com' }]
    const securitySchemes = { token: bearer() }
    const security = [{ token: [] }]
    const builder = create({ servers, securitySchemes, security })
    expect(builder.servers()).toBe(servers)
    expect(builder.securitySchemes()).toBe(securitySchemes)
    expect(builder.security()).toBe(security)
    expect(create().servers()).toStrictEqual([])
    expect(create().securitySchemes()).toStrictEqual({})
    expect(create().security()).toStrictEqual([])
  })

  it('an undefined response is ignored', () => {
    const responses = { 200: undefined, 204: { description: 'Done' } }
    const built = describeOne(operation('a', Object.assign({}, { responses })))
    expect(built.responses).toStrictEqual({ 204: { description: 'Done' } })
  })

  it("a builder accepts another builder's operations, and build checks their problems", () => {
    const gone = operation('a', { problems: ['gone'] })
    const other = create().add(gone, posting('b', z.string()))
    const builder = createDocument({ info, problems }).add(...other.operations())
    expect(builder.operations()).toStrictEqual(other.operations())
    expect(builder.build()).toMatchObject({ error: { errors: [{ operationId: 'a' }] } })
  })

  it('the builder lists the scopes required by operations, grouped by scheme, each once', () => {
    const security = [{ token: ['read'] }]
    const builder = create({
      security,
      securitySchemes: { token: bearer(), admin: bearer(), unused: bearer() },
    }).add(
      operation('a', { security: [{ token: ['write', 'read'] }, { admin: [], token: ['all'] }] }),
      operation('b', { security: [] }, { method: 'PUT', pattern: '/b' }),
    )
    // No operation uses the default yet.
    expect(builder.scopes()).toStrictEqual({ token: ['write', 'read', 'all'], admin: [] })
    builder.add(operation('c', {}, { method: 'PUT', pattern: '/c' }))
    expect(builder.scopes().token).toStrictEqual(['write', 'read', 'all'])
    const other = create({ security }).add(operation('a'))
    expect(other.scopes()).toStrictEqual({ token: ['read'] })
    expect(create().add(operation('a')).scopes()).toStrictEqual({})
  })

  it('a scheme named __proto__ is kept', () => {
    const requirement = JSON.parse('{"__proto__":["read"]}')
    const builder = create().add(operation('a', { security: [requirement] }))
    expect(Object.entries(builder.scopes())).toStrictEqual([['__proto__', ['read']]])
  })
})

describe('security', () => {
  const options = {
    security: [{ token: ['read'] }],
    securitySchemes: {
      token: oauth2({ flows: { password: { tokenUrl: '/', scopes: { read: '', write: '' } } } }),
      key: bearer(),
    },
  }

  it("the document's security is the default if an operation declares none", () => {
    expect(build([operation('a')], options).security).toStrictEqual(options.security)
    expect(describeOne(operation('a'), options)).not.toHaveProperty('security')
  })

  it("an operation's security replaces the default", () => {
    const security = [{ key: [] }, { token: ['write'] }]
    expect(describeOne(operation('a', { security }), options).security).toStrictEqual(security)
  })

  it('an empty security list means none', () => {
    expect(describeOne(operation('a', { security: [] }), options).security).toStrictEqual([])
  })
})

describe('an operation', () => {
  it("the document copies the operation's spec", () => {
    const spec = { description: 'Long', tags: ['books'], deprecated: true }
    expect(describeOne(operation('readBooks', spec))).toStrictEqual({
      tags: ['books'],
      summary: 'Summary',
      description: 'Long',
      operationId: 'readBooks',
      responses: { 204: { description: 'Done' } },
      deprecated: true,
    })
  })

  it('the document has deprecated: false if the spec has it', () => {
    expect(describeOne(operation('a', { deprecated: false })).deprecated).toBe(false)
  })

  it('a fixed path stays separate next to a path with a variable', () => {
    const patterns = ['/books/', '/books/:bookId']
    const { paths = {} } = build(
      patterns.map((pattern, at) => operation(`a${at}`, {}, { method: 'GET', pattern })),
    )
    expect(Object.keys(paths)).toStrictEqual(['/books/', '/books/{bookId}'])
  })

  it("a route with an origin sets the operation's server", () => {
    const route = { method: 'GET', pattern: 'https://example.com:8443/books' }
    expect(describeOne(operation('a', {}, route)).servers).toStrictEqual([
      { url: 'https://example.com:8443' },
    ])
  })

  it('every path variable is a required string, in path order', () => {
    const route = { method: 'GET', pattern: '/books/:bookId/files/*path' }
    expect(Object.keys(build([operation('a', {}, route)]).paths ?? {})).toStrictEqual([
      '/books/{bookId}/files/{path}',
    ])
    expect(describeOne(operation('a', {}, route)).parameters).toStrictEqual(
      ['bookId', 'path'].map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
    )
  })

  it('a query may have lists whose elements can be sent as text', () => {
    const query = z.object({
      tuple: z.tuple([z.string(), z.int()]),
      anything: z.array(z.unknown()),
      either: z.array(z.union([z.string(), z.object({})])),
      booleans: z.array(z.boolean()),
    })
    const { parameters } = describeOne(operation('a', { query }))
    expect(parameters).toMatchObject(
      Object.keys(query.shape).map((name) => ({ name, in: 'query', style: 'form', explode: true })),
    )
  })

  it('path variables are in params order, and the other parameters follow', () => {
    const described = describeOne(
      operation(
        'a',
        {
          params: z.object({ noteId: z.uuid(), bookId: z.string().min(1).optional() }),
          query: z.object({
            tag: z.array(z.string()).optional(),
            page: z.int().min(1).max(9).default(1).describe('From 1'),
            old: z.string().meta({ deprecated: true }),
          }),
          headers: z.object({ 'X-Request-Id': z.string() }),
          cookies: z.object({ session: z.string().optional() }),
        },
        { method: 'GET', pattern: '/books/:bookId/notes/:noteId' },
      ),
    )
    const page = { default: 1, description: 'From 1', type: 'integer', minimum: 1, maximum: 9 }
    expect(described.parameters).toMatchObject([
      { name: 'bookId', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
      { name: 'noteId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'tag', in: 'query', style: 'form', explode: true, schema: { type: 'array' } },
      { name: 'page', in: 'query', description: 'From 1', schema: page },
      { name: 'old', in: 'query', required: true, deprecated: true },
      { name: 'X-Request-Id', in: 'header', required: true, schema: { type: 'string' } },
      { name: 'session', in: 'cookie', schema: { type: 'string' } },
    ])
    const required = described.parameters?.map((one) => 'required' in one)
    expect(required).toStrictEqual([true, true, false, false, true, true, false])
  })
})
