import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { scope, type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'
import type { BuildFaultCode } from './faults.ts'

/** A schema, and JSON values that its document must accept exactly when `parse` does. */
export interface Exact {
  readonly what: string
  readonly schema: Schema
  readonly values: readonly unknown[]
}

/** ArkType's types for which its converter writes too much or too little by itself. */
export const exactTypes: readonly Exact[] = [
  { what: 'number|undefined', schema: type('number|undefined'), values: [1, 'a', null, {}] },
  {
    what: 'a required key of number|undefined',
    schema: type({ n: 'number|undefined' }),
    values: [{ n: 1 }, { n: 'a' }, { n: null }, {}],
  },
  {
    what: 'an optional key of undefined',
    schema: type({ 'n?': 'undefined' }),
    values: [{}, { n: 1 }, { n: null }],
  },
  { what: 'words and undefined', schema: type('"a"|"b"|undefined'), values: ['a', 'b', 'c', null] },
  {
    what: 'a described number|undefined',
    schema: type('number|undefined').describe('n'),
    values: [1, 'a', null],
  },
  { what: 'null|undefined', schema: type('null|undefined'), values: [null, 1, {}] },
  {
    what: 'a list of number|undefined',
    schema: type('(number|undefined)[]'),
    values: [[], [1], ['a'], [null]],
  },
  {
    what: 'a tree whose leaves may be undefined',
    schema: scope({ tree: { 'leaf?': 'number|undefined', kids: 'tree[]' } }).export().tree,
    values: [{ kids: [{ leaf: 1, kids: [] }] }, { kids: [{ leaf: 'a', kids: [] }] }],
  },
  {
    what: 'two patterns',
    schema: type('string').and(/^a/).and(/b$/),
    values: ['ab', 'a', 'b', 'axb', 'ba'],
  },
  {
    what: 'three patterns',
    schema: type('string').and(/^a/).and(/b$/).and(/x/),
    values: ['axb', 'ab', 'xb', 'ax'],
  },
  {
    what: 'two patterns and a length',
    schema: type('string>2').and(/^a/).and(/b$/),
    values: ['ab', 'axb', 'axx'],
  },
  {
    what: 'an optional symbol key',
    schema: type({ [Symbol('a')]: type('string').optional() }),
    values: [{}, { a: 1 }, 5],
  },
  {
    what: 'a record of symbols',
    schema: type({ '[symbol]': 'string' }),
    values: [{}, { a: 1 }, 5],
  },
  {
    what: 'a default that is not JSON',
    schema: type({ a: type('unknown').default(() => 1n) }),
    values: [{}, { a: 1 }, 5],
  },
  {
    what: 'a record by a pattern',
    schema: type({ '[/^a/]': 'number' }),
    values: [{}, { a: 1 }, { a: 'b' }, { b: 'b' }],
  },
]

const ofPipe = (...pipe: readonly [v.GenericSchema, ...v.GenericPipeItem[]]): Schema =>
  toStandardJsonSchema(v.pipe(...(pipe as unknown as [v.GenericSchema, v.GenericPipeAction])))

/** Schemas of zod and Valibot that their converters describe otherwise than they read values. */
export const exactSchemas: readonly Exact[] = [
  {
    what: 'zod: a length after trim',
    schema: z.string().trim().min(2),
    values: ['', '  ', ' a ', 'a ', 'ab', ' a b ', ' ab', '\u00a0a'],
  },
  {
    what: 'zod: trim and a string that is not empty',
    schema: z.string().trim().min(1),
    values: ['', ' ', '\n', ' a', 'a'],
  },
  {
    what: 'Valibot: a length after trim',
    schema: ofPipe(v.string(), v.trim(), v.minLength(2)),
    values: ['', '  ', ' a ', 'a ', 'ab', ' a b ', ' ab'],
  },
  {
    what: 'Valibot: trim and a string that is not empty',
    schema: ofPipe(v.string(), v.trim(), v.nonEmpty()),
    values: ['', ' ', '\n', ' a', 'a'],
  },
  {
    what: 'zod: stringbool',
    schema: z.stringbool(),
    values: ['true', 'YES', 'oFF', '0', '', 'yes ', 'maybe', true, 1],
  },
  {
    what: 'zod: stringbool of other strings',
    schema: z.stringbool({ truthy: ['J+'], falsy: ['n.'] }),
    values: ['j+', 'J+', 'N.', 'nx', 'J', 'true'],
  },
  {
    what: 'zod: stringbool in one letter case',
    schema: z.stringbool({ truthy: ['Y'], falsy: ['N'], case: 'sensitive' }),
    values: ['Y', 'N', 'y', 'true'],
  },
  {
    // OpenAPI 3.1.1 §4.8.24: readOnly is an annotation; see decisions/read-only-keys.md.
    what: 'zod: a required key that is readOnly',
    schema: z.object({ id: z.string().meta({ readOnly: true }) }),
    values: [{ id: 'a' }, {}],
  },
  {
    what: 'ArkType: a default',
    schema: type({ a: 'number = 5' }),
    values: [{}, { a: 1 }, { a: 'x' }],
  },
  {
    what: 'zod: an empty tuple',
    schema: z.tuple([]),
    values: [[], [1], {}],
  },
  {
    what: 'zod: a preprocess that accepts an absent key',
    schema: z.object({ a: z.preprocess((sent) => sent ?? 'x', z.string()) }),
    values: [{}, { a: 'y' }, { a: 1 }],
  },
  {
    what: 'zod: a preprocess that requires its key',
    schema: z.object({ a: z.preprocess((sent) => sent, z.string()) }),
    values: [{}, { a: 'y' }, { a: 1 }],
  },
  {
    what: 'Valibot: an optional element of a tuple',
    schema: toStandardJsonSchema(v.tuple([v.string(), v.optional(v.number())])),
    values: [[], ['a'], ['a', 1], ['a', 'b']],
  },
  {
    what: 'Valibot: an empty tuple',
    schema: toStandardJsonSchema(v.strictTuple([])),
    values: [[], [1]],
  },
  {
    what: 'Valibot: several patterns',
    schema: ofPipe(v.string(), v.regex(/^a/), v.endsWith('.'), v.includes('+')),
    values: ['a+.', 'a.', '+.', 'a+'],
  },
  {
    what: 'Valibot: an address',
    schema: ofPipe(v.string(), v.ip()),
    values: ['1.2.3.4', '::1', 'FE80::1%ETH0', '1.2.3', '::g'],
  },
  { what: 'ArkType: never', schema: type({ 'a?': 'never' }), values: [{}, { a: 1 }, { a: null }] },
]

/**
 * Schemas that accept more values than their document: those that it accepts, and some that it does not. The document
 * never accepts a value that the schema rejects.
 */
export const lenientSchemas: readonly (readonly [
  what: string,
  schema: Schema,
  documented: readonly unknown[],
  accepted: readonly unknown[],
  rejected: readonly unknown[],
])[] = [
  ['zod: catch', z.string().catch('x'), ['a'], [1, null, {}], []],
  [
    'zod: catch of a key',
    z.object({ a: z.int().catch(1) }),
    [{}, { a: 2 }],
    [{ a: 'b' }, { a: null }],
    [[], 'a'],
  ],
  [
    'zod: catch of a nullable key',
    z.object({ a: z.string().nullable().catch(null), b: z.int() }),
    [{ b: 1 }, { a: null, b: 1 }],
    [{ a: 1, b: 1 }],
    [{}, { a: 'x' }],
  ],
  [
    'zod: catch of a named key',
    z.object({ a: z.string().catch('x').meta({ id: 'Caught' }) }),
    [{}, { a: 'b' }],
    [{ a: 1 }],
    [],
  ],
  [
    'zod: catch in a tuple',
    z.tuple([z.string(), z.int().catch(1)]),
    [['a'], ['a', 1]],
    [['a', 'b']],
    [[]],
  ],
  [
    'Valibot: fallback of a key',
    toStandardJsonSchema(v.object({ a: v.fallback(v.string(), 'x'), b: v.number() })),
    [{ b: 1 }, { a: 'y', b: 1 }],
    [{ a: 1, b: 1 }],
    [{}, { a: 'y' }],
  ],
  [
    'Valibot: fallback in a tuple',
    toStandardJsonSchema(v.tuple([v.string(), v.fallback(v.number(), 1)])),
    [['a'], ['a', 1]],
    [['a', 'b']],
    [[]],
  ],
  [
    'zod: coerce to a number',
    z.coerce.number().int().min(1),
    [1, 2],
    ['1', true, [1]],
    [0, 'a', 1.5],
  ],
  ['zod: coerce to a boolean', z.coerce.boolean(), [true, false], ['', 1, null], []],
  ['zod: coerce to a string', z.coerce.string().min(2), ['ab'], [10, true, null], ['a', 1]],
  ['zod: trim and a length', z.string().trim().max(2), ['ab', ''], [' ab '], ['abc']],
  [
    'zod: trim and a pattern',
    z
      .string()
      .trim()
      .regex(/^.{2,}$/),
    ['ab', 'a b'],
    [' ab '],
    ['a', '  ', ' a'],
  ],
  [
    'zod: trim and an exact length',
    z.string().trim().length(2),
    ['ab'],
    [' ab '],
    ['a ', '  ', 'abc'],
  ],
  ['zod: trim and an email', z.string().trim().email(), ['a@b.co'], [' a@b.co '], ['a']],
  [
    'Valibot: trim and a pattern',
    ofPipe(v.string(), v.trim(), v.regex(/^.{2,}$/)),
    ['ab', 'a b'],
    [' ab '],
    ['a', '  ', ' a'],
  ],
  [
    'Valibot: trimStart and a length',
    ofPipe(v.string(), v.trimStart(), v.minLength(2)),
    ['ab', ' ab'],
    ['a '],
    ['  ', ' a'],
  ],
  [
    'zod: letter case',
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z]+$/),
    ['ab'],
    ['AB'],
    ['1'],
  ],
]

/** Rules that are code: the document shows the type before them, and accepts more values than the schema. */
export const rulesOfCode: readonly (readonly [
  what: string,
  schema: Schema,
  accepted: unknown,
  rejected: unknown,
])[] = [
  ['zod: refine', z.int().refine((value) => value % 2 === 0), 4, 3],
  ['zod: a schema after another', z.string().pipe(z.email()), 'a@b.co', 'a'],
  ['zod: a schema after a transform', z.string().transform(Number).pipe(z.int()), '1', 'a'],
  [
    'zod: a change of the value',
    z
      .string()
      .overwrite((text) => `${text}!`)
      .max(2),
    'a',
    'ab',
  ],
  ['zod: the header of a token', z.jwt(), `${btoa('{"alg":"HS256"}')}.e30.x`, 'a.b.c'],
  ['ArkType: narrow', type('string').narrow((text) => text.length > 1), 'ab', 'a'],
  ['ArkType: JSON in a string', type('string.json'), '{}', '{'],
  ['ArkType: a type after a morph', type('string.trim').to('string > 1'), 'ab', 'a'],
  [
    'Valibot: check',
    ofPipe(
      v.string(),
      v.check((text) => text !== 'a'),
    ),
    'ab',
    'a',
  ],
  ['Valibot: a schema after another', ofPipe(v.string(), v.picklist(['a'])), 'a', 'b'],
  ['Valibot: JSON in a string', ofPipe(v.string(), v.parseJson()), '{}', '{'],
]

/** A schema that fails the build: at the pointer within it, with the code. */
export type Inexact = readonly [what: string, schema: Schema, pointer: string, code: BuildFaultCode]

/** Schemas that JSON Schema cannot represent, which the libraries convert without an error. */
export const inexactSchemas: readonly Inexact[] = [
  ['ArkType: 1n', type('1n'), '', 'inexact-json-schema'],
  ['ArkType: a symbol', type({ a: type.unit(Symbol('b')) }), '', 'inexact-json-schema'],
  ['ArkType: NaN', type({ a: 'number.NaN' }), '', 'inexact-json-schema'],
  [
    'ArkType: elements after a variadic element',
    type(['...', 'number[]', 'string']),
    '',
    'inexact-json-schema',
  ],
  ['ArkType: a required symbol key', type({ [Symbol('a')]: 'string' }), '', 'inexact-json-schema'],
  [
    'ArkType: an array with named properties',
    type('number[]').and({ name: 'string' }),
    '',
    'inexact-json-schema',
  ],
  [
    'ArkType: keys that match two patterns',
    type({ a: { '[/^a/&/b$/]': 'number' } }),
    '',
    'inexact-json-schema',
  ],
  ['ArkType: keys of a length', type({ '[string<5]': 'number' }), '', 'inexact-json-schema'],
  ['ArkType: flags', type({ a: /^a/i }), '', 'inexact-json-schema'],
  ['zod: flags', z.object({ a: z.string().regex(/^a/i) }), '/properties/a', 'inexact-json-schema'],
  [
    'zod: the success of a schema',
    z.object({ a: z.success(z.string()) }),
    '/properties/a',
    'inexact-json-schema',
  ],
  [
    'Valibot: multiples of a fraction',
    ofPipe(v.number(), v.multipleOf(0.1)),
    '',
    'inexact-json-schema',
  ],
  ['zod: flags of a format', z.email({ pattern: /^a/m }), '', 'inexact-json-schema'],
  ['ArkType: a pattern for the flag u', type(/^a]$/), '', 'non-unicode-pattern'],
  ['zod: a pattern for the flag u', z.string().regex(/^[a]{1}]$/), '', 'non-unicode-pattern'],
  [
    'Valibot: a pattern for the flag u',
    toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.regex(/_{/)) })),
    '',
    'non-unicode-pattern',
  ],
  [
    'ArkType: a pattern of keys for the flag u',
    type({ '[/^\\-/]': 'number' }),
    '',
    'non-unicode-pattern',
  ],
]

const isNotJson = 'cannot be represented in JSON Schema'
const sentValue = 'use a schema for the value that is sent'

/** Types of ArkType that fail the build, with the message. */
export const adviceOfArkType: readonly (readonly [
  what: string,
  schema: Schema,
  message: string,
])[] = [
  ['a bigint', type('1n'), `the value 1n ${isNotJson}; ${sentValue}`],
  ['NaN', type('number.NaN'), `the value NaN ${isNotJson}; ${sentValue}`],
  ['a date', type('Date'), `Date ${isNotJson}; ${sentValue}`],
  ['bigints', type('bigint'), `bigint ${isNotJson}; ${sentValue}`],
  ['a map', type('Map'), `Map ${isNotJson}; ${sentValue}`],
  [
    'elements after a variadic element',
    type(['...', 'number[]', 'string']),
    `elements after a variadic element ${isNotJson}; put the variadic element last`,
  ],
  [
    'a symbol key',
    type({ [Symbol('a')]: 'string' }),
    `a required symbol key ${isNotJson}; make it optional`,
  ],
  [
    'a list with a name',
    type('number[]').and({ name: 'string' }),
    `an array with named properties ${isNotJson}; use an array or an object`,
  ],
  [
    'keys of two patterns',
    type({ '[/^a/&/b$/]': 'number' }),
    `a record whose keys match /^a/ & /b$/ ${isNotJson}; use one pattern for the keys`,
  ],
  [
    'keys of a minimum length',
    type({ '[string>=5]': 'number' }),
    `a record whose keys match string >= 5 ${isNotJson}; use one pattern for the keys`,
  ],
  [
    'keys of a length',
    type({ '[string==5]': 'number' }),
    `a record whose keys match string == 5 ${isNotJson}; use one pattern for the keys`,
  ],
]

const texts = z.string()

/** Formats of the libraries, whose patterns are their own. */
export const formats: readonly Schema[] = [
  z.email(),
  z.uuid(),
  z.guid(),
  z.url(),
  z.emoji(),
  z.nanoid(),
  z.cuid2(),
  z.ulid(),
  z.xid(),
  z.ksuid(),
  z.ipv4(),
  z.ipv6(),
  z.cidrv4(),
  z.cidrv6(),
  z.base64(),
  z.base64url(),
  z.e164(),
  z.iso.datetime({ offset: true, local: true }),
  z.iso.date(),
  z.iso.time(),
  z.iso.duration(),
  z.hostname(),
  z.hex(),
  z.mac(),
  z.email({ pattern: z.regexes.unicodeEmail }),
  texts.startsWith('a-b.c/'),
  texts.endsWith('-]'),
  texts.includes('{-'),
  texts.lowercase(),
  z.templateLiteral(['a-', z.number(), '/']),
  type('string.alpha|string.base64|string.base64.url|string.creditCard|string.date'),
  type('string.date.iso|string.date.epoch|string.digits|string.email|string.hex|string.integer'),
  type('string.ip|string.json|string.numeric|string.semver|string.uuid|string.url'),
  ...[v.base64(), v.bic(), v.cuid2(), v.decimal(), v.digits(), v.email(), v.emoji()].map(ofText),
  ...[v.hexColor(), v.hexadecimal(), v.ipv4(), v.ipv6(), v.isoDate(), v.isoTime()].map(ofText),
  ...[v.isoTimestamp(), v.isoWeek(), v.mac(), v.nanoid(), v.slug(), v.ulid()].map(ofText),
]

function ofText(action: v.GenericPipeAction<string>): Schema {
  return toStandardJsonSchema(v.pipe(v.string(), action))
}
