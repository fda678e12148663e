import type { Step } from '../json-schema/walk.ts'

/** A value that JSON cannot hold, and the path to it. */
export interface Misfit {
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
): Misfit | null {
  const open = new Set<object>()
  let count = 0
  const visit = (value: unknown, path: Path | null): Misfit | null => {
    count += 1
    const message = count > limit ? 'aliases make it too large' : misfitOf(value, open)
    if (message !== null) return { message, path: stepsOf(path) }
    if (typeof value !== 'object' || value === null) return null
    open.add(value)
    for (const [key, member] of Object.entries(value)) {
      // A member that is undefined is no member, as JSON.stringify has it.
      if (member === undefined && !Array.isArray(value)) continue
      const found = visit(member, { step: key, above: path })
      if (found) return found
    }
    open.delete(value)
    return null
  }
  return visit(root, null)
}

/** A path that shares its beginning with its neighbours, so that a walk costs no copies. */
interface Path {
  readonly step: Step
  readonly above: Path | null
}

function stepsOf(path: Path | null): Step[] {
  const steps: Step[] = []
  for (let at = path; at !== null; at = at.above) steps.unshift(at.step)
  return steps
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

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  // The prototype of plain objects of any realm has no prototype itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const DEPTH = 500
