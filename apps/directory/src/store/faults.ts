import { ENGINES } from './engines/engines.ts'
import { type Fault, findInCauses } from './fault.ts'
import { StoreUnavailableError } from './store.ts'

/** Classifies an error of any engine by the first known code in its chain of causes. */
export function faultOf(error: unknown): Fault {
  return findInCauses(error, (at) => firstOf((engine) => engine.faultOf(at))) ?? 'other'
}

/** Whether the failure is transient, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof StoreUnavailableError || TRANSIENT.has(faultOf(error))
}

/**
 * Returns the attribute whose value is taken, for an error of a unique key; null for a key that does not belong
 * to an attribute, such as the primary key of a table.
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
