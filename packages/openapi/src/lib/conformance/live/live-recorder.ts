import { type Forms, FUNCTION, required, requireOptions, STRING, STRINGS } from '@plumbline/base'
import type { DocumentOperations } from '../../document/builder.ts'
import type { CheckOptions } from '../check.ts'
import { type Received, receiveRequest } from '../count-response.ts'
import { planMembers } from '../members/plan.ts'
import { compileIgnore } from '../recorder.ts'
import type { ContractReport } from '../report.ts'
import { prepareContracts } from '../responses.ts'
import type { Violation } from '../violation.ts'
import { isLong } from './bounded.ts'
import { createBudget, type LiveSampling, SAMPLING } from './budget.ts'
import { createInspector } from './inspector.ts'
import { createTally } from './tally.ts'

/** How production exchanges are checked. */
export interface LiveRecorderOptions extends CheckOptions, LiveSampling {
  /** Patterns for paths to ignore, such as `/docs(/*)`. */
  readonly ignore?: readonly string[] | undefined
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
  /** Answers a request with `next`, unchanged and without delay, and checks a copy of the response afterwards. */
  readonly middleware: (
    context: { readonly request: Request },
    next: () => Promise<Response>,
  ) => Promise<Response>
  /** Waits for running checks, and reports their counts. Call it before the process ends. */
  flush(): Promise<void>
}

/** Answers a request, and checks it if it is sampled; `found` matches it with an operation. */
export type Observe = (
  request: Request,
  found: () => Received['found'],
  next: () => Promise<Response>,
) => Promise<Response>

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
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createLiveRecorder } from '@plumbline/openapi/server'
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
  const { basePath, ignore = [] } = options
  const isIgnored = compileIgnore(document, { basePath, ignore })
  const { observe, flush } = createObserver(document, options)
  return {
    middleware: ({ request }, next) =>
      ignore.length > 0 && isIgnored(request)
        ? next()
        : observe(request, () => prepareContracts(document).routes.find(request, basePath), next),
    flush,
  }
}

/** Creates a function that answers requests and checks some. */
export function createObserver(
  document: DocumentOperations,
  options: LiveRecorderOptions,
): { readonly observe: Observe; readonly flush: () => Promise<void> } {
  const { onViolation } = options
  const limit = createBudget(options, () => performance.now(), Math.random)
  const tally = createTally(document, options)
  const { inspect, continueReport } = createInspector(document, { limit, tally, onViolation })
  const running = new Set<Promise<void>>()
  // Builds the document now, not during the first request.
  planMembers(document)
  const keepRunning = (task: Promise<void>): void => {
    running.add(task)
    void task.then(() => running.delete(task))
  }

  return {
    observe: async (request, find, next) => {
      const reserved = limit.take()
      if (reserved === null) return await next()
      if (tally.isReporting()) {
        const response = await next()
        keepRunning(continueReport(reserved))
        return response
      }
      const received = receive(document, request, find)
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

/** Matches a request, and copies it if the body is short. Returns null on failure. */
function receive(
  document: DocumentOperations,
  request: Request,
  find: () => Received['found'],
): Received | null {
  try {
    const found = find()
    const isShort = request.headers.has('Content-Length') && !isLong(request.headers)
    return isShort ? receiveRequest(document, request, found) : { request, found, copy: null }
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
  basePath: STRING,
  ignore: STRINGS,
  onReport: required(FUNCTION),
  onViolation: FUNCTION,
}
