import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1'
import { JSON_SCHEMA_DIALECT, type OpenAPI } from '@plumbline/openapi'
import fc from 'fast-check'
import type { Field } from './contracts.ts'

/** Whether the document accepts a value in one place. */
export type Validator = (value: unknown) => boolean

// Characters that a URL, a header and JSON each escape differently.
export const anyText: fc.Arbitrary<string> = fc.constantFrom(
  'a',
  'B',
  '1',
  ' ',
  '%',
  '&',
  '=',
  '+',
  ',',
  '"',
  '/',
  '?',
  '#',
  'ä',
  '中',
  '😀',
)

/** The document does not accept any interpretation of the sent value. */
export const REJECTED: symbol = Symbol('rejected')

let count = 0

/** Compiles a schema of a document. */
export async function validatorOf(
  { components }: OpenAPI.Document,
  schema: OpenAPI.Schema,
): Promise<Validator> {
  count += 1
  const uri = `https://law.example/${count}`
  const root = {
    $schema: JSON_SCHEMA_DIALECT,
    $defs: { validated: schema, ...components?.schemas },
  }
  const text = JSON.stringify(root).replaceAll('#/components/schemas/', '#/$defs/')
  registerSchema(JSON.parse(text), uri)
  const check = await validate(`${uri}#/$defs/validated`)
  unregisterSchema(uri)
  return (value) => check(value as Parameters<typeof check>[0]).valid
}

/** The interpretations of a string: itself, and the JSON number or boolean that it looks like. */
export function readings(text: string): readonly unknown[] {
  if (!/^[-\d\w.+]+$/.test(text)) return [text]
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'number' || typeof read === 'boolean' ? [text, read] : [text]
  } catch {
    return [text]
  }
}

/** The interpretations of strings: one is also a list of one element, several are a list, none is an absent value. */
export function readingsOfAll(texts: readonly string[]): readonly unknown[] {
  const listed = texts.reduce<readonly unknown[][]>(
    (before, text) => before.flatMap((list) => readings(text).map((one) => [...list, one])),
    [[]],
  )
  const [text] = texts
  if (text === undefined) return []
  return texts.length === 1 ? [...readings(text), ...listed] : listed
}

/** The part of a body that its schema names. */
export function pick(fields: readonly Field[], value: unknown): unknown {
  const known = fields.filter(({ name }) => Object.hasOwn(Object(value), name))
  return Object.fromEntries(
    known.map(({ name }) => [name, (value as Readonly<Record<string, unknown>>)[name]]),
  )
}
