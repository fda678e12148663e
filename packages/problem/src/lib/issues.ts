import { z } from 'zod'

/** The part of a request that an issue is about. */
export type IssueLocation = 'params' | 'query' | 'headers' | 'cookies' | 'body'

/** One thing to mend in a request. */
export interface Issue {
  readonly location: IssueLocation
  /** A JSON Pointer into that part of the request; empty for the whole of it. */
  readonly pointer: string
  readonly detail: string
}

/** What `issuesFrom` reads: an `OperationInputError`, or anything of its shape. */
export interface InputError {
  readonly location: IssueLocation
  readonly issues: readonly {
    readonly message: string
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  }[]
}

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

/**
 * Gives the issues of a refused request as the list that `ISSUES_SCHEMA` describes, each with a JSON
 * Pointer (RFC 6901) to what it is about.
 *
 * @see RFC 9457 §3
 */
export function issuesFrom({ location, issues }: InputError): Issue[] {
  return issues.map(({ message, path = [] }) => ({
    location,
    // A path of ArkType's is a kind of list whose `map` makes one step of none.
    pointer: [...path]
      .map((step) => `/${escaped(typeof step === 'object' ? step.key : step)}`)
      .join(''),
    detail: message,
  }))
}

// RFC 6901 §3: `~` and `/` are written ~0 and ~1.
function escaped(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1')
}
