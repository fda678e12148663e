import type { Check, ProfileName } from './check.ts'
import type { Exchange } from './http/exchange.ts'
import type { ExaminedText } from './profiles/text.ts'

/** A finding that is known and accepted. */
export interface Waiver {
  /** The check's id. */
  readonly id: string
  /** Why it is accepted. */
  readonly reason: string
  /** The last day on which it is accepted, such as `2026-12-31`. */
  readonly until: string
}

/** The outcome of one check. */
export interface Outcome
  extends Pick<Check, 'id' | 'section' | 'level' | 'quote' | 'title' | 'advice' | 'affects'> {
  /**
   * `skipped`: the check does not apply to the server. `blocked`: it applies, and could not run because the server
   * rejected what it needs. `unanswered`: a request did not get a response, so nothing is known about the rule.
   * `broken`: an internal error of the check.
   */
  readonly status: 'passed' | 'failed' | 'skipped' | 'blocked' | 'unanswered' | 'broken'
  /** The server's fault, if the check failed. */
  readonly finding: { readonly expected: string; readonly found: string } | null
  /** The reason why the check was skipped, blocked or not answered, or is broken. */
  readonly reason: string | null
  /** The reason why a finding of the check is accepted until a date. The status is `skipped`. */
  readonly waiver?: Waiver
  /** The check's exchanges, without credentials. */
  readonly exchanges: readonly Exchange[]
}

/** The result of an examination, as plain JSON. */
export interface Report {
  /** The base URL of the server. */
  readonly target: string
  /** When the examination started, as an ISO 8601 instant. */
  readonly date: string
  /** This package's version. */
  readonly doctor: string
  /** The profiles whose checks ran. */
  readonly profiles: readonly ProfileName[]
  /** The text the names of all created resources contain. */
  readonly marker: string
  /** Each check's outcome, in the order in which they ran. */
  readonly outcomes: readonly Outcome[]
  /** The URLs of the resources that could not be deleted. */
  readonly left: readonly string[]
  /** The reason why the examination ended before its last check; null if it did not. */
  readonly stopped: string | null
  /** The profiles' texts; absent for a profile of a provider and without one. */
  readonly texts?: readonly ExaminedText[]
}

/** The start of the reason of a check that needs another one. */
export const NEEDS = 'It needs '
