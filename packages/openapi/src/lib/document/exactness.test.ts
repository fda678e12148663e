import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accepts } from '../../../test/accepts.ts'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { createDocument } from './build.ts'
import {
  adviceOfArkType,
  exactSchemas,
  exactTypes,
  formats,
  inexactSchemas,
  lenientSchemas,
  rulesOfCode,
} from './exactness.cases.ts'

const BODY = '/paths/~1x/post/requestBody/content/application~1json/schema'

function sending(body: Schema) {
  const operation = defineOperation(
    'send',
    { method: 'POST', pattern: '/x' },
    { summary: 'Send', body, responses: { 204: { description: 'Done' } } },
  )
  const builder = createDocument({ info: { title: 'Exact', version: '1' } }).add(operation)
  return { operation, built: builder.build() }
}

function described(schema: Schema): unknown {
  const body = unwrap(sending(schema).built).paths?.['/x']?.post?.requestBody
  return body && 'content' in body ? body.content['application/json']?.schema : undefined
}

/** Whether the document and `parse` accept a value. */
async function verdicts(schema: Schema, value: unknown) {
  const { operation, built } = sending(schema)
  const headers = { 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(value) }
  return {
    document: await accepts(unwrap(built), described(schema), value),
    parse: isSuccess(await operation.parse(new Request('http://h/x', init))),
  }
}

describe('exact schemas', () => {
  it.each([...exactTypes, ...exactSchemas])(
    'the document accepts exactly the values parse accepts: $what',
    async ({ schema, values }) => {
      const seen = new Set<boolean>()
      for (const value of values) {
        const { document, parse } = await verdicts(schema, value)
        expect([value, document]).toEqual([value, parse])
        seen.add(parse)
      }
      expect(seen.size).toBe(2)
    },
  )

  it('alternatives are left out if they match no value', () => {
    expect(described(type('"a"|"b"|undefined'))).toEqual({
      anyOf: [{ const: 'a' }, { const: 'b' }],
    })
    expect(described(type('number|undefined'))).toEqual({ type: 'number' })
  })
})

describe('a schema that changes a value before checking it', () => {
  it.each(lenientSchemas)(
    'the document shows values the schema keeps: %s',
    async (_, schema, documented, accepted, rejected) => {
      for (const value of documented) {
        expect([value, await verdicts(schema, value)]).toEqual([
          value,
          { document: true, parse: true },
        ])
      }
      for (const value of accepted) {
        expect([value, await verdicts(schema, value)]).toEqual([
          value,
          { document: false, parse: true },
        ])
      }
      for (const value of rejected) {
        expect([value, await verdicts(schema, value)]).toEqual([
          value,
          { document: false, parse: false },
        ])
      }
    },
  )

  it('a parameter is not required if it catches invalid values', async () => {
    const query = z.object({ page: z.int().catch(1), size: z.int() })
    const operation = defineOperation('list', 'GET /x', {
      summary: 'List',
      query,
      responses: { 204: { description: 'Done' } },
    })
    const built = createDocument({ info: { title: 'X', version: '1' } })
      .add(operation)
      .build()
    const parameters = unwrap(built).paths?.['/x']?.get?.parameters
    expect(parameters).toMatchObject([{ name: 'page' }, { name: 'size', required: true }])
    expect(parameters?.[0]).not.toHaveProperty('required')
    const read = await operation.parse(new Request('http://h/x?size=5'))
    expect(unwrap(read).query).toEqual({ page: 1, size: 5 })
  })
})

describe('rules that are code', () => {
  it.each(rulesOfCode)(
    'the document does not show the rule: %s',
    async (_, schema, accepted, rejected) => {
      expect(await verdicts(schema, accepted)).toEqual({ document: true, parse: true })
      expect(await verdicts(schema, rejected)).toEqual({ document: true, parse: false })
    },
  )
})

describe('a schema JSON Schema cannot represent (JSON Schema Core §6.4)', () => {
  it.each(inexactSchemas)(
    'the schema fails the build with advice: %s',
    (_, schema, pointer, code) => {
      const { built } = sending(schema)
      expect(isFailure(built) && built.error.errors).toEqual([
        { code, operationId: 'send', pointer: `${BODY}${pointer}`, message: expect.any(String) },
      ])
    },
  )

  it.each(adviceOfArkType)(
    'the message names the part and the remedy: %s',
    (_, schema, message) => {
      const { built } = sending(schema)
      expect(isFailure(built) && built.error.errors).toMatchObject([{ message }])
    },
  )

  it('inexact schemas in parameters and definitions fail the build too', () => {
    const query = z.object({ a: z.string().regex(/-]/), b: z.string().regex(/x/i) })
    const body = z.object({ c: z.string().regex(/_]/).meta({ id: 'C' }) })
    const operation = defineOperation(
      'send',
      { method: 'POST', pattern: '/x' },
      { summary: 'Send', query, body, responses: { 204: { description: 'Done' } } },
    )
    const built = createDocument({ info: { title: 'Exact', version: '1' } })
      .add(operation)
      .build()
    const faults =
      isFailure(built) && built.error.errors.map(({ code, message }) => [code, message])
    expect(faults).toEqual([
      [
        'inexact-json-schema',
        'the flags of /x/i cannot be represented in JSON Schema; write the pattern without flags, such as [Aa] for a letter of either case, at /properties/b of the schema',
      ],
      [
        'non-unicode-pattern',
        'the pattern -] does not compile with the flag u (Lone quantifier brackets); remove unnecessary escapes, and escape brackets and braces',
      ],
      ['non-unicode-pattern', expect.stringMatching(/^the pattern _\] /)],
    ])
  })

  it('parse still uses the rest of a schema if one part fails the build', async () => {
    const query = z.object({ n: z.int(), a: z.string().regex(/^a/i) })
    const operation = defineOperation('x', { method: 'GET', pattern: '/x' }, { summary: '', query })
    const result = await operation.parse(new Request('http://h/x?n=5&a=A'))
    expect(unwrap(result).query).toEqual({ n: 5, a: 'A' })
  })
})

it('validators can compile the patterns in library formats', () => {
  for (const schema of formats) expect(isSuccess(sending(schema).built)).toBe(true)
})
