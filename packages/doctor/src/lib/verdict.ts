import { unexaminedIn } from './areas.ts'
import { isBinding } from './check.ts'
import { groupBy } from './group-by.ts'
import { NEEDS, type Outcome, type Report } from './report.ts'
import { causesOf, counted, countOf, describeCause, notRun, severityOf } from './summary.ts'

/**
 * How an examination ended: a rule of the standard is broken (`bad`), only others are (`warnings`), not all applicable
 * checks could run, or none examined PUT, PATCH or the deactivation of users (`incomplete`), or all passed (`good`).
 */
export type Verdict = 'bad' | 'warnings' | 'incomplete' | 'good'

/** Decides how an examination ended. */
export function verdictOf({ outcomes, stopped }: Report): Verdict {
  const severity = severityOf(outcomes)
  if (severity !== null) return severity === 'error' ? 'bad' : 'warnings'
  const isExamined = unexaminedIn(outcomes).every(({ isEssential }) => !isEssential)
  const isComplete = stopped === null && notRun(outcomes).length === 0 && isExamined
  return isComplete && countOf(outcomes, 'passed') > 0 ? 'good' : 'incomplete'
}

/**
 * Describes the result in a line: how many checks passed, what was not examined and why, and the rules the server
 * breaks. Each format starts with this line.
 *
 * @example
 * ```ts
 * import { describeVerdict, examine, verdictOf } from '@plumbline/doctor'
 * import { unwrap } from '@plumbline/result'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import {
 *   bearerTokens,
 *   createScimEndpoint,
 *   defineResourceType,
 *   issueToken,
 *   memoryStore,
 * } from '@plumbline/scim/endpoint'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const store = memoryStore({ definitions })
 * const { token } = await issueToken()
 * const { fetch } = createScimEndpoint({
 *   basePath: '/scim/v2',
 *   resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
 *   authenticate: bearerTokens({ token, context: {} }),
 *   onError: (error) => console.error(error),
 * })
 * const report = unwrap(await examine(fetch, { token, only: ['create.user'] }))
 * describeVerdict(report) //=> '1 of 1 check passed. No rule of the standard was found broken.'
 * verdictOf(report) //=> 'good'
 * ```
 */
export function describeVerdict({ outcomes, stopped }: Report): string {
  const failed = outcomes.filter(({ status }) => status === 'failed')
  const rules = failed.filter(({ level }) => isBinding(level)).length
  const warnings = failed.length - rules
  const waived = outcomes.filter(({ waiver }) => waiver !== undefined).length
  const findings = [
    rules === 0
      ? 'No rule of the standard was found broken'
      : `The server breaks ${counted(rules, 'rule')} of the standard`,
    warnings === 0 ? '' : `, with ${counted(warnings, 'warning')}`,
    waived === 0 ? '' : `; ${waived} known ${waived === 1 ? 'finding is' : 'findings are'} waived`,
  ]
  return [
    ...(stopped === null ? [] : [`The examination ended early: ${stopped}.`]),
    `${countOf(outcomes, 'passed')} of ${counted(outcomes.length, 'check')} passed.`,
    ...describeUnexamined(outcomes),
    ...describeNotRun(outcomes),
    `${findings.join('')}.`,
  ].join(' ')
}

/** A sentence such as `Not examined: PUT of users, because the schema of User does not declare …; bulk requests.` */
function describeUnexamined(outcomes: readonly Outcome[]): readonly string[] {
  const parts = unexaminedIn(outcomes)
  const byReason = groupBy(
    parts.filter(({ isEssential }) => isEssential),
    ({ reason }) => reason ?? '',
  )
  const essential = [...byReason].map(
    ([reason, list]) => `${list.map(({ name }) => name).join(', ')}, because ${clauseOf(reason)}`,
  )
  const others = parts.filter(({ isEssential }) => !isEssential).map(({ name }) => name)
  const named = [...essential, ...(others.length === 0 ? [] : [others.join(', ')])]
  return named.length === 0 ? [] : [`Not examined: ${named.join('; ')}.`]
}

/** A sentence such as `3 of 404 checks did not run: A User could not be created: 400 "…".` */
function describeNotRun(outcomes: readonly Outcome[]): readonly string[] {
  const blocked = notRun(outcomes)
  const [cause] = causesOf(blocked)
  if (cause === undefined) return []
  const { reason } = cause
  const why = reason.startsWith(NEEDS) ? describeCause(cause) : reason
  return [`${blocked.length} of ${outcomes.length} checks did not run: ${why.replace(/\.$/, '')}.`]
}

/** A reason as a clause after `because`. */
function clauseOf(reason: string): string {
  const text = reason.replace(/\.$/, '')
  return /^(The|It|A|An|No)\b/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
