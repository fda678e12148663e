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
const sentValue = 'use a schema of the value that is sent'

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
  ...[z.email(), z.uuid(), z.guid(), z.url(), z.emoji(), z.nanoid(), z.cuid2(), z.ulid(), z.xid()],
  ...[z.ksuid(), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.base64(), z.base64url(), z.e164()],
  ...[z.iso.datetime({ offset: true, local: true }), z.iso.date(), z.iso.time(), z.iso.duration()],
  ...[z.hostname(), z.hex(), z.mac(), z.email({ pattern: z.regexes.unicodeEmail })],
  ...[texts.startsWith('a-b.c/'), texts.endsWith('-]'), texts.includes('{-'), texts.lowercase()],
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
