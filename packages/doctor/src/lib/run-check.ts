import type { Check } from './check.ts'
import { type ExaminationCode, ExaminationError } from './examination-error.ts'
import type { FindReason } from './features.ts'
import type { Exchange } from './http/exchange.ts'
import type { ExaminedType } from './model/types.ts'
import { NEEDS, type Outcome } from './report.ts'
import { Blocked, Finding, Skipped } from './toolkit/finding.ts'
import type { Server } from './toolkit/server.ts'

/** The parts all checks share. */
export interface CheckContext {
  /** The outcomes of earlier checks, by id. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly types: readonly ExaminedType[]
  readonly findReason: FindReason
  /** Creates the server for one check, whose exchanges are recorded. */
  readonly serverFor: (record: (exchange: Exchange) => void) => Server
  /** Removes the credentials from a text: a finding quotes responses. */
  readonly redact: (text: string) => string
}

/**
 * Runs one check, unless a need is missing. If a request did not get a response, the check is not answered, unless the
 * examination must end.
 */
export async function runCheck(context: CheckContext, check: Check): Promise<Outcome> {
  const { id, section, level, quote, title, advice, affects } = check
  const exchanges: Exchange[] = []
  const outcome = (status: Outcome['status'], rest: Partial<Outcome> = {}): Outcome => ({
    id,
    section,
    level,
    title,
    advice,
    ...(quote === undefined ? {} : { quote }),
    ...(affects === undefined ? {} : { affects }),
    status,
    finding: null,
    reason: null,
    exchanges,
    ...rest,
  })
  try {
    const missing = await missingNeed(context, check)
    if (missing !== null) return outcome(missing.status, { reason: missing.reason })
    await check.run(context.serverFor((exchange) => exchanges.push(exchange)))
    return outcome('passed')
  } catch (error) {
    const { redact } = context
    if (error instanceof Skipped) return outcome('skipped', { reason: redact(error.message) })
    if (error instanceof Blocked) return outcome('blocked', { reason: redact(error.message) })
    if (error instanceof Finding) {
      const finding = { expected: redact(error.expected), found: redact(error.found) }
      return outcome('failed', { finding })
    }
    if (error instanceof ExaminationError) {
      if (ENDS.has(error.code)) throw error
      return outcome('unanswered', { reason: redact(error.message) })
    }
    // A check with an internal error must not prevent the report on the others.
    return outcome('broken', {
      reason: redact(error instanceof Error ? String(error.stack) : String(error)),
    })
  }
}

type Missing = Pick<Outcome, 'status' | 'reason'>

/** If a check does not apply, it is skipped, whatever else it needs. */
async function missingNeed(
  context: CheckContext,
  { needs = [], missing }: Check,
): Promise<Missing | null> {
  const checks: Missing[] = []
  const lacking = missing?.(context.types) ?? null
  if (lacking !== null) return { status: 'skipped', reason: lacking }
  for (const need of needs) {
    if (isCheckNeed(need)) {
      checks.push(...missingCheck(context.outcomes.get(need.slice('check:'.length)), need))
    } else {
      const reason = await context.findReason(need)
      if (reason !== null) return { status: 'skipped', reason }
    }
  }
  return checks.find(({ status }) => status === 'skipped') ?? checks[0] ?? null
}

/** Passes on the reason of a needed check, so all checks behind one cause name this cause. */
function missingCheck(outcome: Outcome | undefined, need: string): readonly Missing[] {
  const name = need.slice('check:'.length)
  switch (outcome?.status) {
    case 'passed':
      return []
    case 'skipped':
    case 'blocked':
      return [{ status: outcome.status, reason: outcome.reason }]
    case 'failed':
      return [{ status: 'blocked', reason: `${NEEDS}${name}, which failed.` }]
    case 'unanswered':
      return [{ status: 'blocked', reason: `${NEEDS}${name}, which did not get a response.` }]
    case 'broken':
      return [{ status: 'blocked', reason: `${NEEDS}${name}, which has an internal error.` }]
    case undefined:
      return [{ status: 'skipped', reason: `${NEEDS}${name}, which did not run.` }]
  }
}

function isCheckNeed(need: string): need is `check:${string}` {
  return need.startsWith('check:')
}

/** The codes that end the examination. */
const ENDS: ReadonlySet<ExaminationCode> = new Set(['interrupted', 'full', 'not-confirmed'])
