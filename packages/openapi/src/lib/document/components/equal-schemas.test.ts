import type { JsonObject } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import { areEqualSchemas, type Located } from './equal-schemas.ts'
import type { ComponentName } from './name-definitions.ts'

/** The root of a conversion. Keys of `$defs` that are numbers do not name their definition. */
function locate(json: JsonObject): Located {
  const keys = Object.keys(Object(json.$defs))
  const names = new Map(keys.map((key) => [key, nameOf(key)]))
  return { source: json, conversion: { json, names, rootName: null, isKeyedByName: false } }
}

function nameOf(key: string): ComponentName {
  return /\d/.test(key) ? { kind: 'place', path: [], shape: key } : { kind: 'given', name: key }
}

/** Compares two schemas called Book, and lists the named schemas that are assumed to be equal. */
function compare(first: JsonObject, second: JsonObject) {
  const named: [name: string, source: unknown][] = []
  const equal = areEqualSchemas('Book', locate(first), locate(second), (name, { source }) => {
    named.push([name, source])
  })
  return { equal, named }
}

const string = { type: 'string' }
const number = { type: 'number' }
const ref = (key: string) => ({ $ref: `#/$defs/${key}` })
/** A schema with a member `a`. */
const withA = (a: unknown, $defs?: JsonObject): JsonObject => ({
  properties: { a },
  ...($defs && { $defs }),
})
const shared = ref('Author')
/** Forty definitions, of which each refers to the one before. */
const chain = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [String(at + 1), at === 0 ? string : ref(String(at))]),
)

describe('equal schemas with one name', () => {
  it.each<[what: string, first: JsonObject, second: JsonObject]>([
    ['without keywords', {}, {}],
    [
      'with the keywords in another order',
      { type: 'string', maxLength: 5, pattern: 'a', default: { x: 1, y: 2, z: 3 } },
      { default: { y: 2, z: 3, x: 1 }, pattern: 'a', type: 'string', maxLength: 5 },
    ],
    ['with equal members', withA(string), withA({ ...string })],
    ['with members of any value', withA(true), withA(true)],
    ['where one has definitions', withA(string), withA(string, { Other: number })],
    ['where one refers to a definition', withA(string), withA(ref('1'), { 1: string })],
    ['where both refer to booleans', withA(ref('1'), { 1: true }), withA(ref('2'), { 2: true })],
    [
      'where the definitions have other keys',
      withA({ ...ref('1'), title: 'A' }, { 1: string }),
      withA({ ...ref('2'), title: 'A' }, { 2: string }),
    ],
    [
      'where one refers to its root, and one to a definition',
      withA({ $ref: '#', title: 'A' }),
      { ...ref('1'), $defs: { 1: withA({ ...ref('1'), title: 'A' }) } },
    ],
    ['where both refer to their root', withA({ $ref: '#' }), withA({ $ref: '#' })],
    [
      'where references only lead to each other',
      { ...ref('1'), $defs: { 1: ref('2'), 2: ref('1') } },
      { ...ref('1'), $defs: { 1: ref('2'), 2: ref('1') } },
    ],
    ['where one refers to the same over many definitions', withA(ref('40'), chain), withA(string)],
    ['with one reference to another document', { $ref: 'a.json' }, { $ref: 'a.json' }],
    [
      'with a reference to another document, whatever the definitions are',
      withA({ $ref: 'a.json', title: 'A' }, { null: string }),
      withA({ $ref: 'a.json', title: 'A' }, { null: number }),
    ],
    ['where one names a member', withA(ref('Author'), { Author: string }), withA(string)],
    [
      'where both contain the schema of that name',
      withA(ref('Book'), { Book: string }),
      withA(ref('Book'), { Book: string }),
    ],
  ])('two schemas with one name are equal: %s', (_, first, second) => {
    expect(compare(first, second)).toEqual({ equal: true, named: [] })
    expect(compare(second, first)).toEqual({ equal: true, named: [] })
  })
})

describe('different schemas with one name', () => {
  it.each<[what: string, first: JsonObject, second: JsonObject]>([
    ['with different types', string, number],
    ['with an extra keyword', string, { ...string, maxLength: 5 }],
    ['with other members', withA(string), withA(number)],
    [
      'with another first member',
      { properties: { a: string, b: string } },
      { properties: { a: number, b: string } },
    ],
    ['with an extra member', withA(string), { properties: { a: string, b: {} } }],
    ['with a boolean as a member', withA({}), withA(true)],
    ['with another boolean as a member', withA(false), withA(true)],
    ['where one refers to a boolean', withA(ref('1'), { 1: true }), withA(ref('1'), { 1: {} })],
    ['where definitions differ', withA(ref('1'), { 1: string }), withA(ref('1'), { 1: number })],
    [
      'where definitions differ next to other keywords',
      withA({ ...ref('1'), title: 'A' }, { 1: string }),
      withA({ ...ref('1'), title: 'A' }, { 1: number }),
    ],
    [
      'where the keywords next to a reference differ',
      { ...ref('1'), title: 'A', $defs: { 1: string } },
      { ...ref('1'), title: 'B', $defs: { 1: string } },
    ],
    ['with references to two documents', { $ref: 'a.json' }, { $ref: 'b.json' }],
    ['where one names a member', withA(ref('Author'), { Author: string }), withA(number)],
    [
      'where two members have the same schema and different names',
      withA(ref('Author'), { Author: string }),
      withA(ref('Editor'), { Editor: string }),
    ],
    [
      'where two members have names in their schemas',
      withA({ ...string, id: 'Author' }),
      withA({ ...string, id: 'Editor' }),
    ],
    [
      'where the schemas of that name differ',
      withA(ref('Book'), { Book: string }),
      withA(ref('Book'), { Book: number }),
    ],
    ['with an id that is not a name', { id: 5 }, { id: 6 }],
  ])('two schemas with one name are different: %s', (_, first, second) => {
    expect(compare(first, second)).toEqual({ equal: false, named: [] })
    expect(compare(second, first)).toEqual({ equal: false, named: [] })
  })
})

describe('a named schema inside two schemas with one name', () => {
  it('the nested schema is assumed equal, and the second version is reported', () => {
    const first = withA(ref('Author'), { Author: string })
    const second = withA(ref('Author'), { Author: number })
    expect(compare(first, second)).toEqual({ equal: true, named: [['Author', number]] })
  })

  it('the nested schema may be inlined with a name, without a reference', () => {
    const [first, second] = [string, number].map((schema) => withA({ ...schema, id: 'Author' }))
    const named = [['Author', { ...number, id: 'Author' }]]
    expect(compare(first ?? {}, second ?? {})).toEqual({ equal: true, named })
  })

  it('keywords next to the reference must be equal', () => {
    const titled = (title: string) => withA({ ...ref('Author'), title }, { Author: string })
    expect(compare(titled('A'), titled('A')).equal).toBe(true)
    expect(compare(titled('A'), titled('B')).equal).toBe(false)
  })

  it('a shared nested schema is not reported', () => {
    const first = withA(shared, { Author: string })
    expect(compare(first, withA(shared, { Author: string }))).toEqual({ equal: true, named: [] })
  })
})
