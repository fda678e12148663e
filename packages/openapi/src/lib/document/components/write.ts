import {
  DEFINITIONS,
  isJsonObject,
  type JsonObject,
  nameInReference,
  type Step,
} from '@plumbline/base'
import { toBinary } from '../../schema/binary.ts'
import { patternFault } from '../../schema/patterns.ts'
import { mapSubschemas } from '../../schema/walk.ts'
import { NAME, referenceTo, toTitle } from '../component-name.ts'
import { isUnionOfNames } from '../discriminator.ts'
import type { FaultPlace } from '../faults.ts'
import { areEqualSchemas, type Located } from './equal-schemas.ts'
import { type ComponentName, type Conversion, idOf } from './name-definitions.ts'
import type { Component, Components } from './state.ts'

/** The place where a schema is used. A nameless recursive schema is named after the steps. */
export interface SchemaPlace extends FaultPlace {
  readonly steps: readonly Step[]
}

/** Where a schema is being written. */
export interface Context {
  readonly conversion: Conversion
  readonly place: SchemaPlace
  /** The component whose root contains this branch: libraries repeat the name on each branch. */
  readonly enclosing: string | null
}

/** Writes a schema for the document: named parts become references to components. */
export function writeSchema(components: Components, node: unknown, context: Context): unknown {
  if (!isJsonObject(node)) return node
  if (typeof node.$ref === 'string') return writeReference(components, node, node.$ref, context)
  const id = idOf(node)
  if (id === null || id === context.enclosing) return writeParts(components, node, context)
  defineComponent(components, id, node, context)
  return { $ref: referenceTo(id) }
}

function writeParts(components: Components, node: JsonObject, context: Context): JsonObject {
  const fault = patternFault(node)
  if (fault !== null) components.report(context.place, { code: 'non-unicode-pattern', ...fault })
  const inner = context.enclosing === null ? context : { ...context, enclosing: null }
  const written = mapSubschemas(toBinary(withoutNaming(node)), (part, keyword) => {
    const isBranch = keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf'
    return writeSchema(components, part, isBranch ? context : inner)
  })
  if (isUnionOfNames(written)) components.unions.push(written)
  return keepExamples(components, written, context)
}

/** Keeps a schema with examples. They are checked when all components are known. */
function keepExamples<Written extends JsonObject>(
  { examples }: Components,
  written: Written,
  { place }: Context,
): Written {
  if (Array.isArray(written.examples)) examples.push({ schema: written, place })
  return written
}

function writeReference(
  components: Components,
  node: JsonObject,
  $ref: string,
  context: Context,
): unknown {
  const { $ref: _, ...rest } = node
  const siblings = writeParts(components, rest, context)
  const { json, names, rootName } = context.conversion
  const key = $ref === '#' ? null : nameInReference($ref, DEFINITIONS)
  const definitions = isJsonObject(json.$defs) ? json.$defs : {}
  if ($ref !== '#' && (key === null || !Object.hasOwn(definitions, key))) {
    if ($ref.startsWith('#')) components.references.set($ref, context.place)
    return { ...siblings, $ref }
  }
  const target = key === null ? json : definitions[key]
  const name = key === null ? rootName : names.get(key)
  if (!name) {
    const written = writeSchema(components, target, context)
    return Object.keys(siblings).length === 0
      ? written
      : keepExamples(components, { ...siblings, allOf: [written] }, context)
  }
  const component = chooseName(components, name, context.place)
  defineComponent(components, component, target, context)
  return keepExamples(components, { $ref: referenceTo(component), ...siblings }, context)
}

/** Writes a component, or checks that it equals an existing one with the same name. */
export function defineComponent(
  components: Components,
  name: string,
  source: unknown,
  context: Context,
): void {
  const { report, defined, reserved, settled } = components
  const { place } = context
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
  const known = defined.get(name)
  if (known) {
    compareWithKnown(components, name, known, located, context)
    return
  }
  const component: Component = { place, located, schema: null }
  defined.set(name, component)
  component.schema = isJsonObject(source)
    ? writeBody(components, source, { ...context, enclosing: name })
    : source
}

/** Compares a schema with the known component. One schema may be converted twice; different schemas are a fault. */
function compareWithKnown(
  components: Components,
  name: string,
  known: Component,
  second: Located,
  context: Context,
): void {
  const nested: [string, unknown][] = []
  const onNamed = (inner: string, { source }: Located): void => {
    nested.push([inner, source])
  }
  if (!areEqualSchemas(name, known.located, second, onNamed)) {
    const other = `the one at ${known.place.pointer}`
    components.report(context.place, { code: 'duplicate-schema-name', name, other })
  }
  for (const [inner, source] of nested) defineComponent(components, inner, source, context)
}

/** Writes a component's body. The name must not turn the body into a reference to itself. */
function writeBody(components: Components, source: JsonObject, context: Context): unknown {
  return typeof source.$ref === 'string'
    ? writeReference(components, source, source.$ref, context)
    : writeParts(components, source, context)
}

/** Chooses a component's name. A nameless schema is named after the place where the shape is first used. */
export function chooseName(
  { defined, reserved, placeNames }: Components,
  name: ComponentName,
  place: SchemaPlace,
): string {
  if (name.kind === 'given') return name.name
  const known = placeNames.get(name.shape)
  if (known !== undefined) return known
  const wanted = [...place.steps, ...name.path].map(toTitle).join('')
  let free = wanted
  for (let count = 2; defined.has(free) || reserved.has(free); count += 1) {
    free = `${wanted}${count}`
  }
  placeNames.set(name.shape, free)
  return free
}

/** A schema without naming keywords; the component names it in the document. */
function withoutNaming(node: JsonObject): JsonObject {
  if (!NAMING.some((keyword) => Object.hasOwn(node, keyword))) return node
  const { $defs: _defs, $schema: _schema, id, $id: _uri, ...keywords } = node
  // A non-string `id` is another vocabulary's keyword.
  return typeof id === 'string' || id === undefined ? keywords : { ...keywords, id }
}

const NAMING = ['$defs', '$schema', 'id', '$id'] as const
