import { type Incoming, isResponse, printFailure, requestOf } from '@plumbline/base'
import type { ServerOptions } from './types.ts'

/** Reports an error and returns the answer `onError` chooses. */
export type Report = (error: unknown, request: Incoming) => Promise<Response | null>

interface Reporting {
  readonly problems: object
  readonly options: ServerOptions
}

/** Creates the function that reports errors of one operation. It never rejects. */
export function createReport(operationId: string, { problems, options }: Reporting): Report {
  const { onError = (error: unknown) => console.error(error) } = options
  return async (error, incoming) => {
    // The client closed the connection: not a handler error.
    if (incoming.signal.aborted && error === incoming.signal.reason) return null
    try {
      const request = requestOf(incoming)
      const answer = await onError(error, { request, operationId, problems })
      return isResponse(answer) ? answer : null
    } catch (failure) {
      printFailure('onError', failure, ...(failure === error ? [] : ['after', error]))
      return null
    }
  }
}
