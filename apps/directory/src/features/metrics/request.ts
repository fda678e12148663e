/** An answered request. */
export interface MeasuredRequest {
  /** The method; null if it is not an HTTP method. */
  readonly method: string | null
  readonly scheme: 'http' | 'https'
  /** The route's pattern; null if no route matched. */
  readonly route: string | null
  readonly status: number
  readonly milliseconds: number
}

/** Returns a method's name for labels, which must have few values; null for non-HTTP methods. */
export function knownMethod(method: string): string | null {
  return METHODS.has(method) ? method : null
}

/** Upper bucket limits. A scan is stopped after 15 seconds, and a statement after 30. */
export const SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30,
]

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
