import type { JsonObject } from '../../json.ts'
import { type Field, valuesOf } from '../../model/fields.ts'
import { type AttributeType, isReadable } from '../../model/types.ts'
import { kindOf, sampleValue } from '../../toolkit/sample.ts'
import { swapCase } from '../../toolkit/swap-case.ts'

/**
 * Builds filters for an attribute: each operator its type has, with values found in resources and values found in none.
 */
export function comparisons(field: Field, resources: readonly JsonObject[]): readonly string[] {
  const { attribute, path } = field
  const found = resources.flatMap((resource) => valuesOf(resource, field))
  const values = found.length > 0 ? found : [sampleValue(attribute, { number: 1, seed: 1 }, null)]
  const [first] = values
  const middle = values[Math.floor(values.length / 2)]
  const absent = sampleValue(attribute, { number: 99, seed: 4 }, null)
  return [
    `${path} pr`,
    ...compared(path, ['eq'], first),
    ...compared(path, ['eq'], absent),
    ...compared(path, ORDERINGS[attribute.type], middle),
    ...otherForms(field, middle),
  ]
}

/** Builds filters that also select resources without a value. */
export function missingFilters({ path }: Field, value: unknown): readonly string[] {
  const literal = JSON.stringify(value)
  return [`${path} ne ${literal}`, `${path} eq null`]
}

/** Builds filters for a value in another form, such as an instant in another offset. */
function otherForms({ attribute, path }: Field, value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  if (attribute.type !== 'dateTime') return parts(path, value)
  return compared(path, ['eq', 'le'], new Date(value).toISOString())
}

/** A string longer than the usual columns. */
const LONG = 'abcdefghijklmnopqrst'.repeat(6)

/** Strings a database may treat as equal to others, or a pattern may read as wildcards. */
export const UNUSUAL: readonly string[] = [
  "o'hara",
  'andré',
  'andre',
  'a ',
  'a',
  'a_c',
  'abc',
  'a%c',
  'dom\\anna',
  'domanna',
  LONG,
]

/** Builds filters for these strings and their starts. */
export function unusualFilters(path: string, texts: readonly string[]): readonly string[] {
  return [
    ...texts.flatMap((text) => compared(path, ['eq'], text)),
    ...compared(path, ['eq', 'co'], 'nul\0'),
    ...['a_', 'a%', 'dom\\', "o'h", LONG.slice(0, 110)].flatMap((text) =>
      compared(path, ['sw', 'co'], text),
    ),
    ...['_c', '%c', '\\anna', "'hara"].flatMap((text) => compared(path, ['ew', 'co'], text)),
  ]
}

/** Builds filters for a string and its parts in another letter case, and for strings a collation may treat as equal. */
function parts(path: string, text: string): readonly string[] {
  const swapped = swapCase(text)
  return [
    ...compared(path, ['eq'], swapped),
    ...compared(path, ['sw'], swapped.slice(0, 2)),
    ...compared(path, ['ew'], swapped.slice(-2)),
    ...compared(path, ['co'], swapped.slice(1, -1)),
    // The value contains them at the other end.
    ...compared(path, ['sw'], text.slice(-3)),
    ...compared(path, ['ew'], text.slice(0, 3)),
    // Collations may ignore accents and trailing blanks.
    ...compared(path, ['eq'], text.replace(/[aeiou]/i, (vowel) => `${vowel}\u0301`).normalize()),
    ...compared(path, ['eq'], `${text} `),
  ]
}

function compared(path: string, operators: readonly string[], value: unknown): readonly string[] {
  return operators.map((operator) => `${path} ${operator} ${JSON.stringify(value)}`)
}

/** A resource type's attributes. */
interface Fields {
  readonly fields: readonly Field[]
}

/** Builds filters for one value of a list. */
export function valueFilters(
  { fields }: Fields,
  resources: readonly JsonObject[],
): readonly string[] {
  return fields.flatMap((list) => {
    const { attribute, parent, path } = list
    if (parent !== null || !attribute.multiValued || attribute.type !== 'complex') return []
    if (!isReadable(attribute)) return []
    const part = (name: string): Field | undefined =>
      fields.find((one) => one.parent === attribute && one.attribute.name === name)
    const [value, type] = [part('value'), part('type')]
    if (value === undefined || value.attribute.type !== 'string') return []
    const texts = resources.flatMap((resource) => valuesOf(resource, value)).map(String)
    const text = texts[0] ?? 'none'
    const starts = `value sw ${JSON.stringify(text.slice(0, 2))}`
    const equals = `value eq ${JSON.stringify(swapCase(text))}`
    const plain = [`${path}[${starts}]`, `${path}[not (${starts})]`, `not (${path}[${equals}])`]
    if (type === undefined) return plain
    const kinds = [kindOf(type.attribute, 0), kindOf(type.attribute, 1), 'none'].map((kind) =>
      JSON.stringify(kind),
    )
    return [
      ...plain,
      ...kinds.flatMap((kind) => [
        `${path}[type eq ${kind}]`,
        `${path}[type eq ${kind} and ${equals}]`,
        `${path}[type eq ${kind} and not (${starts})]`,
        `${path}[type ne ${kind} or ${equals}]`,
        `${path}[type eq ${kind}].value eq ${JSON.stringify(text)}`,
        `${path}.type eq ${kind} and ${path}.${equals}`,
      ]),
    ]
  })
}

/** Builds filters that combine comparisons on different attributes. */
export function logicalFilters(
  { fields }: Fields,
  resources: readonly JsonObject[],
): readonly string[] {
  const compared = fields.filter(
    ({ attribute, parent }) =>
      isReadable(attribute) &&
      (attribute.type === 'string' || attribute.type === 'boolean') &&
      (parent === null || !parent.multiValued),
  )
  const [first, ...others] = compared.slice(0, 6).map((field) => {
    const value = resources.flatMap((resource) => valuesOf(resource, field))[0] ?? 'none'
    const usable = field.attribute.type === 'boolean' ? value === true : String(value)
    return `${field.path} eq ${JSON.stringify(usable)}`
  })
  if (first === undefined) return []
  return others.flatMap((other) => [
    `${first} and ${other}`,
    `${first} or ${other}`,
    `not (${first} and ${other})`,
    `not (${first} or ${other})`,
    `not (not (${other}))`,
    `(${first} or not (${other})) and (${other} or not (${first}))`,
  ])
}

const TEXT = ['gt', 'ge', 'lt', 'le']

/** The operators for ordering values (RFC 7644 §3.4.2.2). */
const ORDERINGS: Readonly<Record<AttributeType, readonly string[]>> = {
  string: TEXT,
  reference: TEXT,
  integer: TEXT,
  decimal: TEXT,
  dateTime: TEXT,
  boolean: [],
  binary: [],
  complex: [],
}
