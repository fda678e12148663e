import { toStandardJsonSchema as convertMini } from '@plumbline/problem/zod-mini'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type Type, type } from 'arktype'
import type fc from 'fast-check'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import type { Schema } from '../src/lib/schema/standard-schema.ts'
import { type Field, type Kind, withRequiredKeys } from './contracts.ts'

/** How a schema library writes the schema of an object. Names of schemas start with `path`. */
export interface Library {
  readonly name: string
  /** The characters that the library counts as JSON Schema does. */
  readonly unitOf: (unit: fc.Arbitrary<string>) => fc.Arbitrary<string>
  /** The keys of objects, changed for a library that would accept a list as an object. */
  readonly fieldsFor: (fields: readonly Field[]) => readonly Field[]
  readonly objectOf: (fields: readonly Field[], path: string) => Schema
  /** The schema, or undefined. */
  readonly optionalObjectOf: (fields: readonly Field[], path: string) => Schema
}

/** The parts that differ between libraries; `Part` is the library's own type of schema. */
interface Maker<Part> {
  readonly string: (min: number, max: number) => Part
  readonly oneOf: (values: readonly [string, ...string[]]) => Part
  readonly int: (min: number, max: number) => Part
  readonly above: (bound: number) => Part
  readonly boolean: () => Part
  readonly union: (first: Part, second: Part) => Part
  readonly anyInt: () => Part
  readonly array: (of: Part, min: number, max: number) => Part
  readonly nullable: (of: Part) => Part
  readonly optional: (of: Part) => Part
  readonly record: (of: Part) => Part
  readonly file: () => Part
  readonly named: (part: Part, id: string) => Part
  readonly object: (entries: readonly Entry<Part>[]) => Part
}

interface Entry<Part> {
  readonly name: string
  readonly part: Part
  readonly isOptional: boolean
}

function objectWith<Part>(maker: Maker<Part>, fields: readonly Field[], path: string): Part {
  return maker.object(
    fields.map(({ name, kind, isOptional, isNamed }) => {
      const plain = partOf(maker, kind, `${path}.${name}`)
      const part = isNamed ? maker.named(plain, `${path}.${name}`) : plain
      return { name, part, isOptional }
    }),
  )
}

function partOf<Part>(maker: Maker<Part>, kind: Kind, path: string): Part {
  switch (kind.kind) {
    case 'string':
      return maker.string(kind.min, kind.max)
    case 'enum':
      return maker.oneOf(kind.values)
    case 'int':
      return maker.int(kind.min, kind.max)
    case 'number':
      return maker.above(kind.above)
    case 'boolean':
      return maker.boolean()
    case 'word-or-int':
      return maker.union(maker.oneOf([kind.word]), maker.anyInt())
    case 'int-or-words':
      return maker.union(maker.anyInt(), maker.array(maker.oneOf([kind.word]), 0, kind.max))
    case 'array':
      return maker.array(partOf(maker, kind.of, `${path}.of`), kind.min, kind.max)
    case 'record':
      return maker.record(partOf(maker, kind.of, `${path}.of`))
    case 'object':
      return objectWith(maker, kind.fields, path)
    case 'word-or-object':
      return maker.union(maker.oneOf([kind.word]), objectWith(maker, kind.fields, path))
    case 'nullable':
      return maker.nullable(partOf(maker, kind.of, `${path}.of`))
    case 'file':
      return maker.file()
  }
}

const ofZod: Maker<z.ZodType> = {
  string: (min, max) => z.string().min(min).max(max),
  oneOf: (values) => z.enum(values),
  int: (min, max) => z.int().min(min).max(max),
  above: (bound) => z.number().gt(bound),
  boolean: () => z.boolean(),
  union: (first, second) => z.union([first, second]),
  anyInt: () => z.int(),
  array: (of, min, max) => z.array(of).min(min).max(max),
  nullable: (of) => of.nullable(),
  optional: (of) => of.optional(),
  record: (of) => z.record(z.string(), of),
  file: () => z.file(),
  named: (part, id) => part.meta({ id }),
  object: (entries) =>
    z.object(
      Object.fromEntries(
        entries.map(({ name, part, isOptional }) => [name, isOptional ? part.optional() : part]),
      ),
    ),
}

const ofMini: Maker<mini.ZodMiniType> = {
  string: (min, max) => mini.string().check(mini.minLength(min), mini.maxLength(max)),
  oneOf: (values) => mini.enum(values),
  int: (min, max) => mini.int().check(mini.gte(min), mini.lte(max)),
  above: (bound) => mini.number().check(mini.gt(bound)),
  boolean: () => mini.boolean(),
  union: (first, second) => mini.union([first, second]),
  anyInt: () => mini.int(),
  array: (of, min, max) => mini.array(of).check(mini.minLength(min), mini.maxLength(max)),
  nullable: (of) => mini.nullable(of),
  optional: (of) => mini.optional(of),
  record: (of) => mini.record(mini.string(), of),
  file: () => mini.file(),
  named: (part, id) => part.check(mini.meta({ id })),
  object: (entries) =>
    mini.object(
      Object.fromEntries(
        entries.map(({ name, part, isOptional }) => [
          name,
          isOptional ? mini.optional(part) : part,
        ]),
      ),
    ),
}

const ofArkType: Maker<Type> = {
  string: (min, max) => type.raw(`${min} <= string <= ${max}`),
  oneOf: (values) => type.enumerated(...values),
  int: (min, max) => type.raw(`${min} <= number.integer <= ${max}`),
  above: (bound) => type.raw(`number > ${bound}`),
  boolean: () => type('boolean'),
  union: (first, second) => type.raw([first, '|', second]),
  anyInt: () => type('number.integer'),
  array: (of, min, max) => type.raw([of, '[]']).and(type.raw(`${min} <= unknown[] <= ${max}`)),
  nullable: (of) => type.raw([of, '|', 'null']),
  optional: (of) => type.raw([of, '|', 'undefined']),
  record: (of) => type.raw({ '[string]': of }),
  file: () => type('File'),
  named: (part, id) => part.configure({ id }),
  object: (entries) =>
    type.raw(
      Object.fromEntries(
        entries.map(({ name, part, isOptional }) => [isOptional ? `${name}?` : name, part]),
      ),
    ),
}

const ofValibot: Maker<v.GenericSchema> = {
  string: (min, max) => v.pipe(v.string(), v.minLength(min), v.maxLength(max)),
  oneOf: (values) => v.picklist(values),
  int: (min, max) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)),
  above: (bound) => v.pipe(v.number(), v.gtValue(bound)),
  boolean: () => v.boolean(),
  union: (first, second) => v.union([first, second]),
  anyInt: () => v.pipe(v.number(), v.integer()),
  array: (of, min, max) => v.pipe(v.array(of), v.minLength(min), v.maxLength(max)),
  nullable: (of) => v.nullable(of),
  optional: (of) => v.optional(of),
  record: (of) => v.record(v.string(), of),
  file: () => v.file(),
  named: (part, id) => v.pipe(part, v.metadata({ id })),
  object: (entries) =>
    v.object(
      Object.fromEntries(
        entries.map(({ name, part, isOptional }) => [name, isOptional ? v.optional(part) : part]),
      ),
    ),
}

const zod: Library = {
  name: 'zod',
  unitOf: (unit) => unit,
  fieldsFor: (fields) => fields,
  objectOf: (fields, path) => objectWith(ofZod, fields, path),
  optionalObjectOf: (fields, path) => ofZod.optional(objectWith(ofZod, fields, path)),
}

const zodMini: Library = {
  ...zod,
  name: 'zod Mini',
  objectOf: (fields, path) => convertMini(objectWith(ofMini, fields, path)),
  optionalObjectOf: (fields, path) =>
    convertMini(ofMini.optional(objectWith(ofMini, fields, path))),
}

const arkType: Library = {
  name: 'ArkType',
  unitOf: (unit) => unit.filter((text) => text.length === 1),
  fieldsFor: withRequiredKeys,
  objectOf: (fields, path) => objectWith(ofArkType, fields, path),
  optionalObjectOf: (fields, path) => ofArkType.optional(objectWith(ofArkType, fields, path)),
}

const valibot: Library = {
  ...arkType,
  name: 'Valibot',
  objectOf: (fields, path) => toStandardJsonSchema(objectWith(ofValibot, fields, path)),
  optionalObjectOf: (fields, path) =>
    toStandardJsonSchema(ofValibot.optional(objectWith(ofValibot, fields, path))),
}

/** The libraries for which the law holds. */
export const libraries: readonly Library[] = [zod, zodMini, arkType, valibot]
