import type { OpenAPI } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { kitchenSink } from '../packages/openapi/test/kitchen-sink.ts'
import { largeDocument } from '../packages/openapi/test/large.ts'
import { validators } from './validators.ts'

// No rule of any validator is turned off.
describe.each(Object.entries(validators))('%s', (_, validator) => {
  it('a validator finds nothing in a document that uses every feature', async () => {
    expect(await validator(unwrap(kitchenSink.build()))).toEqual([])
  })

  it('a validator finds nothing in a document of 200 operations', async () => {
    expect(await validator(unwrap(largeDocument(200).build()))).toEqual([])
  })
})

/** A document with one operation whose response has the schema `schema`. */
function documentOf(schema: OpenAPI.Schema, operation: object = {}): OpenAPI.Document {
  const content = { 'application/json': { schema } }
  const responses = { 200: { description: 'The book', content }, '4XX': { description: 'None' } }
  return {
    openapi: '3.1.1',
    info: { title: 'Books', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://books.test' }],
    security: [],
    paths: {
      '/books': { get: { operationId: 'listBooks', summary: 'List', responses, ...operation } },
    },
  }
}

// Each validator rejects a document that others may accept.
describe('a validator', () => {
  const dangling = documentOf({ $ref: '#/components/schemas/Author' })
  const odd = documentOf({ type: 'text' })
  const undefinedScheme = documentOf({}, { security: [{ token: [] }] })
  const duplicate = { name: 'Date', in: 'header', schema: { type: 'string' } }
  const twice = documentOf({}, { parameters: [duplicate, duplicate] })
  const book = { $ref: '#/components/schemas/Book' }
  const endless = { ...documentOf(book), components: { schemas: { Book: { allOf: [book] } } } }

  it.each([
    ['the OpenAPI 3.1 schema', odd],
    ['the rules of the specification', dangling],
    ['the rules of the specification', twice],
    ['the recommended rules', undefinedScheme],
    ['a resolver of references', dangling],
  ])('%s finds the error', async (name, document) => {
    expect(await validators[name]?.(document)).not.toEqual([])
  })

  it('that compiles finds types that are their own definition', async () => {
    const compile = validators['a generator of types and the compiler that reads them']
    expect(await compile?.(endless)).toContainEqual(expect.stringContaining('error TS2502'))
  })

  it.each(Object.entries(validators))(
    '%s finds no error in a valid document',
    async (_, validator) => {
      expect(await validator(documentOf({ type: 'string' }))).toEqual([])
    },
  )
})
