import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { scope, type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'

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

/** A schema that fails the build: at the pointer within it, with the message. */
export type Inexact = readonly [what: string, schema: Schema, pointer: string, message: string]

const wire = 'use a schema of what is on the wire'
const flags =
  'cannot be represented in JSON Schema; write the pattern without flags, such as [Aa] for a letter of either case'
const escapes = 'remove the escapes that are not needed, and escape brackets and braces'

/** Schemas that JSON Schema cannot represent, which the libraries convert without an error. */
export const inexactSchemas: readonly Inexact[] = [
  ['ArkType: 1n', type('1n'), '', `the value 1n cannot be represented in JSON Schema; ${wire}`],
  [
    'ArkType: a symbol',
    type({ a: type.unit(Symbol('b')) }),
    '',
    `the value Symbol(b) cannot be represented in JSON Schema; ${wire}`,
  ],
  [
    'ArkType: NaN',
    type({ a: 'number.NaN' }),
    '',
    `the value NaN cannot be represented in JSON Schema; ${wire}`,
  ],
  [
    'ArkType: elements after a variadic element',
    type(['...', 'number[]', 'string']),
    '',
    'elements after a variadic element cannot be represented in JSON Schema; put the variadic element last',
  ],
  [
    'ArkType: a required symbol key',
    type({ [Symbol('a')]: 'string' }),
    '',
    'a required symbol key cannot be represented in JSON Schema; make it optional',
  ],
  [
    'ArkType: an array with named properties',
    type('number[]').and({ name: 'string' }),
    '',
    'an array with named properties cannot be represented in JSON Schema; use an array or an object',
  ],
  [
    'ArkType: keys that match two patterns',
    type({ a: { '[/^a/&/b$/]': 'number' } }),
    '',
    'a record whose keys match /^a/ & /b$/ cannot be represented in JSON Schema; use one pattern for the keys',
  ],
  [
    'ArkType: keys of a length',
    type({ '[string<5]': 'number' }),
    '',
    'a record whose keys match string <= 4 cannot be represented in JSON Schema; use one pattern for the keys',
  ],
  ['ArkType: flags', type({ a: /^a/i }), '', `the flags of /^a/i ${flags}`],
  [
    'zod: flags',
    z.object({ a: z.string().regex(/^a/i) }),
    '/properties/a',
    `the flags of /^a/i ${flags}`,
  ],
  ['zod: flags of a format', z.email({ pattern: /^a/m }), '', `the flags of /^a/m ${flags}`],
  [
    'ArkType: a pattern for the flag u',
    type(/^a]$/),
    '',
    `the pattern ^a]$ does not compile with the flag u (Lone quantifier brackets); ${escapes}`,
  ],
  [
    'zod: a pattern for the flag u',
    z.string().regex(/^[a]{1}]$/),
    '',
    `the pattern ^[a]{1}]$ does not compile with the flag u (Lone quantifier brackets); ${escapes}`,
  ],
  [
    'Valibot: a pattern for the flag u',
    toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.regex(/_{/)) })),
    '',
    `the pattern _{ does not compile with the flag u (Incomplete quantifier); ${escapes}`,
  ],
  [
    'ArkType: a pattern of keys for the flag u',
    type({ '[/^\\-/]': 'number' }),
    '',
    `the pattern ^\\- does not compile with the flag u (Invalid escape); ${escapes}`,
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
