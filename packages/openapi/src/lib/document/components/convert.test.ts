import type { JsonObject } from '@plumbline/base'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../../schema/standard-schema.ts'
import { posting } from '../build.cases.ts'
import { createDocument } from '../build.ts'
import type { DocumentOptions } from '../builder.ts'

/** A schema of a library with this conversion. Each key of `$defs` is a name, except in Valibot. */
function schemaOf(json: JsonObject, vendor = 'ours'): Schema {
  const convert = () => structuredClone(json)
  const jsonSchema = { input: convert, output: convert }
  return { '~standard': { ...z.unknown()['~standard'], vendor, jsonSchema } }
}

/** Builds a document with an operation for each schema, called a, b, and so on. */
function build(schemas: readonly Schema[], options: Partial<DocumentOptions> = {}) {
  const operations = schemas.map((schema, at) => posting(String.fromCharCode(97 + at), schema))
  const all: DocumentOptions = { info: { title: 'Books', version: '1' }, ...options }
  return createDocument(all)
    .add(...operations)
    .build()
}

/** The code and the operation of each fault. */
function faultsOf(built: ReturnType<typeof build>): readonly string[] {
  if (!isFailure(built)) return []
  return built.error.errors.map(({ operationId, code }) => `${operationId} ${code}`)
}

const ref = (key: string) => ({ $ref: `#/$defs/${key}` })
/** An object with a member `a`, and definitions. */
const withA = (a: unknown, $defs: JsonObject): JsonObject => ({
  type: 'object',
  properties: { a },
  $defs,
})
const string = { type: 'string' }
const number = { type: 'number' }

describe('shared definitions', () => {
  it('a definition shared between two schemas is one component', () => {
    const schema = () => schemaOf(withA(ref('Title'), { Title: string }))
    const { components } = unwrap(build([schema(), schema()]))
    expect(components?.schemas).toEqual({ Title: string })
  })

  it('a shared name OpenAPI does not allow is reported at each use (OpenAPI 3.1.1 §4.8.7.1)', () => {
    const schema = () => schemaOf(withA(ref('a b'), { 'a b': string }))
    expect(faultsOf(build([schema(), schema()]))).toEqual([
      'a invalid-schema-name',
      'b invalid-schema-name',
    ])
  })

  it('definitions differ if they refer to different roots', () => {
    const Book = { type: 'object', properties: { root: { $ref: '#' } } }
    const first = { type: 'object', properties: { a: ref('Book'), b: string }, $defs: { Book } }
    const second = { type: 'object', properties: { a: ref('Book'), b: number }, $defs: { Book } }
    expect(faultsOf(build([schemaOf(first), schemaOf(second)]))).toEqual([
      'b duplicate-schema-name',
    ])
    expect(faultsOf(build([schemaOf(first), schemaOf(first)]))).toEqual([])
  })

  it('definitions differ if they refer to different names under one key', () => {
    const Book = { id: 'Book', type: 'object', properties: { author: ref('k2') } }
    const first = withA(ref('k1'), { k1: Book, k2: { id: 'Author', ...string } })
    const second = withA(ref('k2'), { k2: number })
    const third = withA(ref('Book'), { Book, k2: number })
    expect(faultsOf(build([schemaOf(first), schemaOf(second), schemaOf(third)]))).toEqual([
      'c duplicate-schema-name',
    ])
  })

  it('a definition named in only one schema becomes two components', () => {
    const node = { type: 'object', properties: { next: ref('0') } }
    const json = withA(ref('0'), { 0: node })
    const { components } = unwrap(build([schemaOf(json), schemaOf(json, 'valibot')]))
    const names = Object.keys(components?.schemas ?? {})
    expect(names).toHaveLength(2)
    const used = JSON.stringify(components).matchAll(/#\/components\/schemas\/(\w+)/g)
    expect(new Set([...used].map(([, name]) => name))).toEqual(new Set(names))
  })
})

it.each<[what: string, json: (nameless: JsonObject) => JsonObject, name: string]>([
  ['items', (items) => ({ items }), 'ABody'],
  ['anyOf', (one) => ({ anyOf: [one, string] }), 'ABody'],
  ['oneOf', (one) => ({ oneOf: [one, string] }), 'ABody'],
  ['allOf', (one) => ({ allOf: [one] }), 'ABody'],
  ['properties', (one) => ({ properties: { 'the list': one } }), 'ABodyTheList'],
  ['not', (not) => ({ not }), 'ABodyNot'],
])('a nameless recursive schema in %s is named after the place', (_, json, name) => {
  const nameless = { ...json(ref('0')), $defs: { 0: { items: ref('0') } } }
  const { components } = unwrap(build([schemaOf(nameless, 'valibot')]))
  expect(Object.keys(components?.schemas ?? {})).toEqual([name])
})

it('a reference to another document is kept, whatever the definitions are called', () => {
  const $ref = 'https://example.com/a.json'
  const json = withA({ $ref }, { null: string, undefined: string })
  const { paths } = unwrap(build([schemaOf(json)]))
  expect(paths?.['/a']?.post?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { properties: { a: { $ref } } } } },
  })
})

it('two definitions that are the same boolean are two components', () => {
  const properties = { a: ref('A'), b: ref('B') }
  const json = { type: 'object', properties, $defs: { A: true, B: true } }
  expect(unwrap(build([schemaOf(json)])).components?.schemas).toEqual({ A: true, B: true })
})

it("a nameless definition is inlined next to the reference's keywords", () => {
  const properties = { a: { ...ref('0'), description: 'The a' }, b: ref('0') }
  const json = { type: 'object', properties, $defs: { 0: string } }
  const { paths } = unwrap(build([schemaOf(json, 'valibot')]))
  expect(paths?.['/a']?.post?.requestBody).toStrictEqual({
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { a: { description: 'The a', allOf: [string] }, b: string },
        },
      },
    },
    required: false,
  })
})

it('an id in another vocabulary, which is not a string, is kept', () => {
  const json = { type: 'object', $schema: 'a', properties: { a: { ...string, id: 5 } } }
  const { paths } = unwrap(build([schemaOf(json)]))
  expect(paths?.['/a']?.post?.requestBody).toStrictEqual({
    content: {
      'application/json': { schema: { type: 'object', properties: { a: { ...string, id: 5 } } } },
    },
    required: false,
  })
})

it("a definition with a problem's name is reported at each use", () => {
  const schema = () => schemaOf(withA(ref('Problem'), { Problem: string }))
  const faults = faultsOf(build([schema(), schema()], { defaults: {} }))
  expect(faults).toEqual(['a reserved-schema-name', 'b reserved-schema-name'])
})
