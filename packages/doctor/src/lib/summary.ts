import { isBinding, LEVELS } from './check.ts'
import { groupBy } from './group-by.ts'
import { NEEDS, type Outcome, type Report } from './report.ts'

/** The outcomes of one section. */
export interface SectionSummary {
  /** The section, such as `RFC 7644 §3.4.2.2`. */
  readonly section: string
  /** The section's subject; empty if it is not known. */
  readonly name: string
  readonly outcomes: readonly Outcome[]
}

/** Groups outcomes by section, in the order of the sections. */
export function summarize(outcomes: readonly Outcome[]): readonly SectionSummary[] {
  return [...groupBy(outcomes, ({ section }) => sectionOf(section))]
    .map(([section, list]) => ({ section, name: nameOf(section), outcomes: list }))
    .sort((left, right) => compareSections(left.section, right.section))
}

/** Counts the outcomes with a status. */
export function countOf(outcomes: readonly Outcome[], status: Outcome['status']): number {
  return outcomes.filter((one) => one.status === status).length
}

/** Returns only findings, strongest level first. */
export function findingsOf(outcomes: readonly Outcome[]): readonly Outcome[] {
  return LEVELS.flatMap((level) => outcomes.filter((one) => one.level === level && isFinding(one)))
}

/** A sentence such as `200 passed, 2 failed (1 MUST, 1 SHOULD), 10 skipped`. */
export function describeTotals(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ status }) => status === 'failed')
  const levels = LEVELS.flatMap((level) => {
    const count = failed.filter((one) => one.level === level).length
    return count === 0 ? [] : [`${count} ${level}`]
  })
  const broken = countOf(outcomes, 'broken')
  const blocked = notRun(outcomes).length
  return [
    `${countOf(outcomes, 'passed')} passed`,
    `${failed.length} failed${levels.length === 0 ? '' : ` (${levels.join(', ')})`}`,
    `${countOf(outcomes, 'skipped')} skipped`,
    ...(blocked === 0 ? [] : [`${blocked} could not run`]),
    ...(broken === 0 ? [] : [`${broken} with an internal error`]),
  ].join(', ')
}

/** A sentence such as `40 of 404 checks could not run:`; null if each one ran or does not apply. */
export function describeBlocked(outcomes: readonly Outcome[]): string | null {
  const blocked = notRun(outcomes).length
  return blocked === 0 ? null : `${blocked} of ${outcomes.length} checks could not run:`
}

/** Whether a check applies, and could not examine the server. */
export function isNotRun(status: Outcome['status']): boolean {
  return status === 'blocked' || status === 'unanswered'
}

/** Returns the outcomes of checks that apply but could not examine the server. */
export function notRun(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(({ status }) => isNotRun(status))
}

/** When and how the server was examined. */
export function describeRun({ date, doctor, profiles }: Report): string {
  const names = profiles.length === 0 ? 'no profile' : `profile ${profiles.join(', ')}`
  return `Examined at ${date.slice(0, 16).replace('T', ' ')} UTC by @plumbline/doctor ${doctor} with ${names}.`
}

/** How many findings are shown first. */
const MAX_WORST = 5

/** The findings in two parts: the five worst, which have a consequence for identity providers, and the others. */
export function rankFindings(
  outcomes: readonly Outcome[],
): readonly [worst: readonly Outcome[], others: readonly Outcome[]] {
  const weight = ({ affects = {} }: Outcome): number => Object.keys(affects).length
  const ranked = LEVELS.flatMap((level) =>
    findingsOf(outcomes)
      .filter((one) => one.level === level)
      .sort((left, right) => weight(right) - weight(left)),
  )
  const [severe, rest] = [true, false].map((is) => ranked.filter((one) => weight(one) > 0 === is))
  const worst = [...(severe ?? []), ...(rest ?? [])].slice(0, MAX_WORST)
  return [worst, ranked.filter((one) => !worst.includes(one))]
}

/** Formats a number and a noun, such as `1 check` or `2 checks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Outcomes with the same reason. */
export interface Cause {
  readonly reason: string
  readonly outcomes: readonly Outcome[]
}

/** A cause and how many checks it has, such as `10 checks need bulk.create, which failed.` */
export function describeCause({ reason, outcomes }: Cause): string {
  const count = counted(outcomes.length, 'check')
  if (!reason.startsWith(NEEDS)) return `${count}: ${reason}`
  return `${count} ${outcomes.length === 1 ? 'needs' : 'need'} ${reason.slice(NEEDS.length)}`
}

/** Groups outcomes by reason, largest group first. */
export function causesOf(outcomes: readonly Outcome[]): readonly Cause[] {
  return [...groupBy(outcomes, ({ reason }) => reason ?? '')]
    .map(([reason, list]) => ({ reason, outcomes: list }))
    .sort((left, right) => right.outcomes.length - left.outcomes.length)
}

/** Returns how severe findings are: an error if a rule of the standard is broken, or a check has an internal error. */
export function severityOf(outcomes: readonly Outcome[]): 'error' | 'warning' | null {
  const findings = outcomes.filter(isFinding)
  if (findings.length === 0) return null
  const isError = findings.some(({ status, level }) => status === 'broken' || isBinding(level))
  return isError ? 'error' : 'warning'
}

/** Whether a check failed, or has an internal error. */
export function isFinding({ status }: Outcome): boolean {
  return status === 'failed' || status === 'broken'
}

/** A check may cite several sections; only the first counts. */
function sectionOf(section: string): string {
  return /^RFC \d+ §[\d.]*\d/.exec(section)?.[0] ?? section
}

/** Returns the name of a section, or of the nearest section above it. */
function nameOf(section: string): string {
  const above = section.replace(/(?:\.| §)\d+$/, '')
  return NAMES[section] ?? (above === section ? '' : nameOf(above))
}

function compareSections(left: string, right: string): number {
  const rank = (section: string): number => (section.startsWith('RFC') ? 0 : 1)
  return rank(left) - rank(right) || left.localeCompare(right, 'en', { numeric: true })
}

const NAMES: Readonly<Record<string, string>> = {
  'RFC 7643 §2': 'Attributes',
  'RFC 7643 §2.2': 'Characteristics of attributes',
  'RFC 7643 §2.3': 'Types of attributes',
  'RFC 7643 §2.4': 'Multi-valued attributes',
  'RFC 7643 §2.5': 'Unassigned attributes',
  'RFC 7643 §3': 'Resources',
  'RFC 7643 §3.1': 'Common attributes',
  'RFC 7643 §3.3': 'Extensions',
  'RFC 7643 §4.1': 'Users',
  'RFC 7643 §4.2': 'Groups',
  'RFC 7643 §4.3': 'Enterprise users',
  'RFC 7643 §5': 'Service provider configuration',
  'RFC 7643 §6': 'Resource types',
  'RFC 7643 §7': 'Schemas',
  'RFC 7643 §8': 'Representation',
  'RFC 7644 §2': 'Authentication',
  'RFC 7644 §3.1': 'Media type',
  'RFC 7644 §3.2': 'Endpoints and methods',
  'RFC 7644 §3.3': 'Create',
  'RFC 7644 §3.4': 'Read',
  'RFC 7644 §3.4.2': 'Query',
  'RFC 7644 §3.4.2.2': 'Filter',
  'RFC 7644 §3.4.2.3': 'Sort',
  'RFC 7644 §3.4.2.4': 'Page',
  'RFC 7644 §3.4.2.5': 'Attributes of a query',
  'RFC 7644 §3.4.3': 'Search by POST',
  'RFC 7644 §3.5': 'Modify',
  'RFC 7644 §3.5.1': 'Replace',
  'RFC 7644 §3.5.2': 'PATCH',
  'RFC 7644 §3.5.2.1': 'PATCH add',
  'RFC 7644 §3.5.2.2': 'PATCH remove',
  'RFC 7644 §3.5.2.3': 'PATCH replace',
  'RFC 7644 §3.6': 'Delete',
  'RFC 7644 §3.7': 'Bulk',
  'RFC 7644 §3.8': 'Data format',
  'RFC 7644 §3.9': 'Projection',
  'RFC 7644 §3.10': 'Names of attributes',
  'RFC 7644 §3.11': '/Me',
  'RFC 7644 §3.12': 'Errors',
  'RFC 7644 §3.13': 'Versions of the protocol',
  'RFC 7644 §3.14': 'Versions of resources',
  'RFC 7644 §4': 'Discovery',
  'RFC 7644 §7': 'Security',
  'RFC 3986': 'URLs',
  'RFC 9110': 'HTTP',
  'RFC 9865': 'Pages by cursor',
}
