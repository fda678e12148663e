import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accepts } from '../../../test/accepts.ts'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { createDocument } from './build.ts'

const info = { title: 'Books', version: '1' }

function searching(query: Schema) {
  const responses = { 204: { description: 'Done' } }
  const operation = defineOperation('search', 'GET /x', { summary: 'Search', query, responses })
  return { operation, built: createDocument({ info }).add(operation).build() }
}

function parametersOf(query: Schema) {
  return unwrap(searching(query).built).paths?.['/x']?.get?.parameters ?? []
}

const others = (schema: object, name = 'others') => ({
  name,
  in: 'query',
  description: 'Other query parameters by name.',
  style: 'form',
  explode: true,
  schema: { type: 'object', ...schema },
})

describe('other query parameters are one object, sent member by member (OpenAPI 3.1.1 §4.8.12.4)', () => {
  const int = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }
  const page = { name: 'page', in: 'query', schema: int }
  const Query = z.object({ page: z.int().optional() })

  it.each<[what: string, query: Schema, parameters: readonly object[]]>([
    ['a zod object without others', Query, [page]],
    ['a strict zod object', Query.strict(), [page]],
    ['a loose zod object', Query.loose(), [page, others({ additionalProperties: {} })]],
    [
      'a zod object with a schema for others',
      Query.catchall(z.int()),
      [page, others({ additionalProperties: int })],
    ],
    [
      'a zod record',
      z.record(z.string().regex(/^x-/), z.int()),
      [
        others({
          propertyNames: { type: 'string', pattern: '^x-' },
          additionalProperties: int,
        }),
      ],
    ],
    ['a zod record with known names', z.partialRecord(z.enum(['page']), z.int()), [page]],
    [
      'a loose Valibot object',
      toStandardJsonSchema(v.objectWithRest({}, v.boolean())),
      [others({ additionalProperties: { type: 'boolean' } })],
    ],
    [
      'an ArkType record',
      type({ '[string]': 'boolean' }),
      [others({ additionalProperties: { type: 'boolean' } })],
    ],
    [
      'others under a name no other parameter has',
      z.looseObject({ others: z.string() }),
      [
        { name: 'others', in: 'query', required: true, schema: { type: 'string' } },
        others({ additionalProperties: {} }, 'others_'),
      ],
    ],
  ])('the parameters describe %s', (_, query, parameters) => {
    expect(parametersOf(query)).toEqual(parameters)
  })

  it('a named schema is a reference', () => {
    const query = z.object({}).catchall(z.int().meta({ id: 'Count' }))
    expect(parametersOf(query)).toEqual([
      others({ additionalProperties: { $ref: '#/components/schemas/Count' } }),
    ])
  })

  it('the document accepts other parameters exactly if parse does', async () => {
    const { operation, built } = searching(z.object({ page: z.string() }).catchall(z.int()))
    const [, parameter] = parametersOf(operation.spec.query)
    const verdicts: [document: boolean, parse: boolean][] = []
    for (const value of [{}, { a: 1 }, { a: 1, b: 2 }, { a: 'x' }, { a: 1, b: 1.5 }]) {
      const sent = new URLSearchParams({ page: 'p' })
      for (const [name, one] of Object.entries(value)) sent.set(name, String(one))
      const read = await operation.parse(new Request(`http://h/x?${sent}`))
      const schema = parameter && 'schema' in parameter ? parameter.schema : {}
      verdicts.push([await accepts(unwrap(built), schema, value), isSuccess(read)])
    }
    expect(verdicts).toEqual([true, true, true, false, false].map((one) => [one, one]))
  })

  it('build rejects other parameters if they can only be objects', () => {
    const { built } = searching(z.object({}).catchall(z.object({})))
    expect(isFailure(built) && built.error.errors).toMatchObject([
      {
        code: 'unsupported-parameter',
        operationId: 'search',
        pointer: '/paths/~1x/get/parameters/0',
        message:
          'the query parameter others accepts only an object, which cannot be sent as text; use a string or the body',
      },
    ])
  })
})
