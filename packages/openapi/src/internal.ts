/** For `@plumbline/contract` of the same version. These names change without notice. */
export {
  type CheckedContent,
  type CheckedExchange,
  findDeclaredResponse,
  isCounted,
} from './lib/check/check.ts'
export { readPieces } from './lib/check/read-content.ts'
export {
  checkFound,
  compileIgnore,
  createMiddleware,
  type Found,
  findOperation,
  type RecordedContext,
} from './lib/check/record.ts'
export { listResponses, RECORDER_FORMS } from './lib/check/recorder.ts'
export {
  type Contract,
  isStatusCode,
  type NamedProblem,
  prepareContracts,
} from './lib/check/responses.ts'
export { writeBody, writeHeaders, writeUrl } from './lib/client/write-request.ts'
export { COMPONENTS } from './lib/document/component-name.ts'
export { isForOthers } from './lib/document/describe-parameters.ts'
export { rangesOf } from './lib/http/body-ranges.ts'
export { concatenate } from './lib/read-stream.ts'
export { coerceContent, coerceParameters, parseJsonBody } from './lib/request/coerce.ts'
export {
  type ParameterLocation,
  type PreparedParameters,
  preparedOf,
} from './lib/request/prepare.ts'
export { receiveBody, receiveParameters } from './lib/request/receive.ts'
export { coerceValue, type Values } from './lib/schema/coerce.ts'
export { prepareSchema } from './lib/schema/prepare.ts'
export { propertiesOf, requiredOf } from './lib/schema/shape/properties.ts'
export { NUMBER } from './lib/schema/shape/text-test.ts'
export { isSchema } from './lib/schema/standard-schema.ts'
export { convertForParsing, rootOf } from './lib/schema/to-json-schema.ts'
export type { RouterParams } from './lib/spec/operation-spec.ts'
export { prepareRoute } from './lib/spec/route.ts'
