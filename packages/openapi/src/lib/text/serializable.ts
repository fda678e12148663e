import { isPlain, type Step } from '@plumbline/base'
import type { ParseFault, ValueFault } from './errors.ts'

/** A value JSON cannot represent, and the path to it. */
export interface Unserializable<Fault = ValueFault> {
  readonly path: readonly Step[]
  readonly fault: Fault
}

/** An unserializable value, or too many values: an aliased value is counted at each use. */
type LimitedFault = Extract<ParseFault, { readonly code: 'too-many-aliases' }> | ValueFault

/**
 * Finds the first value JSON cannot represent: a circle, a number that is not finite, a Date. With a `limit`, also the
 * first value beyond this count.
 */
export function findUnserializable(root: unknown): Unserializable | null
export function findUnserializable(
  root: unknown,
  limit: number,
): Unserializable<LimitedFault> | null
export function findUnserializable(
  root: unknown,
  limit: number = Number.POSITIVE_INFINITY,
): Unserializable<LimitedFault> | null {
  const open = new Set<object>()
  // Filled while the recursion returns, so a walk without a finding does not allocate.
  const path: Step[] = []
  let count = 0
  const visit = (value: unknown): LimitedFault | null => {
    count += 1
    if (count > limit) return { code: 'too-many-aliases', limit: String(limit) }
    const fault = findFault(value, open)
    if (fault !== null || typeof value !== 'object' || value === null) return fault
    open.add(value)
    const isList = Array.isArray(value)
    for (const key of Object.keys(value)) {
      const member: unknown = value[key as keyof typeof value]
      // JSON.stringify omits an undefined member.
      if (member === undefined && !isList) continue
      const found = visit(member)
      if (found === null) continue
      path.unshift(key)
      return found
    }
    open.delete(value)
    return null
  }
  const fault = visit(root)
  return fault === null ? null : { fault, path }
}

function findFault(value: unknown, open: ReadonlySet<object>): ValueFault | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'number':
      return Number.isFinite(value) ? null : unsupportedValue(String(value))
    case 'object':
      if (value === null) return null
      if (open.has(value)) return { code: 'circular-value' }
      if (open.size >= DEPTH) return { code: 'nesting-too-deep', limit: String(DEPTH) }
      return isPlain(value) ? null : unsupportedValue('an instance of a class')
    default:
      return unsupportedValue(typeof value)
  }
}

function unsupportedValue(value: string): ValueFault {
  return { code: 'unsupported-value', value }
}

const DEPTH = 500
