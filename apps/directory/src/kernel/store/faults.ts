import { type Fault, findInCauses } from './driver-errors.ts'
import { ENGINES } from './engines/engines.ts'
import { StoreUnavailableError } from './store.ts'

/** Classifies any engine's error by the first known code in its chain of causes. */
export function faultOf(error: unknown): Fault {
  return findInCauses(error, (at) => firstOf((engine) => engine.faultOf(at))) ?? 'other'
}

/** Whether the failure is transient, so a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof StoreUnavailableError || TRANSIENT.has(faultOf(error))
}

/**
 * Returns the attribute whose value is taken, for a unique key's error; null for other keys, such as a table's
 * primary key.
 *
 * @param attributes keyed by the unique key's name, and by its columns
 */
export function takenAttribute(
  error: unknown,
  attributes: ReadonlyMap<string, string>,
): string | null {
  return findInCauses(error, (at) =>
    firstOf((engine) => attributes.get(engine.violatedKey(at) ?? '') ?? null),
  )
}

function firstOf<Found>(find: (engine: (typeof ENGINES)[number]) => Found | null): Found | null {
  for (const engine of ENGINES) {
    const found = find(engine)
    if (found !== null) return found
  }
  return null
}

const TRANSIENT: ReadonlySet<Fault> = new Set(['busy', 'full', 'unavailable'])
