import { isFailure } from '@plumbline/result'
import { badRequest, resultOf, type ScimError } from '../message/error.ts'
import { type AttributeNode, fold } from '../schema/attribute-index.ts'
import type { AttributeType } from '../schema/types.ts'
import { MAX_VALUES, requireFewValues } from '../value-limit.ts'
import { distinctValues } from '../values/distinct.ts'
import { parseInstant } from '../values/instant.ts'

/** A JSON object, or the model that is read from one. */
export type JsonObject = Record<string, unknown>

/**
 * Reads the members of a JSON object that `attributes` defines, in any letter case, into the model:
 * `$ref` becomes `ref`, a dateTime becomes a `Date`, null and empty lists become absence. Members
 * that are not defined are ignored, and so are read-only members that are malformed. Throws a ScimError that
 * names the member: `invalidValue`, or `tooMany` for an attribute of more than `maxValues` values.
 *
 * @param place The path of the object, with a dot behind it; empty for the resource itself.
 */
export function readMembers(
  input: object,
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
  maxValues: number = MAX_VALUES,
): JsonObject {
  const members: [string, unknown][] = []
  const seen = new Set<AttributeNode>()
  for (const [key, value] of Object.entries(input)) {
    const node = attributes.get(fold(key))
    if (node === undefined) continue
    const path = `${place}${node.name}`
    const isReadOnly = node.mutability === 'readOnly'
    if (seen.has(node)) {
      if (isReadOnly) continue
      throw invalid(path, 'is duplicated in different letter case')
    }
    seen.add(node)
    const read = isReadOnly
      ? readIfValid(value, node, path, maxValues)
      : readValue(value, node, path, maxValues)
    if (read !== undefined) members.push([modelName(node.name), read])
  }
  // Entries are defined, never assigned: no name can reach a prototype.
  const model: JsonObject = Object.fromEntries(members)
  for (const node of attributes.values()) {
    if (node.required && node.name !== 'schemas') requireValue(model, node, place)
  }
  return model
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The refusal of a member, by its path. */
export function invalid(path: string, why: string): ScimError {
  return badRequest('invalidValue', `${path} ${why}`)
}

/** RFC 7644 §3.3: read-only attributes in a request are ignored, so a malformed one is not an error. */
function readIfValid(
  value: unknown,
  node: AttributeNode,
  path: string,
  maxValues: number,
): unknown {
  const read = resultOf(() => readValue(value, node, path, maxValues))
  return isFailure(read) ? undefined : read.data
}

function readValue(value: unknown, node: AttributeNode, path: string, maxValues: number): unknown {
  if (value === null || value === undefined) return undefined
  if (!node.multiValued) return readSingle(value, node, path, maxValues)
  // Deviation: OneLogin's templates send one value without a list.
  const list = Array.isArray(value) ? value : [value]
  requireFewValues(list.length, node, path, maxValues)
  const values: unknown[] = []
  for (const [at, element] of list.entries()) {
    if (element === null) continue
    const read = readSingle(element, node, `${path}[${at}]`, maxValues)
    if (read !== undefined) values.push(read)
  }
  if (values.length === 0) return undefined
  // RFC 7643 §2.4: the same (type, value) pair is stored once.
  const kept = distinctValues(values, node)
  requireOnePrimary(kept, path)
  return kept
}

function readSingle(value: unknown, node: AttributeNode, path: string, maxValues: number): unknown {
  if (node.type !== 'complex') return readers[node.type](value, path)
  if (!isObject(value)) throw invalid(path, 'must be an object')
  const model = readMembers(value, node.subAttributes, `${path}.`, maxValues)
  return Object.keys(model).length === 0 || isCleared(model, node) ? undefined : model
}

/** Deviation: Entra ID removes a manager by `{ "value": "" }`: an empty reference refers to nothing. */
export function isCleared(members: JsonObject, { multiValued }: AttributeNode): boolean {
  return !multiValued && Object.hasOwn(members, 'value') && members.value === ''
}

const readers: Readonly<
  Record<Exclude<AttributeType, 'complex'>, (value: unknown, path: string) => unknown>
> = {
  string: readText,
  reference: readText,
  binary: readText,
  boolean: (value, path) => {
    if (typeof value === 'boolean') return value
    // Deviation: Entra ID sends booleans as text.
    const text = typeof value === 'string' ? fold(value) : ''
    if (text !== 'true' && text !== 'false') throw invalid(path, 'must be true or false')
    return text === 'true'
  },
  integer: (value, path) => {
    if (!Number.isInteger(value)) throw invalid(path, 'must be an integer')
    return value
  },
  decimal: (value, path) => {
    // JSON writes 1e400, and reads it as infinity, which it cannot write.
    if (!Number.isFinite(value)) throw invalid(path, 'must be a number')
    return value
  },
  dateTime: (value, path) => {
    const instant = typeof value === 'string' ? parseInstant(value) : null
    if (instant === null) throw invalid(path, 'must be a dateTime such as 2026-01-31T12:00:00Z')
    return new Date(instant.milliseconds)
  },
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalid(path, 'must be a string')
  return value
}

// RFC 7643 §2.4: the primary value is true for no more than one element.
function requireOnePrimary(values: readonly unknown[], path: string): void {
  const primaries = values.filter((value) => isObject(value) && value.primary === true)
  if (primaries.length > 1) throw invalid(path, 'has more than one primary value')
}

function requireValue(model: JsonObject, node: AttributeNode, place: string): void {
  const name = modelName(node.name)
  const value = Object.hasOwn(model, name) ? model[name] : undefined
  if (value === undefined || value === '') throw invalid(`${place}${node.name}`, 'is required')
}

function modelName(name: string): string {
  return name === '$ref' ? 'ref' : name
}
