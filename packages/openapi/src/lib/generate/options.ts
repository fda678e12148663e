import type { ConformanceRecorder } from '../conformance/recorder.ts'
import type { ContractReport } from '../conformance/report.ts'
import type { TestCredentials } from './authorize.ts'
import type { TestedDocument } from './plan.ts'

/** An API that answers requests in this process. */
export interface GeneratedApi {
  /** The document of the API, which `createDocument` started. */
  readonly document: TestedDocument
  /** Answers a request, as `fetch` of `implement` does. */
  fetch(request: Request): Response | Promise<Response>
}

/** Which requests generated tests send. */
export interface GenerateOptions {
  /** The seed of the requests, which are the same for each run of a seed; 0 by default. */
  readonly seed?: number
  /**
   * The number of valid requests for each operation; 50 by default. Each constraint is broken a tenth as often, and at
   * least once. Requests that create the resources of other requests come in addition.
   */
  readonly runs?: number
  /** A coverage report: only operations with parts it does not cover are called, and requests aim at these parts. */
  readonly cover?: ContractReport
  /** The names of operations that are not called, and of tests that are left out; none by default. */
  readonly exclude?: readonly string[]
  /** The credentials by security scheme, or a function that makes them before the first request. */
  readonly credentials?: TestCredentials | (() => TestCredentials | Promise<TestCredentials>)
  /**
   * Runs once, before the first request. Returns values of path parameters by name, for resources that no operation
   * creates.
   */
  readonly setup?: () => Setup | Promise<Setup>
  /** Receives every exchange, so its report shows what the tests covered. */
  readonly recorder?: ConformanceRecorder
  /** The path the operations are mounted under, such as `/api`; none by default. */
  readonly basePath?: string
}

/** The values of path parameters by name. */
export type Setup = Readonly<Record<string, string>> | undefined

/** A test that any runner can run. */
export interface GeneratedTest {
  /** The name, which starts with that of the operation, or with the path for a test of all its methods. */
  readonly name: string
  /** Rejects with a GeneratedTestError that names the requests and the violated parts of the document. */
  readonly run: () => Promise<void>
}
