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
export type { InputError, InputIssue, Issue, IssueLocation, IssuesOptions } from './lib/issues.ts'
export { ISSUES_SCHEMA, issuesFrom } from './lib/issues.ts'
export { MEDIA_TYPE_PROBLEM } from './lib/media-type.ts'
