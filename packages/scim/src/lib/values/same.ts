import { isAssigned, isJsonObject, type JsonObject, own } from '../json.ts'
import { spendOnText, type WorkBudget } from '../work-budget.ts'
import { fold } from './fold.ts'

/**
 * Returns whether an attribute's two wire values are the same. Strings match in any letter case, unless the attribute
 * is `caseExact` (RFC 7643 §2.2) or null. Strings inside lists and objects must be equal. Unassigned members are
 * ignored (RFC 7643 §2.5).
 *
 * @param budget Pays for long strings compared in any letter case.
 */
export function areSameValues(
  attribute: { readonly caseExact: boolean } | null,
  a: unknown,
  b: unknown,
  budget?: WorkBudget,
): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || attribute === null || attribute.caseExact) {
    return areEqual(a, b)
  }
  if (budget !== undefined) {
    spendOnText(budget, a)
    spendOnText(budget, b)
  }
  return a === b || fold(a) === fold(b)
}

function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, at) => areEqual(element, b[at]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const left = assignedMembers(a)
  return (
    left.length === assignedMembers(b).length &&
    left.every(([name, member]) => areEqual(member, own(b, name)))
  )
}

function assignedMembers(value: JsonObject): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => isAssigned(member))
}
