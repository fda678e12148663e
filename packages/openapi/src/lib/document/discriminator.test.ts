import { unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'
import { posting } from './build.cases.ts'
import { createDocument } from './build.ts'
import type { DocumentOptions } from './builder.ts'

const options: DocumentOptions = { info: { title: 'Pets', version: '1' } }

function described(schema: Schema) {
  const document = unwrap(createDocument(options).add(posting('a', schema)).build())
  const body = document.paths?.['/a']?.post?.requestBody
  const use = body && 'content' in body ? body.content['application/json']?.schema : undefined
  return { use, components: document.components?.schemas }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const pets = {
  propertyName: 'kind',
  mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
}

const cat = z.object({ name: z.string(), kind: z.literal('cat') }).meta({ id: 'Cat' })
const dog = z.object({ name: z.string(), kind: z.literal('dog') }).meta({ id: 'Dog' })
const both = z.object({ kind: z.enum(['cat', 'cow']) }).meta({ id: 'Both' })

// OpenAPI 3.1.1 §4.8.25
describe("a union's discriminator", () => {
  const ofArkType = (name: string) => type({ kind: `'${name}'` as "'cat'" })
  const ofValibot = (name: string, id: string) =>
    v.pipe(v.object({ kind: v.literal(name) }), v.metadata({ id }))

  it.each<[what: string, schema: Schema]>([
    ['a discriminated union of zod', z.discriminatedUnion('kind', [cat, dog])],
    ['a union of zod whose constants differ', z.union([cat, dog])],
    [
      'a union of ArkType',
      ofArkType('cat')
        .configure({ id: 'Cat' })
        .or(ofArkType('dog').configure({ id: 'Dog' })),
    ],
    [
      'a variant of Valibot',
      toStandardJsonSchema(v.variant('kind', [ofValibot('cat', 'Cat'), ofValibot('dog', 'Dog')])),
    ],
  ])('a union whose branches are all named has a discriminator: %s', (_, schema) => {
    const { use } = described(schema)
    expect(use).toMatchObject({ discriminator: pets })
    expect(Object.values(Object(use))).toContainEqual([ref('Cat'), ref('Dog')])
  })

  it('a union has a discriminator anywhere, and with each enum value', () => {
    const cow = z.object({ kind: z.enum(['cow', 'ox']) }).meta({ id: 'Cow' })
    const pet = z.discriminatedUnion('kind', [cat, cow]).meta({ id: 'Pet' })
    const { use, components } = described(z.object({ pets: z.array(pet) }))
    expect(use).toMatchObject({ properties: { pets: { items: ref('Pet') } } })
    const [catRef, cowRef] = [ref('Cat').$ref, ref('Cow').$ref]
    expect(components?.Pet).toStrictEqual({
      oneOf: [ref('Cat'), ref('Cow')],
      discriminator: { propertyName: 'kind', mapping: { cat: catRef, cow: cowRef, ox: cowRef } },
    })
  })

  it('a union has a discriminator even if the branches contain the union', () => {
    const leaf = z.object({ kind: z.literal('leaf') }).meta({ id: 'Leaf' })
    const node: z.ZodType = z
      .object({
        kind: z.literal('node'),
        get kids() {
          return z.array(z.union([leaf, node]))
        },
      })
      .meta({ id: 'Node' })
    const { components } = described(node)
    expect(Object(components?.Node).properties.kids.items.discriminator).toStrictEqual({
      propertyName: 'kind',
      mapping: { leaf: ref('Leaf').$ref, node: ref('Node').$ref },
    })
  })

  it('the discriminator is the first property to distinguish the branches', () => {
    const [one, two] = [1, 2].map((n) =>
      z
        .object({ name: z.string(), kind: z.literal(`kind ${n}`), type: z.literal(`type ${n}`) })
        .meta({ id: `Pet${n}` }),
    )
    const { use } = described(z.union([one ?? z.null(), two ?? z.null()]))
    expect(use).toMatchObject({ discriminator: { propertyName: 'kind' } })
  })

  it('a declared discriminator is kept, and no other is added', () => {
    const discriminator = { propertyName: 'name' }
    const { use } = described(z.union([cat, dog]).meta({ discriminator }))
    expect(use).toMatchObject({ discriminator })
  })
})

describe('a union without a discriminator', () => {
  const optional = z.object({ kind: z.literal('cow').optional() }).meta({ id: 'Cow' })
  it.each<[what: string, schema: Schema]>([
    ['a branch is not named', z.union([cat, z.object({ kind: z.literal('dog') })])],
    ['two branches have the same value', z.union([cat, both])],
    ['a branch does not require the property', z.union([cat, optional])],
    [
      'a branch requires only another property',
      z.union([cat, optional.extend({ name: z.string() }).meta({ id: 'NamedCow' })]),
    ],
    [
      'a branch requires the property without describing it',
      z.union([cat, z.any().meta({ id: 'Other', type: 'object', required: ['kind'] })]),
    ],
    ['a branch does not have properties', z.union([z.string().meta({ id: 'Name' }), cat])],
    [
      'a branch is in another document',
      z.union([cat, z.any().meta({ $ref: 'https://example.com' })]),
    ],
    ['it has both anyOf and oneOf', z.union([cat, dog]).meta({ oneOf: [ref('Cat'), ref('Dog')] })],
    ['a branch has any string', z.union([cat, z.object({ kind: z.string() }).meta({ id: 'Any' })])],
    ['a branch is null', z.union([cat, dog, z.null()])],
    ['a branch has a description of its own', z.union([cat.describe('A cat'), dog])],
    ['there is one branch', z.union([cat])],
    [
      'the constants are numbers',
      z.union([
        z.object({ kind: z.literal(1) }).meta({ id: 'One' }),
        z.object({ kind: z.literal(2) }).meta({ id: 'Two' }),
      ]),
    ],
    [
      'one of the constants is a number',
      z.union([cat, z.object({ kind: z.literal(['dog', 2]) }).meta({ id: 'Either' })]),
    ],
  ])('a union does not have a discriminator if %s', (_, schema) => {
    expect(JSON.stringify(described(schema).use)).not.toContain('discriminator')
  })
})
