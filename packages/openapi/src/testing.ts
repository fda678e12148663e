export type { CheckOptions } from './lib/check/check.ts'
export { checkResponse } from './lib/check/check-response.ts'
export type { RecordedContext, RecorderOptions } from './lib/check/record.ts'
export type {
  ConformanceRecorder,
  DeclaredResponse,
  RecordedViolation,
} from './lib/check/recorder.ts'
export { createConformanceRecorder } from './lib/check/recorder.ts'
export type { Violation, ViolationKind } from './lib/check/violation.ts'
export { ConformanceError } from './lib/check/violation.ts'
