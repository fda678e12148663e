import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../schema.ts'
import { convert } from './convert.ts'

function jsonOf(schema: Schema): unknown {
  const converted = convert(schema)
  if ('fault' in converted) throw new Error(converted.fault)
  const { $schema: _, ...json } = converted.json
  return json
}

describe('what a program may not change, a client may send all the same', () => {
  // OpenAPI 3.1.1 §4.8.24.1 and JSON Schema Validation §9.4: readOnly is for what only the server sets.
  it('is not readOnly where zod or Valibot say so of the type', () => {
    const list = { type: 'array', items: { type: 'string' } }
    expect(jsonOf(z.array(z.string()).readonly())).toEqual(list)
    expect(jsonOf(z.array(z.string()).readonly().optional())).toEqual(list)
    expect(jsonOf(toStandardJsonSchema(v.pipe(v.array(v.string()), v.readonly())))).toEqual(list)
  })

  it('is readOnly where the author says so', () => {
    const text = { type: 'string', readOnly: true }
    expect(jsonOf(z.string().meta({ readOnly: true }))).toEqual(text)
    expect(jsonOf(z.string().meta({ readOnly: true }).readonly())).toEqual(text)
    expect(jsonOf(z.string().readonly().meta({ readOnly: true }))).toEqual(text)
  })
})

it('of a brand, which no value shows, is nothing', () => {
  expect(jsonOf(z.string().brand('Isbn'))).toEqual({ type: 'string' })
  expect(jsonOf(toStandardJsonSchema(v.pipe(v.string(), v.brand('Isbn'))))).toEqual({
    type: 'string',
  })
})

it('is silent of what JSON Schema cannot say, in each library alike', () => {
  const schemas = [
    z.string().trim().toLowerCase().refine(Boolean),
    type('string').narrow(Boolean),
    toStandardJsonSchema(
      v.pipe(
        v.string(),
        v.trim(),
        v.toLowerCase(),
        v.check((text) => text !== ''),
      ),
    ),
  ]
  expect(schemas.map(jsonOf)).toEqual(schemas.map(() => ({ type: 'string' })))
})
