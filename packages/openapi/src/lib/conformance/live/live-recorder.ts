import type { DocumentOperations } from '../../document/builder.ts'
import { notify } from '../../notify.ts'
import type { CheckOptions } from '../check.ts'
import {
  type CheckedResponse,
  checkReceived,
  countChecked,
  type Received,
  receiveRequest,
} from '../count-response.ts'
import { createCounts, reportOf } from '../counts.ts'
import { planMembers } from '../members/plan.ts'
import { compileIgnore } from '../recorder.ts'
import { type ContractReport, MOST_VIOLATIONS, type RecordedViolation } from '../report.ts'
import { prepareContracts } from '../responses.ts'
import type { Violation } from '../violation.ts'
import { withoutValues } from './anonymous.ts'
import { isLong, readBounded } from './bounded.ts'
import { type BudgetOptions, createBudget } from './budget.ts'
import { requireLiveOptions } from './options.ts'

/** Which production exchanges are checked, and how often they are reported. */
export interface LiveSampling extends BudgetOptions {
  /** The minimum time (ms) between two reports; a minute by default. Reports are only passed on after a check. */
  readonly interval?: number | undefined
}

/** How production exchanges are checked. */
export interface LiveRecorderOptions extends CheckOptions, LiveSampling {
  /** Patterns for paths to ignore, such as `/docs(/*)`. */
  readonly ignore?: readonly string[] | undefined
  /**
   * Receives a report with the counts since the last one. `mergeReports` joins such reports. Its errors are written to
   * the console.
   */
  readonly onReport: (report: ContractReport) => unknown
  /** Receives an exchange's violations with their values. Its errors are written to the console. */
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

/** Answers a request, and checks it if it is sampled; `found` matches it with its operation. */
export type Observe = (
  request: Request,
  found: () => Received['found'],
  next: () => Promise<Response>,
) => Promise<Response>

/**
 * Creates a recorder for production, around any fetch handler. It counts pointers, kinds and times, never values.
 *
 * Bodies longer than 256 KiB and event streams are not read: only the status and headers are checked then. Throws a
 * TypeError for an option that is unknown or not valid, such as a `sample` that is not between 0 and 1.
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
  requireLiveOptions(options)
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
  const running = new Set<Promise<void>>()
  // Builds the document now, not during the first request.
  planMembers(document)

  const inspect = async (received: Received, copy: Response, reserved: number): Promise<void> => {
    let spent = 0
    try {
      const kept = await keepRequest(received)
      const bytes = await readBounded(copy)
      const started = performance.now()
      const { status, headers } = copy
      const isRead = bytes !== null
      const body = isRead && bytes.byteLength > 0 ? bytes : null
      const response = isRead ? new Response(body, { status, headers }) : copy
      const checked = await checkReceived(document, kept, response, isRead)
      tally.add(checked, kept, response)
      spent = performance.now() - started
      const { request, found } = kept
      const { violations } = checked
      const { operationId = '' } = found?.value ?? {}
      if (violations.length > 0) {
        notify('onViolation', () => onViolation?.(violations, { request, operationId }))
      }
    } catch {
      // The client has its answer. A failure here must not reach it or end the process.
    } finally {
      limit.settle(reserved, spent)
      tally.report()
    }
  }

  return {
    observe: async (request, find, next) => {
      const reserved = limit.take()
      if (reserved === null) return await next()
      const received = receive(document, request, find)
      const response = await next()
      const copy = received && copyResponse(response)
      if (received === null || copy === null) {
        limit.settle(reserved, 0)
        return response
      }
      const checking = inspect(received, copy, reserved)
      running.add(checking)
      void checking.then(() => running.delete(checking))
      return response
    },
    flush: async () => {
      await Promise.all(running)
      tally.report(0)
    },
  }
}

/** The counts since the last report. */
function createTally(
  document: DocumentOperations,
  { interval = MINUTE, onReport }: LiveRecorderOptions,
) {
  let counts = createCounts(Date.now)
  let violations = new Map<string, RecordedViolation & { readonly count: number }>()
  let from = Date.now()
  return {
    add: (checked: CheckedResponse, { request }: Received, response: Response) => {
      const { contract } = checked
      countChecked(counts, checked)
      for (const one of checked.violations) {
        const violation = withoutValues(document, one, { contract, request, response })
        const key = JSON.stringify(violation)
        const { count = 0 } = violations.get(key) ?? {}
        if (count === 0 && violations.size >= MOST_VIOLATIONS) continue
        violations.set(key, { ...violation, count: count + 1 })
      }
    },
    report: (least = interval): void => {
      const to = Date.now()
      if (counts.exchanges === 0 || to - from < least) return
      const { all } = prepareContracts(document)
      const report = reportOf(counts, all, planMembers(document), [...violations.values()])
      counts = createCounts(Date.now)
      violations = new Map()
      const period = { from, to }
      from = to
      notify('onReport', () => onReport({ ...report, period }))
    },
  }
}

/** Matches a request, and copies it if its body is short. Returns null on failure. */
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

/** Reads the request copy, so its reading time doesn't count as checking time. */
async function keepRequest(received: Received): Promise<Received> {
  const { copy } = received
  if (copy === null) return received
  const body = await readBounded(copy)
  if (body === null) return { ...received, copy: null }
  const { url, method, headers } = copy
  return { ...received, copy: new Request(url, { method, headers, body }) }
}

const MINUTE = 60_000
