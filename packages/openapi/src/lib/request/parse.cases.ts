import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'

/** A part of a request with the schema of its one key, `key`, and what that key is read as. */
export type Case = readonly [what: string, schema: Schema, sent: string, read: unknown]

/** The schema refuses what was sent. */
export const REFUSED: symbol = Symbol('refused')

const list = z.array(z.string())
const day = z.codec(z.iso.date(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString().slice(0, 10),
})
const autoOrNumber = z.union([z.literal('auto'), z.number()])

/** Queries (OpenAPI 3.1.1 §4.8.12.2.1, style form with explode). */
export const queries: readonly Case[] = [
  ['an array with one value', list, 'key=a', ['a']],
  ['an array with one empty value', list, 'key=', ['']],
  ['an array with two values', list, 'key=a&key=b', ['a', 'b']],
  ['an array beside another key', list, 'key=a&other=x&key=b', ['a', 'b']],
  ['an array has no commas in this style', list, 'key=a,b', ['a,b']],
  ['an array of numbers with one value', z.array(z.number()), 'key=1', [1]],
  ['an array of numbers', z.array(z.number()), 'key=1&key=-2.5', [1, -2.5]],
  ['an array of numbers with one that is none', z.array(z.number()), 'key=1&key=x', REFUSED],
  ['an array of booleans', z.array(z.boolean()), 'key=true&key=false', [true, false]],
  ['an array or one text, sent once', z.union([z.string(), list]), 'key=a', 'a'],
  ['an array or one text, sent twice', z.union([z.string(), list]), 'key=a&key=b', ['a', 'b']],
  ['an array or one number, sent once', z.union([z.number(), z.array(z.number())]), 'key=1', 1],
  ['an array or one word, another sent', z.union([z.literal('all'), list]), 'key=a', ['a']],
  ['an array or one word, the word sent', z.union([z.literal('all'), list]), 'key=all', 'all'],
  ['an optional array', list.optional(), 'key=a', ['a']],
  ['an array with a default', list.default(['x']), 'other=1', ['x']],
  ['an array that may be null', list.nullable(), 'key=a', ['a']],
  ['a tuple', z.tuple([z.string(), z.int()]), 'key=1&key=2', ['1', 2]],
  ['a tuple and what follows', z.tuple([z.int()], z.string()), 'key=1&key=2&key=3', [1, '2', '3']],
  ['a tuple of one', z.tuple([z.int()]), 'key=1', [1]],
  ['a text sent twice', z.string(), 'key=a&key=b', REFUSED],
  ['a number sent twice', z.number(), 'key=1&key=2', REFUSED],

  ['a number', z.number(), 'key=-2.5', -2.5],
  ['a number with an exponent', z.number(), 'key=1e3', 1000],
  ['a whole number', z.int(), 'key=10', 10],
  ['a whole number written with a fraction', z.int(), 'key=1.0', 1],
  ['a number too large for its bounds', z.int().max(5), 'key=6', REFUSED],
  ['a number beyond what a double holds', z.number(), 'key=1e400', REFUSED],
  ['a number with a sign that JSON lacks', z.number(), 'key=%2B1', REFUSED],
  ['a number with a leading zero', z.number(), 'key=010', REFUSED],
  ['a number in hexadecimal', z.number(), 'key=0x10', REFUSED],
  ['a number in spaces', z.number(), 'key=%201%20', REFUSED],
  ['a number that is a word', z.number(), 'key=Infinity', REFUSED],
  ['a number without a value', z.number(), 'key=', REFUSED],
  ['an optional number without a value', z.number().optional(), 'key=', REFUSED],
  ['a number with a default, absent', z.int().default(3), '', 3],
  ['a number that may be null', z.number().nullable(), 'key=1', 1],
  ['a number that is coerced', z.coerce.number(), 'key=7', 7],
  ['a number that is a constant', z.literal(2), 'key=2', 2],
  ['a number of an enum', z.enum({ Low: 1, High: 2 }), 'key=2', 2],
  ['a number that refines', z.number().refine((value) => value % 2 === 0), 'key=3', REFUSED],
  ['a number or a word, the number', autoOrNumber, 'key=5', 5],
  ['a number or a word, the word', autoOrNumber, 'key=auto', 'auto'],
  ['a number or a word, neither', autoOrNumber, 'key=other', REFUSED],
  ['a number or a word of one enum', z.literal(['a', 1]), 'key=1', 1],
  ['a number or a UUID', z.union([z.uuid(), z.int()]), 'key=5', 5],
  ['a number or a long text', z.union([z.string().min(3), z.int()]), 'key=12', 12],
  ['a number or a short text', z.union([z.string().max(1), z.int()]), 'key=12', 12],
  ['a number or any text stays text', z.union([z.number(), z.string()]), 'key=5', '5'],

  ['a boolean', z.boolean(), 'key=true', true],
  ['a boolean that is false', z.boolean(), 'key=false', false],
  ['a boolean that is coerced', z.coerce.boolean(), 'key=false', false],
  ['a boolean in another letter case', z.boolean(), 'key=TRUE', REFUSED],
  ['a boolean as a number', z.boolean(), 'key=1', REFUSED],
  ['a boolean without a value', z.boolean(), 'key', REFUSED],
  ['a boolean or a word', z.union([z.boolean(), z.literal('auto')]), 'key=true', true],
  ['a text that reads as a boolean', z.stringbool(), 'key=no', false],

  ['a text that looks like a number', z.string(), 'key=10', '10'],
  ['a text that looks like a boolean', z.string(), 'key=true', 'true'],
  ['a text without a value', z.string(), 'key=', ''],
  ['a text without an equals sign', z.string(), 'key', ''],
  ['a text that must not be empty', z.string().min(1), 'key=', REFUSED],
  ['a text with a plus', z.string(), 'key=a+b', 'a b'],
  ['a text that is decoded once', z.string(), 'key=%2541', '%41'],
  ['a key that is decoded', z.string(), '%6Bey=a', 'a'],
  ['a percent sign that encodes nothing', z.string(), 'key=100%', '100%'],
  ['a percent sequence that is not UTF-8', z.string(), 'key=%E0%A4%A', '\uFFFD%A'],
  ['a percent sequence of a lone byte', z.string(), 'key=%FF', '\uFFFD'],
  ['a text of an enum', z.enum(['a', 'b']), 'key=b', 'b'],
  ['a text in another letter case', z.enum(['a', 'b']), 'key=B', REFUSED],
  ['a text that is transformed', z.string().transform((text) => text.length), 'key=abc', 3],
  ['a codec', day, 'key=2025-01-02', new Date('2025-01-02')],
  ['anything is text', z.unknown(), 'key=1', '1'],
  ['nothing that text can be', z.null(), 'key=null', REFUSED],
  ['a key that is absent', z.string(), 'other=1', REFUSED],
  ['an optional key that is absent', z.string().optional(), '', undefined],
  ['a key in another letter case', z.string(), 'KEY=a', REFUSED],
  ['what stands behind the fragment', z.string().optional(), '#?key=a', undefined],
  ['what stands before the fragment', z.string(), 'key=a#b', 'a'],
  ['a second question mark', z.string(), 'key=a?b', 'a?b'],
  ['a question mark before the key', z.string(), '?key=a', REFUSED],
  ['only separators', z.string().optional(), '&&=&', undefined],
]

/** Headers, as they come from a request (OpenAPI 3.1.1 §4.8.12.2.1, style simple). */
export const headers: readonly Case[] = [
  ['a text', z.string(), 'a', 'a'],
  ['a text with commas', z.string(), 'a, b', 'a, b'],
  ['a number', z.number(), '5', 5],
  ['a number that is none', z.number(), 'five', REFUSED],
  ['a boolean', z.boolean(), 'true', true],
  ['a list', list, 'a, b,c', ['a', 'b', 'c']],
  ['a list with one value', list, 'a', ['a']],
  ['a list of numbers', z.array(z.int()), '1, 2', [1, 2]],
  ['a list of numbers with one that is none', z.array(z.int()), '1, b', REFUSED],
  ['a list or one word', z.union([z.literal('all'), list]), 'all', 'all'],
  ['a list or any text', z.union([z.string(), list]), 'a, b', 'a, b'],
  ['a list or one number', z.union([z.number(), z.array(z.number()).min(2)]), '1', 1],
  ['a list or one number, a list', z.union([z.number(), z.array(z.number())]), '1,2', [1, 2]],
  ['no value', z.string(), '', ''],
  ['percent signs, which headers do not decode', z.string(), '%41', '%41'],
]

/** Cookie headers (RFC 6265 §5.4). */
export const cookies: readonly Case[] = [
  ['one cookie', z.string(), 'key=a', 'a'],
  ['several cookies', z.string(), 'other=x; key=a; third=y', 'a'],
  ['several cookies without spaces', z.string(), 'other=x;key=a', 'a'],
  ['a number', z.int(), 'key=5', 5],
  ['a boolean', z.boolean(), 'key=false', false],
  ['a quoted value', z.string(), 'key="a b"', 'a b'],
  ['an encoded value', z.string(), 'key=a%20b', 'a b'],
  ['a percent sequence that is not UTF-8', z.string(), 'key=%E0%A4%A', '%E0%A4%A'],
  ['an equals sign in the value', z.string(), 'key=a=b', 'a=b'],
  ['the first of two', z.string(), 'key=a; key=b', 'a'],
  ['an empty value', z.string(), 'key=', ''],
  ['a name alone', z.string().optional(), 'key', undefined],
  ['a name in another letter case', z.string().optional(), 'KEY=a', undefined],
  ['only separators', z.string().optional(), ';;=;', undefined],
]
