import { isJsonObject, type JsonObject, own, unlessEmpty } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { distinctValues } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import type { WorkBudget } from '../work-budget.ts'
import type { Write } from './coerce.ts'
import type { Context } from './context.ts'
import { requireNew, requireRemovable, requireWritable } from './requirements.ts'
import { addHeldValues, requireFound } from './single.ts'
import { editSelected } from './value-path.ts'
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
  if (before !== undefined) requireWritable(node, before, context.draft.get(node), place)
  if (hadValues && node.required && list.size === 0) requireRemovable(node, place)
}

// RFC 7644 §3.5.2.1: an existing value is not added again.
function add(context: Context, write: Write, list: WorkingList): void {
  const { node } = write.target
  for (const value of write.sent()) {
    const found = list.find(value)
    const element = list.at(found)
    if (found < 0) {
      requireNew(value, list, node)
      list.append(value)
    } else if (isJsonObject(element) && isJsonObject(value)) {
      const additions = addHeldValues(context, value, element, node)
      list.replace(found, addTo(element, additions, node, context.draft.budget))
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
  const values = distinctValues(write.sent(), node)
  for (const element of values) requireNew(element, list, node)
  const before = list.values()
  const after = unlessEmpty(values)
  requireWritable(node, unlessEmpty(before), after, place)
  if (!areSameValues(null, before, after)) draft.replace(node, after)
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
