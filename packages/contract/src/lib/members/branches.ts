import {
  accepts,
  type Components,
  isJsonObject,
  type JsonObject,
  memoize,
  nameInReference,
  own,
  typeOf,
} from '@plumbline/base'
import { flatten, unionsOf } from './flatten.ts'
import type { Branch } from './slot.ts'

/** A schema split into alternatives. */
export interface Alternatives {
  readonly isNullable: boolean
  /** Each union's alternatives without null. A schema that is not a union is one alternative in one union. */
  readonly unions: readonly (readonly Alternative[])[]
  /** The names of all components used to compose the schema. */
  readonly names: ReadonlySet<string>
}

/** One alternative, including the keywords all alternatives share. */
export interface Alternative {
  readonly schema: unknown
  readonly flat: JsonObject
  /** The component's name; null if it is not a component. */
  readonly name: string | null
}

/** Caches alternatives by schema, because a document's operations share most schemas. */
const knownIn: (components: Components) => Map<unknown, Alternatives | null> = memoize(
  () => new Map(),
)

/** Splits a schema into alternatives, including nested unions. Returns null if it does not accept any value. */
export function alternativesOf(schema: unknown, components: Components): Alternatives | null {
  const known = knownIn(components)
  const reference = own(schema, '$ref')
  const key =
    reference !== undefined && Object.keys(Object(schema)).length === 1 ? reference : schema
  const before = known.get(key)
  if (before !== undefined) return before
  const found = findAlternatives(schema, components)
  known.set(key, found)
  return found
}

function findAlternatives(schema: unknown, components: Components): Alternatives | null {
  const flat = flatten(schema, components)
  if (flat === null) return null
  const all = split({ schema, flat, name: nameOf(schema) }, components, 0)
  const unions = withoutImpossible(
    all.map((branches) => branches.filter(({ flat }) => !isNull(flat))),
    components,
  )
  // The only branch has the same content as the schema.
  const only = unions.flatMap((branches) => (branches.length === 1 ? branches : []))
  const same = [schema, ...only.map((branch) => branch.schema)]
  const names = new Set(same.flatMap((one) => [...namesWithin(one, components)]))
  const isNullable = all.every((branches) => branches.some(({ flat }) => isNull(flat)))
  return { isNullable, unions, names }
}

/** Leaves out the alternatives that contradict all those of another union. */
function withoutImpossible(
  unions: Alternatives['unions'],
  components: Components,
): Alternatives['unions'] {
  const count = unions.flat().length
  if (unions.length === 1 || count > MAX_COMPARED) return unions
  const isPossible = (one: Alternative) => (other: Alternative) =>
    flatten({ allOf: [one.schema, other.schema] }, components) !== null
  return unions.map((branches) =>
    branches.filter((one) =>
      unions.every((others) => others === branches || others.some(isPossible(one))),
    ),
  )
}

/** Splits a schema into each union's alternatives. */
function split(
  one: Alternative,
  components: Components,
  depth: number,
): readonly (readonly Alternative[])[] {
  const { rest, unions } = unionsOf(one.flat)
  if (unions.length === 0 || depth > MAX_DEPTH) return [splitTypes(one)]
  return unions.map((branches) =>
    branches.flatMap((branch) => {
      const name = nameOf(branch)
      const schema = Object.keys(rest).length === 0 ? branch : { allOf: [rest, branch] }
      const flat = flatten(schema, components)
      if (flat === null) return []
      const inner = { schema, flat, name }
      // A named union is one alternative.
      if (name !== null) return [inner]
      const [only = [], ...others] = split(inner, components, depth + 1)
      return others.length === 0 ? only : [inner]
    }),
  )
}

/** Splits a schema with several types into one alternative per type. */
function splitTypes(one: Alternative): readonly Alternative[] {
  const { type, enum: values, const: constant } = one.flat
  if (Array.isArray(values) && values.includes(null) && constant === undefined) {
    const flat = { ...one.flat, enum: values.filter((value) => value !== null) }
    return values.length === 1 ? [OF_NULL] : [OF_NULL, { ...one, flat, schema: flat }]
  }
  if (!Array.isArray(type) || type.length < 2) return [one]
  return type.map((each) => {
    const flat = { ...one.flat, type: each }
    return { ...one, flat, schema: flat }
  })
}

function isNull({ type, const: constant }: JsonObject): boolean {
  return type === 'null' || constant === null || (Array.isArray(type) && String(type) === 'null')
}

/** Collects the names of all components used to compose a schema. */
function namesWithin(schema: unknown, components: Components): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting = [schema]
  // The list grows while it is read.
  for (const next of waiting) {
    if (!isJsonObject(next)) continue
    const name = nameOf(next)
    if (name !== null && !names.has(name)) {
      names.add(name)
      waiting.push(own(components, name))
    }
    if (Array.isArray(next.allOf)) waiting.push(...next.allOf)
  }
  return names
}

function nameOf(schema: unknown): string | null {
  const reference = own(schema, '$ref')
  return typeof reference === 'string' ? nameInReference(reference, '#/components/schemas/') : null
}

/** Labels the alternatives of unions. */
export const labelsOf: (unions: Alternatives['unions']) => readonly string[] = memoize((unions) =>
  distinct(unions.flatMap(labelBranches)),
)

/** Labels each alternative with its component, value, type, or distinctive members. */
function labelBranches(branches: readonly Alternative[]): readonly string[] {
  return branches.map(({ name, flat }) => {
    if (name === null) return labelOf(flat, branches)
    // A component name may clash with another item kind.
    return KINDS.has(name) ? `{${name}}` : name
  })
}

/** Appends a number to repeated labels. */
export function distinct(labels: readonly string[]): readonly string[] {
  const used = new Map<string, number>()
  return labels.map((label) => {
    const count = (used.get(label) ?? 0) + 1
    used.set(label, count)
    return count === 1 ? label : `${label} ${count}`
  })
}

function labelOf(flat: JsonObject, branches: readonly Alternative[]): string {
  const fixed = fixedValues(flat)
  if (fixed !== null) return fixed.map(labelValue).join(' or ')
  const [type, ...others] = typesOf(flat) ?? []
  if (type !== 'object' || others.length > 0) return type ?? 'any'
  const names = Object.keys(Object(flat.properties))
  const isShared = (name: string) =>
    branches.every((one) => own(one.flat.properties, name) !== undefined)
  const distinct = names.filter((name) => !isShared(name))
  const valuesIn = (one: JsonObject, name: string) =>
    fixedValues(own(one.properties, name))?.map(labelValue).join(' or ')
  const constants = names.flatMap((name) => {
    const values = valuesIn(flat, name)
    const others = branches.filter((one) => one.flat !== flat)
    const isOwn = others.every((one) => valuesIn(one.flat, name) !== values)
    return values !== undefined && isOwn ? [`${name}: ${values}`] : []
  })
  const chosen = distinct.length > 0 ? distinct : constants.length > 0 ? constants : names
  return `{${chosen.slice(0, 3).join(', ')}${chosen.length > 3 ? ', …' : ''}}`
}

/** Writes a value for an item's name. */
export function labelValue(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** The values in `const` or `enum`; null without either keyword. */
export function fixedValues(schema: unknown): readonly unknown[] | null {
  if (!isJsonObject(schema)) return null
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : null
}

/** Creates a test for each alternative. It checks the type, a discriminating member, or the whole schema. */
export function testsOf(
  branches: readonly Alternative[],
  components: Components,
): readonly Branch['accepts'][] {
  const types = branches.map(({ flat }) => typesOf(flat))
  if (areDisjoint(types)) {
    return types.map((each) => (value) => each?.includes(typeOf(value)) === true)
  }
  const [first] = branches
  const discriminator = Object.keys(Object(first?.flat.properties)).find((name) =>
    areDisjoint(branches.map(({ flat }) => requiredValues(flat, name))),
  )
  if (discriminator !== undefined) {
    return branches.map(({ flat }) => {
      const values = requiredValues(flat, discriminator)
      return (value) => values?.includes(own(value, discriminator)) === true
    })
  }
  return branches.map(
    ({ schema }) =>
      (value, work) =>
        accepts(schema, value, components, work),
  )
}

function requiredValues(flat: JsonObject, name: string): readonly unknown[] | null {
  const isRequired = Array.isArray(flat.required) && flat.required.includes(name)
  return isRequired ? fixedValues(own(flat.properties, name)) : null
}

/** A flat schema's JSON types; null if it does not name them. */
function typesOf(flat: JsonObject): readonly string[] | null {
  const { type, properties, items, prefixItems } = flat
  const fixed = fixedValues(flat)
  if (fixed !== null) return [...new Set(fixed.map(typeOf))]
  if (type === undefined) {
    if (properties !== undefined) return ['object']
    return items !== undefined || prefixItems !== undefined ? ['array'] : null
  }
  const types = Array.isArray(type) ? type.map(String) : [String(type)]
  return types.map((one) => (one === 'integer' ? 'number' : one))
}

function areDisjoint(lists: readonly (readonly unknown[] | null)[]): boolean {
  const all = lists.flatMap((list) => list ?? [])
  return lists.every((list) => list !== null) && new Set(all).size === all.length
}

const OF_NULL: Alternative = { schema: { type: 'null' }, flat: { type: 'null' }, name: null }
const KINDS: ReadonlySet<string> = new Set(['present', 'absent', 'null', 'empty', 'non-empty'])
/** How many characters of a value an item's name contains. */
const MAX_LENGTH = 40
/** How many alternatives are compared with each other. */
const MAX_COMPARED = 100
const MAX_DEPTH = 8
