export type {
  CheckedCoverage,
  CheckedItem,
  CheckedOperation,
  CoverageRules,
  CoverageTotal,
} from './lib/coverage/check-coverage.ts'
export { checkCoverage } from './lib/coverage/check-coverage.ts'
export type { LiveComparison, LiveItem } from './lib/coverage/compare-live.ts'
export { compareLive } from './lib/coverage/compare-live.ts'
export type { FormatOptions, ReportFormat } from './lib/coverage/format-report.ts'
export { formatReport } from './lib/coverage/format-report.ts'
export type { IgnoredCoverage } from './lib/coverage/ignored.ts'
export { mergeReports } from './lib/coverage/merge.ts'
export type { MakeTestSecret, TestCredentials, TestSecret } from './lib/generate/authorize.ts'
export type { GeneratedFailure } from './lib/generate/error.ts'
export { GeneratedTestError } from './lib/generate/error.ts'
export { generateTests } from './lib/generate/generate-tests.ts'
export type { GeneratedApi, GeneratedTest, GenerateOptions, Setup } from './lib/generate/options.ts'
export type { TestedDocument } from './lib/generate/plan.ts'
export type { LiveSampling } from './lib/live/budget.ts'
export type { LiveRecorder, LiveRecorderOptions } from './lib/live/live-recorder.ts'
export { createLiveRecorder } from './lib/live/live-recorder.ts'
export type {
  ContractRecorder,
  ContractRecorderOptions,
  TestRunner,
} from './lib/record/recorder.ts'
export { createContractRecorder } from './lib/record/recorder.ts'
export type {
  ContractReport,
  CoverageItem,
  CoverageKind,
  EarlierReport,
  MembersTotal,
  OperationReport,
  RecordedPeriod,
  RecordedViolation,
  RunningTest,
} from './lib/report.ts'
