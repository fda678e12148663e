/** The kind of a failure a database reports. */
export type Fault = 'unique' | 'busy' | 'full' | 'unavailable' | 'text' | 'other'

/** Returns the first result for an error and its causes that is not null; null if every result is. */
export function findInCauses<Found>(
  error: unknown,
  find: (error: Error) => Found | null,
): Found | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const found = find(at)
    if (found !== null) return found
    at = at.cause
  }
  return null
}

/** The code of a driver's error: a number for SQLite, a string for other databases and the network. */
export function codeOf(error: Error): string | number {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === 'number') return errcode
  return typeof code === 'string' ? code : ''
}
