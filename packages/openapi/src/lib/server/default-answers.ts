import type { JsonObject } from '@plumbline/base'
import type { ProblemType } from '@plumbline/problem'
import { issuesFrom } from '@plumbline/problem/core'
import type { DefaultProblemName, DefaultProblems } from '../document/defaults.ts'
import type { OperationInputError } from '../request/input-error.ts'
import { acceptsMembers } from '../schema/extensions.ts'
import { prepareSchema } from '../schema/prepare.ts'
import { isSchema } from '../schema/standard-schema.ts'
import { convert } from '../schema/to-json-schema.ts'

/** Answers a request with a reason's problem. */
export type AnswerDefault = (reason: DefaultProblemName, options?: DefaultOccurrence) => Response

/** Facts about a request answered with a problem. */
export interface DefaultOccurrence {
  readonly detail?: string
  readonly headers?: HeadersInit
  /** The rejection from `parse`. */
  readonly error?: OperationInputError
}

/**
 * Prepares the problems a server answers without a handler. Throws a TypeError if a problem requires extensions other
 * than a list of issues.
 */
export function prepareDefaultAnswers(defaults: DefaultProblems): AnswerDefault {
  const members = new Map(
    Object.values(defaults).map(({ name, entry }) => [name, findIssuesMember(name, entry)]),
  )
  return (reason, { error, ...options } = {}) => {
    const { name, entry } = defaults[reason]
    // Problems accept these options if they don't require extensions, or only a list of issues.
    const answer = entry as unknown as (options: object) => Response
    const occurrence = error ? { ...options, detail: error.message } : options
    const member = members.get(name) ?? null
    if (member === null) return answer(occurrence)
    return answer({ ...occurrence, extensions: { [member]: error ? issuesFrom(error) : [] } })
  }
}

/** Returns the extension that accepts a list of issues, or null without one. */
function findIssuesMember(name: string, { extensions }: ProblemType): string | null {
  if (extensions === undefined) return null
  const accepts = (members: JsonObject): boolean => acceptsMembers(extensions, members)
  const members = isSchema(extensions)
    ? [...prepareSchema(extensions).shapes.keys()]
    : Object.keys(extensions)
  const member = members.find((one) => accepts({ [one]: [SAMPLE] }) && !accepts({ [one]: 0 }))
  if (member !== undefined) return member
  if (accepts({})) return null
  const fault = isSchema(extensions) ? convert(extensions).fault : undefined
  if (fault) {
    const reason = `${fault.message}; ${fault.remedy}`
    throw new TypeError(`the extensions of the problem ${name} are not valid: ${reason}`)
  }
  throw new TypeError(
    `the problem ${name} is a default of the document, and requires extensions other than a list of issues`,
  )
}

const SAMPLE = { location: 'body', pointer: '/title', detail: 'must not be empty' }
