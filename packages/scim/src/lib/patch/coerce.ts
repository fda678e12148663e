import { badRequest } from '../error.ts'
import { isPresent } from '../filter/evaluate.ts'
import { isAssigned, isJsonObject, type JsonObject, own } from '../json.ts'
import { isCleared } from '../resource/read-members.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { distinctValues, requireFewValues, requireOnePrimary } from '../schema/value-list.ts'
import { coerceSimple } from '../values/coerce.ts'
import { fold } from '../values/fold.ts'

/** How values from a client are coerced. */
export interface ValueRules {
  /** Whether an unknown member is ignored. */
  readonly ignoreUnknown: boolean
  /** How many values an attribute other than `members` may have. */
  readonly maxValues: number
}

/**
 * Coerces one value of an attribute that a client sent: checks it against the definition, spells names as
 * the definition does, and returns undefined for an unassigned value. Throws a ScimError that names the
 * member.
 */
export function coerceValue(
  sent: unknown,
  node: AttributeNode,
  place: string,
  rules: ValueRules,
): unknown {
  const value = unpack(sent, node)
  if (value === null || value === undefined) return undefined
  if (node.type !== 'complex') return coerceSimple(value, node.type, place)
  if (isJsonObject(value)) {
    const members = coerceParts(value, node, place, rules)
    return isCleared(members, node) ? undefined : members
  }
  // Deviation: Entra ID removes a manager with an empty string, and sets one with its id only.
  if (value === '') return undefined
  const significant = node.subAttributes.get('value')
  if (significant === undefined) throw badRequest('invalidValue', `${place} must be an object`)
  return { [significant.name]: coerceValue(value, significant, `${place}.value`, rules) }
}

/** Deviation: clients send one value of a multi-valued attribute without a list. It is a list of one value. */
export function coerceValues(
  sent: unknown,
  node: AttributeNode,
  place: string,
  rules: ValueRules,
): unknown[] {
  const list = Array.isArray(sent) ? sent : [sent]
  requireFewValues(list.length, node, place, rules.maxValues)
  const values: unknown[] = []
  for (const [at, element] of list.entries()) {
    const value = coerceValue(element, node, `${place}[${at}]`, rules)
    if (value !== undefined && !isEmpty(value)) values.push(value)
  }
  requireOnePrimary(values, place)
  return values
}

/** Whether two wire values are equal. Unassigned members are ignored. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, at) => isSame(element, b[at]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const left = assignedMembers(a)
  return (
    left.length === assignedMembers(b).length &&
    left.every(([name, member]) => isSame(member, own(b, name)))
  )
}

/** Throws if a new value lacks a required part (RFC 7643 §2.2). */
export function requireParts(value: unknown, node: AttributeNode): void {
  if (!isJsonObject(value)) return
  for (const { name, required } of node.subAttributes.values()) {
    if (required && !isPresent(own(value, name))) {
      throw badRequest('invalidValue', `${node.name}.${name} is required`)
    }
  }
}

/** The members of a complex value that are not null. */
export function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null))
}

/** Whether only the `value` of a complex value is sent. */
export function isBareValue(sent: unknown): boolean {
  return !isJsonObject(withoutList(sent))
}

/** RFC 7643 §2.5: an element whose members are all null is not a value. */
export function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((member) => member === null)
}

function assignedMembers(value: JsonObject): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => isAssigned(member))
}

/** Deviation: Entra ID sends a single value as a list of one, and may wrap that value in an object. */
function unpack(sent: unknown, node: AttributeNode): unknown {
  const value = withoutList(sent)
  if (node.type === 'complex' || !isJsonObject(value)) return value
  const [first, ...others] = Object.entries(value)
  if (first === undefined || others.length > 0) return value
  const [name, wrapped] = first
  return fold(name) === 'value' ? wrapped : value
}

/** RFC 7643 §2.5: an empty list is unassigned. */
function withoutList(sent: unknown): unknown {
  return Array.isArray(sent) && sent.length < 2 ? sent[0] : sent
}

/** Null members are kept, so that a merge removes them. */
function coerceParts(
  sent: JsonObject,
  node: AttributeNode,
  place: string,
  rules: ValueRules,
): JsonObject {
  const members = new Map<string, unknown>()
  for (const [key, value] of Object.entries(sent)) {
    const part = node.subAttributes.get(fold(key))
    if (part === undefined) {
      if (rules.ignoreUnknown) continue
      throw badRequest(
        'invalidPath',
        `${place} does not have a sub-attribute ${JSON.stringify(key)}`,
      )
    }
    const taken = coercePart(value, part, `${place}.${part.name}`, rules)
    if (members.has(part.name)) {
      const twice = `${place}.${part.name} is duplicated in different letter case`
      throw badRequest('invalidValue', twice)
    }
    members.set(part.name, taken ?? null)
  }
  return Object.fromEntries(members)
}

function coercePart(sent: unknown, part: AttributeNode, place: string, rules: ValueRules): unknown {
  if (!part.multiValued) return coerceValue(sent, part, place, rules)
  const values = distinctValues(coerceValues(sent, part, place, rules), part)
  return values.length === 0 ? undefined : values
}
