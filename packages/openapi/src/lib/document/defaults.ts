import { requireOptions, STRING } from '@plumbline/base'
import { type AnyProblemCatalog, ISSUES_SCHEMA, type ProblemType } from '@plumbline/problem'
import { type BlankProblemOptions, blankProblem } from '@plumbline/problem/core'
import { isFileBody } from '../http/body-ranges.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'

/** The reasons why a server answers a request with a problem before a handler runs, or instead of it. */
export type DefaultProblemName = keyof typeof STATUSES

/**
 * The catalog entries by reason. A reason not listed here uses the entry with the same name; without such an entry, the
 * problem type is `about:blank`. An unknown path only uses a listed entry, because `notFound` is usually the
 * application's own problem.
 */
export type ProblemDefaults<ProblemName extends string = string> = {
  readonly [Reason in DefaultProblemName]?: ProblemName
}

/** A server's default problem type. */
export interface DefaultProblem {
  /** The name in the catalog; the reason if the catalog does not define it. */
  readonly name: string
  /** The problem type; a call returns its response. */
  readonly entry: AnyProblemCatalog[string]
}

/** A server's default problem types, by reason. */
export type DefaultProblems = Readonly<Record<DefaultProblemName, DefaultProblem>>

/** Finds the problem type for each reason. */
export function resolveDefaults(
  catalog: AnyProblemCatalog,
  defaults: ProblemDefaults,
): DefaultProblems {
  requireOptions(
    'defaults',
    defaults,
    mapReasons(() => STRING),
  )
  const find = (reason: DefaultProblemName): DefaultProblem => {
    const name = defaults[reason] ?? (reason === 'notFound' ? undefined : reason)
    const entry = name !== undefined && Object.hasOwn(catalog, name) ? catalog[name] : undefined
    return name === undefined || entry === undefined
      ? { name: reason, entry: BLANK[reason] }
      : { name, entry }
  }
  return mapReasons(find)
}

/** The reasons why a server rejects an operation's requests, or answers them with 500. */
export function reasonsOf(
  spec: OperationSpec,
  security: readonly SecurityRequirement[],
): readonly DefaultProblemName[] {
  const { body, params, query, headers, cookies } = spec
  const hasInput = [body, params, query, headers, cookies].some((part) => part !== undefined)
  return [
    ...(body === undefined ? [] : (['malformed', 'tooLarge'] as const)),
    // A file schema accepts any media type.
    ...(body === undefined || isFileBody(body) ? [] : (['unsupportedMediaType'] as const)),
    ...(hasInput ? (['invalid'] as const) : []),
    ...(isSecured(spec.security ?? security) ? (['unauthorized', 'forbidden'] as const) : []),
    'internal',
  ]
}

/** The problems an operation names, and a server's default problems, by name. */
export function problemsOf(
  spec: OperationSpec,
  catalog: Readonly<Record<string, ProblemType>>,
  { defaults, security }: DefaultOptions,
): ReadonlyMap<string, ProblemType> {
  const found = new Map<string, ProblemType>()
  for (const name of spec.problems ?? []) {
    const entry = Object.hasOwn(catalog, name) ? catalog[name] : undefined
    if (entry !== undefined) found.set(name, entry)
  }
  if (defaults === null) return found
  for (const reason of reasonsOf(spec, security)) {
    const { name, entry } = defaults[reason]
    found.set(name, entry)
  }
  return found
}

/** The document options for default problems. */
export interface DefaultOptions {
  /** Null if the document does not have default problems. */
  readonly defaults: DefaultProblems | null
  readonly security: readonly SecurityRequirement[]
}

/** Whether a request without credentials is rejected (OpenAPI 3.1.1 §4.8.30: `{}` allows it). */
function isSecured(requirements: readonly SecurityRequirement[]): boolean {
  return requirements.length > 0 && requirements.every((schemes) => Object.keys(schemes).length > 0)
}

/** RFC 9457 §4.2.1: the title for `about:blank` is the status phrase (RFC 9110 §15). */
const STATUSES = {
  malformed: [400, 'Bad request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  notFound: [404, 'Not found'],
  methodNotAllowed: [405, 'Method not allowed'],
  tooLarge: [413, 'Content too large'],
  unsupportedMediaType: [415, 'Unsupported media type'],
  invalid: [422, 'Unprocessable content'],
  internal: [500, 'Internal server error'],
} as const

function mapReasons<Value>(
  make: (reason: DefaultProblemName) => Value,
): Readonly<Record<DefaultProblemName, Value>> {
  const reasons = Object.keys(STATUSES) as DefaultProblemName[]
  // Every reason has a value.
  return Object.fromEntries(reasons.map((reason) => [reason, make(reason)])) as Record<
    DefaultProblemName,
    Value
  >
}

const BLANK = mapReasons((reason) => {
  const [status, title] = STATUSES[reason]
  const answer = (options?: BlankProblemOptions) => blankProblem(status, title, options)
  const type = 'about:blank'
  const extensions = reason === 'invalid' ? { errors: ISSUES_SCHEMA } : undefined
  return Object.assign(answer, { type, slug: type, status, title, extensions })
})
