import type { Check } from './check.ts'
import { type ExaminationCode, ExaminationError } from './examination-error.ts'
import type { FindReason } from './features.ts'
import type { Exchange } from './http/exchange.ts'
import type { Outcome } from './report.ts'
import { Finding, Skipped } from './toolkit/finding.ts'
import type { Server } from './toolkit/server.ts'

/** The parts that checks share. */
export interface CheckContext {
  /** The outcomes of the checks that ran before, by id. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly findReason: FindReason
  /** Creates the server for one check, whose exchanges are recorded. */
  readonly serverFor: (record: (exchange: Exchange) => void) => Server
  /** Removes the credentials from a text: a finding quotes responses. */
  readonly redact: (text: string) => string
}

/** Runs one check, unless a need is missing. A request without a response is a finding, unless the examination must end. */
export async function runCheck(context: CheckContext, check: Check): Promise<Outcome> {
  const { id, section, level, title, advice, affects } = check
  const exchanges: Exchange[] = []
  const outcome = (status: Outcome['status'], rest: Partial<Outcome> = {}): Outcome => ({
    ...{ id, section, level, title, advice, ...(affects === undefined ? {} : { affects }) },
    ...{ status, finding: null, reason: null, exchanges },
    ...rest,
  })
  try {
    const reason = await missingNeed(context, check)
    if (reason !== null) return outcome('skipped', { reason })
    await check.run(context.serverFor((exchange) => exchanges.push(exchange)))
    return outcome('passed')
  } catch (error) {
    const { redact } = context
    if (error instanceof Skipped) return outcome('skipped', { reason: redact(error.message) })
    if (error instanceof Finding) {
      const finding = { expected: redact(error.expected), found: redact(error.found) }
      return outcome('failed', { finding })
    }
    if (error instanceof ExaminationError) {
      if (ENDS.has(error.code)) throw error
      return outcome('failed', { finding: { expected: A_RESPONSE, found: error.message } })
    }
    // One check with an internal error must not prevent the report of the others.
    return outcome('broken', {
      reason: redact(error instanceof Error ? String(error.stack) : String(error)),
    })
  }
}

async function missingNeed(context: CheckContext, { needs = [] }: Check): Promise<string | null> {
  for (const need of needs) {
    const reason = isCheckNeed(need)
      ? reasonOf(context.outcomes.get(need.slice('check:'.length)), need)
      : await context.findReason(need)
    if (reason !== null) return reason
  }
  return null
}

function reasonOf(outcome: Outcome | undefined, need: string): string | null {
  if (outcome?.status === 'passed') return null
  const name = need.slice('check:'.length)
  return outcome === undefined ? `${name} did not run.` : `${name} ${VERBS[outcome.status]}.`
}

function isCheckNeed(need: string): need is `check:${string}` {
  return need.startsWith('check:')
}

/** The expectation of a check whose request did not get a response. */
export const A_RESPONSE = 'a response'

/** The codes that end the examination. */
const ENDS: ReadonlySet<ExaminationCode> = new Set(['interrupted', 'full', 'not-confirmed'])

const VERBS = { passed: 'passed', failed: 'failed', skipped: 'was skipped', broken: 'is broken' }
