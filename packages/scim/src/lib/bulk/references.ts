import { isJsonObject, type JsonObject } from '../json.ts'
import { fold } from '../values/fold.ts'
import type { Operation } from './types.ts'

/** A resource that a POST of the request created. */
export interface Created {
  readonly id: string
  readonly location: string
}

/** Whether a string refers to a resource that the request creates (RFC 7644 §3.7.2). */
export function isReference(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** The bulkIds that the path and the data of an operation refer to. */
export function findReferences({ path, data }: Operation): Set<string> {
  const found = new Set<string>()
  for (const segment of path.split('/')) {
    if (isReference(segment)) found.add(segment.slice(PREFIX.length))
  }
  collectReferences(data, '', found)
  return found
}

/** The path with the ids of the created resources. */
export function resolvePathReferences(path: string, created: ReadonlyMap<string, Created>): string {
  if (!path.includes(PREFIX)) return path
  const segments = path.split('/').map((segment) => {
    const target = isReference(segment) ? created.get(segment.slice(PREFIX.length)) : undefined
    return target === undefined ? segment : encodeURIComponent(target.id)
  })
  return segments.join('/')
}

/** A value with the ids of the created resources. A value without references is returned unchanged. */
export function resolveDataReferences<Value>(
  value: Value,
  created: ReadonlyMap<string, Created>,
): Value {
  // Only strings are replaced, and only by strings.
  return resolveInValue(value, '', created) as Value
}

/**
 * Splits a resource in two: the part that can be created now, and the part that refers to one of `missing`,
 * which is added later. In a multi-valued attribute, only the values with references are deferred, and in an
 * extension only the attributes with references.
 */
export function deferReferences(
  resource: object,
  missing: ReadonlySet<string>,
): { readonly now: JsonObject; readonly deferred: JsonObject } {
  const now: [string, unknown][] = []
  const deferred: [string, unknown][] = []
  for (const [key, value] of Object.entries(resource)) {
    const parts = splitMember(key, value, missing)
    if (parts.now !== undefined) now.push([key, parts.now])
    if (parts.deferred !== undefined) deferred.push([key, parts.deferred])
  }
  return { now: Object.fromEntries(now), deferred: Object.fromEntries(deferred) }
}

function splitMember(
  key: string,
  value: unknown,
  missing: ReadonlySet<string>,
): { readonly now?: unknown; readonly deferred?: unknown } {
  const refers = (part: unknown): boolean =>
    !isDisjoint(collectReferences(part, key, new Set()), missing)
  if (Array.isArray(value)) {
    const [waiting, ready] = [value.filter(refers), value.filter((part) => !refers(part))]
    if (waiting.length === 0) return { now: value }
    return ready.length === 0 ? { deferred: waiting } : { now: ready, deferred: waiting }
  }
  if (!refers(value)) return { now: value }
  // RFC 7643 §3.3: the member of an extension is its URN.
  if (!isJsonObject(value) || !key.includes(':')) return { deferred: value }
  const { now, deferred } = deferReferences(value, missing)
  return Object.keys(now).length === 0 ? { deferred } : { now, deferred }
}

function collectReferences(value: unknown, key: string, found: Set<string>): Set<string> {
  if (typeof value === 'string') {
    const reference = referenceIn(value, key)
    if (reference !== null) found.add(reference)
  } else if (Array.isArray(value)) {
    for (const element of value) collectReferences(element, key, found)
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) collectReferences(member, name, found)
  }
  return found
}

function resolveInValue(
  value: unknown,
  key: string,
  created: ReadonlyMap<string, Created>,
): unknown {
  if (typeof value === 'string') return resolveInText(value, key, created)
  if (Array.isArray(value)) {
    const elements = value.map((element) => resolveInValue(element, key, created))
    return elements.every((element, at) => element === value[at]) ? value : elements
  }
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, resolveInValue(member, name, created)] as const,
  )
  const isUnchanged = members.every(([name, member]) => member === value[name])
  return isUnchanged ? value : Object.fromEntries(members)
}

function resolveInText(text: string, key: string, created: ReadonlyMap<string, Created>): string {
  const reference = referenceIn(text, key)
  const target = reference === null ? undefined : created.get(reference)
  if (reference === null || target === undefined) return text
  if (!isRef(key)) return target.id
  const before = text.slice(0, text.length - PREFIX.length - reference.length)
  return before === '' ? target.location : `${before}${encodeURIComponent(target.id)}`
}

/** The bulkId that a string refers to: as a whole, or by the last segment of a `$ref`. */
function referenceIn(text: string, key: string): string | null {
  if (isReference(text)) return text.slice(PREFIX.length)
  const at = isRef(key) ? text.lastIndexOf(`/${PREFIX}`) : -1
  return at < 0 ? null : text.slice(at + 1 + PREFIX.length)
}

function isRef(key: string): boolean {
  return fold(key) === '$ref'
}

function isDisjoint(found: ReadonlySet<string>, missing: ReadonlySet<string>): boolean {
  for (const id of found) if (missing.has(id)) return false
  return true
}

const PREFIX = 'bulkId:'
