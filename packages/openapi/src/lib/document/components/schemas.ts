import { isObject, type JsonObject, setOwn } from '../../json/object.ts'
import { nameIn, pointerOf } from '../../json/pointer.ts'
import { patternFault } from '../../schema/patterns.ts'
import {
  isObjectSchema,
  propertiesOf,
  requiredOf,
  type Shape,
  shapeOf,
} from '../../schema/shape/shape.ts'
import type { Schema } from '../../schema/standard-schema.ts'
import { type ConversionFault, convert, DEFINITIONS, rootOf } from '../../schema/to-json-schema.ts'
import { mapSubschemas, type Step } from '../../schema/walk.ts'
import { binaryOf } from '../binary.ts'
import { COMPONENTS, NAME, referenceTo, titleOf } from '../component-name.ts'
import { addDiscriminator, isUnionOfNames, type Union } from '../discriminator.ts'
import type { Fault, Place, Report } from '../faults.ts'
import { isSame, type Located } from './equal-schemas.ts'
import { type ComponentName, type Conversion, idOf, nameDefinitions } from './name-definitions.ts'

/** Where a schema is used; the steps to there name a nameless one that contains itself. */
export interface SchemaPlace extends Place {
  readonly steps: readonly Step[]
}

/** One key of an object schema. */
export interface Property {
  readonly schema: unknown
  readonly shape: Shape
  readonly required: boolean
}

/** The schemas of one document: what each use writes, and the components that they share. */
export interface Schemas {
  /** What stands in the document where `schema` is used. */
  use(schema: Schema, place: SchemaPlace): unknown
  /** The conversion of a schema that is in use; null where it has no JSON Schema. */
  jsonOf(schema: Schema): JsonObject | null
  /** The keys of an object schema, each as it stands in the document; null where it has no JSON Schema. */
  properties(schema: Schema, place: SchemaPlace): ReadonlyMap<string, Property> | null
  /** Keeps a component name for something else; a schema of that name is a fault. */
  reserve(name: string, owner: string): void
  /** The components, in the order in which they first appeared; references without one are faults. */
  components(): Record<string, unknown>
}

interface Component {
  readonly place: Place
  readonly located: Located
  /** The text of its source, once somebody asked for it. */
  text?: string
  /** Null while it is being written. */
  schema: unknown
}

/** Starts the schemas of one document. */
export function createSchemas(report: Report): Schemas {
  const conversions = new Map<Schema, Conversion>()
  const components = new Map<string, Component>()
  const reserved = new Map<string, string>()
  const places = new Map<string, string>()
  const settled = new Set<object>()
  const references = new Map<string, Place>()
  const unions: Union[] = []

  const conversionOf = (schema: Schema, tell: Tell): Conversion | null => {
    const known = conversions.get(schema)
    if (known) return known
    const result = convert(schema)
    if ('fault' in result) {
      tell(faultOf(result), pointerOf(result.path), result.cause)
      return null
    }
    for (const { part, remedy, path } of result.inexact) {
      tell({ code: 'inexact-json-schema', part, remedy }, pointerOf(path))
    }
    const conversion = share(nameDefinitions(schema, result.json))
    conversions.set(schema, conversion)
    return conversion
  }

  /**
   * Definitions that are, to the letter, what components were written from become those, so that they are
   * neither looked at again nor kept twice. All or none: what one refers to may be another's namesake.
   */
  const share = (conversion: Conversion): Conversion => {
    const { json, isKeyedByName } = conversion
    if (!isKeyedByName || !isObject(json.$defs)) return conversion
    const shared: Record<string, unknown> = {}
    for (const [name, source] of Object.entries(json.$defs)) {
      const known = components.get(name)
      // A name that is a fault is one wherever it is used.
      if (!known || reserved.has(name) || !NAME.test(name)) return conversion
      if (!isRepeated(known, source)) return conversion
      setOwn(shared, name, known.located.source)
    }
    return { ...conversion, json: { ...json, $defs: shared } }
  }

  const write = (node: unknown, context: Context): unknown => {
    if (!isObject(node)) return node
    if (typeof node.$ref === 'string') return writeReference(node, node.$ref, context)
    const id = idOf(node)
    if (id === null || id === context.enclosing) return writeParts(node, context)
    define(id, node, context)
    return { $ref: referenceTo(id) }
  }

  const writeParts = (node: JsonObject, context: Context): JsonObject => {
    const fault = patternFault(node)
    if (fault !== null) report(context.place, { code: 'non-unicode-pattern', ...fault })
    const inner = context.enclosing === null ? context : { ...context, enclosing: null }
    const written = mapSubschemas(binaryOf(withoutNames(node)), (part, keyword) => {
      const isBranch = keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf'
      return write(part, isBranch ? context : inner)
    })
    if (isUnionOfNames(written)) unions.push(written)
    return written
  }

  const writeReference = (node: JsonObject, $ref: string, context: Context): unknown => {
    const { $ref: _, ...rest } = node
    const beside = writeParts(rest, context)
    const { json, names, rootName } = context.conversion
    const key = $ref === '#' ? null : nameIn($ref, DEFINITIONS)
    const definitions = isObject(json.$defs) ? json.$defs : {}
    if ($ref !== '#' && (key === null || !Object.hasOwn(definitions, key))) {
      if ($ref.startsWith('#')) references.set($ref, context.place)
      return { ...beside, $ref }
    }
    const target = key === null ? json : definitions[key]
    const name = key === null ? rootName : names.get(key)
    if (!name) {
      const written = write(target, context)
      return Object.keys(beside).length === 0 ? written : { ...beside, allOf: [written] }
    }
    const component = componentName(name, context)
    define(component, target, context)
    return { $ref: referenceTo(component), ...beside }
  }

  const define = (name: string, source: unknown, context: Context): void => {
    const { place } = context
    const known = components.get(name)
    if (isObject(source)) {
      if (settled.has(source)) return
      settled.add(source)
    }
    const owner = reserved.get(name)
    if (owner !== undefined) report(place, { code: 'reserved-schema-name', name, owner })
    if (!NAME.test(name)) {
      report(place, { code: 'invalid-schema-name', name: JSON.stringify(name) })
    }
    const located = { source, conversion: context.conversion }
    if (known) {
      compare(name, known, located, context)
      return
    }
    const component: Component = { place, located, schema: null }
    components.set(name, component)
    component.schema = isObject(source)
      ? writeBody(source, { ...context, enclosing: name })
      : source
  }

  /** One schema may have been written twice; two with one name are a fault. */
  const compare = (name: string, known: Component, second: Located, context: Context): void => {
    const nested: [string, unknown][] = []
    const meet = (inner: string, { source }: Located): void => {
      nested.push([inner, source])
    }
    if (!isSame(name, known.located, second, meet)) {
      const other = `the one at ${known.place.pointer}`
      report(context.place, { code: 'duplicate-schema-name', name, other })
    }
    for (const [inner, source] of nested) define(inner, source, context)
  }

  // The body of a component, whose own name must not make it a reference to itself.
  const writeBody = (source: JsonObject, context: Context): unknown =>
    typeof source.$ref === 'string'
      ? writeReference(source, source.$ref, context)
      : writeParts(source, context)

  /** A nameless schema is called by where it stands first; one of the same shape shares its name. */
  const componentName = (name: ComponentName, { place }: Context): string => {
    if (name.kind === 'given') return name.name
    const known = places.get(name.shape)
    if (known !== undefined) return known
    const wanted = [...place.steps, ...name.path].map(titleOf).join('')
    let free = wanted
    for (let count = 2; components.has(free) || reserved.has(free); count += 1) {
      free = `${wanted}${count}`
    }
    places.set(name.shape, free)
    return free
  }

  return {
    use: (schema, place) => {
      const conversion = conversionOf(schema, (fault, inner, cause) =>
        report({ ...place, pointer: `${place.pointer}${inner}` }, fault, cause),
      )
      if (conversion === null) return {}
      const { json, rootName } = conversion
      const context = { conversion, place, enclosing: null }
      if (rootName === null || typeof json.$ref === 'string') return write(json, context)
      const component = componentName(rootName, context)
      define(component, json, context)
      return { $ref: referenceTo(component) }
    },
    jsonOf: (schema) => conversions.get(schema)?.json ?? null,
    properties: (schema, place) => {
      // The document contains the properties of the schema, but not the schema itself.
      const conversion = conversionOf(schema, (fault, inner, cause) =>
        report({ ...place, partOfSchema: inner }, fault, cause),
      )
      if (conversion === null) return null
      const root = rootOf(conversion.json)
      if (!isObjectSchema(root)) {
        report(place, { code: 'not-an-object-schema' })
        return null
      }
      const required = requiredOf(root)
      const context = { conversion, place, enclosing: null }
      const properties = [...propertiesOf(root)].map(([name, property]) => {
        const shape = shapeOf(property, root)
        return [name, { schema: write(property, context), shape, required: required.has(name) }]
      })
      return new Map(properties as [string, Property][])
    },
    reserve: (name, owner) => {
      const other = reserved.get(name)
      if (other !== undefined) {
        const place = { operationId: null, pointer: `/components/schemas/${name}` }
        const owners = `${other} and for ${owner}`
        report(place, { code: 'reserved-schema-name', name, owner: owners })
      }
      reserved.set(name, owner)
    },
    components: () => {
      for (const [reference, place] of references) {
        const name = nameIn(reference, COMPONENTS)
        if (name === null || !(components.has(name) || reserved.has(name))) {
          report(place, { code: 'unresolved-reference', reference })
        }
      }
      for (const union of unions) addDiscriminator(union, (name) => components.get(name)?.schema)
      return Object.fromEntries([...components].map(([name, { schema }]) => [name, schema]))
    },
  }
}

/** Reports why a schema has no JSON Schema; `inner` is a JSON Pointer into it. */
type Tell = (fault: Fault, inner: string, cause?: unknown) => void

/** zod reports one `id` on two schemas itself if it converts both in one call. */
function faultOf({ fault }: ConversionFault): Fault {
  const name = /^Duplicate schema id "(.*)" detected/.exec(fault)?.[1]
  return name === undefined
    ? { code: 'no-json-schema', reason: fault.replace(/\.$/, '') }
    : { code: 'duplicate-schema-name', name, other: 'another part of it' }
}

interface Context {
  readonly conversion: Conversion
  readonly place: SchemaPlace
  /** The component whose root this is a branch of: libraries repeat its name on each branch. */
  readonly enclosing: string | null
}

/** Whether a schema is, to the letter, what the component was written from. */
function isRepeated(known: Component, source: unknown): boolean {
  if (!known.located.conversion.isKeyedByName) return false
  const text = JSON.stringify(source)
  known.text ??= JSON.stringify(known.located.source)
  // The root has no key that would tell one from another.
  return text === known.text && !text.includes('"$ref":"#"')
}

/** A schema without what names it, which the document says otherwise. */
function withoutNames(node: JsonObject): JsonObject {
  if (!NAMING.some((keyword) => Object.hasOwn(node, keyword))) return node
  const { $defs: _defs, $schema: _schema, id, $id: _uri, ...keywords } = node
  // An `id` that is no text is a keyword of somebody else's.
  return typeof id === 'string' || id === undefined ? keywords : { ...keywords, id }
}

const NAMING = ['$defs', '$schema', 'id', '$id'] as const
