export type { CheckOptions } from './lib/conformance/check.ts'
export { checkResponse } from './lib/conformance/check.ts'
export type {
  ConformanceRecorder,
  DeclaredResponse,
  RecorderOptions,
} from './lib/conformance/recorder.ts'
export { createConformanceRecorder } from './lib/conformance/recorder.ts'
export type { Violation, ViolationKind } from './lib/conformance/violation.ts'
export { ConformanceError } from './lib/conformance/violation.ts'
