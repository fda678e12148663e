import { z } from 'zod'
import { ISSUE_EXAMPLE, ISSUE_LOCATIONS, POINTER_DESCRIPTION } from './issues.ts'
import type { IssueLocation } from './issues-from.ts'

/**
 * A zod schema for a list of validation issues, which can be nested in other zod schemas.
 *
 * @example
 * ```ts
 * import { defineProblems, issuesFrom } from '@plumbline/problem'
 * import { ISSUES_SCHEMA } from '@plumbline/problem/zod'
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
> = z
  .array(
    z.object({
      location: z.enum(ISSUE_LOCATIONS),
      pointer: z.string().meta({ description: POINTER_DESCRIPTION }),
      detail: z.string(),
    }),
  )
  .meta({ examples: [[ISSUE_EXAMPLE]] })
