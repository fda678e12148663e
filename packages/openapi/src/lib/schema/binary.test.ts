import type { JsonObject } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import { fileTypesOf, holdsFile, isBinary } from './binary.ts'

const bytes = { type: 'string', format: 'binary', contentEncoding: 'binary' }
const png = { ...bytes, contentMediaType: 'image/png' }
const pdf = { ...bytes, contentMediaType: 'application/pdf' }

it.each([
  [bytes, true],
  [{ type: 'string', format: 'binary' }, false],
  [{ type: 'string', contentEncoding: 'binary' }, false],
])('%j is a file as libraries write it: %s', (schema, is) => {
  expect(isBinary(schema)).toBe(is)
})

describe("a file schema's media types", () => {
  it.each<[what: string, schema: unknown, types: readonly string[]]>([
    ['a file', png, ['image/png']],
    ['a file of any type', bytes, ['application/octet-stream']],
    ['anyOf', { anyOf: [png, pdf, png, true] }, ['image/png', 'application/pdf']],
    ['oneOf', { oneOf: [png, pdf] }, ['image/png', 'application/pdf']],
    ['allOf', { allOf: [png] }, ['image/png']],
    ['a list', { items: png }, ['image/png']],
    ['a tuple', { prefixItems: [png], items: pdf }, ['image/png', 'application/pdf']],
    ['a reference', { $ref: '#/$defs/Png' }, ['image/png']],
    ['a schema that contains itself', { $ref: '#/$defs/Loop' }, ['application/pdf']],
    ['no files', { properties: { a: png } }, []],
  ])('the media types are found: %s', (_, schema, types) => {
    const root = { $defs: { Png: png, Loop: { anyOf: [{ $ref: '#/$defs/Loop' }, pdf] } } }
    expect(fileTypesOf(schema, root)).toEqual(types)
  })
})

describe('a conversion containing a file without being a file itself', () => {
  it.each<[what: string, json: JsonObject, holds: boolean]>([
    ['a member', { properties: { a: png } }, true],
    ['a definition', { $defs: { A: true, B: { items: png } } }, true],
    ['a definition of something else', { $defs: { A: { type: 'string' } } }, false],
    ['a file', png, false],
    ['no files', { type: 'string' }, false],
  ])('the conversion contains a file: %s: %s', (_, json, holds) => {
    expect(holdsFile(json)).toBe(holds)
  })
})
