import { isJsonObject, setOwn } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import type { Schema } from '../../schema/standard-schema.ts'
import { type ConversionFault, convert } from '../../schema/to-json-schema.ts'
import { NAME } from '../component-name.ts'
import type { Fault } from '../faults.ts'
import { type Conversion, nameDefinitions } from './name-definitions.ts'
import type { Component, Components } from './state.ts'

/** Reports why a schema cannot be converted; `inner` is a JSON Pointer into it. */
export type ReportInside = (fault: Fault, inner: string, cause?: unknown) => void

/** Converts a schema and names its definitions, once in a document; null if it cannot be converted. */
export function convertOnce(
  components: Components,
  schema: Schema,
  reportInside: ReportInside,
): Conversion | null {
  const known = components.conversions.get(schema)
  if (known) return known
  const { value, fault } = convert(schema)
  if (fault) {
    reportInside(toBuildFault(fault), pointerOf(fault.path), fault.cause)
    return null
  }
  for (const { part, remedy, path } of value.inexact) {
    reportInside({ code: 'inexact-json-schema', part, remedy }, pointerOf(path))
  }
  const conversion = shareSources(components, nameDefinitions(schema, value.json))
  components.conversions.set(schema, conversion)
  return conversion
}

/** zod reports one `id` on two schemas itself if it converts both in one call. */
function toBuildFault({ message, remedy }: ConversionFault): Fault {
  const name = /Duplicate schema id "(.*)" detected/.exec(message)?.[1]
  return name === undefined
    ? { code: 'no-json-schema', reason: message.replace(/\.$/, ''), remedy }
    : { code: 'duplicate-schema-name', name, other: 'another part of it' }
}

/**
 * Replaces definitions with the identical sources of known components, so they are not processed
 * again or stored twice. All or none: a definition may refer to another with the same name.
 */
function shareSources({ defined, reserved }: Components, conversion: Conversion): Conversion {
  const { json, isKeyedByName } = conversion
  if (!isKeyedByName || !isJsonObject(json.$defs)) return conversion
  const shared: Record<string, unknown> = {}
  for (const [name, source] of Object.entries(json.$defs)) {
    const known = defined.get(name)
    // A faulty name is reported at each use.
    if (!known || reserved.has(name) || !NAME.test(name)) return conversion
    if (!isIdenticalSource(known, source)) return conversion
    setOwn(shared, name, known.located.source)
  }
  return { ...conversion, json: { ...json, $defs: shared } }
}

/** Whether a schema is identical to a component's source. */
function isIdenticalSource(known: Component, source: unknown): boolean {
  if (!known.located.conversion.isKeyedByName) return false
  const text = JSON.stringify(source)
  known.text ??= JSON.stringify(known.located.source)
  // A reference to the root is equal for different roots.
  return text === known.text && !text.includes('"$ref":"#"')
}
