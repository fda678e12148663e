import { isPlain } from '../json/object.ts'
import type { Step } from '../schema/walk.ts'

/** A value that JSON cannot hold, and the path to it. */
export interface UnserializableValue {
  readonly path: readonly Step[]
  readonly message: string
}

export interface MisfitOptions {
  /** How many values there may be, those that are used twice counted twice; no limit by default. */
  readonly limit?: number
}

/** Finds the first value that JSON cannot hold: a circle, a number that is none, anything not of JSON. */
export function findMisfit(
  root: unknown,
  { limit = Number.POSITIVE_INFINITY }: MisfitOptions = {},
): UnserializableValue | null {
  const open = new Set<object>()
  // Filled on the way back, so that a walk that finds nothing makes nothing.
  const path: Step[] = []
  let count = 0
  const visit = (value: unknown): string | null => {
    count += 1
    if (count > limit) return 'aliases make it too large'
    const message = misfitOf(value, open)
    if (message !== null || typeof value !== 'object' || value === null) return message
    open.add(value)
    const isList = Array.isArray(value)
    for (const key of Object.keys(value)) {
      const member: unknown = value[key as keyof typeof value]
      // A member that is undefined is no member, as JSON.stringify has it.
      if (member === undefined && !isList) continue
      const found = visit(member)
      if (found === null) continue
      path.unshift(key)
      return found
    }
    open.delete(value)
    return null
  }
  const message = visit(root)
  return message === null ? null : { message, path }
}

function misfitOf(value: unknown, open: ReadonlySet<object>): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'number':
      return Number.isFinite(value) ? null : `JSON has no ${value}`
    case 'object':
      if (value === null) return null
      if (open.has(value)) return 'it contains itself'
      if (open.size >= DEPTH) return `it is nested deeper than ${DEPTH} levels`
      return isPlain(value) ? null : 'only plain objects and lists can be written as JSON'
    default:
      return `JSON has no ${typeof value}`
  }
}

const DEPTH = 500
