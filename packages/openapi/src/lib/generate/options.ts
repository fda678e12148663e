import type { ConformanceRecorder } from '../conformance/recorder.ts'
import type { ContractReport } from '../conformance/report.ts'
import type { TestCredentials } from './authorize.ts'
import type { TestedDocument } from './plan.ts'

/** An API that answers requests in this process. */
export interface GeneratedApi {
  /** The API's document, created with `createDocument`. */
  readonly document: TestedDocument
  /** Answers a request, like `fetch` in the result of `implement`. */
  fetch(request: Request): Response | Promise<Response>
}

/** Which requests generated tests send. */
export interface GenerateOptions {
  /** The seed for the requests: the same seed makes the same requests; 0 by default. */
  readonly seed?: number
  /**
   * The number of valid requests for each operation; 50 by default. Each constraint is broken a tenth as often, and at
   * least once. Requests that create resources for other requests are not counted.
   */
  readonly runs?: number
  /** A coverage report: only operations with uncovered parts are called, and requests aim at these parts. */
  readonly cover?: ContractReport
  /** Operation and test names to leave out; none by default. */
  readonly exclude?: readonly string[]
  /** The credentials by security scheme, or a function that makes them before the first request. */
  readonly credentials?: TestCredentials | (() => TestCredentials | Promise<TestCredentials>)
  /**
   * Runs once, before the first request. Returns path parameter values by name, for resources not created by any
   * operation.
   */
  readonly setup?: () => Setup | Promise<Setup>
  /** Receives every exchange, so its report shows what the tests covered. */
  readonly recorder?: ConformanceRecorder
  /** The path under which the operations are mounted, such as `/api`; none by default. */
  readonly basePath?: string
}

/** Path parameter values by name. */
export type Setup = Readonly<Record<string, string>> | undefined

/** A test for any test runner. */
export interface GeneratedTest {
  /** The name. It starts with the operation's name, or with the path if the test covers all its methods. */
  readonly name: string
  /** Runs the test. Rejects with a GeneratedTestError, which names the requests and the document's violated parts. */
  readonly run: () => Promise<void>
}
