import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { convertTogether } from './convert-together.ts'
import type { Schema } from './standard-schema.ts'
import { convert } from './to-json-schema.ts'

const Author = z.object({ name: z.string() }).meta({ id: 'Author' })
const Book = z.object({ author: Author, title: z.string() }).meta({ id: 'Book' })
const shelf = z.object({ books: z.array(Book) })
const page = z.object({ number: z.int().optional() })

/** The conversion of one schema by itself, without its dialect. */
function separately(schema: Schema): unknown {
  const { $schema: _, ...json } = convert(schema).value?.json ?? {}
  return json
}

/** A copy of a schema that another copy of zod made. */
function ofVersion(schema: z.ZodObject, version: object): Schema {
  const copy: Schema = Object.assign(Object.create(Object.getPrototypeOf(schema)), schema)
  const value = { ...schema._zod, version }
  return Object.defineProperty(copy, '_zod', { value, enumerable: true })
}

describe('convertTogether', () => {
  it('each schema is converted as it is alone, with the definitions it uses', () => {
    const converted = convertTogether([shelf, page, Book])
    for (const schema of [shelf, page, Book]) {
      expect(converted.get(schema)).toStrictEqual(separately(schema))
    }
  })

  it('a named schema is converted once, and all schemas share the definition', () => {
    const converted = convertTogether([shelf, Book])
    const [first, second] = [shelf, Book].map((schema) => Object(converted.get(schema)).$defs)
    expect(first.Author).toBe(second.Author)
  })

  it("other libraries' schemas and a zod copy's only schema are left out", () => {
    const other = type({ name: 'string' })
    expect([...convertTogether([shelf, other, page]).keys()]).toStrictEqual([shelf, page])
    expect(convertTogether([shelf, shelf]).size).toBe(0)
  })

  it('one object schema is needed to create the object with all schemas', () => {
    expect(convertTogether([z.string(), z.int()]).size).toBe(0)
    expect(convertTogether([z.string(), z.int(), page]).size).toBe(3)
  })

  it.each([
    [3, 9],
    [4, 4],
    [5, 0],
  ])('schemas from zod %i.%i are left out, because conversions may differ', (major, minor) => {
    const sizeWith = (version: object) =>
      convertTogether([page, shelf].map((schema) => ofVersion(schema, version))).size
    expect(sizeWith({ major, minor, patch: 0 })).toBe(0)
    expect(sizeWith({ ...page._zod.version })).toBe(2)
    expect(sizeWith({ major: 4, minor: 5, patch: 0 })).toBe(2)
  })

  it('schemas from two zod copies are separated, because their registries differ', () => {
    const copy = ofVersion(shelf, { ...shelf._zod.version })
    expect([...convertTogether([page, copy, Book]).keys()]).toStrictEqual([page, Book])
  })

  const tree = z.object({
    get children() {
      return z.array(tree)
    },
  })

  const section = z
    .object({
      get next(): z.ZodOptional<z.ZodType> {
        return z.optional(section)
      },
    })
    .meta({ id: 'Section' })

  it.each<[what: string, schema: Schema]>([
    ['a nameless recursive schema', tree],
    ['a recursive schema with a name', section],
    ['a schema that contains a recursive one with a name', z.object({ section })],
    ['a schema that contains a recursive one', z.object({ tree })],
    ['a name that looks like a number of zod', z.object({ a: page.meta({ id: '__schema0' }) })],
    ['a name next to another identifier', page.meta({ id: 'Page', $id: 'https://a.example/page' })],
    ['a reference of its own', z.string().meta({ $ref: '#/components/schemas/Other' })],
  ])('the conversion leaves out %s', (_, schema) => {
    expect([...convertTogether([page, schema, shelf]).keys()]).toStrictEqual([page, shelf])
  })

  it.each<[what: string, schemas: readonly Schema[], converted: number]>([
    // Input and output differ for schemas with a default: they are converted apart from the others.
    ['cannot be converted', [z.object({ at: z.date() }), page.default({})], 2],
    ['cannot be represented exactly', [z.object({ word: z.string().regex(/^a/i) })], 0],
    ['has the name of another', [z.string().meta({ id: 'Same' }), z.int().meta({ id: 'Same' })], 0],
  ])('schemas are left out if they are converted with one that %s', (_, schemas, converted) => {
    expect(convertTogether([page, ...schemas, shelf]).size).toBe(converted)
  })

  it('schemas are converted whether or not their input and output differ', () => {
    const both = [page, page.default({}), shelf, z.object({ book: Book, page: page.prefault({}) })]
    const converted = convertTogether(both)
    for (const schema of both) expect(converted.get(schema)).toStrictEqual(separately(schema))
  })
})
