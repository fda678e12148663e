import { defined, isJsonObject, nameInReference } from '@plumbline/base'
import {
  isObjectSchema,
  othersOf,
  propertiesOf,
  requiredOf,
} from '../../schema/shape/properties.ts'
import { type Shape, shapeOf } from '../../schema/shape/shape.ts'
import type { Schema } from '../../schema/standard-schema.ts'
import { rootOf } from '../../schema/to-json-schema.ts'
import { COMPONENTS, referenceTo } from '../component-name.ts'
import { addDiscriminator } from '../discriminator.ts'
import { convertOnce } from './convert.ts'
import type { Components } from './state.ts'
import { chooseName, defineComponent, type SchemaPlace, writeSchema } from './write.ts'

/** Returns the schema or reference to write where `schema` is used. */
export function useSchema(components: Components, schema: Schema, place: SchemaPlace): unknown {
  const conversion = convertOnce(components, schema, (fault, inner, cause) =>
    components.report({ ...place, pointer: `${place.pointer}${inner}` }, fault, cause),
  )
  if (conversion === null) return {}
  const { json, rootName } = conversion
  const context = { conversion, place, enclosing: null }
  if (rootName === null || typeof json.$ref === 'string') {
    return writeSchema(components, json, context)
  }
  const name = chooseName(components, rootName, place)
  defineComponent(components, name, json, context)
  return { $ref: referenceTo(name) }
}

/** One property in an object schema. */
export interface Property {
  readonly schema: unknown
  readonly shape: Shape
  readonly required: boolean
}

/** Describes an object schema's properties for the document; null if it cannot be converted. */
export function describeProperties(
  components: Components,
  schema: Schema,
  place: SchemaPlace,
): ReadonlyMap<string, Property> | null {
  // The document contains the schema's properties, but not the schema itself.
  const conversion = convertOnce(components, schema, (fault, inner, cause) =>
    components.report({ ...place, partOfSchema: inner }, fault, cause),
  )
  if (conversion === null) return null
  const root = rootOf(conversion.json)
  if (!isObjectSchema(root)) {
    components.report(place, { code: 'not-an-object-schema' })
    return null
  }
  const required = requiredOf(root)
  const context = { conversion, place, enclosing: null }
  const properties = new Map<string, Property>()
  for (const [name, property] of propertiesOf(root)) {
    const written = writeSchema(components, property, context)
    const shape = shapeOf(property, root)
    properties.set(name, { schema: written, shape, required: required.has(name) })
  }
  return properties
}

/** Describes the properties an object schema does not name as one object; null if it does not mention them. */
export function describeOthers(
  components: Components,
  schema: Schema,
  place: SchemaPlace,
): Pick<Property, 'schema' | 'shape'> | null {
  // A fault was reported with the named properties.
  const conversion = convertOnce(components, schema, () => {})
  const root = conversion && rootOf(conversion.json)
  const others = root && othersOf(root)
  if (conversion === null || !root || !others) return null
  const { propertyNames } = root
  // `propertiesOf` finds listed names.
  if (isJsonObject(propertyNames) && propertyNames.enum !== undefined) return null
  const object = defined({ type: 'object', propertyNames, additionalProperties: others })
  const written = writeSchema(components, object, { conversion, place, enclosing: null })
  return { schema: written, shape: shapeOf(others, root) }
}

/** Reserves a component name. A schema with that name is a fault. */
export function reserveName({ report, reserved }: Components, name: string, owner: string): void {
  const other = reserved.get(name)
  if (other !== undefined) {
    const place = { operationId: null, pointer: `/components/schemas/${name}` }
    const owners = `${other} and for ${owner}`
    report(place, { code: 'reserved-schema-name', name, owner: owners })
  }
  reserved.set(name, owner)
}

/** Lists the components, in the order of first use. A reference to a missing component is a fault. */
export function listComponents(components: Components): Record<string, unknown> {
  const { report, defined: named, reserved, streams, references, unions } = components
  for (const [reference, place] of references) {
    const name = nameInReference(reference, COMPONENTS)
    if (name === null || !(named.has(name) || reserved.has(name))) {
      report(place, { code: 'unresolved-reference', reference })
    }
  }
  for (const union of unions) addDiscriminator(union, (name) => named.get(name)?.schema)
  const listed = [...named].map(([name, { schema }]) => [name, schema] as const)
  const items = [...streams.values()].map(({ name, schema }) => [name, schema] as const)
  return Object.fromEntries([...listed, ...items])
}
