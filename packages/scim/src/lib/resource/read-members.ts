import { isFailure } from '@plumbline/result'
import { invalidValue, resultOf } from '../error.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { distinctValues, requireFewValues, requireOnePrimary } from '../schema/value-list.ts'
import { coerceSimple, coerceStored, requireInstant } from '../values/coerce.ts'
import { fold } from '../values/fold.ts'
import type { MemberCount } from '../values/member-count.ts'

/** How members are read. */
export interface ReadRules {
  /** `wire` keeps JSON names and values. `model` reads `$ref` as `ref`, and a dateTime as a `Date`. */
  readonly form: 'model' | 'wire'
  /** How many values an attribute other than `members` may have. */
  readonly maxValues: number
  /** Whether well-formed read-only members are read. */
  readonly keepReadOnly: boolean
  /** Whether the resource is stored already, so newer checks of values do not apply. */
  readonly isStored: boolean
  /** Counts the body members read so far. */
  readonly count: MemberCount
}

/** How a client's body is read as a model. */
export const BODY_RULES = { form: 'model', keepReadOnly: true, isStored: false } as const

/** A member that a client sent, with its definition. */
export type SentMember = readonly [node: AttributeNode, value: unknown]

/**
 * Reads the JSON object members that `attributes` defines, in any letter case, and spells their names as the
 * definitions do. Null and empty lists are omitted. Undefined members are ignored, and so are malformed read-only
 * members. Throws a ScimError naming the member: `invalidValue`, or `tooMany` for an attribute with more than
 * `maxValues` values, and for too many members.
 *
 * @param place The object's path, followed by a dot; empty for the resource itself.
 */
export function readMembers(
  input: object,
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
  rules: ReadRules,
): JsonObject {
  return readFoundMembers(findMembers(input, attributes, place, rules), attributes, place, rules)
}

/** Reads members whose definitions were found, as `readMembers` does. */
export function readFoundMembers(
  found: readonly SentMember[],
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
  rules: ReadRules,
): JsonObject {
  const members = readSentMembers(found, place, rules)
  requireMembers(members, attributes, place, rules)
  return members
}

/**
 * Reads an extension's members as `readMembers` does, or returns undefined if all are unassigned. Then the resource
 * does not have the extension, and its members are not required (RFC 7643 §2.5).
 */
export function readExtensionMembers(
  input: object,
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
  rules: ReadRules,
): JsonObject | undefined {
  const members = readSentMembers(findMembers(input, attributes, place, rules), place, rules)
  if (Object.keys(members).length === 0) return undefined
  requireMembers(members, attributes, place, rules)
  return members
}

/** Finds the members with a definition. */
export function findMembers(
  input: object,
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
  { count }: ReadRules,
): SentMember[] {
  const found: SentMember[] = []
  const names = Object.keys(input)
  count.add(names.length)
  for (const name of names) {
    const node = attributes.get(fold(name))
    if (node === undefined) count.addUnknown(`${place}${name}`)
    else found.push([node, own(input, name)])
  }
  return found
}

function readSentMembers(
  found: readonly SentMember[],
  place: string,
  rules: ReadRules,
): JsonObject {
  const members: [string, unknown][] = []
  const seen = new Set<AttributeNode>()
  for (const [node, value] of found) {
    const isReadOnly = node.mutability === 'readOnly'
    if (isReadOnly && !rules.keepReadOnly) continue
    const path = `${place}${node.name}`
    if (seen.has(node)) {
      if (isReadOnly) continue
      throw invalidValue(path, 'is duplicated in different letter case')
    }
    seen.add(node)
    const read = isReadOnly
      ? readIfValid(value, node, path, rules)
      : readValue(value, node, path, rules)
    if (read !== undefined) members.push([nameIn(rules.form, node), read])
  }
  // Members are defined, never assigned, so no name can reach a prototype.
  return Object.fromEntries(members)
}

/** The service provider sets read-only members, so a client never has to send one (RFC 7644 §3.3). */
function requireMembers(
  members: JsonObject,
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
  { form, isStored }: ReadRules,
): void {
  for (const node of attributes.values()) {
    if (!node.required || node.mutability === 'readOnly' || node.name === 'schemas') continue
    const value = own(members, nameIn(form, node))
    const isMissing = value === undefined || value === '' || (!isStored && isBlank(value))
    if (isMissing) throw invalidValue(`${place}${node.name}`, 'is required')
  }
}

/** RFC 7644 §3.3: read-only attributes in a request are ignored, so a malformed one is not an error. */
function readIfValid(value: unknown, node: AttributeNode, path: string, rules: ReadRules): unknown {
  const read = resultOf(() => readValue(value, node, path, rules))
  return isFailure(read) ? undefined : read.data
}

function readValue(value: unknown, node: AttributeNode, path: string, rules: ReadRules): unknown {
  if (value === null || value === undefined) return undefined
  if (!node.multiValued) return readSingle(value, node, path, rules)
  // Deviation: OneLogin's templates send one value without a list.
  const list = Array.isArray(value) ? value : [value]
  requireFewValues(list.length, node, path, rules.maxValues)
  const values: unknown[] = []
  for (const [at, element] of list.entries()) {
    if (element === null) continue
    const read = readSingle(element, node, `${path}[${at}]`, rules)
    if (read !== undefined) values.push(read)
  }
  if (values.length === 0) return undefined
  // RFC 7643 §2.4: the same (type, value) pair is stored once.
  const kept = distinctValues(values, node)
  requireOnePrimary(kept, path)
  return kept
}

function readSingle(value: unknown, node: AttributeNode, path: string, rules: ReadRules): unknown {
  if (node.type !== 'complex') return readSimple(value, node, path, rules)
  // Deviation: Entra ID sends a manager as the string of its `value`. PATCH accepts it as well.
  const isBare = typeof value === 'string' && !node.multiValued && node.subAttributes.has('value')
  const sent = isBare ? { value } : value
  if (!isJsonObject(sent)) throw invalidValue(path, 'must be an object')
  const members = readMembers(sent, node.subAttributes, `${path}.`, rules)
  return Object.keys(members).length === 0 || isCleared(members, node) ? undefined : members
}

/** Deviation: Entra ID removes a manager with `{ "value": "" }`. An empty reference is unassigned. */
export function isCleared(members: JsonObject, { multiValued }: AttributeNode): boolean {
  return !multiValued && Object.hasOwn(members, 'value') && members.value === ''
}

function readSimple(
  sent: unknown,
  { type, multiValued, encoding }: AttributeNode,
  path: string,
  { form, isStored }: ReadRules,
): unknown {
  const value = multiValued ? unwrapValue(sent) : sent
  if (value === null || type === 'complex') return undefined
  if (type === 'dateTime' && form === 'model') {
    return new Date(requireInstant(value, path).milliseconds)
  }
  return isStored ? coerceStored(value, type, path) : coerceSimple(value, type, path, encoding)
}

/**
 * Deviation: Entra ID sends a simple value as `{ "value": "x" }`, whose other members are null. Returns any other value
 * as it is.
 */
export function unwrapValue(sent: unknown): unknown {
  if (!isJsonObject(sent)) return sent
  const isValue = (name: string): boolean => fold(name) === 'value'
  const members = Object.entries(sent).filter(([name, one]) => one !== null || isValue(name))
  const [first, ...others] = members
  return first !== undefined && others.length === 0 && isValue(first[0]) ? first[1] : sent
}

/** A required string must have a visible character. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && !VISIBLE.test(value)
}

function nameIn(form: ReadRules['form'], { name }: AttributeNode): string {
  return form === 'model' && name === '$ref' ? 'ref' : name
}

// U+2800 is a braille pattern without dots.
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u
