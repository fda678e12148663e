export type { Confirm, Population } from './lib/access.ts'
export type { Unexamined } from './lib/areas.ts'
export { unexaminedIn } from './lib/areas.ts'
export type { Check, Level, Need, ProfileName, ProviderName } from './lib/check.ts'
export { CHECKS } from './lib/checks.ts'
export type { ComparedOutcome, ComparedReport, Comparison } from './lib/compare.ts'
export { compareReports, parseReport } from './lib/compare.ts'
export type { ExaminationCode } from './lib/examination-error.ts'
export { ExaminationError } from './lib/examination-error.ts'
export type { ExamineOptions, Progress } from './lib/examine.ts'
export { examine } from './lib/examine.ts'
export type { Feature, FilterNeed } from './lib/features.ts'
export type { FormatOptions, ReportFormat } from './lib/format-report.ts'
export { formatReport } from './lib/format-report.ts'
export type { Exchange, Received, SendOptions } from './lib/http/exchange.ts'
export type { ExaminationLimits } from './lib/http/limits.ts'
export type { Fetch } from './lib/http/transport.ts'
export type { JsonObject, MemberPath } from './lib/json.ts'
export type { AttributeNeed, AttributeRole, RoleNeed } from './lib/model/attribute-needs.ts'
export type { Documents } from './lib/model/documents.ts'
export type { Attribute, ExaminedType } from './lib/model/types.ts'
export type { ComplexAttribute, ListAttribute } from './lib/model/vocabulary.ts'
export type { ExaminedText } from './lib/profiles/text.ts'
export type { Replay, ReplayedStep, ReplayOptions } from './lib/replay/replay.ts'
export { replay } from './lib/replay/replay.ts'
export type { Run, RunStep } from './lib/replay/run.ts'
export { parseRun } from './lib/replay/run.ts'
export type { Outcome, Report, Waiver } from './lib/report.ts'
export type { TargetOptions } from './lib/target.ts'
export type { Client } from './lib/toolkit/client.ts'
export {
  expectAbsent,
  expectEqual,
  expectError,
  expectHeader,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from './lib/toolkit/expect.ts'
export { fail, skip } from './lib/toolkit/finding.ts'
export type {
  Created,
  Operation,
  People,
  PersonName,
  Server,
  Settle,
} from './lib/toolkit/server.ts'
export type { Words } from './lib/toolkit/words.ts'
export type { Verdict } from './lib/verdict.ts'
export { describeVerdict, verdictOf } from './lib/verdict.ts'
