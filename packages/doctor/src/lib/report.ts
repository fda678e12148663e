import type { Check } from './check.ts'
import type { Exchange } from './http/exchange.ts'

/** The outcome of one check. */
export interface Outcome
  extends Pick<Check, 'id' | 'section' | 'level' | 'title' | 'advice' | 'affects'> {
  /** `broken` is an internal error of the check. */
  readonly status: 'passed' | 'failed' | 'skipped' | 'broken'
  /** The fault of the server, if the check failed. */
  readonly finding: { readonly expected: string; readonly found: string } | null
  /** The reason why the check was skipped or is broken. */
  readonly reason: string | null
  /** The exchanges of the check, without credentials. */
  readonly exchanges: readonly Exchange[]
}

/** The result of an examination, as plain JSON. */
export interface Report {
  /** The base URL of the server. */
  readonly target: string
  /** The text that the names of all created resources contain. */
  readonly marker: string
  /** The outcome of each check, in the order in which they ran. */
  readonly outcomes: readonly Outcome[]
  /** The URLs of the resources that could not be deleted. */
  readonly left: readonly string[]
  /** The reason why the examination ended before its last check; null if it did not. */
  readonly stopped: string | null
}
