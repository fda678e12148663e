export type { ContractReporter, ContractReporterOptions } from './node/vitest-reporter.ts'
export { contractReporter } from './node/vitest-reporter.ts'
export { vitestRunner } from './node/vitest-runner.ts'
export type { ReportFiles } from './node/write-files.ts'
