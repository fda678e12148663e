import type { Check, ProfileName } from './check.ts'
import type { Exchange } from './http/exchange.ts'
import type { ExaminedText } from './profiles/text.ts'

/** A known and accepted finding. */
export interface Waiver {
  /** The check's id. */
  readonly id: string
  /** Why it is accepted. */
  readonly reason: string
  /** The last day on which it is accepted, such as `2026-12-31`. */
  readonly until: string
}

/** A check's outcome. */
export interface Outcome
  extends Pick<Check, 'id' | 'section' | 'level' | 'quote' | 'title' | 'advice' | 'affects'> {
  /**
   * `skipped`: the check does not apply to the server. `blocked`: it applies, and could not run because the server
   * rejected what it needs. `unanswered`: a request did not get a response, so nothing is known about the rule.
   * `broken`: the check has an internal error.
   */
  readonly status: 'passed' | 'failed' | 'skipped' | 'blocked' | 'unanswered' | 'broken'
  /** The server's fault, if the check failed. */
  readonly finding: { readonly expected: string; readonly found: string } | null
  /** The reason why the check was skipped, blocked or not answered, or is broken. */
  readonly reason: string | null
  /** Why a finding of the check is accepted, and until when. The status is `skipped`. */
  readonly waiver?: Waiver
  /** The check's exchanges, without credentials. */
  readonly exchanges: readonly Exchange[]
}

/** An examination's result, as plain JSON. */
export interface Report {
  /** The server's base URL. */
  readonly target: string
  /** When the examination started, as an ISO 8601 instant. */
  readonly date: string
  /** This package's version. */
  readonly doctor: string
  /** The profiles whose checks ran. */
  readonly profiles: readonly ProfileName[]
  /** The text in the names of all created resources. */
  readonly marker: string
  /** Each check's outcome, in the order in which they ran. */
  readonly outcomes: readonly Outcome[]
  /** The URLs of the resources that could not be deleted. */
  readonly left: readonly string[]
  /** Why the examination ended before the last check; null if it did not. */
  readonly stopped: string | null
  /** The profiles' texts; absent for a provider's profile and without a profile. */
  readonly texts?: readonly ExaminedText[]
}

/** How a reason starts if a check needs another one. */
export const NEEDS = 'It needs '
