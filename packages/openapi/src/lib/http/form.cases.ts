import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'

/**
 * A form with the schema of its one field, `key`, in zod, or of the whole form in another library; the
 * parts of that name; and the parsed value, or the pointers of the issues.
 */
export type FormCase = readonly [
  what: string,
  schema: Schema,
  parts: readonly (string | Blob)[],
  read: { readonly value: unknown } | { readonly rejected: readonly string[] },
]

/** FormData converts this to a file named "blob". */
function blob(text: string, type = 'application/json'): Blob {
  return new Blob([text], { type })
}

const is = (value: unknown) => ({ value })
const rejected = (...pointers: readonly string[]) => ({ rejected: pointers })

const meta = z.object({ a: z.string() })
const named = meta.meta({ id: 'Meta' })
const open = z.object({ a: z.string().optional() })
const list = z.array(meta)
const matrix = z.array(z.array(z.int()))
const words = z.array(z.array(z.union([z.int(), z.string().max(1)])))
const pair = z.tuple([z.string(), z.array(z.int())])
const numberOrList = z.union([z.number(), list])
const pngOfValibot = v.pipe(v.file(), v.mimeType(['image/png']))
const picture = new File(['x'], 'x.png', { type: 'image/png' })
const json = new File(['{"a":"x"}'], 'x.json', { type: 'application/json' })
const textOrMeta = z.union([z.string(), meta])
const wordOrMeta = z.union([z.literal('none'), meta])
const filesOrMetas = z.array(z.union([z.file(), meta]))
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b'), n: z.int() }),
])
type Tree = { readonly child?: Tree | undefined }
const tree: z.ZodType<Tree> = z.object({
  get child() {
    return tree.optional()
  },
})
const arkFileOrMeta = type({ key: type('File').or({ a: 'string' }) })
const ofValibot = (key: v.GenericSchema) => toStandardJsonSchema(v.object({ key }))
const x = '{"a":"x"}'
const y = '{"a":"y"}'

/** OpenAPI 3.1.1 §4.8.15.1.1: `application/json` by default where the type is `object`. */
export const objects: readonly FormCase[] = [
  ['an object in a JSON string', meta, [x], is({ a: 'x' })],
  ['an object in a JSON file', meta, [blob(x)], is({ a: 'x' })],
  ['with a file name', meta, [json], is({ a: 'x' })],
  ['with a charset', meta, [blob(x, 'application/json; charset=utf-8')], is({ a: 'x' })],
  ['of a +json type (RFC 6839 §3.1)', meta, [blob(x, 'application/vnd.m+json')], is({ a: 'x' })],
  ['with a byte order mark', meta, [blob(`\uFEFF${x}`)], is({ a: 'x' })],
  ['in characters beyond ASCII', meta, ['{"a":"ä😀"}'], is({ a: 'ä😀' })],
  ['with a byte order mark in a file', meta, [blob('{"a":"x\uFEFF"}')], is({ a: 'x\uFEFF' })],
  ['with spaces around', meta, [` ${x}\n`], is({ a: 'x' })],
  ['optional', meta.optional(), [x], is({ a: 'x' })],
  ['optional and absent', meta.optional(), [], is(undefined)],
  ['required and absent', meta, [], rejected('/key')],
  ['with a default', meta.default({ a: 'd' }), [], is({ a: 'd' })],
  ['that may be null', meta.nullable(), [x], is({ a: 'x' })],
  ['that may be null and is null', meta.nullable(), ['null'], is(null)],
  ['that must not be null and is null', meta, ['null'], rejected('/key')],
  ['that has a name', named, [x], is({ a: 'x' })],
  ['that has a name and is optional', named.optional(), [blob(x)], is({ a: 'x' })],
  ['that contains itself', tree, ['{"child":{"child":{}}}'], is({ child: { child: {} } })],
  ['of a record', z.record(z.string(), z.int()), ['{"b":1}'], is({ b: 1 })],
  ['of a union', z.union([z.object({ b: z.int() }), meta]), [x], is({ a: 'x' })],
  ['of a discriminated union', kinds, ['{"kind":"b","n":1}'], is({ kind: 'b', n: 1 })],
  [
    'of an intersection',
    meta.and(z.object({ b: z.int() })),
    ['{"a":"x","b":1}'],
    is({ a: 'x', b: 1 }),
  ],
  ['that is transformed', meta.transform(({ a }) => a), [x], is('x')],
  ['whose member is not coerced', meta, ['{"a":5}'], rejected('/key/a')],
  ['without a required member', meta, ['{}'], rejected('/key/a')],
  ['of ArkType', type({ key: { a: 'string' } }), [blob(x)], is({ a: 'x' })],
  ['of Valibot', ofValibot(v.object({ a: v.string() })), [x], is({ a: 'x' })],
  ['of Valibot that may be null', ofValibot(v.nullable(v.object({}))), ['{}'], is({})],

  ['JSON that is cut short', meta, ['{"a":'], rejected('/key')],
  ['JSON that is cut short, in a file', meta, [blob('{"a":')], rejected('/key')],
  ['JSON in single quotes', meta, ["{'a':'x'}"], rejected('/key')],
  ['an empty string', meta, [''], rejected('/key')],
  ['a string that is not JSON', meta, ['x'], rejected('/key')],
  ['a list', meta, ['[]'], rejected('/key')],
  ['a JSON string', meta, ['"x"'], rejected('/key')],
  ['an object sent twice', meta, [x, y], rejected('/key')],
  // A file is an object to schema libraries, one without members.
  ['a file that is not JSON', open, [picture], rejected('/key')],
  ['a file without a type', open, [blob('{}', '')], rejected('/key')],
  ['a text file', open, [blob('{}', 'text/plain')], rejected('/key')],
  ['two files for an object', type({ key: { 'a?': 'string' } }), [picture, json], rejected('/key')],
]

/** OpenAPI 3.1.1 §4.8.15.1.1: a list goes by its items; each is a part (RFC 7578 §4.3). */
export const lists: readonly FormCase[] = [
  ['a list of objects', list, [x, y], is([{ a: 'x' }, { a: 'y' }])],
  ['of JSON files', list, [blob(x), blob(y)], is([{ a: 'x' }, { a: 'y' }])],
  ['of strings and files', list, [x, blob(y)], is([{ a: 'x' }, { a: 'y' }])],
  ['with one element', list, [x], is([{ a: 'x' }])],
  ['with one element, in a file', list, [blob(x)], is([{ a: 'x' }])],
  ['whose elements have a name', z.array(named), [x], is([{ a: 'x' }])],
  ['of elements that may be null', z.array(meta.nullable()), [x, 'null'], is([{ a: 'x' }, null])],
  ['that is optional', list.optional(), [x], is([{ a: 'x' }])],
  ['that is absent', list, [], rejected('/key')],
  ['that may be null and is null', list.nullable(), ['null'], is(null)],
  ['of one element that is null', list, ['null'], rejected('/key/0')],
  ['of a tuple', z.tuple([meta, z.string(), z.int()]), [x, y, '1'], is([{ a: 'x' }, y, 1])],
  [
    'of a tuple with other elements',
    z.tuple([meta, z.string()], z.string()),
    [x, y, 'a'],
    is([{ a: 'x' }, y, 'a']),
  ],
  // Swagger UI sends a list of objects as one part.
  ['as one JSON array', list, [`[${x},${y}]`], is([{ a: 'x' }, { a: 'y' }])],
  ['as one JSON array, in a file', list, [blob(`[${x}]`)], is([{ a: 'x' }])],
  ['of no elements, as one JSON array', list, ['[]'], is([])],
  ['as two JSON arrays', list, [`[${x}]`, `[${y}]`], rejected('/key/0', '/key/1')],
  ['of objects, or one object: one object', z.union([meta, list]), [x], is({ a: 'x' })],
  [
    'of objects, or one object: two objects',
    z.union([meta, list]),
    [x, y],
    is([{ a: 'x' }, { a: 'y' }]),
  ],
  ['of objects, or one object: a JSON array', z.union([meta, list]), [`[${x}]`], is([{ a: 'x' }])],
  ['of strings, or an object: a string', z.union([meta, z.array(z.string())]), ['a'], is(['a'])],
  [
    'of strings, or an object: two strings',
    z.union([meta, z.array(z.string())]),
    ['a', x],
    is(['a', x]),
  ],
  ['of numbers, or one object: an object', z.union([meta, z.array(z.int())]), [x], is({ a: 'x' })],
  ['of objects, or one boolean: a boolean', z.union([z.boolean(), list]), ['true'], is(true)],
  ['of objects, or one letter: in JSON', z.union([z.string().max(1), list]), ['"x"'], is('x')],
  ['of objects or numbers', z.array(z.union([meta, z.int()])), [x, '5'], is([{ a: 'x' }, 5])],

  ['of lists, each a part', z.array(z.array(z.int())), ['[1,2]', '[3]'], is([[1, 2], [3]])],
  ['of lists, one part', z.array(z.array(z.int())), ['[1,2]'], is([[1, 2]])],
  ['of lists, as one JSON array', matrix, ['[[1],[2]]'], is([[1], [2]])],
  ['of lists, as one JSON array, in a file', matrix, [blob('[[1],[2]]')], is([[1], [2]])],
  ['of lists, as one JSON array of an empty one', matrix, ['[[]]'], is([[]])],
  ['of lists, as one JSON array that is empty, is one list', matrix, ['[]'], is([[]])],
  ['of lists, as one JSON array with a number', matrix, ['[[1],2]'], rejected('/key/1')],
  ['of lists, as two JSON arrays of lists', matrix, ['[[1]]', '[2]'], rejected('/key/0/0')],
  [
    'of lists of objects, as one JSON array',
    z.array(list),
    [`[[${x}],[]]`],
    is([[{ a: 'x' }], []]),
  ],
  ['of lists of numbers or words, as one JSON array', words, ['[[1,"a"]]'], is([[1, 'a']])],
  ['of tuples, as one JSON array', z.array(pair), ['[["a",[1]]]'], is([['a', [1]]])],
  ['of tuples, one of them', z.array(pair), ['["a",[1]]'], is([['a', [1]]])],
  // Both [[[1]]] and [[1]] may be meant: each part is an inner list.
  ['of lists of lists, one part', z.array(z.array(z.array(z.int()))), ['[[1]]'], is([[[1]]])],
  ['of lists of anything, one part', z.array(z.array(z.unknown())), ['[[1]]'], is([[[1]]])],
  [
    'of lists or one word: another word is not a list',
    z.array(z.union([z.literal('a'), z.array(z.string())])),
    ['["c"]', 'b'],
    rejected('/key/1'),
  ],
  [
    'of a tuple: null is not JSON where only a number is accepted',
    z.tuple([z.int().nullable(), z.array(z.int())]),
    ['null', '[1]'],
    rejected('/key/0'),
  ],
  ['of lists of objects', z.array(list), [`[${x}]`, '[]'], is([[{ a: 'x' }], []])],

  ['with one element that is cut short', list, [x, '{"a":'], rejected('/key/1')],
  ['with two elements that are not JSON', list, ['x', y, 'z'], rejected('/key/0', '/key/2')],
  ['with a file that is not JSON', z.array(open), [x, picture], rejected('/key/1')],
  ['of one file that is not JSON', z.array(open), [picture], rejected('/key')],
]

/** The values that a schema may accept in addition to objects. */
export const others: readonly FormCase[] = [
  ['a string or an object: a string', textOrMeta, ['hello'], is('hello')],
  ['a string or an object: a string that contains JSON', textOrMeta, [x], is(x)],
  ['a string or an object: a JSON file', textOrMeta, [blob(x)], is({ a: 'x' })],
  [
    'a string or an object: a JSON file that is cut short',
    textOrMeta,
    [blob('{')],
    rejected('/key'),
  ],
  ['a string or an object: another file', z.union([z.string(), open]), [picture], rejected('/key')],
  ['a word or an object: the word', wordOrMeta, ['none'], is('none')],
  ['a word or an object: the object', wordOrMeta, [x], is({ a: 'x' })],
  ['a word or an object: the object in a file', wordOrMeta, [blob(x)], is({ a: 'x' })],
  ['a word or an object: another word', wordOrMeta, ['other'], rejected('/key')],
  ['a list of words or objects: another word', z.array(wordOrMeta), ['other'], rejected('/key/0')],
  ['a list of words or objects', z.array(wordOrMeta), ['none', x], is(['none', { a: 'x' }])],
  ['a number or an object: a number', z.union([z.number(), meta]), ['5'], is(5)],
  ['a number or an object: an object', z.union([z.number(), meta]), [x], is({ a: 'x' })],
  ['a number or an object: neither', z.union([z.number(), meta]), ['x'], rejected('/key')],
  ['a number or a list of objects: a number', numberOrList, ['5'], is(5)],
  ['a number or a list of objects: an object', numberOrList, [x], is([{ a: 'x' }])],
  ['a number or a list of objects: objects', numberOrList, [x, y], is([{ a: 'x' }, { a: 'y' }])],
  ['a number or a list of objects: a JSON array', numberOrList, [`[${x}]`], is([{ a: 'x' }])],
  ['a number or a list of objects: a word', numberOrList, ['x'], rejected('/key')],
  ['a number or a list of objects: two numbers', numberOrList, ['5', '6'], rejected('/key')],
  ['a boolean or an object', z.union([z.boolean(), meta]), ['true'], is(true)],

  ['a file', z.file(), [picture], is(picture)],
  ['a JSON file', z.file(), [json], is(json)],
  ['a file of certain types', z.file().mime(['application/json', 'image/png']), [json], is(json)],
  ['a string for a file', z.file(), [x], rejected('/key')],
  ['a string for an optional file', z.file().optional(), ['x'], rejected('/key')],
  ['a string for a list of files', z.array(z.file()).optional(), ['x'], rejected('/key/0')],
  ['a list of one file', z.array(z.file()), [json], is([json])],
  ['a list of two files', z.array(z.file()), [json, picture], is([json, picture])],
  ['a file or a list of files', z.union([z.file(), z.array(z.file())]), [picture], is(picture)],
  ['a file or an object: a file', z.union([z.file(), meta]), [json], is(json)],
  ['a list of files or objects: a file', filesOrMetas, [json], is([json])],
  ['a list of files or objects: two files', filesOrMetas, [json, picture], is([json, picture])],
  ['a list of files or objects: an object', filesOrMetas, [x], is([{ a: 'x' }])],
  ['a file or an object: an object', z.union([z.file(), meta]), [x], is({ a: 'x' })],
  [
    'a file or an object: a string that is neither',
    z.union([z.file(), open]),
    ['x'],
    rejected('/key'),
  ],
  ['ArkType: a file', type({ key: 'File' }), [json], is(json)],
  ['Valibot: a file', ofValibot(v.file()), [json], is(json)],
  ['Valibot: a file of the accepted type', ofValibot(pngOfValibot), [picture], is(picture)],
  ['Valibot: a file of another type', ofValibot(pngOfValibot), [json], rejected('/key')],
  ['Valibot: a list of files', ofValibot(v.array(v.blob())), [json], is([json])],
  ['ArkType: a list of files', type({ key: 'File[]' }), [json], is([json])],
  ['ArkType: a file or an object: an object', arkFileOrMeta, [x], is({ a: 'x' })],
  ['ArkType: a file or an object: a file', arkFileOrMeta, [json], is(json)],

  ['anything: a string', z.unknown(), [x], is(x)],
  ['anything: a file', z.unknown(), [json], is(json)],
  ['anything: two strings', z.unknown(), [x, y], is([x, y])],
  ['a list of anything', z.array(z.unknown()), [x], is([x])],
  ['any JSON: a string', z.json(), [x], is(x)],
  ['a string that looks like JSON', z.string(), [x], is(x)],
  ['a list of strings that look like JSON', z.array(z.string()), [x, '[]'], is([x, '[]'])],
  ['a list of numbers is not a JSON array', z.array(z.int()), ['[1,2]'], rejected('/key/0')],
  ['a number', z.int(), ['5'], is(5)],
  ['a number in a file', z.int(), [blob('5')], rejected('/key')],
]
