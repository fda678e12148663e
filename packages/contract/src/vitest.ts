export type {
  ContractReporter,
  ContractReporterOptions,
  VitestFile,
  VitestRun,
  VitestTestModule,
} from './node/vitest-reporter.ts'
export { contractReporter } from './node/vitest-reporter.ts'
export type { VitestModule } from './node/vitest-runner.ts'
export { vitestRunner } from './node/vitest-runner.ts'
export type { ReportFiles } from './node/write-files.ts'
