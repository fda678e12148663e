import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Issue } from './issues-from.ts'

/** A schema for a list of issues, independent of any schema library. */
export type IssuesSchema = StandardSchemaV1<readonly Issue[], Issue[]> &
  StandardJSONSchemaV1<readonly Issue[], Issue[]>

/** The request parts an issue may concern. */
export const ISSUE_LOCATIONS = ['params', 'query', 'headers', 'cookies', 'body'] as const

/** An example issue for documents. */
export const ISSUE_EXAMPLE: Issue = {
  location: 'body',
  pointer: '/title',
  detail: 'must be a string',
}

/** Describes an issue's pointer in a document. */
export const POINTER_DESCRIPTION = 'A JSON Pointer into that part of the request'

/**
 * A schema for a list of validation issues, ready to use as a problem type's extension.
 *
 * It implements Standard Schema and Standard JSON Schema without a schema library. `@plumbline/problem/zod` has it as a
 * zod schema.
 *
 * @example
 * ```ts
 * import { defineProblems, ISSUES_SCHEMA, issuesFrom } from '@plumbline/problem'
 *
 * const problems = defineProblems('https://example.com/problems/', {
 *   invalid: {
 *     slug: 'invalid',
 *     status: 422,
 *     title: 'The request is not valid',
 *     extensions: { errors: ISSUES_SCHEMA },
 *   },
 * })
 * const error = { location: 'query', issues: [{ message: 'Too small', path: ['page'] }] } as const
 * const { errors } = await problems.invalid({ extensions: { errors: issuesFrom(error) } }).json()
 * errors //=> [{ location: 'query', pointer: '/page', detail: 'Too small' }]
 * ```
 */
export const ISSUES_SCHEMA: IssuesSchema = Object.freeze({
  '~standard': Object.freeze({
    version: 1,
    vendor: 'plumbline',
    validate: validateIssues,
    jsonSchema: Object.freeze({ input: describeIssues, output: describeIssues }),
  }),
})

function validateIssues(value: unknown): StandardSchemaV1.Result<Issue[]> {
  if (!Array.isArray(value)) return { issues: [{ message: 'must be an array' }] }
  const found = value.map(validateIssue)
  const issues = found.flatMap((result, at) =>
    (result.issues ?? []).map(({ message, path = [] }) => ({ message, path: [at, ...path] })),
  )
  return issues.length > 0
    ? { issues }
    : { value: found.flatMap((result) => (result.issues ? [] : [result.value])) }
}

function validateIssue(value: unknown): StandardSchemaV1.Result<Issue> {
  if (typeof value !== 'object' || value === null)
    return { issues: [{ message: 'must be an object' }] }
  const { location, pointer, detail }: { [Name in keyof Issue]?: unknown } = value
  const known = ISSUE_LOCATIONS.find((one) => one === location)
  const issues: StandardSchemaV1.Issue[] = []
  if (known === undefined) {
    issues.push({ message: `must be one of ${ISSUE_LOCATIONS.join(', ')}`, path: ['location'] })
  }
  if (typeof pointer !== 'string') issues.push({ message: 'must be a string', path: ['pointer'] })
  if (typeof detail !== 'string') issues.push({ message: 'must be a string', path: ['detail'] })
  if (known === undefined || typeof pointer !== 'string' || typeof detail !== 'string') {
    return { issues }
  }
  return { value: { location: known, pointer, detail } }
}

/** Returns a new value each time, because a document's owner may change it. */
function describeIssues(): Record<string, unknown> {
  return {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        location: { type: 'string', enum: [...ISSUE_LOCATIONS] },
        pointer: { type: 'string', description: POINTER_DESCRIPTION },
        detail: { type: 'string' },
      },
      required: ['location', 'pointer', 'detail'],
    },
    examples: [[{ ...ISSUE_EXAMPLE }]],
  }
}
