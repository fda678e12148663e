import { badRequest } from '../error.ts'
import { compileElementFilter } from '../filter/compile.ts'
import { operandsOf } from '../filter/operands.ts'
import type { Compare, Expression } from '../filter/tree.ts'
import { isJsonObject, type JsonObject, own, unlessEmpty } from '../json.ts'
import { type AttributeNode, nameOf } from '../schema/attribute-index.ts'
import { isPrimary } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import type { WorkBudget } from '../work-budget.ts'
import { coerceValue, isEmpty, type Write, withoutNulls } from './coerce.ts'
import type { Context } from './draft.ts'
import {
  addHeldValues,
  checkChange,
  removePart,
  requireFound,
  requireNew,
  requireRemovable,
  writeParts,
} from './single.ts'
import type { WorkingList } from './working-list.ts'

/** Applies an operation to a multi-valued attribute's values. */
export function editMultiValued(context: Context, write: Write): void {
  const { op, target } = write
  const { node, part, filter, place } = target
  const list = context.draft.list(node)
  const hadValues = list.size > 0
  const before = hadValues && node.mutability === 'immutable' ? list.values() : undefined
  if (before !== undefined) context.draft.budget.spend(before.length)
  if (part !== null || filter !== null) editSelected(context, write, list)
  else if (op === 'add') add(context, write, list)
  else if (op === 'replace') replaceAll(context, write, list)
  else remove(context, write, list)
  if (before !== undefined) checkChange(node, before, context.draft.get(node), place)
  if (hadValues && node.required && list.size === 0) requireRemovable(node, place)
}

// RFC 7644 §3.5.2.1: an existing value is not added again.
function add(context: Context, write: Write, list: WorkingList): void {
  const { node } = write.target
  for (const value of write.sent()) {
    const found = list.find(value)
    const element = list.at(found)
    if (isJsonObject(element) && isJsonObject(value)) {
      const additions = addHeldValues(context, value, element, node)
      list.replace(found, addTo(element, additions, node, context.draft.budget))
    } else if (found < 0) {
      requireNew(value, list, node)
      list.append(value)
    }
  }
}

/** Adds the members a value lacks, and those that differ and may change. */
function addTo(
  element: JsonObject,
  sent: JsonObject,
  node: AttributeNode,
  budget: WorkBudget,
): JsonObject {
  const additions = Object.entries(sent).filter(([name, part]) => {
    const definition = node.subAttributes.get(fold(name)) ?? null
    const before = own(element, name)
    if (part === null || part === undefined || definition?.mutability === 'readOnly') return false
    if (before === undefined) return true
    // Strings differing only in letter case are the same value.
    return (
      definition?.mutability !== 'immutable' && !areSameValues(definition, before, part, budget)
    )
  })
  return { ...element, ...Object.fromEntries(additions) }
}

// RFC 7644 §3.5.2.3: without a filter all values are replaced.
function replaceAll({ draft }: Context, write: Write, list: WorkingList): void {
  const { node, place } = write.target
  const values = write.sent()
  for (const element of values) requireNew(element, list, node)
  const after = unlessEmpty(values)
  if (checkChange(node, unlessEmpty(list.values()), after, place)) draft.replace(node, after)
}

/** Deviation: Entra ID, OneLogin and JumpCloud name the values to remove in `value`. */
function remove(context: Context, write: Write, list: WorkingList): void {
  const { target, value } = write
  const removesAll = value === undefined || value === null
  const positions = new Set(
    removesAll ? list.all() : write.sent().flatMap((one) => list.having(one)),
  )
  if (!removesAll) requireFound(context, target, positions.size > 0)
  for (const at of positions) list.remove(at)
}

// RFC 7644 §3.5.2: valuePath = attrPath "[" valFilter "]", and PATH = attrPath / valuePath [subAttr]

/** Applies an operation to the values a filter selects, or to a sub-attribute in them or in all values. */
function editSelected(context: Context, write: Write, list: WorkingList): void {
  const { op, target } = write
  const { filter, part } = target
  const positions = filter === null ? list.all() : list.matching(filter)
  if (op !== 'remove') {
    if (positions.length === 0) create(context, write, list)
    else writeSelected(context, write, positions, list)
  } else if (part !== null) removeParts(context, write, part, positions, list)
  else {
    requireFound(context, target, positions.length > 0)
    for (const at of positions) list.remove(at)
  }
}

function writeSelected(
  context: Context,
  write: Write,
  positions: readonly number[],
  list: WorkingList,
): void {
  const { op, target } = write
  const [sent] = write.sent()
  if (sent === undefined && (op === 'add' || target.part !== null)) return
  // RFC 7643 §2.4: only one value may be primary, and the request does not say which.
  if (positions.length > 1 && isPrimary(sent)) {
    throw badRequest('invalidValue', `${target.place} would make more than one value primary`)
  }
  for (const at of positions) put(list, at, writeElement(context, write, list.at(at), sent))
}

function writeElement(context: Context, write: Write, element: unknown, sent: unknown): unknown {
  const { op, target } = write
  if (!isJsonObject(sent) || !isJsonObject(element)) return target.part === null ? sent : element
  // RFC 7644 §3.5.2.3: a matching value is replaced as a whole. An addition keeps its other members (§3.5.2.1).
  const replaced = op === 'replace' && target.part === null ? unassignAll(element) : {}
  return writeParts(context, write, element, { ...replaced, ...sent })
}

/**
 * If nothing matches, a `replace` fails with `noTarget` (RFC 7644 §3.5.2.3), unless a tolerance allows it.
 *
 * Deviation: an `add` creates the value the filter describes (§3.5.2.1 adds what does not exist), but §3.12 requires
 * `noTarget` for any path. Entra ID adds addresses, phone numbers and roles in this way.
 */
function create({ draft, rules }: Context, write: Write, list: WorkingList): void {
  const { op, target } = write
  const { node, filter } = target
  const place = target.part === null ? target.place : nameOf(node)
  const terms = filter === null ? {} : readTerms(filter, node)
  const creates = op === 'add' || filter === null || rules.tolerate.includes('replace-creates')
  const missing = badRequest('noTarget', `${place}: no value matches`)
  if (!creates || terms === null) throw missing
  const [sent] = write.sent()
  if (sent === undefined || isEmpty(sent)) return
  // Only complex values are described, so both are objects.
  const described = coerceValue(terms, node, place, rules)
  const created: JsonObject = { ...Object(described), ...Object(sent) }
  // The new value must match the filter. Otherwise the filter does not describe a value.
  if (filter !== null && !compileElementFilter(filter, node, draft.budget)(created)) throw missing
  const element = withoutNulls(created)
  requireNew(element, list, node)
  list.append(element)
}

/** Reads the members that `eq` comparisons joined with `and` describe; null for any other filter. */
function readTerms(filter: Expression, node: AttributeNode): JsonObject | null {
  const operands = operandsOf(filter, 'and')
  const isTerm = (operand: Expression): operand is Compare =>
    operand.type === 'compare' && operand.operator === 'eq' && node.type === 'complex'
  if (!operands.every(isTerm)) return null
  // A term may be repeated in different letter case.
  return Object.fromEntries(operands.map(({ path, value }) => [fold(path.attribute), value]))
}

function removeParts(
  context: Context,
  write: Write,
  part: AttributeNode,
  positions: readonly number[],
  list: WorkingList,
): void {
  let isFound = write.target.filter === null && positions.length === 0
  for (const at of positions) {
    const element = list.at(at)
    if (!isJsonObject(element)) continue
    const remainder = removePart(context, write, part, element)
    isFound ||= remainder.isFound
    put(list, at, remainder.value)
  }
  requireFound(context, write.target, isFound)
}

/** Replaces a value with another. A value without members is removed (RFC 7643 §2.5). */
function put(list: WorkingList, at: number, element: unknown): void {
  if (element === undefined || isEmpty(element)) list.remove(at)
  else list.replace(at, element)
}

/** Sets every member to null, for a merge that removes them all. */
function unassignAll(element: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(element).map((name) => [name, null]))
}
