import { isFailure } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addressOfCode } from '../address.ts'
import type { Schema } from '../schema/standard-schema.ts'
import {
  operation,
  posting,
  type Rejected,
  rejectedDocuments,
  rejectedOperations,
  rejectedSchemas,
} from './build.cases.ts'
import { createDocument } from './build.ts'
import { type BuildFaultCode, OpenAPIBuildError } from './faults.ts'

const info = { title: 'Books', version: '1.0.0' }

function rejection({ operations, options }: Pick<Rejected, 'operations' | 'options'>) {
  const result = createDocument({ info, ...options })
    .add(...operations)
    .build()
  return isFailure(result) ? result.error : undefined
}

describe.each([
  ['operations', rejectedOperations],
  ['documents', rejectedDocuments],
  ['schemas', rejectedSchemas],
] as const)('rejected %s', (_, rejected) => {
  it.each(rejected.map((row) => [row.what, row] as const))('build rejects %s', (_, row) => {
    const found = rejection(row)?.errors.map(({ operationId, pointer, code }) => {
      return [operationId, pointer, code]
    })
    expect(found).toStrictEqual(row.errors)
  })
})

describe('a build error', () => {
  const operations = [
    operation('a', { security: [{ key: [] }] }),
    posting('a', { json: z.string() }),
  ]

  it('the error is an Error about the first fault, and lists all faults', () => {
    const error = rejection({ operations, options: { servers: [{ url: '/' }] } })
    expect(error).toBeInstanceOf(OpenAPIBuildError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'OpenAPIBuildError', operationId: null })
    const [first] = error?.errors ?? []
    expect(first).toMatchObject({ operationId: null, pointer: error?.pointer, code: error?.code })
    expect(error?.errors.map(({ operationId, pointer }) => [operationId, pointer])).toStrictEqual([
      [null, '/servers/0/url'],
      ['a', '/paths/~1books/get/security'],
      ['a', '/paths/~1a/post'],
      ['a', '/paths/~1a/post/requestBody/content/json'],
    ])
  })

  it.each<
    [code: BuildFaultCode, message: string, rejected: Pick<Rejected, 'operations' | 'options'>]
  >([
    [
      'duplicate-schema-name',
      'two different schemas are named Book: this one and the one at /paths/~1a/post/requestBody/content/application~1json/schema; rename one',
      {
        operations: ['a', 'b'].map((id) =>
          posting(id, z.object({ [id]: z.string() }).meta({ id: 'Book' })),
        ),
      },
    ],
    [
      'duplicate-schema-name',
      'two different schemas are named A: this one and another part of it; rename one',
      {
        operations: [
          posting('a', z.tuple([z.string().meta({ id: 'A' }), z.int().meta({ id: 'A' })])),
        ],
      },
    ],
    [
      'invalid-header-name',
      '"x id" is not a valid header name (RFC 9110 §5.1); rename it',
      { operations: [operation('a', { headers: z.object({ 'x id': z.string() }) })] },
    ],
    [
      'unsupported-parameter',
      'the query parameter b accepts only an object, which cannot be sent as text; use a string or the body',
      { operations: [operation('a', { query: z.object({ b: z.object({}) }) })] },
    ],
    [
      'ignored-header',
      'OpenAPI ignores a header parameter named Accept; declare a response body for each media type',
      { operations: [operation('a', { headers: z.object({ Accept: z.string() }) })] },
    ],
    [
      'no-json-schema',
      'Date cannot be represented in JSON Schema; use a schema for the value that is sent, at /properties/b of the schema',
      { operations: [operation('a', { query: z.object({ b: z.date() }) })] },
    ],
    [
      'relative-server-url',
      'the url of a server must be absolute, such as https://example.com, not /{$&}',
      { operations: [], options: { servers: [{ url: '/{$&}' }] } },
    ],
  ])('the error has the code %s and the message %s', (code, message, rejected) => {
    expect(rejection(rejected)?.errors[0]).toMatchObject({ code, message })
  })

  it("the message names the operation and the place, and ends with the code's URL", () => {
    expect(rejection({ operations })?.message).toBe(
      `a, at /paths/~1books/get/security: the security scheme key is not defined; add it to securitySchemes\n${addressOfCode('openapi-build', 'unknown-security-scheme')}`,
    )
    expect(rejection({ operations: [], options: { servers: [{ url: '/' }] } })?.message).toMatch(
      /^the document, at \/servers\/0\/url: /,
    )
    const defaults = { internal: 'missing' }
    expect(rejection({ operations: [], options: { defaults } })?.message).toMatch(
      /^the document, at its root: the problem missing is not defined; /,
    )
  })

  it("the error keeps the schema library's error as the cause", () => {
    const thrown = new Error('not in v1.2.')
    const body: Schema = {
      '~standard': {
        version: 1,
        vendor: 'ours',
        validate: (value) => ({ value }),
        jsonSchema: {
          input: () => {
            throw thrown
          },
          output: () => ({}),
        },
      },
    }
    const error = rejection({ operations: [posting('a', body)] })
    expect(error?.message).toContain('not in v1.2; use')
    expect(error?.cause).toBe(thrown)
    expect(error?.errors[0]?.cause).toBe(thrown)
    const ofZod = rejection({ operations: [operation('b', { query: z.object({ at: z.date() }) })] })
    expect(ofZod?.cause).toBeInstanceOf(Error)
    expect(rejection({ operations })).not.toHaveProperty('cause')
  })

  it('the error is equal for each build', () => {
    const rejected = { operations, options: { servers: [{ url: '/' }] } }
    expect(rejection(rejected)).toStrictEqual(rejection(rejected))
  })
})
