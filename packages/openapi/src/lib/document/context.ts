import type { AnyProblemCatalog } from '@plumbline/problem'
import type { OpenAPIVersion } from '../constants.ts'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { PreparedRoute } from '../spec/route.ts'
import type { SecuritySchemes } from './builder.ts'
import type { Components } from './components/state.ts'
import type { DefaultOptions } from './defaults.ts'
import type { ItemKeyword } from './describe-stream.ts'
import type { FaultPlace, Report } from './faults.ts'

/** The document context for describing an operation. */
export interface DocumentContext extends DefaultOptions {
  readonly components: Components
  readonly report: Report
  readonly catalog: AnyProblemCatalog
  readonly securitySchemes: SecuritySchemes
  readonly itemKeyword: ItemKeyword
  readonly version: OpenAPIVersion
  /** Is called once all paths are described. */
  readonly afterPaths: (check: (paths: OpenAPI.Paths) => void) => void
}

/** Describes one operation. */
export type DescribeOperation = (
  operation: Pick<AnyOperation, 'operationId' | 'spec'>,
  route: PreparedRoute,
  place: FaultPlace,
  context: DocumentContext,
) => OpenAPI.Operation
