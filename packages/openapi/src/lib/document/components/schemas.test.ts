import { unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { scope, type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accepts } from '../../../../test/accepts.ts'
import type { Document } from '../../openapi.ts'
import type { AnyOperation } from '../../operation.ts'
import type { Schema } from '../../schema/standard-schema.ts'
import { operation, posting } from '../build.cases.ts'
import { createDocument } from '../build.ts'
import type { DocumentOptions } from '../builder.ts'
import { libraries } from './schemas.cases.ts'

function build(...operations: readonly AnyOperation[]): Document {
  const options: DocumentOptions = { info: { title: 'Books', version: '1' } }
  return unwrap(
    createDocument(options)
      .add(...operations)
      .build(),
  )
}

/** A document with an operation for each schema, called a, b, and so on. */
function documentOf(...schemas: readonly Schema[]): Document {
  return build(...schemas.map((schema, at) => posting(String.fromCharCode(97 + at), schema)))
}

/** The schema in the document at the place of its use. */
function useIn({ paths }: Document, operationId = 'a'): unknown {
  const body = paths?.[`/${operationId}`]?.post?.requestBody
  return body && 'content' in body ? body.content['application/json']?.schema : undefined
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const namesIn = (document: Document) => Object.keys(document.components?.schemas ?? {})

describe.each(libraries.map((library) => [library.name, library] as const))('%s:', (_, library) => {
  it('a named schema becomes a component, and every use becomes a reference', () => {
    const document = documentOf(library.shelf, library.book)
    expect(useIn(document)).toMatchObject({
      type: 'object',
      properties: {
        one: ref('Book'),
        list: { type: 'array', items: ref('Book') },
        maybe: { anyOf: [ref('Book'), { type: 'null' }] },
      },
    })
    expect(useIn(document, 'b')).toStrictEqual(ref('Book'))
    expect(document.components?.schemas).toStrictEqual({
      Book: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    })
  })

  it('an unnamed recursive schema is named after the first place', async () => {
    const document = documentOf(library.tree, library.wood)
    expect(namesIn(document)).toStrictEqual(['ABody'])
    expect(useIn(document)).toStrictEqual(ref('ABody'))
    expect(document.components?.schemas?.ABody).toMatchObject({
      type: 'object',
      properties: { kids: { type: 'array', items: ref('ABody') } },
      required: ['kids'],
    })
    const leaf = { kids: [] }
    expect(await accepts(document, useIn(document), { kids: [leaf, { kids: [leaf] }] })).toBe(true)
    expect(await accepts(document, useIn(document), { kids: [leaf, { kids: [{}] }] })).toBe(false)
    const wood = useIn(document, 'b')
    expect(await accepts(document, wood, { tree: { kids: [leaf] } })).toBe(true)
    expect(await accepts(document, wood, { tree: { kids: [{ kids: [1] }] } })).toBe(false)
  })

  it('a named recursive schema keeps the name, without a second one', () => {
    for (const schemas of [
      [library.namedTree, library.namedWood],
      [library.namedWood, library.namedTree],
    ]) {
      const document = documentOf(...schemas)
      expect(document.components?.schemas).toStrictEqual({
        Tree: {
          type: 'object',
          properties: { kids: { type: 'array', items: ref('Tree') } },
          required: ['kids'],
        },
      })
      const tree = schemas[0] === library.namedTree ? 'a' : 'b'
      expect(useIn(document, tree)).toStrictEqual(ref('Tree'))
      expect(useIn(document, tree === 'a' ? 'b' : 'a')).toMatchObject({
        type: 'object',
        properties: { tree: ref('Tree') },
      })
    }
  })

  it('mutually recursive named schemas refer to each other', () => {
    const document = documentOf(library.namedCat, library.namedPerson)
    expect([useIn(document), useIn(document, 'b')]).toStrictEqual([ref('Cat'), ref('Person')])
    expect(namesIn(document).toSorted()).toStrictEqual(['Cat', 'Person'])
    expect(document.components?.schemas).toMatchObject({
      Cat: { properties: { owner: ref('Person') } },
      Person: { properties: { cats: { type: 'array', items: ref('Cat') } }, required: ['cats'] },
    })
  })

  it('mutually recursive unnamed schemas accept the same values as before', async () => {
    const document = documentOf(library.cat, library.person)
    const cat = { owner: { cats: [{}, { owner: { cats: [] } }] } }
    expect(await accepts(document, useIn(document), cat)).toBe(true)
    expect(await accepts(document, useIn(document), { owner: { cats: [{ owner: {} }] } })).toBe(
      false,
    )
    expect(await accepts(document, useIn(document, 'b'), cat.owner)).toBe(true)
    expect(await accepts(document, useIn(document, 'b'), { cats: [{ owner: 1 }] })).toBe(false)
  })

  it('a named schema is one component, even if a cycle within it is entered elsewhere', async () => {
    for (const schemas of [
      [library.home, library.street],
      [library.street, library.home],
    ]) {
      const document = documentOf(...schemas)
      expect(useIn(document, schemas[0] === library.home ? 'a' : 'b')).toStrictEqual(ref('Home'))
      const [good, bad] = [{ cat: { owner: { cats: [{}] } } }, { cat: { owner: { cats: [1] } } }]
      expect(await accepts(document, ref('Home'), good)).toBe(true)
      expect(await accepts(document, ref('Home'), bad)).toBe(false)
    }
  })

  it('no key or keyword from the library is left', () => {
    const document = documentOf(
      library.shelf,
      library.wood,
      library.namedWood,
      library.cat,
      library.person,
      library.namedCat,
      library.home,
      library.street,
    )
    const text = JSON.stringify(document)
    expect(text).not.toMatch(/\$defs|"\$schema"|"id"|__schema|intersection\d|type\d|#\/\d|"#"/)
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, to]) => to)
    expect(new Set(references)).toStrictEqual(new Set(namesIn(document)))
  })
})

describe('schemas from several libraries', () => {
  it('equal schemas with one name are one component', () => {
    const document = documentOf(...libraries.map(({ book }) => book))
    expect(['a', 'b', 'c'].map((use) => useIn(document, use))).toStrictEqual(
      Array(3).fill(ref('Book')),
    )
    expect(namesIn(document)).toStrictEqual(['Book'])
  })
})

describe('names', () => {
  it("names for different unnamed schemas never collide, nor use another's name", () => {
    const list: z.ZodType = z.object({
      get next() {
        return list.optional()
      },
    })
    const tree: z.ZodType = z.object({
      get kids() {
        return z.array(tree)
      },
    })
    const taken = z.object({}).meta({ id: 'BBody' })
    const named = ['ABody', 'ABody2', 'ABody3'].map((id) => z.object({}).meta({ id }))
    const numbered = build(posting('b', z.union(named)), posting('a', tree))
    expect(namesIn(numbered)).toStrictEqual(['ABody', 'ABody2', 'ABody3', 'ABody4'])
    const document = build(
      posting('a', z.object({ taken })),
      operation(
        'b',
        { body: list, responses: { 200: { description: '', body: { 'a/b': list } } } },
        { method: 'POST', pattern: '/b' },
      ),
      posting('b-', toStandardJsonSchema(v.object({}))),
      operation('c', { responses: { 200: { description: '', body: z.array(tree) } } }),
    )
    expect(namesIn(document)).toStrictEqual(['BBody', 'BBody2', 'C200'])
  })

  it('both names in an intersection are kept (JSON Schema Core §10.2.1.1)', async () => {
    const book = z.object({ title: z.string() }).meta({ id: 'Book' })
    const sized = z.object({ pages: z.int() }).meta({ id: 'Sized' })
    const document = documentOf(z.intersection(book, sized))
    expect(useIn(document)).toStrictEqual({ allOf: [ref('Book'), ref('Sized')] })
    expect(namesIn(document)).toStrictEqual(['Book', 'Sized'])
    expect(await accepts(document, useIn(document), { title: 'Emma', pages: 452 })).toBe(true)
    expect(await accepts(document, useIn(document), { title: 'Emma' })).toBe(false)
  })

  it("a schema's name and a second name for it are both kept (JSON Schema Core §8.2.3.1)", () => {
    const book = z.object({ title: z.string() }).meta({ id: 'Book' })
    const document = documentOf(z.object({ book, novel: z.lazy(() => book).meta({ id: 'Novel' }) }))
    expect(document.components?.schemas).toStrictEqual({
      Book: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      Novel: ref('Book'),
    })
  })

  it('names keep the keywords next to a reference (JSON Schema Core §8.2.3.1)', () => {
    const book = z.object({ title: z.string() }).meta({ id: 'Book' })
    const document = documentOf(z.object({ best: book.describe('The best one') }))
    expect(useIn(document)).toMatchObject({
      properties: { best: { ...ref('Book'), description: 'The best one' } },
    })
  })

  it('names are not copied to schemas derived from a zod schema', () => {
    const book = z.object({ title: z.string() }).meta({ id: 'Book' })
    const document = documentOf(book, book.extend({ pages: z.int() }), book.partial())
    expect(namesIn(document)).toStrictEqual(['Book'])
    expect(useIn(document, 'b')).toMatchObject({ required: ['title', 'pages'] })
  })

  it.each(['anyOf', 'oneOf', 'allOf'])(
    'a name is written once if a branch of %s repeats it',
    (keyword) => {
      const named = z.any().meta({ id: 'Book', [keyword]: [{ id: 'Book', type: 'object' }] })
      const document = documentOf(named)
      expect(useIn(document)).toStrictEqual(ref('Book'))
      expect(document.components?.schemas).toStrictEqual({
        Book: { [keyword]: [{ type: 'object' }] },
      })
    },
  )

  it('a name is written once if ArkType repeats it on each union branch', () => {
    const either = type({ kind: '"a"' }).or({ kind: '"b"', pages: 'number' })
    const document = documentOf(type({ e: either.configure({ id: 'Either' }) }))
    expect(useIn(document)).toMatchObject({ properties: { e: ref('Either') } })
    expect(document.components?.schemas?.Either).toStrictEqual({
      anyOf: [
        { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
        {
          type: 'object',
          properties: { kind: { const: 'b' }, pages: { type: 'number' } },
          required: ['kind', 'pages'],
        },
      ],
    })
  })

  it('a name may be __proto__', () => {
    const document = documentOf(z.object({}).meta({ id: '__proto__' }))
    expect(namesIn(document)).toStrictEqual(['__proto__'])
  })

  it('an empty name is ignored', () => {
    const document = documentOf(z.object({}).meta({ id: '' }))
    expect(document).not.toHaveProperty('components')
    expect(useIn(document)).toStrictEqual({ type: 'object', properties: {} })
  })
})

describe('a value that is not a schema', () => {
  it('properties named like keywords are unchanged', () => {
    const names = ['$ref', 'id', '$id', '$defs', '$schema', 'const', 'properties', 'allOf']
    const shape = Object.fromEntries(names.map((name) => [name, z.string()]))
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    expect(useIn(documentOf(z.object(shape)))).toStrictEqual({
      type: 'object',
      properties,
      required: names,
    })
  })

  it('a property named __proto__ is unchanged', () => {
    const document = documentOf(z.object({ ['__proto__']: z.string() }))
    const { properties } = useIn(document) as { readonly properties: object }
    expect(Object.entries(properties)).toStrictEqual([['__proto__', { type: 'string' }]])
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype)
  })

  it('const, enum, default and examples values are unchanged', () => {
    const payload = { $ref: '#/$defs/Nothing', id: 'Nobody', $defs: { a: 1 }, allOf: [{ id: 'b' }] }
    const schema = z.object({
      b: z.any().default(payload),
      c: z.any().meta({ examples: [payload] }),
      d: z.any().meta({ const: payload }),
      e: z.any().meta({ enum: [payload] }),
      f: z.enum(['#/$defs/Nothing', '$ref']),
    })
    expect(useIn(documentOf(schema))).toMatchObject({
      properties: {
        b: { default: payload },
        c: { examples: [payload] },
        d: { const: payload },
        e: { enum: [payload] },
        f: { enum: ['#/$defs/Nothing', '$ref'] },
      },
    })
    expect(namesIn(documentOf(schema))).toStrictEqual([])
  })
})

describe('a named recursive schema', () => {
  it("a schema keeps the name next to Valibot's reference to a lazy schema", () => {
    const tree: v.GenericSchema = v.pipe(
      v.lazy(() => v.object({ kids: v.array(tree) })),
      v.metadata({ id: 'Tree' }),
    )
    const document = documentOf(
      toStandardJsonSchema(tree),
      toStandardJsonSchema(v.object({ tree })),
    )
    expect(useIn(document)).toStrictEqual(ref('Tree'))
    expect(useIn(document, 'b')).toMatchObject({ properties: { tree: ref('Tree') } })
    expect(document.components?.schemas).toStrictEqual({
      Tree: {
        type: 'object',
        properties: { kids: { type: 'array', items: ref('Tree') } },
        required: ['kids'],
      },
    })
  })

  it("a schema keeps the name if ArkType repeats a union's name on the branches", async () => {
    const json = scope({ json: ['string | json[]', '@', { id: 'Json' }] }).export().json
    const document = documentOf(json, type({ json }))
    expect(useIn(document)).toStrictEqual(ref('Json'))
    expect(useIn(document, 'b')).toMatchObject({ properties: { json: ref('Json') } })
    expect(document.components?.schemas).toStrictEqual({
      Json: { anyOf: [{ type: 'string' }, { type: 'array', items: ref('Json') }] },
    })
    expect(await accepts(document, useIn(document), ['a', [['b']]])).toBe(true)
    expect(await accepts(document, useIn(document), ['a', [[1]]])).toBe(false)
  })
})

describe('a parameters object schema', () => {
  const page = z.int().meta({ id: 'Page' })
  const query = z.object({ page: page.optional(), sort: z.string() })
  const parametersOf = (schema: Schema) => {
    const document = build(operation('a', { query: schema }))
    return { document, parameters: document.paths?.['/books']?.get?.parameters }
  }

  it('a named schema is split into parameters, and named schemas within it keep their names', () => {
    const { document, parameters } = parametersOf(query.meta({ id: 'Query' }))
    expect(parameters).toStrictEqual([
      { name: 'page', in: 'query', schema: ref('Page') },
      { name: 'sort', in: 'query', required: true, schema: { type: 'string' } },
    ])
    expect(namesIn(document)).toStrictEqual(['Page'])
  })

  it('a named ArkType or Valibot schema is split into parameters', () => {
    const ark = type({ 'page?': 'number' }).configure({ id: 'Query' })
    const valibot = v.pipe(v.object({ page: v.optional(v.number()) }), v.metadata({ id: 'Query' }))
    for (const schema of [ark, toStandardJsonSchema(valibot)]) {
      const { document, parameters } = parametersOf(schema)
      expect(parameters).toStrictEqual([{ name: 'page', in: 'query', schema: { type: 'number' } }])
      expect(document).not.toHaveProperty('components')
    }
  })

  it('only lists in a query have a style (OpenAPI 3.1.1 §4.8.12.2.1)', () => {
    const tags = z.array(z.string())
    const document = build(
      operation('a', { query: z.object({ tags }), headers: z.object({ 'X-Tags': tags }) }),
    )
    const schema = { type: 'array', items: { type: 'string' } }
    expect(document.paths?.['/books']?.get?.parameters).toStrictEqual([
      { name: 'tags', in: 'query', required: true, style: 'form', explode: true, schema },
      { name: 'X-Tags', in: 'header', required: true, schema },
    ])
  })

  it('a description is left out if it is not a string', () => {
    const json = { type: 'object', properties: { a: { type: 'string', description: 5 } } }
    const convert = () => structuredClone(json)
    const jsonSchema = { input: convert, output: convert }
    const query: Schema = {
      '~standard': { ...z.unknown()['~standard'], vendor: 'ours', jsonSchema },
    }
    const { paths } = build(operation('list', { query }))
    expect(paths?.['/books']?.get?.parameters).toMatchObject([{ name: 'a', in: 'query' }])
    expect(paths?.['/books']?.get?.parameters?.[0]).not.toHaveProperty('description')
  })

  it('an unnamed recursive schema is named after the place', () => {
    const { document } = parametersOf(z.object({ filter: z.json() }))
    expect(namesIn(document)).toStrictEqual(['AQueryFilter'])
  })

  it('the schema may be an intersection', () => {
    const { parameters } = parametersOf(
      toStandardJsonSchema(v.intersect([v.object({ a: v.string() }), v.object({ b: v.string() })])),
    )
    expect(parameters?.map((one) => 'name' in one && one.name)).toStrictEqual(['a', 'b'])
  })
})
