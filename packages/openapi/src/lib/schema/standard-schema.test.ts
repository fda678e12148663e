import { type } from 'arktype'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isSchema } from './standard-schema.ts'

it.each([null, undefined, true, 5, 'text', {}, () => true])('%s is not a schema', (value) => {
  expect(isSchema(value)).toBe(false)
})

it('objects and functions with the member ~standard are schemas (Standard Schema)', () => {
  expect(isSchema(z.string())).toBe(true)
  expect(isSchema(type('string'))).toBe(true)
})
