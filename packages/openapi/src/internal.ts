/** For `@plumbline/contract` of the same version. These names change without notice. */
export {
  type CheckedContent,
  type CheckedExchange,
  findDeclaredResponse,
  isCounted,
} from './lib/check/check.ts'
export type { CheckedStream } from './lib/check/check-parts.ts'
export { findViolations } from './lib/check/check-response.ts'
export { checksOf } from './lib/check/own-checks.ts'
export { type Checks, compileIgnore, createMiddleware, type Found } from './lib/check/record.ts'
export { listResponses, RECORDER_FORMS } from './lib/check/recorder.ts'
export {
  type Contract,
  type Contracts,
  isStatusCode,
  prepareContracts,
} from './lib/check/responses.ts'
export { writeBody, writeHeaders, writeUrl } from './lib/client/write-request.ts'
export { rangesOf } from './lib/http/body-ranges.ts'
export { type PreparedParameters, preparedOf } from './lib/request/prepare.ts'
export { receiveBody, receiveParameters } from './lib/request/receive.ts'
export { coerceContent, coerceParameters, parseJsonBody } from './lib/request/validate.ts'
export { coerceValue, type Values } from './lib/schema/coerce.ts'
export { prepareSchema } from './lib/schema/prepare.ts'
export { propertiesOf, requiredOf } from './lib/schema/shape/properties.ts'
export { isSchema } from './lib/schema/standard-schema.ts'
export { convertForParsing, rootOf } from './lib/schema/to-json-schema.ts'
export type { RouterParams } from './lib/spec/operation-spec.ts'
