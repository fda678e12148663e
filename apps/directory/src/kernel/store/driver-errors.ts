/** The kinds of database failures. */
export type Fault = 'unique' | 'busy' | 'full' | 'unavailable' | 'text' | 'other'

/** Searches an error and its causes; returns the first result that is not null, or null. */
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

/** Returns a driver error's code: a number for SQLite, a string for other databases and the network. */
export function codeOf(error: Error): string | number {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === 'number') return errcode
  return typeof code === 'string' ? code : ''
}
