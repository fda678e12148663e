import { isFailure } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'
import {
  operation,
  posting,
  type Refused,
  refusedDocuments,
  refusedOperations,
  refusedSchemas,
} from './build.cases.ts'
import { createDocument } from './build.ts'
import { OpenAPIBuildError } from './faults.ts'

const info = { title: 'Books', version: '1.0.0' }

function refusal({ operations, options }: Pick<Refused, 'operations' | 'options'>) {
  const result = createDocument({ info, ...options })
    .add(...operations)
    .build()
  return isFailure(result) ? result.error : undefined
}

describe.each([
  ['operations', refusedOperations],
  ['documents', refusedDocuments],
  ['schemas', refusedSchemas],
] as const)('what is refused of %s:', (_, refused) => {
  it.each(refused.map((row) => [row.what, row] as const))('%s', (_, row) => {
    const errors = row.errors.map(([operationId, pointer, message]) => ({
      operationId,
      pointer,
      message,
    }))
    const found = refusal(row)?.errors.map(({ cause: _, ...fault }) => fault)
    expect(found).toStrictEqual(errors)
  })
})

describe('a build error', () => {
  const operations = [
    operation('a', { security: [{ key: [] }] }),
    posting('a', { json: z.string() }),
  ]

  it('is an Error about the first thing to mend, and lists them all', () => {
    const error = refusal({ operations, options: { servers: [{ url: '/' }] } })
    expect(error).toBeInstanceOf(OpenAPIBuildError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'OpenAPIBuildError', operationId: null })
    expect(error?.errors[0]).toMatchObject({ operationId: null, pointer: error?.pointer })
    expect(error?.errors.map(({ operationId, pointer }) => [operationId, pointer])).toStrictEqual([
      [null, '/servers/0/url'],
      ['a', '/paths/~1books/get/security'],
      ['a', '/paths/~1a/post'],
      ['a', '/paths/~1a/post/requestBody/content/json'],
    ])
  })

  it('says in its message what it is about and where', () => {
    expect(refusal({ operations })?.message).toBe(
      'a, at /paths/~1books/get/security: there is no security scheme key; add it to securitySchemes',
    )
    expect(refusal({ operations: [], options: { servers: [{ url: '/' }] } })?.message).toMatch(
      /^the document, at \/servers\/0\/url: /,
    )
  })

  it('keeps the error of the schema library as its cause', () => {
    const thrown = new Error('not today')
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
    const error = refusal({ operations: [posting('a', body)] })
    expect(error?.message).toContain('not today')
    expect(error?.cause).toBe(thrown)
    expect(error?.errors[0]?.cause).toBe(thrown)
    const ofZod = refusal({ operations: [operation('b', { query: z.object({ at: z.date() }) })] })
    expect(ofZod?.cause).toBeInstanceOf(Error)
    expect(refusal({ operations })).not.toHaveProperty('cause')
  })

  it('is the same each time', () => {
    const refused = { operations, options: { servers: [{ url: '/' }] } }
    expect(refusal(refused)).toStrictEqual(refusal(refused))
  })
})
