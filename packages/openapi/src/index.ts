export { isFailure, unwrap } from '@plumbline/result'
export type { OpenAPIVersion } from './lib/constants.ts'
export {
  JSON_SCHEMA_DIALECT,
  MEDIA_TYPE_JSON,
  MEDIA_TYPE_YAML,
  OPENAPI_VERSION,
} from './lib/constants.ts'
export { createDocument } from './lib/document/build.ts'
export type {
  DocumentBuilder,
  DocumentOperations,
  DocumentOptions,
  OperationsById,
  SecuritySchemes,
} from './lib/document/builder.ts'
export type {
  DefaultProblem,
  DefaultProblemName,
  DefaultProblems,
  ProblemDefaults,
} from './lib/document/defaults.ts'
export type { BuildFault, BuildFaultCode } from './lib/document/faults.ts'
export { OpenAPIBuildError } from './lib/document/faults.ts'
export type * as OpenAPI from './lib/openapi.ts'
export type { AnyOperation, Operation } from './lib/operation.ts'
export { defineOperation } from './lib/operation.ts'
export type { InputErrorCode, InputIssue, InputLocation } from './lib/request/input-error.ts'
export { OperationInputError } from './lib/request/input-error.ts'
export type { Schema } from './lib/schema/standard-schema.ts'
export { defineLink } from './lib/spec/link.ts'
export type {
  BodyRanges,
  BodySpec,
  CallbackSpec,
  CallbackWebhook,
  Deprecation,
  ExampleSpec,
  Examples,
  Exchange,
  ExpressionFault,
  HeaderSpec,
  LinkSpec,
  OperationSpec,
  ParsedRequest,
  RequestExamples,
  ResponseKey,
  ResponseSpec,
} from './lib/spec/operation-spec.ts'
export type { PathParams, Route, RouteOf, RouteText } from './lib/spec/route.ts'
export type { ParsedVersion } from './lib/text/check-document.ts'
export type { ParseErrorCode, StringifyErrorCode } from './lib/text/errors.ts'
export { OpenAPIParseError, OpenAPIStringifyError } from './lib/text/errors.ts'
export type { ParseOptions } from './lib/text/parse.ts'
export { parse } from './lib/text/parse.ts'
export type { StringifyOptions } from './lib/text/stringify.ts'
export { stringify } from './lib/text/stringify.ts'
