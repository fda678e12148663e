import { badRequest } from '../error.ts'
import { compileElementFilter } from '../filter/compile.ts'
import { operandsOf } from '../filter/operands.ts'
import type { Compare, Expression } from '../filter/tree.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { distinctValues, isPrimary } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import type { WorkBudget } from '../work-budget.ts'
import { coerceValue, coerceValues, isEmpty, isSame, requireParts, withoutNulls } from './coerce.ts'
import type { Context, Write } from './context.ts'
import { requireRemovable, requireWritable } from './mutability.ts'
import { addHeldValues, merge, removeFrom, requireFound } from './parts.ts'
import { isSameText, type WorkingList } from './working-list.ts'

/** Applies an operation to the values of a multi-valued attribute. */
export function applyToMultiValued(context: Context, write: Write): void {
  const { op, node, part, filter, place } = write
  const list = context.draft.list(node)
  const held = list.size > 0
  const before = held && node.mutability === 'immutable' ? list.values() : undefined
  if (before !== undefined) context.draft.budget.spend(before.length)
  if (op === 'remove') removeFromList(context, write, list)
  else if (part !== null) writePart(context, write, part, list)
  else if (filter !== null) writeMatches(context, write, list.matching(filter), list)
  else if (op === 'add') add(context, write, list)
  else replaceAll(context, write, list)
  if (before !== undefined) requireWritable(node, before, context.draft.get(node), place)
  if (held && node.required && list.size === 0) requireRemovable(node, place)
}

// RFC 7644 §3.5.2.1: a value that already exists is not added again.
function add(context: Context, { node, value, place }: Write, list: WorkingList): void {
  for (const taken of coerceValues(value, node, place, context.rules)) {
    const found = list.find(taken)
    const element = list.at(found)
    if (found < 0) appendTo(list, node, taken)
    else if (isJsonObject(element) && isJsonObject(taken)) {
      const sent = addHeldValues(context, taken, element, node)
      list.replace(found, addTo(element, sent, node, context.draft.budget))
    }
  }
}

/** The members that a value lacks, or that differ and may change. */
function addTo(
  element: JsonObject,
  taken: JsonObject,
  node: AttributeNode,
  budget: WorkBudget,
): JsonObject {
  const additions = Object.entries(taken).filter(([name, part]) => {
    const definition = node.subAttributes.get(fold(name))
    const before = own(element, name)
    if (part === null || part === undefined || definition?.mutability === 'readOnly') return false
    if (before === undefined) return true
    // Strings that differ only in letter case are the same value.
    return definition?.mutability !== 'immutable' && !isSameText(before, part, definition, budget)
  })
  return { ...element, ...Object.fromEntries(additions) }
}

// RFC 7644 §3.5.2.3: without a filter all values are replaced.
function replaceAll(
  { draft, rules }: Context,
  { node, value, place }: Write,
  list: WorkingList,
): void {
  const taken = distinctValues(coerceValues(value, node, place, rules).map(dropNulls), node)
  for (const element of taken) {
    requireParts(element, node)
    requireReadOnlyParts(element, list, node)
  }
  const before = list.values()
  const current = before.length === 0 ? undefined : before
  requireWritable(node, current, taken.length === 0 ? undefined : taken, place)
  draft.set(node, taken.length === 0 ? undefined : taken)
}

/** Writes the values that a filter selects. */
function writeMatches(
  context: Context,
  write: Write,
  positions: readonly number[],
  list: WorkingList,
): void {
  const { op, node, value, place } = write
  if (positions.length === 0) {
    create(context, write, list)
    return
  }
  const taken = coerceValue(value, node, place, context.rules)
  if (taken === undefined && op === 'add') return
  requireOneTarget(taken, positions, place)
  for (const at of positions) {
    const element = list.at(at)
    if (!isJsonObject(taken) || !isJsonObject(element)) {
      put(list, at, taken)
    } else if (op === 'add') {
      // RFC 7644 §3.5.2.1: an addition keeps the rest of the value.
      put(list, at, merge(element, addHeldValues(context, taken, element, node), node))
    } else {
      // RFC 7644 §3.5.2.3: a matching value is replaced as a whole.
      put(list, at, merge(element, { ...unassignAll(element), ...taken }, node))
    }
  }
}

/** Writes one sub-attribute of the values that match, or of all values without a filter. */
function writePart(context: Context, write: Write, part: AttributeNode, list: WorkingList): void {
  const { op, node, filter, value } = write
  const positions = filter === null ? list.all() : list.matching(filter)
  if (positions.length === 0) {
    create(context, { ...write, value: { [part.name]: value }, place: node.name }, list)
    return
  }
  const taken = coerceValue({ [part.name]: value }, node, node.name, context.rules)
  if (!isJsonObject(taken)) return
  requireOneTarget(taken, positions, write.place)
  for (const at of positions) {
    const element = list.at(at)
    if (!isJsonObject(element)) continue
    const sent = op === 'add' ? addHeldValues(context, taken, element, node) : taken
    put(list, at, merge(element, sent, node))
  }
}

// RFC 7643 §2.4: only one value may be primary, and the request does not say which.
function requireOneTarget(taken: unknown, positions: readonly number[], place: string): void {
  if (positions.length > 1 && isPrimary(taken)) {
    throw badRequest('invalidValue', `${place} would make more than one value primary`)
  }
}

/**
 * If nothing matches, a `replace` fails with `noTarget` (RFC 7644 §3.5.2.3), unless that is tolerated.
 *
 * Deviation: an `add` creates the value that the filter describes (§3.5.2.1 adds what does not exist), but
 * §3.12 requires `noTarget` for any path. Entra ID adds addresses, phone numbers and roles in this way.
 */
function create({ draft, tolerate, rules }: Context, write: Write, list: WorkingList): void {
  const { op, node, filter, value, place } = write
  const terms = filter === null ? {} : readTerms(filter, node)
  const creates = op === 'add' || filter === null || tolerate.includes('replace-creates')
  const missing = badRequest('noTarget', `${place}: no value matches`)
  if (!creates || terms === null) throw missing
  const taken = coerceValue(value, node, place, rules)
  if (taken === undefined || isEmpty(taken)) return
  const described = coerceValue(terms, node, place, rules)
  // Only complex values are described, so both are objects.
  const made: JsonObject = { ...Object(described), ...Object(taken) }
  // The new value must match the filter. Otherwise the filter does not describe a value.
  if (filter !== null && !compileElementFilter(filter, node, draft.budget)(made)) throw missing
  appendTo(list, node, made)
}

/** The members that a conjunction of `eq` describes; null for any other filter. */
function readTerms(filter: Expression, node: AttributeNode): JsonObject | null {
  const operands = operandsOf(filter, 'and')
  const isTerm = (operand: Expression): operand is Compare =>
    operand.type === 'compare' && operand.operator === 'eq' && node.type === 'complex'
  if (!operands.every(isTerm)) return null
  // A term may be repeated in different letter case.
  return Object.fromEntries(operands.map(({ path, value }) => [fold(path.attribute), value]))
}

function removeFromList(context: Context, write: Write, list: WorkingList): void {
  const { filter, part, value } = write
  if (part !== null) removePart(context, write, part, list)
  else if (filter !== null) removeAll(context, write, list.matching(filter), list)
  else if (value === undefined || value === null) for (const at of list.all()) list.remove(at)
  else removeAll(context, write, findNamed(context, write, list), list)
}

/** Removes a sub-attribute of the values that match, or of all values without a filter. */
function removePart(context: Context, write: Write, part: AttributeNode, list: WorkingList): void {
  const { node, filter } = write
  const positions = filter === null ? list.all() : list.matching(filter)
  let isFound = filter === null && positions.length === 0
  for (const at of positions) {
    const element = list.at(at)
    if (!isJsonObject(element)) continue
    const before = own(element, part.name)
    const { value, isFound: isFoundHere } = removeFrom(context, before ?? undefined, part, write)
    isFound ||= isFoundHere
    put(list, at, merge(element, { [part.name]: value ?? null }, node))
  }
  requireFound(context, write, isFound)
}

function removeAll(
  context: Context,
  write: Write,
  positions: readonly number[],
  list: WorkingList,
): void {
  requireFound(context, write, positions.length > 0)
  for (const at of positions) list.remove(at)
}

/** Replaces a value with another. A value without members is removed (RFC 7643 §2.5). */
function put(list: WorkingList, at: number, element: unknown): void {
  if (element === undefined || isEmpty(element)) list.remove(at)
  else list.replace(at, element)
}

/** Deviation: Entra ID, OneLogin and JumpCloud name the values to remove in `value`. */
function findNamed({ rules }: Context, { node, value, place }: Write, list: WorkingList): number[] {
  const positions = new Set<number>()
  for (const taken of coerceValues(value, node, place, rules)) {
    for (const at of list.having(taken)) positions.add(at)
  }
  return [...positions]
}

function appendTo(list: WorkingList, node: AttributeNode, taken: unknown): void {
  const element = dropNulls(taken)
  requireParts(element, node)
  requireReadOnlyParts(element, list, node)
  list.append(element)
}

/** A client may send a read-only part of a value only if the same value of the list already has it. */
function requireReadOnlyParts(element: unknown, list: WorkingList, node: AttributeNode): void {
  if (!isJsonObject(element)) return
  for (const { name, mutability } of node.subAttributes.values()) {
    if (mutability !== 'readOnly' || !Object.hasOwn(element, name)) continue
    const known = list.at(list.find(element))
    const before = isJsonObject(known) ? own(known, name) : undefined
    if (!isSame(before, element[name])) {
      throw badRequest('mutability', `${node.name}.${name} is read-only`)
    }
  }
}

function dropNulls(taken: unknown): unknown {
  return isJsonObject(taken) ? withoutNulls(taken) : taken
}

/** Every member as null, for a merge that removes them all. */
function unassignAll(element: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(element).map((name) => [name, null]))
}
