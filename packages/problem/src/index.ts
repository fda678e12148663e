export type {
  AnyProblemCatalog,
  ProblemCatalog,
  ProblemDetails,
  ProblemEntry,
  ProblemOptions,
  ProblemSpec,
  ProblemType,
} from './lib/catalog.ts'
export { defineProblems } from './lib/catalog.ts'
export type { Extensions, ExtensionsRecord, ExtensionsSchema } from './lib/extensions.ts'
export type { IssuesSchema } from './lib/issues.ts'
export { ISSUES_SCHEMA } from './lib/issues.ts'
export type {
  InputError,
  InputIssue,
  Issue,
  IssueLocation,
  IssuesOptions,
} from './lib/issues-from.ts'
export { issuesFrom } from './lib/issues-from.ts'
export { MEDIA_TYPE_PROBLEM } from './lib/media-type.ts'
