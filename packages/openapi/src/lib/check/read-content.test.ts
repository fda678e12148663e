import { expect, it } from 'vitest'
import { z } from 'zod'
import { prepareSchema } from '../schema/prepare.ts'
import { isReadable } from './read-content.ts'

const text = prepareSchema(z.string()).whole
const object = prepareSchema(z.object({})).whole
const file = prepareSchema(z.file()).whole
/** A schema that accepts a string or a file. */
const either = { ...text, binary: true }

it.each([
  ['application/json', object, true],
  ['application/problem+json', file, true],
  ['application/x-www-form-urlencoded', object, true],
  ['text/csv', object, true],
  ['text/plain', text, true],
  ['application/xml', text, true],
  ['image/svg+xml', text, true],
  // An event stream does not end.
  ['text/event-stream', text, false],
  ['application/xml', object, false],
  ['application/xml', either, false],
  ['image/png', text, false],
  ['application/pdf', text, false],
  ['image/png', file, false],
])('%s is validated (RFC 6838 §4.2): %#', (type, shape, readable) => {
  expect(isReadable(type, shape)).toBe(readable)
})
