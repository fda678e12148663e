import { BOOLEAN, defined, type Forms, LIST, OBJECT, requireOptions } from '@plumbline/base'
import type { ContractReport, CoverageItem, CoverageKind, OperationReport } from '../report.ts'
import { checkIgnored, type IgnoredCoverage, matchesItem } from './ignored.ts'

/** The rules a report must pass. */
export interface CoverageRules {
  /** Items tests need not cover, each with a reason. */
  readonly ignore?: readonly IgnoredCoverage[] | undefined
  /**
   * The minimum coverage in percent, 0 to 100: one number for every kind but `members`, or a number for each kind;
   * defaults to 0. Ignored items do not count.
   */
  readonly thresholds?: number | Readonly<Partial<Record<CoverageKind, number>>> | undefined
  /** Whether only a part of the suite ran, so only violations fail; defaults to false. */
  readonly partial?: boolean | undefined
}

/** An item's state: tests exist, are missing, or are not needed. */
export type CheckedItem = CoverageItem & {
  readonly state: 'covered' | 'uncovered' | 'ignored'
  /** The reason why an ignored item is not covered. */
  readonly reason?: string
}

/** An operation with its items' states. */
export interface CheckedOperation extends Omit<OperationReport, 'items'> {
  /** The items in the report order. */
  readonly items: readonly CheckedItem[]
}

/** Item counts for one kind. */
export interface CoverageTotal {
  /** How many items are not ignored. */
  readonly total: number
  /** How many items are covered. */
  readonly covered: number
  /** How many items are ignored. */
  readonly ignored: number
  /** Whether a report names operations in `members.cut`, so the members are not 100 % covered; absent if not. */
  readonly isCut?: boolean
}

/** A checked report. */
export interface CheckedCoverage {
  /** The operations with their items' states. */
  readonly operations: readonly CheckedOperation[]
  /** The problems operations have only as defaults, with their states. */
  readonly problems: readonly CheckedItem[]
  /** Item counts by kind. */
  readonly totals: Readonly<Record<CoverageKind, CoverageTotal>>
  /** The reasons why the report does not pass, as sentences; empty if it passes. */
  readonly failures: readonly string[]
}

/**
 * Checks a report against rules. It passes if it does not have violations, each threshold is reached, and each entry in
 * `ignore` matches an uncovered item.
 *
 * Throws a TypeError for an unknown rule, an entry without a reason or without a filter, and a threshold not between 0
 * and 100.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { checkCoverage, createContractRecorder } from '@plumbline/contract'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('getHealth', 'GET /health', {
 *     summary: 'Check the health',
 *     responses: { 204: { description: 'Healthy' }, 503: { description: 'Database unavailable' } },
 *   }),
 * )
 * const recorder = createContractRecorder(builder)
 * const request = new Request('http://localhost/health')
 * await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
 * const report = recorder.report()
 *
 * checkCoverage(report, { thresholds: 100 }).failures //=> ['statuses: 50 % covered, expected 100 %']
 * const ignore = [{ operationId: 'getHealth', name: '503', reason: 'No test stops the database.' }]
 * checkCoverage(report, { thresholds: 100, ignore }).failures //=> []
 * ```
 */
export function checkCoverage(report: ContractReport, rules: CoverageRules = {}): CheckedCoverage {
  requireOptions<CoverageRules>('checkCoverage', rules, RULES)
  const { ignore = [], thresholds = 0, partial = false } = rules
  checkIgnored(ignore)
  const least = thresholdsOf(thresholds)
  const operations = report.operations.map((operation) => ({
    ...operation,
    items: operation.items.map((item) => checkItem(item, operation.operationId, ignore)),
  }))
  const problems = report.problems.map((item) => checkItem(item, null, ignore))
  const items = [...operations.flatMap((operation) => operation.items), ...problems]
  const totals = mapKinds((kind) => {
    const total = totalOf(items.filter((item) => item.kind === kind))
    return kind === 'members' && report.members.cut.length > 0 ? { ...total, isCut: true } : total
  })
  const missed = partial ? [] : describeMissing({ operations, problems, totals }, ignore, least)
  return { operations, problems, totals, failures: [...describeViolations(report), ...missed] }
}

/** Coverage in percent; less than 100 if some items were not counted. It is 100 if every item is ignored or the contract does not have any. */
export function percentageOf({ total, covered, isCut = false }: CoverageTotal): number {
  const share = total === 0 ? 100 : (covered / total) * 100
  return isCut ? Math.min(share, MAX_PERCENT_OF_CUT) : share
}

/** A percentage with at most one digit after the point, rounded down: 99.96 is not 100. */
export function formatPercentage(percentage: number): string {
  return `${Math.floor(percentage * 10) / 10} %`
}

/** The kinds in the order in which reports list them. */
export const KINDS = ['status', 'problem', 'mediaType', 'parameter', 'members'] as const

/** The kinds' names in reports. */
export const KIND_NAMES: Readonly<Record<CoverageKind, string>> = {
  status: 'statuses',
  problem: 'problems',
  mediaType: 'media types',
  parameter: 'parameters',
  members: 'members',
}

function checkItem(
  item: CoverageItem,
  operationId: string | null,
  ignore: readonly IgnoredCoverage[],
): CheckedItem {
  if (item.count > 0) return { ...item, state: 'covered' }
  const entry = ignore.find((one) => matchesItem(one, operationId, item))
  return entry
    ? { ...item, state: 'ignored', reason: entry.reason }
    : { ...item, state: 'uncovered' }
}

/** Counts items by state. */
export function totalOf(items: readonly CheckedItem[]): CoverageTotal {
  const count = (state: CheckedItem['state']) => items.filter((item) => item.state === state).length
  const ignored = count('ignored')
  return { total: items.length - ignored, covered: count('covered'), ignored }
}

function thresholdsOf(given: CoverageRules['thresholds']): Readonly<Record<CoverageKind, number>> {
  const least = mapKinds((kind) => {
    if (typeof given === 'number') return kind === 'members' ? 0 : given
    return given?.[kind] ?? 0
  })
  const unknown = typeof given === 'object' ? Object.keys(given).find((key) => !isKind(key)) : null
  if (unknown) throw new TypeError(`thresholds: ${unknown} is not one of ${KINDS.join(', ')}`)
  for (const kind of KINDS) {
    if (least[kind] >= 0 && least[kind] <= 100) continue
    throw new TypeError(`thresholds: ${kind} must be 0 to 100, not ${least[kind]}`)
  }
  return least
}

function mapKinds<Value>(map: (kind: CoverageKind) => Value): Record<CoverageKind, Value> {
  return {
    status: map('status'),
    problem: map('problem'),
    mediaType: map('mediaType'),
    parameter: map('parameter'),
    members: map('members'),
  }
}

function isKind(name: string): name is CoverageKind {
  return KINDS.some((kind) => kind === name)
}

function describeViolations({ violationCount }: ContractReport): readonly string[] {
  if (violationCount === 0) return []
  return [violationCount === 1 ? '1 violation' : `${violationCount} violations`]
}

/** Describes missed thresholds, and `ignore` entries without a matching uncovered item. */
function describeMissing(
  { operations, problems, totals }: Omit<CheckedCoverage, 'failures'>,
  ignore: readonly IgnoredCoverage[],
  least: Readonly<Record<CoverageKind, number>>,
): readonly string[] {
  const missed = KINDS.filter((kind) => percentageOf(totals[kind]) < least[kind])
  const owners = [...operations, { operationId: null, items: problems }]
  const unused = ignore.filter(
    (entry) =>
      !owners.some(({ operationId, items }) =>
        items.some((item) => item.count === 0 && matchesItem(entry, operationId, item)),
      ),
  )
  return [
    ...missed.map((kind) => {
      const share = formatPercentage(percentageOf(totals[kind]))
      const reason = totals[kind].isCut ? ', and not all of them were counted' : ''
      return `${KIND_NAMES[kind]}: ${share} covered, expected ${least[kind]} %${reason}`
    }),
    ...unused.map(({ reason: _, ...filter }) => {
      const entry = JSON.stringify(defined(filter))
      return `ignore: ${entry} does not match an uncovered item`
    }),
  ]
}

/** The forms of rules. Thresholds and entries are checked one by one. */
export const RULES: Forms<CoverageRules> = {
  ignore: LIST,
  thresholds: ['a number or an object', (value) => typeof value === 'number' || OBJECT[1](value)],
  partial: BOOLEAN,
}

/** The most coverage in percent of items that were not all counted. */
const MAX_PERCENT_OF_CUT = 99.9
