import { type Forms, FUNCTION, required, requireOptions } from '@plumbline/base'
import type { DocumentOperations } from '@plumbline/openapi'
import { compileIgnore, RECORDER_FORMS } from '@plumbline/openapi/internal'
import type { RecordedContext, RecorderOptions, Violation } from '@plumbline/openapi/testing'
import { planMembers } from '../members/plan.ts'
import { ownSource } from '../own/source.ts'
import { type Received, receiveRequest } from '../record/count-response.ts'
import type { ContractReport } from '../report.ts'
import type { Source } from '../source.ts'
import { isLong } from './bounded.ts'
import { createBudget, type LiveSampling, SAMPLING } from './budget.ts'
import { createInspector } from './inspector.ts'
import { createTally } from './tally.ts'

/** How production exchanges are checked. */
export interface LiveRecorderOptions extends RecorderOptions, LiveSampling {
  /**
   * Receives a report with the counts since the last one. `mergeReports` joins such reports. The callback's errors are
   * written to the console.
   */
  readonly onReport: (report: ContractReport) => unknown
  /** Receives an exchange's violations with their values. The callback's errors are written to the console. */
  readonly onViolation?: (
    violations: readonly Violation[],
    exchange: { readonly request: Request; readonly operationId: string },
  ) => void
}

/** Checks a share of the exchanges in production. */
export interface LiveRecorder {
  /**
   * Answers a request with `next`, unchanged and without delay, and checks a copy of the response afterwards. It also
   * works as `middleware` for `implement`.
   */
  readonly middleware: (
    context: RecordedContext,
    next: () => Promise<Response>,
  ) => Promise<Response>
  /** Waits for running checks, and reports their counts. Call it before the process ends. */
  flush(): Promise<void>
}

/**
 * Creates a recorder for production, around any fetch handler. It counts pointers, kinds and times, never values.
 *
 * Bodies longer than 256 KiB and event streams are not read: only the status and headers are checked then. A check that
 * takes the budget of a second stops, and a large report is built over several exchanges. `cut` in a report counts the
 * exchanges that were not examined whole. Throws a TypeError for an option that is unknown or not valid, such as a
 * `sample` that is not between 0 and 1.
 *
 * @example
 * ```ts
 * import { createLiveRecorder } from '@plumbline/contract'
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { z } from 'zod'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('readBook', 'GET /books/:bookId', {
 *     summary: 'Read a book',
 *     responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
 *   }),
 * )
 * const found: string[] = []
 * const live = createLiveRecorder(builder, {
 *   sample: 1,
 *   onReport: ({ violations }) => found.push(...violations.map(({ pointer }) => `${pointer}`)),
 * })
 * const handle = async (_: Request) => Response.json({ title: 7 })
 * const fetch = (request: Request) => live.middleware({ request }, () => handle(request))
 * const response = await fetch(new Request('http://localhost/books/b1'))
 * await response.json() //=> { title: 7 }
 * await live.flush()
 * found //=> ['/title']
 * ```
 */
export function createLiveRecorder(
  document: DocumentOperations,
  options: LiveRecorderOptions,
): LiveRecorder {
  requireOptions<LiveRecorderOptions>('createLiveRecorder', options, FORMS)
  const { basePath, onViolation } = options
  const source = ownSource(document)
  const isIgnored = compileIgnore(source, options)
  const limit = createBudget(options, () => performance.now(), Math.random)
  const tally = createTally(source, options)
  const { inspect, continueReport } = createInspector(source, { limit, tally, onViolation })
  const running = new Set<Promise<void>>()
  // Builds the document now, not during the first request.
  planMembers(source)
  const keepRunning = (task: Promise<void>): void => {
    running.add(task)
    void task.then(() => running.delete(task))
  }

  return {
    middleware: async (context, next) => {
      const reserved = limit.take()
      if (reserved === null) return await next()
      if (tally.isReporting()) {
        const response = await next()
        keepRunning(continueReport(reserved))
        return response
      }
      const received = receive(source, context, isIgnored, basePath)
      const response = await next()
      const copy = received && copyResponse(response)
      if (received === null || copy === null) {
        limit.settle(reserved, 0)
        return response
      }
      keepRunning(inspect(received, copy, reserved))
      return response
    },
    flush: async () => {
      await Promise.all(running)
      tally.report(() => false, 0)
    },
  }
}

/** Matches a request, and keeps its body if that is short. Returns null on failure, and for an ignored path. */
function receive(
  source: Source,
  context: RecordedContext,
  isIgnored: (request: Request) => boolean,
  basePath: string | undefined,
): Received | null {
  try {
    const { request } = context
    if (isIgnored(request)) return null
    const found = source.find(context, basePath)
    const isShort = request.headers.has('Content-Length') && !isLong(request.headers)
    return isShort ? receiveRequest(source, context, found) : { request, found, copy: null }
  } catch {
    return null
  }
}

function copyResponse(response: Response): Response | null {
  try {
    return response.clone()
  } catch {
    // The body was already read.
    return null
  }
}

const FORMS: Forms<LiveRecorderOptions> = {
  ...SAMPLING,
  ...RECORDER_FORMS,
  onReport: required(FUNCTION),
  onViolation: FUNCTION,
}
