import { notify } from '@plumbline/base'
import type { Violation } from '@plumbline/openapi/testing'
import { type Received, readExchange } from '../record/count-response.ts'
import type { Source } from '../source.ts'
import { readBounded } from './bounded.ts'
import type { Budget } from './budget.ts'
import type { LiveTally } from './tally.ts'

/** The work after a sampled exchange's answer, within the budget. */
export interface Inspector {
  /** Checks a copy of the response and counts it. It never rejects. */
  inspect(received: Received, copy: Response, reserved: number): Promise<void>
  /** Continues an unfinished report, in the time reserved for a check. */
  continueReport(reserved: number): Promise<void>
}

interface InspectorParts {
  readonly limit: Budget
  readonly tally: LiveTally
  readonly onViolation:
    | ((
        violations: readonly Violation[],
        exchange: { readonly request: Request; readonly operationId: string },
      ) => void)
    | undefined
}

/** Creates the inspector of a document's exchanges. */
export function createInspector(
  source: Source,
  { limit, tally, onViolation }: InspectorParts,
): Inspector {
  const report = (reserved: number): void => {
    const started = performance.now()
    tally.report(limit.begin())
    limit.spend(performance.now() - started - reserved)
  }
  return {
    inspect: async (received, copy, reserved) => {
      let spent = 0
      try {
        const kept = await keepRequest(received)
        const bytes = await readBounded(copy)
        const started = performance.now()
        const isOver = limit.begin()
        const { status, headers } = copy
        const isRead = bytes !== null
        const body = isRead && bytes.byteLength > 0 ? bytes : null
        const response = isRead ? new Response(body, { status, headers }) : copy
        const { request, found } = kept
        const checked = await source.check(found?.value ?? null, request, response, isRead)
        const { violations } = checked
        const read = await readExchange(source, kept, checked, response, { isRead, isOver })
        tally.add({ read, violations, received: kept, response }, isOver)
        spent = performance.now() - started
        const { operationId = '' } = found?.value ?? {}
        if (violations.length > 0) {
          notify('onViolation', () => onViolation?.(violations, { request, operationId }))
        }
      } catch {
        // The client has the answer. A failure here must not reach it or end the process.
      } finally {
        limit.settle(reserved, spent)
        report(0)
      }
    },
    continueReport: async (reserved) => {
      // The client gets the answer first.
      await new Promise((resolve) => setTimeout(resolve))
      report(reserved)
    },
  }
}

/** Reads the request copy, so the reading time doesn't count as checking time. */
async function keepRequest(received: Received): Promise<Received> {
  const { copy } = received
  if (copy === null) return received
  const body = await readBounded(copy)
  if (body === null) return { ...received, copy: null }
  const { url, method, headers } = copy
  return { ...received, copy: new Request(url, { method, headers, body }) }
}
