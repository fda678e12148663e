import { z } from 'zod'
import type { IssueLocation } from './issues-from.ts'

/**
 * The schema of a list of validation issues, ready to be an extension of a problem type.
 *
 * @example
 * ```ts
 * import { defineProblems, ISSUES_SCHEMA, issuesFrom } from '@plumbline/problem'
 * import { z } from 'zod'
 *
 * const problems = defineProblems('https://example.com/problems/', {
 *   invalid: {
 *     slug: 'invalid',
 *     status: 422,
 *     title: 'The request is not valid',
 *     extensions: z.object({ errors: ISSUES_SCHEMA }),
 *   },
 * })
 * const error = { location: 'query', issues: [{ message: 'Too small', path: ['page'] }] } as const
 * const { errors } = await problems.invalid({ extensions: { errors: issuesFrom(error) } }).json()
 * errors //=> [{ location: 'query', pointer: '/page', detail: 'Too small' }]
 * ```
 */
export const ISSUES_SCHEMA: z.ZodArray<
  z.ZodObject<{
    location: z.ZodEnum<{ [Location in IssueLocation]: Location }>
    pointer: z.ZodString
    detail: z.ZodString
  }>
> = z.array(
  z.object({
    location: z.enum(['params', 'query', 'headers', 'cookies', 'body']),
    pointer: z.string().meta({ description: 'A JSON Pointer into that part of the request' }),
    detail: z.string(),
  }),
)
