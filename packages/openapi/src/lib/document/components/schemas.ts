import { pointerOf } from '@plumbline/problem/core'
import { isJsonObject, type JsonObject, setOwn } from '../../json/object.ts'
import type { Step } from '../../json/pointer.ts'
import { nameInReference } from '../../json/pointer.ts'
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
import { mapSubschemas } from '../../schema/walk.ts'
import { toBinary } from '../binary.ts'
import { COMPONENTS, NAME, referenceTo, toTitle } from '../component-name.ts'
import { addDiscriminator, isUnionOfNames, type Union } from '../discriminator.ts'
import type { Fault, FaultPlace, Report } from '../faults.ts'
import { areEqualSchemas, type Located } from './equal-schemas.ts'
import { type ComponentName, type Conversion, idOf, nameDefinitions } from './name-definitions.ts'

/** The place where a schema is used. The steps become the name of a nameless schema that contains itself. */
export interface SchemaPlace extends FaultPlace {
  readonly steps: readonly Step[]
}

/** One key of an object schema. */
export interface Property {
  readonly schema: unknown
  readonly shape: Shape
  readonly required: boolean
}

/** The schemas of one document and the components that they share. */
export interface Schemas {
  /** Returns the schema or reference to write where `schema` is used. */
  use(schema: Schema, place: SchemaPlace): unknown
  /** The conversion of a used schema; null if it cannot be converted. */
  jsonOf(schema: Schema): JsonObject | null
  /** The keys of an object schema, as the document describes them; null if it cannot be converted. */
  properties(schema: Schema, place: SchemaPlace): ReadonlyMap<string, Property> | null
  /** Reserves a component name. A schema of that name is a fault. */
  reserve(name: string, owner: string): void
  /** The components in the order of their first use. A reference to a missing component is a fault. */
  components(): Record<string, unknown>
}

interface Component {
  readonly place: FaultPlace
  readonly located: Located
  /** The text of its source, computed on demand. */
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
  const references = new Map<string, FaultPlace>()
  const unions: Union[] = []

  const convertOnce = (schema: Schema, reportInside: ReportInside): Conversion | null => {
    const known = conversions.get(schema)
    if (known) return known
    const { value, fault } = convert(schema)
    if (fault) {
      reportInside(faultOf(fault), pointerOf(fault.path), fault.cause)
      return null
    }
    for (const { part, remedy, path } of value.inexact) {
      reportInside({ code: 'inexact-json-schema', part, remedy }, pointerOf(path))
    }
    const conversion = share(nameDefinitions(schema, value.json))
    conversions.set(schema, conversion)
    return conversion
  }

  /**
   * Replaces definitions with the identical sources of known components, so that they are not processed
   * again or stored twice. All or none: a definition may refer to another with the same name.
   */
  const share = (conversion: Conversion): Conversion => {
    const { json, isKeyedByName } = conversion
    if (!isKeyedByName || !isJsonObject(json.$defs)) return conversion
    const shared: Record<string, unknown> = {}
    for (const [name, source] of Object.entries(json.$defs)) {
      const known = components.get(name)
      // A faulty name is reported at each use.
      if (!known || reserved.has(name) || !NAME.test(name)) return conversion
      if (!isIdenticalSource(known, source)) return conversion
      setOwn(shared, name, known.located.source)
    }
    return { ...conversion, json: { ...json, $defs: shared } }
  }

  const write = (node: unknown, context: Context): unknown => {
    if (!isJsonObject(node)) return node
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
    const written = mapSubschemas(toBinary(withoutNaming(node)), (part, keyword) => {
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
    const key = $ref === '#' ? null : nameInReference($ref, DEFINITIONS)
    const definitions = isJsonObject(json.$defs) ? json.$defs : {}
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
    if (isJsonObject(source)) {
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
    component.schema = isJsonObject(source)
      ? writeBody(source, { ...context, enclosing: name })
      : source
  }

  /** One schema may be converted twice. Two different schemas with one name are a fault. */
  const compare = (name: string, known: Component, second: Located, context: Context): void => {
    const nested: [string, unknown][] = []
    const meet = (inner: string, { source }: Located): void => {
      nested.push([inner, source])
    }
    if (!areEqualSchemas(name, known.located, second, meet)) {
      const other = `the one at ${known.place.pointer}`
      report(context.place, { code: 'duplicate-schema-name', name, other })
    }
    for (const [inner, source] of nested) define(inner, source, context)
  }

  // The body of a component. Its own name must not turn it into a reference to itself.
  const writeBody = (source: JsonObject, context: Context): unknown =>
    typeof source.$ref === 'string'
      ? writeReference(source, source.$ref, context)
      : writeParts(source, context)

  /** Names a nameless schema after its first use. Schemas of the same shape share a name. */
  const componentName = (name: ComponentName, { place }: Context): string => {
    if (name.kind === 'given') return name.name
    const known = places.get(name.shape)
    if (known !== undefined) return known
    const wanted = [...place.steps, ...name.path].map(toTitle).join('')
    let free = wanted
    for (let count = 2; components.has(free) || reserved.has(free); count += 1) {
      free = `${wanted}${count}`
    }
    places.set(name.shape, free)
    return free
  }

  return {
    use: (schema, place) => {
      const conversion = convertOnce(schema, (fault, inner, cause) =>
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
      const conversion = convertOnce(schema, (fault, inner, cause) =>
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
        const name = nameInReference(reference, COMPONENTS)
        if (name === null || !(components.has(name) || reserved.has(name))) {
          report(place, { code: 'unresolved-reference', reference })
        }
      }
      for (const union of unions) addDiscriminator(union, (name) => components.get(name)?.schema)
      return Object.fromEntries([...components].map(([name, { schema }]) => [name, schema]))
    },
  }
}

/** Reports why a schema cannot be converted; `inner` is a JSON Pointer into it. */
type ReportInside = (fault: Fault, inner: string, cause?: unknown) => void

/** zod reports one `id` on two schemas itself if it converts both in one call. */
function faultOf({ message }: ConversionFault): Fault {
  const name = /^Duplicate schema id "(.*)" detected/.exec(message)?.[1]
  return name === undefined
    ? { code: 'no-json-schema', reason: message.replace(/\.$/, '') }
    : { code: 'duplicate-schema-name', name, other: 'another part of it' }
}

interface Context {
  readonly conversion: Conversion
  readonly place: SchemaPlace
  /** The component whose root contains this branch: libraries repeat its name on each branch. */
  readonly enclosing: string | null
}

/** Whether a schema is identical to the source of a component. */
function isIdenticalSource(known: Component, source: unknown): boolean {
  if (!known.located.conversion.isKeyedByName) return false
  const text = JSON.stringify(source)
  known.text ??= JSON.stringify(known.located.source)
  // A reference to the root is equal for different roots.
  return text === known.text && !text.includes('"$ref":"#"')
}

/** A schema without its naming keywords; the document names it by its component. */
function withoutNaming(node: JsonObject): JsonObject {
  if (!NAMING.some((keyword) => Object.hasOwn(node, keyword))) return node
  const { $defs: _defs, $schema: _schema, id, $id: _uri, ...keywords } = node
  // An `id` that is not a string is another vocabulary's keyword.
  return typeof id === 'string' || id === undefined ? keywords : { ...keywords, id }
}

const NAMING = ['$defs', '$schema', 'id', '$id'] as const
