import type { JsonObject } from '@plumbline/base'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../../schema/standard-schema.ts'
import { type Conversion, idOf, nameByKeys, nameDefinitions } from './name-definitions.ts'

/** A schema of each library, of which only the name of the library is read. */
const zod = z.string()
const ark = type('string')
const valibot = toStandardJsonSchema(v.string())
const ours: Schema = { '~standard': { ...zod['~standard'], vendor: 'ours' } }

/** The names by key, and that of the root: an id, or the path to the schema. */
function summarize({ names, rootName, isKeyedByName }: Conversion) {
  const textOf = (name: Conversion['rootName']) =>
    name?.kind === 'place' ? `at ${name.path.join('/')}` : (name?.name ?? null)
  return {
    names: Object.fromEntries([...names].map(([key, name]) => [key, textOf(name)])),
    root: textOf(rootName),
    isKeyedByName,
  }
}

const ref = (key: string) => ({ $ref: `#/$defs/${key}` })
const string = { type: 'string' }

describe("naming a conversion's definitions", () => {
  it.each<[what: string, Schema, JsonObject, names: object, isKeyedByName: boolean]>([
    ['not at all', zod, string, {}, true],
    ['by the keys of zod', zod, { $defs: { Book: string } }, { Book: 'Book' }, true],
    [
      'by the keys of zod that are only like counted ones',
      zod,
      { $defs: { a__schema1: string, __schema1a: string, __schema: string, __schema12: string } },
      { a__schema1: 'a__schema1', __schema1a: '__schema1a', __schema: '__schema' },
      false,
    ],
    ['not by the counted keys of zod', zod, { $defs: { __schema0: string } }, {}, false],
    [
      'by some keys of zod',
      zod,
      { $defs: { Book: string, __schema0: string } },
      { Book: 'Book' },
      false,
    ],
    [
      'by the keys of Valibot that are not numbers',
      valibot,
      { $defs: { 12: string, a1: string, '1a': string } },
      { a1: 'a1', '1a': '1a' },
      false,
    ],
    ['not by the keys of ArkType', ark, { $defs: { Book: string } }, {}, false],
    ['by each key of another library', ours, { $defs: { 0: string } }, { 0: '0' }, true],
    [
      'by their ids',
      ark,
      { $defs: { type1: { id: 'Book' }, Sized: { $id: 'Sized' } } },
      { type1: 'Book', Sized: 'Sized' },
      false,
    ],
    ['by their ids, which are the keys', ark, { $defs: { A: { id: 'A' } } }, { A: 'A' }, true],
    [
      'by the first id next to a reference',
      valibot,
      {
        items: { ...ref('0'), id: 'Tree' },
        not: { ...ref('0'), id: 'Wood' },
        $defs: { 0: string, Other: string },
      },
      { 0: 'Tree', Other: 'Other' },
      false,
    ],
    [
      'by the id next to a reference in a definition',
      valibot,
      { $defs: { 0: string, List: { items: { ...ref('0'), id: 'Tree' } } } },
      { 0: 'Tree', List: 'List' },
      false,
    ],
    [
      'by the id of an equal schema',
      ark,
      { items: { ...string, id: 'Tree' }, $defs: { type1: string, type2: { type: 'number' } } },
      { type1: 'Tree' },
      false,
    ],
    [
      'not by the id of a schema without keywords, if they are booleans',
      ark,
      { items: { id: 'Any' }, $defs: { type1: true } },
      {},
      false,
    ],
    [
      'not by the id that ArkType repeats on a branch',
      ark,
      {
        id: 'Either',
        anyOf: [ref('type1'), ref('type2'), string, true],
        $defs: { type1: { id: 'Either' }, type2: { id: 'Other' } },
      },
      { type2: 'Other' },
      false,
    ],
    [
      'by the id of the schema that contains them in another keyword',
      ark,
      { id: 'Both', allOf: [ref('type1')], $defs: { type1: { id: 'Both' } } },
      { type1: 'Both' },
      false,
    ],
    [
      'by their first place, if they are nameless and contain themselves',
      zod,
      {
        properties: { tree: { items: ref('__schema0') } },
        $defs: { __schema0: { prefixItems: [ref('__schema0')] }, __schema1: string },
      },
      { __schema0: 'at properties/tree/items' },
      false,
    ],
    [
      'by their first place, if a named schema contains them',
      zod,
      {
        properties: { home: ref('Home') },
        $defs: {
          Home: { not: ref('__schema0') },
          __schema0: { anyOf: [ref('__schema1'), true] },
          __schema1: { items: ref('__schema0') },
        },
      },
      { Home: 'Home', __schema0: 'at properties/home/not' },
      false,
    ],
    [
      'not by a place, if a named schema is part of each circle',
      zod,
      {
        items: ref('__schema0'),
        $defs: { Book: { items: ref('__schema0') }, __schema0: { items: ref('Book') } },
      },
      { Book: 'Book' },
      false,
    ],
    [
      'not by a place, if the root refers to nothing',
      zod,
      { items: ref('None'), not: { $ref: 'a.json' }, $defs: {} },
      {},
      true,
    ],
  ])('definitions are named %s', (_, schema, json, names, isKeyedByName) => {
    const found = nameDefinitions(schema, json)
    expect(summarize(found)).toEqual({ names, root: null, isKeyedByName, ...rootOf(json) })
    expect(found.json).toBe(json)
  })

  /** The name of a root with an id. */
  function rootOf({ id }: JsonObject) {
    return typeof id === 'string' ? { root: id } : {}
  }
})

describe("naming a conversion's root", () => {
  it.each<[what: string, Schema, JsonObject, root: string | null]>([
    ['not at all', zod, string, null],
    ['by its id', ark, { ...string, id: 'Book' }, 'Book'],
    ['by its URI', zod, { ...string, $id: 'Book' }, 'Book'],
    ['by its id, next to definitions', zod, { id: 'Book', $defs: { A: string } }, 'Book'],
    ['by its id, if it contains itself', zod, { id: 'Book', items: { $ref: '#' } }, 'Book'],
    ['by its place, if it contains itself', zod, { items: { $ref: '#' }, not: string }, 'at '],
    [
      'by its place, if it is written again as a definition',
      valibot,
      { items: ref('0'), $defs: { 0: { items: ref('0') } } },
      'at ',
    ],
    [
      'not at all, if only a definition contains itself',
      zod,
      { items: ref('A'), $defs: { A: { items: ref('A') } } },
      null,
    ],
  ])('the root is named %s', (_, schema, json, root) => {
    expect(summarize(nameDefinitions(schema, json)).root).toBe(root)
  })
})

describe("a nameless schema's shape", () => {
  /** The shape of a tree whose root has this property, with these keys of two definitions. */
  function shapeOf(property: string, first: string, second: string): string | undefined {
    const { names } = nameDefinitions(valibot, {
      properties: { a: ref(first) },
      $defs: {
        [first]: { properties: { [property]: ref(second), text: ref('Text') } },
        [second]: { items: ref(first), default: 1 },
        Text: string,
      },
    })
    const name = names.get(first)
    return name?.kind === 'place' ? name.shape : undefined
  }

  it("the shape does not depend on the library's counted keys", () => {
    expect(shapeOf('kids', '1', '2')).toBe(shapeOf('kids', '8', '7'))
    expect(shapeOf('kids', '1', '2')).not.toBe(shapeOf('sons', '1', '2'))
  })

  it('the shape contains each schema in the cycle once, and other schemas by name', () => {
    expect(shapeOf('kids', '1', '2')).toBe(
      [
        '{"properties":{"kids":{"$ref":0},"text":{"$ref":"#/$defs/Text"}}}',
        '{"items":{"$ref":1},"default":1}',
        '{"properties":{"kids":{"$ref":0},"text":{"$ref":"#/$defs/Text"}}}',
      ].join('\n'),
    )
  })

  it("the root's shape contains the root", () => {
    const { rootName } = nameDefinitions(zod, { items: { $ref: '#' }, not: true })
    expect(rootName).toEqual({
      kind: 'place',
      path: [],
      shape: '{"items":{"$ref":0},"not":true}\n{"items":{"$ref":0},"not":true}',
    })
  })
})

it("naming by keys uses the definition keys and the root's id", () => {
  expect(summarize(nameByKeys(string))).toEqual({ names: {}, root: null, isKeyedByName: true })
  expect(summarize(nameByKeys({ id: 'Book', $defs: { A: string } }))).toEqual({
    names: { A: 'A' },
    root: 'Book',
    isKeyedByName: true,
  })
})

it.each([
  [{ id: 'A' }, 'A'],
  [{ $id: 'A' }, 'A'],
  [{ id: 'A', $id: 'B' }, 'A'],
  [{ id: '' }, null],
  [{ id: 5 }, null],
  [{}, null],
  [true, null],
])('the id of %j is %s', (schema, id) => {
  expect(idOf(schema)).toBe(id)
})
