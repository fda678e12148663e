import { isJsonObject, type JsonObject } from '../json.ts'
import type { AttributeIndex } from '../schema/attribute-index.ts'
import { bulkIdIn } from './bulk-ids.ts'
import { mapMember, schemaOf } from './references.ts'

/** A resource's parts. */
export interface Deferred {
  /** The part to create now. */
  readonly now: JsonObject
  /** The part with references to missing resources, which is added later. */
  readonly deferred: JsonObject
}

/**
 * Splits off a resource's references to resources that do not exist yet. In a multi-valued attribute, only the values
 * with references are deferred, and in an extension only the attributes with references.
 */
export function deferReferences(
  resource: JsonObject,
  missing: ReadonlySet<string>,
  index: AttributeIndex,
): Deferred {
  const refers = (name: string, value: unknown): boolean => {
    let isFound = false
    mapMember(name, value, index, (text, place) => {
      isFound ||= missing.has(bulkIdIn(text, place) ?? '')
      return text
    })
    return isFound
  }
  return splitMembers(resource, (name, value) => {
    const isSchema = isJsonObject(value) && schemaOf(name, index) !== null
    if (!isSchema) return splitValue(value, (part) => refers(name, part))
    const inside = splitMembers(value, (attribute, parts) =>
      splitValue(parts, (part) => refers(name, { [attribute]: part })),
    )
    return isEmpty(inside.deferred)
      ? { now: value }
      : { deferred: inside.deferred, ...(isEmpty(inside.now) ? {} : { now: inside.now }) }
  })
}

/** A value's parts; undefined for a part without a value. */
interface Split {
  readonly now?: unknown
  readonly deferred?: unknown
}

function splitMembers(
  members: JsonObject,
  split: (name: string, value: unknown) => Split,
): Deferred {
  const now: [string, unknown][] = []
  const deferred: [string, unknown][] = []
  for (const [name, value] of Object.entries(members)) {
    const parts = split(name, value)
    if (parts.now !== undefined) now.push([name, parts.now])
    if (parts.deferred !== undefined) deferred.push([name, parts.deferred])
  }
  return { now: Object.fromEntries(now), deferred: Object.fromEntries(deferred) }
}

function splitValue(value: unknown, refers: (part: unknown) => boolean): Split {
  if (!Array.isArray(value)) return refers(value) ? { deferred: value } : { now: value }
  const waiting = value.filter(refers)
  if (waiting.length === 0) return { now: value }
  const ready = value.filter((part) => !refers(part))
  return ready.length === 0 ? { deferred: waiting } : { now: ready, deferred: waiting }
}

function isEmpty(members: JsonObject): boolean {
  return Object.keys(members).length === 0
}
