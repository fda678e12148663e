import { describe, expect, it } from 'vitest'
import { alternativesOf, isObjectSchema, othersOf, propertiesOf, requiredOf } from './properties.ts'
import { elementAt, type Shape, shapeOf } from './shape.ts'

/** The kinds of a shape in one line: `string number`, `[number]`, `[string, number...]`. */
function summaryOf(shape: Shape, depth = 0): string {
  const kinds = (['string', 'binary', 'number', 'boolean', 'null', 'object'] as const).filter(
    (kind) => shape[kind],
  )
  const { list } = shape
  if (kinds.length === 6) return 'anything'
  const inner =
    list === null || depth > 2
      ? []
      : [...list.first, list.rest].map((one) => summaryOf(one, depth + 1))
  const words = kinds.map((kind) => (kind === 'binary' ? 'file' : kind))
  return [...words, ...(list === null ? [] : [`[${inner.join(', ')}...]`])].join(' ')
}

const circle = { $ref: '#/$defs/A' }
const ENCODED_PICTURE = { contentMediaType: 'image/png', contentEncoding: 'base64' }

/** A number within as many alternatives. */
function nest(depth: number): object {
  return depth === 0 ? { type: 'number' } : { anyOf: [nest(depth - 1)] }
}

describe('accepted value kinds', () => {
  it.each([
    ['no keywords', {}, 'anything'],
    ['true', true, 'anything'],
    ['a type', { type: 'string' }, 'string'],
    ['an integer is a number', { type: 'integer' }, 'number'],
    ['several types', { type: ['boolean', 'null'] }, 'boolean null'],
    ['a constant', { const: 1 }, 'number'],
    ['a constant null', { const: null }, 'null'],
    ['an enum', { enum: ['a', 1, null, [], {}] }, 'string number null object [anything...]'],
    ['an empty enum', { enum: [] }, ''],
    ['nothing', { not: {} }, ''],
    ['an array', { type: 'array' }, '[anything...]'],
    ['an array of numbers', { type: 'array', items: { type: 'number' } }, '[number...]'],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      '[string, number, anything...]',
    ],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string number'],
    ['oneOf', { oneOf: [{ const: true }, { type: 'null' }] }, 'boolean null'],
    [
      'anyOf of lists',
      {
        anyOf: [
          { type: 'array', items: { type: 'string' } },
          { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'boolean' } },
          { type: 'null' },
        ],
      },
      'null [string number, string boolean...]',
    ],
    [
      'anyOf of lists, the longer tuple first',
      {
        anyOf: [
          { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'boolean' } },
          { type: 'array', items: { type: 'string' } },
        ],
      },
      '[string number, string boolean...]',
    ],
    ['anyOf without alternatives', { type: 'number', anyOf: [] }, 'number'],
    ['anyOf, 16 levels deep', nest(16), 'number'],
    ['anyOf, 17 levels deep, which is not followed', nest(17), 'anything'],
    ['not a constant', { not: { const: 1 } }, 'anything'],
    ['a type narrows anyOf', { type: 'number', anyOf: [{}, { type: 'string' }] }, 'number'],
    ['allOf', { allOf: [{ type: ['string', 'number'] }, { type: ['number', 'null'] }] }, 'number'],
    [
      'allOf of lists',
      {
        allOf: [
          { type: 'array', items: { type: ['string', 'number'] } },
          { items: {}, type: 'array' },
        ],
      },
      '[string number...]',
    ],
    // OpenAPI 3.1.1 §4.8.14.5
    ['a file', { contentMediaType: 'image/png' }, 'file'],
    ['a file of zod', { type: 'string', format: 'binary', contentEncoding: 'binary' }, 'file'],
    [
      'a file of two types',
      { contentEncoding: 'binary', anyOf: [{ contentMediaType: 'a/b' }] },
      'file',
    ],
    ['a file or null', { anyOf: [{ contentMediaType: 'a/b' }, { type: 'null' }] }, 'file null'],
    [
      'a string or a file',
      { anyOf: [{ type: 'string' }, { contentMediaType: 'a/b' }] },
      'string file',
    ],
    ['a string in an encoding', { type: 'string', contentEncoding: 'base64' }, 'string'],
    ['an encoded value without a type', ENCODED_PICTURE, 'anything'],
    ['a string of a media type', { type: 'string', contentMediaType: 'text/html' }, 'string'],
    ['a reference', { $ref: '#/$defs/Number' }, 'number'],
    ['a reference with other keywords', { $ref: '#/$defs/Number', default: 1 }, 'number'],
    ['a reference to a list of lists', { $ref: '#/$defs/Lists' }, '[[anything...]...]'],
    ['a reference to a reference', { $ref: '#/$defs/Alias' }, 'number'],
    ['a reference with an escaped name', { $ref: '#/$defs/a~1b%20c' }, 'boolean'],
    ['a reference to the root', { $ref: '#' }, 'object'],
    ['a reference to nowhere', { $ref: '#/$defs/Nobody' }, 'anything'],
    ['a reference to another document', { $ref: 'https://example.com/a' }, 'anything'],
    ['a reference to a name that a prototype has', { $ref: '#/$defs/constructor' }, 'anything'],
    ['a reference that only refers to itself', circle, 'anything'],
    ['anyOf that contains itself', { $ref: '#/$defs/Loop' }, 'anything'],
  ])('the kinds are found: %s', (_, schema, kinds) => {
    const root = {
      type: 'object',
      $defs: {
        Number: { type: 'number' },
        Lists: { type: 'array', items: { type: 'array' } },
        Alias: { $ref: '#/$defs/Number' },
        'a/b c': { type: 'boolean' },
        A: { $ref: '#/$defs/B' },
        B: { $ref: '#/$defs/A' },
        Loop: { anyOf: [{ $ref: '#/$defs/Loop' }, { type: 'string' }] },
      },
    }
    expect(summaryOf(shapeOf(schema, root))).toBe(kinds)
  })
})

describe('a string that is not coerced', () => {
  it.each([
    ['any string', { type: 'string' }, '5', true],
    ['a constant', { const: 'a' }, 'a', true],
    ['a value other than the constant', { type: 'string', const: 'a' }, 'b', false],
    ['one of an enum', { enum: ['a', 'b', 1] }, 'b', true],
    ['none of an enum', { enum: ['a', 'b', 1] }, '1', false],
    ['a string that is too short', { type: 'string', minLength: 2 }, '5', false],
    ['a string of the least length', { type: 'string', minLength: 2 }, '55', true],
    ['a string that is too long', { type: 'string', maxLength: 2 }, '555', false],
    ['a string of the greatest length', { type: 'string', maxLength: 2 }, '55', true],
    ['characters of two units', { type: 'string', maxLength: 2 }, '😀😀', true],
    ['a pattern of Unicode properties', { type: 'string', pattern: '^\\p{Nd}$' }, '5', true],
    ['a string of a pattern', { type: 'string', pattern: '^\\d+$' }, '5', true],
    ['a string of another pattern', { type: 'string', pattern: '^\\p{L}+$' }, '5', false],
    ['a pattern that does not compile', { type: 'string', pattern: '(' }, '5', true],
    ['a number', { type: 'number' }, '5', false],
    ['a file', { contentMediaType: 'text/plain' }, '5', false],
    ['one of anyOf', { anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'number' }] }, 'b', true],
    ['none of anyOf', { anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'number' }] }, '5', false],
    ['only one of allOf', { allOf: [{ type: 'string' }, { enum: ['a'] }] }, 'b', false],
    ['anything', {}, '5', true],
    ['a pattern with a type', { type: 'string', allOf: [{ pattern: '^a' }] }, '5', false],
    ['a length with a reference', { $ref: '#', minLength: 2 }, '5', false],
    ['a format that a number does not have', { type: 'string', format: 'uuid' }, '5', false],
    ['a format that a boolean does not have', { type: 'string', format: 'uri' }, 'true', false],
    ['a format that false does not have', { type: 'string', format: 'date' }, 'false', false],
    ['a string that may be of its format', { type: 'string', format: 'date' }, '2025-01-02', true],
    ['a format that a number may have', { type: 'string', format: 'hostname' }, '5', true],
  ])('a schema accepts or rejects the string: %s', (_, schema, text, accepted) => {
    expect(shapeOf(schema, { type: 'string' }).acceptsText(text)).toBe(accepted)
  })

  it('a reference to another document accepts every string, also without definitions', () => {
    expect(shapeOf({ $ref: 'https://example.com/a' }, {}).acceptsText('5')).toBe(true)
  })

  it.each([
    ['anyOf', ['a', 'b'], [true, true, false]],
    ['allOf', ['a', 'b'], [false, false, false]],
    ['allOf', ['a', 'a'], [true, false, false]],
  ] as const)(
    '%s lists with the constants %j accept the same strings as the lists',
    (keyword, texts, expected) => {
      const lists = texts.map((text) => ({ type: 'array', items: { const: text } }))
      const { list } = shapeOf({ [keyword]: lists }, {})
      if (list === null) throw new Error('the schema does not accept a list')
      const element = elementAt(list, 0)
      expect(['a', 'b', 'c'].map((text) => element.acceptsText(text))).toEqual(expected)
    },
  )

  it('ten thousand constants are fast', () => {
    const anyOf = Array.from({ length: 10_000 }, (_, at) => ({ const: `c${at}` }))
    const { acceptsText } = shapeOf({ anyOf }, {})
    expect([acceptsText('c9999'), acceptsText('c10000')]).toEqual([true, false])
  })
})

it('the shape at each list index is returned', () => {
  const { list } = shapeOf(
    { type: 'array', prefixItems: [{ const: 1 }], items: { const: 'a' } },
    {},
  )
  if (list === null) throw new Error('no list')
  expect([0, 1, 2].map((place) => summaryOf(elementAt(list, place)))).toEqual([
    'number',
    'string',
    'string',
  ])
})

it.each<[what: string, items: unknown, acceptsLists: boolean]>([
  ['numbers', { type: 'integer' }, false],
  ['objects', { type: 'object' }, false],
  ['numbers or strings', { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 1 }] }, false],
  ['lists', { type: 'array' }, true],
  ['lists or strings', { anyOf: [{ type: 'string' }, { type: 'array' }] }, true],
  ['lists or strings, one of them', { oneOf: [{ type: 'string' }, { type: 'array' }] }, true],
  ['a definition that is a list', { $ref: '#/$defs/List' }, true],
  ['a definition that is a string', { $ref: '#/$defs/Text' }, false],
  ['anything', {}, true],
  ['anything, by default', undefined, true],
  ['a reference to nothing', { $ref: '#/$defs/None' }, true],
])(
  'in a list of lists of %s, the shape shows whether the elements are lists',
  (_, items, acceptsLists) => {
    const root = { $defs: { List: { type: 'array' }, Text: { type: 'string' } } }
    const { list } = shapeOf({ type: 'array', items: { type: 'array', items } }, root)
    expect(list?.rest.list?.rest.list !== null).toBe(acceptsLists)
  },
)

it.each([
  ['anything', {}],
  ['a string', { type: 'string' }],
  ['a list', { type: 'array' }],
  ['a file', { contentMediaType: 'image/png' }],
  ['a file or a list', { anyOf: [{ contentMediaType: 'image/png' }, { type: 'array' }] }],
  ['a reference to nothing', { $ref: '#/$defs/None' }],
])('%s does not start with a transform, so values are coerced', (_, schema) => {
  expect(shapeOf(schema, {}).raw).toBe(false)
})

it('branching lists within lists are not followed', () => {
  // Otherwise the walk would visit every node of a tree with a hundred branches at each level.
  const call = { type: 'array', prefixItems: [{ const: '+' }, { $ref: '#' }, { $ref: '#' }] }
  const root = { anyOf: [{ type: 'string' }, ...Array.from({ length: 100 }, () => call)] }
  const inner = 'string [anything, anything, anything, anything...]'
  expect(summaryOf(shapeOf(root, root))).toBe(`string [string, ${inner}, ${inner}, anything...]`)
})

describe('object properties', () => {
  const json = {
    properties: { a: { const: 1 }, __proto: true, junk: 5 },
    required: ['a', 5],
    allOf: [
      { $ref: '#/$defs/Named' },
      { allOf: [{ properties: { c: {} }, required: ['c'] }, { $ref: '#' }] },
    ],
    $defs: { Named: { type: 'object', properties: { a: { const: 2 }, b: {} }, required: ['b'] } },
  }

  it('properties include those in allOf, and schemas with one name are combined', () => {
    expect([...propertiesOf(json)]).toEqual([
      ['a', { allOf: [{ const: 1 }, { const: 2 }] }],
      ['__proto', true],
      ['b', {}],
      ['c', {}],
    ])
    expect([...requiredOf(json)]).toEqual(['a', 'b', 'c'])
  })

  it('a property schema may be a boolean', () => {
    expect([...propertiesOf({ properties: { a: {}, b: true, junk: 5 } })]).toEqual([
      ['a', {}],
      ['b', true],
    ])
    expect([...propertiesOf({ allOf: [true, { properties: { a: {} } }] })]).toEqual([['a', {}]])
  })

  it('properties include those in alternatives', () => {
    const properties = { a: { const: 1 }, b: {} }
    const found = propertiesOf({
      properties,
      anyOf: [{ properties: { a: { const: 2 }, c: { const: 3 } } }, { $ref: '#/$defs/C' }, {}],
      oneOf: [{ $ref: '#' }, { properties: { d: {} } }],
      $defs: {
        C: { properties: { c: { const: 4 } }, allOf: [{ oneOf: [{ properties: { e: {} } }] }] },
      },
    })
    expect([...found]).toEqual([
      ['a', { allOf: [{ const: 1 }, { const: 2 }] }],
      ['b', {}],
      ['c', { anyOf: [{ const: 3 }, { const: 4 }] }],
      ['e', {}],
      ['d', {}],
    ])
  })

  it.each([
    [{ additionalProperties: { const: 1 } }, { const: 1 }],
    [{ allOf: [{ type: 'object' }, { additionalProperties: { const: 1 } }] }, { const: 1 }],
    [{ additionalProperties: false }, null],
    [{ additionalProperties: true }, null],
    [{}, null],
  ])('unnamed properties have a known schema: %j', (schema, others) => {
    expect(othersOf(schema)).toEqual(others)
  })

  it('two equal properties are listed once', () => {
    const properties = { a: { type: 'string' }, b: false }
    const twice = propertiesOf({ properties, allOf: [{ properties }] })
    expect([...twice]).toEqual(Object.entries(properties))
  })

  // JSON Schema Core §10.3.2
  it.each([
    [{ propertyNames: { enum: ['a', 'b'] }, additionalProperties: { const: 1 } }, ['a', 'b']],
    [{ propertyNames: { const: 'a' }, additionalProperties: { const: 1 } }, ['a']],
    [{ propertyNames: { pattern: '^a' }, additionalProperties: { const: 1 } }, []],
    [{ properties: { a: { const: 1 } }, propertyNames: { enum: ['a'] } }, ['a']],
    [
      {
        properties: { a: { const: 1 } },
        propertyNames: { enum: ['a', 'b'] },
        additionalProperties: { const: 1 },
      },
      ['a', 'b'],
    ],
  ])('record properties are the accepted keys: %j', (record, names) => {
    expect([...propertiesOf(record)]).toEqual(names.map((name) => [name, { const: 1 }]))
  })

  it('a record without a value schema has any value', () => {
    const names = ['S', 'M', 'L']
    const found = propertiesOf({ propertyNames: { enum: names } })
    expect([...found]).toEqual(names.map((name) => [name, true]))
  })

  it.each([
    [{ type: 'object' }, true],
    [{ properties: {} }, true],
    [{ $ref: '#/$defs/A', $defs: { A: { type: 'object' } } }, true],
    [{ allOf: [{ type: 'object' }] }, true],
    [{ type: 'array' }, false],
    [{ anyOf: [{ type: 'object' }] }, false],
    [{}, false],
  ])('%j describes an object: %s', (schema, is) => {
    expect(isObjectSchema(schema)).toBe(is)
  })
})

describe('object alternatives', () => {
  const branches = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ required: [`key${at}`] }))

  it.each(['anyOf', 'oneOf'])(
    'each %s branch is an alternative with the common properties',
    (keyword) => {
      const json = { type: 'object', allOf: [{ minProperties: 1 }], [keyword]: branches(2) }
      const each = branches(2).map((branch) => ({
        type: 'object',
        allOf: [{ minProperties: 1 }, branch],
      }))
      expect(alternativesOf(json)).toStrictEqual(each)
    },
  )

  it('at most 32 alternatives are kept apart, and more are read together', () => {
    expect(
      [0, 1, 32, 33].map((count) => alternativesOf({ anyOf: branches(count) }).length),
    ).toEqual([0, 1, 32, 0])
  })
})

describe('combined schema properties', () => {
  it.each([
    [998, ['last']],
    [999, []],
  ])('properties come from the first 1,000 schemas: %i others come before', (count, names) => {
    const others = Array.from({ length: count }, (_, at) => ({ minProperties: at }))
    const json = { allOf: [...others, { properties: { last: {} } }] }
    expect([...propertiesOf(json).keys()]).toEqual(names)
  })
})

// JSON Schema Validation §7.3: no JSON number or boolean has one of these formats.
it.each([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'idn-email',
  'ipv4',
  'ipv6',
  'uri',
  'iri',
  'uuid',
])('a string with the format %s is not a number or a boolean', (format) => {
  const { acceptsText } = shapeOf({ type: 'string', format }, {})
  const accepted = ['1', '-1.5e3', 'true', 'false', 'a', '01'].filter(acceptsText)
  expect(accepted).toEqual(['a', '01'])
})
