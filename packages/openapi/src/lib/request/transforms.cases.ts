import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Schema } from '../schema/standard-schema.ts'

/** A schema of an object with the key `key`, the strings that are sent for the key, and the parsed value. */
export type TransformCase = readonly [
  what: string,
  schema: Schema,
  sent: readonly string[],
  read: unknown,
]

const key = (schema: z.ZodType) => z.object({ key: schema })
const isTrue = z.preprocess((value) => value === 'true', z.boolean())
const parts = (value: unknown) => (typeof value === 'string' ? value.split(',') : value)
const list = z.preprocess(parts, z.array(z.string()))
const trimmed = z.preprocess((value) => Number(String(value).trim()), z.number())
/** Shows what the transform received. */
const seen = z.preprocess((value) => JSON.stringify(value), z.union([z.string(), z.number()]))
const Named = z.object({ a: z.string() }).meta({ id: 'Named' })
const json = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : 'not a string')

/** One string for the key, with the same result in a path, a query, a header, a cookie and a form. */
export const strings: readonly TransformCase[] = [
  ['a boolean from the string true', key(isTrue), ['true'], true],
  ['a boolean from another string', key(isTrue), ['yes'], false],
  ['a boolean that is optional', key(isTrue.optional()), ['true'], true],
  ['a boolean that may be null', key(isTrue.nullable()), ['true'], true],
  ['a boolean with a default', key(isTrue.default(false)), ['true'], true],
  ['a boolean that is read-only', key(isTrue.readonly()), ['true'], true],
  ['a boolean with a name', key(isTrue.meta({ id: 'Flag' })), ['true'], true],
  [
    'a boolean whose output has a name',
    key(z.preprocess((value) => value === 'true', z.boolean().meta({ id: 'Output' }))),
    ['true'],
    true,
  ],
  ['a boolean with a description', key(isTrue.describe('A flag')), ['true'], true],
  ['a boolean that is refined', key(isTrue.refine((flag) => flag)), ['true'], true],
  ['a boolean that is transformed again', key(isTrue.transform(String)), ['true'], 'true'],
  ['a boolean behind a getter', key(z.lazy(() => isTrue)), ['true'], true],
  [
    'a boolean from a pipe',
    key(z.transform((x) => x === 'true').pipe(z.boolean())),
    ['true'],
    true,
  ],
  ['ArkType: a boolean', arktypeFlag(), ['true'], true],
  ['Valibot: a boolean', valibotFlag(), ['true'], true],
  ['a number that the schema trims', key(trimmed), ['5'], 5],
  ['a number that looks like JSON', key(seen), ['5'], '"5"'],
  ['a number or a transformed value', key(z.union([isTrue, z.number()])), ['true'], true],
  ['a key of an object that is transformed', z.preprocess((x) => x, key(z.string())), ['5'], '5'],
  [
    'a key of a named object that is transformed',
    z.preprocess(Object, key(seen).meta({ id: 'K' })),
    ['5'],
    '"5"',
  ],
]

/** Values that a path or a cookie cannot contain. */
export const lists: readonly TransformCase[] = [
  ['a list that the schema splits', key(list), ['a,b'], ['a', 'b']],
  ['a list of one element', key(list), ['a'], ['a']],
  ['a key that is repeated', key(seen), ['1', '2'], '["1","2"]'],
  ['elements that the schema converts', key(z.array(isTrue)), ['true', 'no'], [true, false]],
  ['one element that the schema converts', key(z.array(isTrue)), ['true'], [true]],
  ['an object that the schema parses', key(z.preprocess(json, Named)), ['{"a":"x"}'], { a: 'x' }],
  [
    'objects that the schema parses',
    key(z.array(z.preprocess(json, Named))),
    ['{"a":"x"}'],
    [{ a: 'x' }],
  ],
]

/** Values that are not transformed, or only by the library, are coerced. */
export const plain: readonly TransformCase[] = [
  ['a boolean', key(z.boolean()), ['false'], false],
  ['a boolean that zod coerces', key(z.coerce.boolean()), ['false'], false],
  ['a number that zod coerces', key(z.coerce.number()), ['7'], 7],
  ['a number with a transform after it', key(z.number().transform((n) => n + 1)), ['7'], 8],
  ['a number next to a key that is transformed', numberAndFlag(), ['7'], 7],
]

function numberAndFlag(): Schema {
  return z.object({ key: z.number(), other: isTrue.optional() })
}

function arktypeFlag(): Schema {
  return type({ key: type('unknown').pipe((value) => value === 'true', type.boolean) })
}

function valibotFlag(): Schema {
  const flag = v.pipe(
    v.unknown(),
    v.transform((value) => value === 'true'),
    v.boolean(),
  )
  return toStandardJsonSchema(v.object({ key: flag }))
}
