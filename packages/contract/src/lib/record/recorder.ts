import { defined, type Forms, requireOptions } from '@plumbline/base'
import type { DocumentOperations } from '@plumbline/openapi'
import { createMiddleware, listResponses, RECORDER_FORMS } from '@plumbline/openapi/internal'
import type { ConformanceRecorder, RecorderOptions } from '@plumbline/openapi/testing'
import { planMembers } from '../members/plan.ts'
import { ownSource } from '../own/source.ts'
import type { ContractReport, RecordedViolation, RunningTest } from '../report.ts'
import { countChecked, createPartCounter, readExchange, receiveRequest } from './count-response.ts'
import { createCounts, hasStatus, reportOf } from './counts.ts'

/** Checks every exchange in a test run as `createConformanceRecorder` does, and counts what the run covers. */
export interface ContractRecorder extends ConformanceRecorder {
  /** All violations so far, each with its test, in the order in which they were found. */
  violations(): readonly RecordedViolation[]
  /** The record so far as plain JSON. `mergeReports` joins the reports from several test files. */
  report(): ContractReport
}

/** The test runner around a recorder. */
export interface TestRunner {
  /** Returns the running test; null between tests. */
  currentTest(): RunningTest | null
  /** Is called once, when the recorder is created; `report` returns the report so far. */
  onCreate?(report: () => ContractReport): void
}

/** Which requests a recorder checks. */
export interface ContractRecorderOptions extends RecorderOptions {
  /** The test runner, so violations name their test; for example, `vitestRunner` from `/vitest`. */
  readonly runner?: TestRunner | undefined
}

/**
 * Creates a recorder that checks each exchange as `checkResponse` does, and counts the covered items of the contract.
 *
 * The request body is read from a copy, unless the context has `readBytes`, as with `implement`.
 *
 * @example
 * ```ts
 * import { createContractRecorder } from '@plumbline/contract'
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('deleteBook', 'DELETE /books/:bookId', {
 *     summary: 'Delete a book',
 *     responses: { 204: { description: 'Gone' }, 404: { description: 'No such book' } },
 *   }),
 * )
 * const recorder = createContractRecorder(builder)
 * const request = new Request('http://localhost/books/b1', { method: 'DELETE' })
 * await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
 *
 * const items = recorder.report().operations.flatMap((operation) => operation.items)
 * items.map(({ name, count }) => `${name}: ${count}`) //=> ['204: 1', '404: 0']
 * ```
 */
export function createContractRecorder(
  document: DocumentOperations,
  options: ContractRecorderOptions = {},
): ContractRecorder {
  requireOptions<ContractRecorderOptions>('createContractRecorder', options, FORMS)
  const { runner } = options
  const violations: RecordedViolation[] = []
  const counts = createCounts()
  const source = ownSource(document)
  const report = () =>
    reportOf(counts, { listed: source.operations(), membersOf: planMembers(source), violations })
  runner?.onCreate?.(report)
  const middleware = createMiddleware(source, options, (context, found) => {
    const { method, url } = context.request
    const test = runner?.currentTest() ?? undefined
    const received = receiveRequest(source, context, found)
    return {
      exchange: async (checked, response) =>
        countChecked(counts, await readExchange(source, received, checked, response)),
      violations: (added, { status }) => {
        // One by one: a call with many arguments could exceed the stack.
        for (const one of added) violations.push(defined({ ...one, method, url, status, test }))
      },
      ...(found ? { part: createPartCounter(source, found.value, counts) } : {}),
    }
  })
  return {
    middleware,
    violations: () => [...violations],
    uncovered: () =>
      listResponses(source.operations()).filter(
        ({ operationId, status }) => !hasStatus(counts, operationId, String(status)),
      ),
    report,
  }
}

const FORMS: Forms<ContractRecorderOptions> = {
  ...RECORDER_FORMS,
  runner: [
    'an object with currentTest',
    (value) => typeof Object(value).currentTest === 'function',
  ],
}
