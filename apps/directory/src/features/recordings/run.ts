import type { RecordedExchange } from './exchange.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'
import { createReplacements, type Replacements } from './replace-body.ts'
import { isByEquality, replaceFilter } from './replace-filter.ts'

/** A step in a run: a request, and the answer expected from another directory. */
export interface RunStep {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly expect: { readonly status: number; readonly body?: unknown }
  /** Value names for later steps, each with a JSON pointer into the answer's body. */
  readonly save?: Readonly<Record<string, string>>
}

/** A recording's steps, and how many requests are not steps. */
export interface RunSteps {
  readonly steps: readonly RunStep[]
  readonly omitted: number
}

/**
 * Makes a recording's requests replayable against an empty directory. All values are replaced, and equal values get
 * equal replacements. Requests are omitted if their answer depends on resources not created in the recording.
 */
export function buildSteps(exchanges: readonly RecordedExchange[]): RunSteps {
  const stepFor = createSteps()
  const steps = exchanges.map(stepFor).filter((step) => step !== null)
  return { steps, omitted: exchanges.length - steps.length }
}

/** Creates the function that returns the step for each request of a recording, or null if it is omitted. */
export function createSteps(): (exchange: RecordedExchange) => RunStep | null {
  const pseudonyms = createPseudonyms()
  const replacements = createReplacements(pseudonyms)
  let count = 0
  return (exchange) => {
    const path = pathOf(exchange, pseudonyms, replacements)
    if (path === null || !isReplayable(exchange, pseudonyms)) return null
    const created = createdId(exchange)
    const saved = created === null ? null : { [pseudonyms.addId(created)]: '/id' }
    const { method, route, status, contentType, body } = exchange
    const isPlain = contentType !== null && /^[\w/+.;= -]{1,100}$/.test(contentType)
    const answer = isComparable(exchange, pseudonyms) ? replacements.answer(exchange.answer) : null
    count += 1
    return {
      name: `${count}: ${method} ${route}`,
      request: {
        method,
        path,
        ...(isPlain ? { headers: { 'Content-Type': contentType } } : {}),
        ...(body === undefined ? {} : { body: replacements.body(body) }),
      },
      expect: answer === null ? { status } : { status, body: answer },
      ...(saved === null ? {} : { save: saved }),
    }
  }
}

/** Returns a step's path; null if it contains the id of a resource not created in the run. */
function pathOf(
  { target, route, status }: RecordedExchange,
  { findId, replace }: Pseudonyms,
  { value }: Replacements,
): string | null {
  const [path = '', query] = target.split('?', 2)
  const wanted = route.split('/')
  const parts: string[] = []
  for (const [at, part] of path.split('/').entries()) {
    if (!wanted[at]?.startsWith(':') || SCHEMA_ROUTES.test(route)) parts.push(part)
    else {
      const text = decodeURIComponent(part)
      const id = findId(text)
      if (id === null && status !== 404) return null
      parts.push(id ?? encodeURIComponent(replace(text)))
    }
  }
  if (query === undefined) return parts.join('/')
  const parameters = queryOf(query, value)
  return parameters === null ? null : `${parts.join('/')}?${parameters}`
}

/** Returns a step's query; null if it has a cursor, which another directory doesn't accept. */
function queryOf(query: string, value: Replacements['value']): string | null {
  const parameters: string[] = []
  for (const part of query.split('&')) {
    const [name = '', sent] = [...new URLSearchParams(part)][0] ?? []
    if (/^cursor$/i.test(name)) return null
    if (/^filter$/i.test(name)) {
      const replaced = encodeURIComponent(replaceFilter(sent ?? '', value))
      parameters.push(`${name}=${replaced.replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}')}`)
    } else if (/^[\w=,:.$%+-]*$/.test(part) && KEPT_PARAMETERS.test(name)) {
      parameters.push(part)
    }
  }
  return parameters.join('&')
}

/** Whether another directory answers alike, despite other tags, limits and resources. */
function isReplayable({ status, body, target }: RecordedExchange, { findId }: Pseudonyms): boolean {
  if (CONDITIONAL.has(status) || status >= 500) return false
  const ids = `${JSON.stringify(body ?? null)} ${decodeURIComponent(target)}`.match(OWN_ID) ?? []
  // Looking up an unknown id with a filter finds nothing there, but may have found something here.
  return ids.every((id) => findId(id) !== null || status === 404)
}

/** Returns the id of the resource a request created, or null. */
function createdId({ method, status, answer }: RecordedExchange): string | null {
  if (method !== 'POST' || status !== 201) return null
  const { id }: { readonly id?: unknown } = Object(answer)
  return typeof id === 'string' ? id : null
}

/** Whether an answer's body is the same in a directory with only the run's resources. */
function isComparable(
  { answer, target, body, route, status }: RecordedExchange,
  { findId }: Pseudonyms,
): boolean {
  if (answer === undefined || DISCOVERY.test(route)) return false
  if (status >= 400) return true
  const filter = new URLSearchParams(target.split('?', 2)[1] ?? '').get('filter')
  const searched: { readonly filter?: unknown } = Object(body)
  for (const one of [filter, searched.filter]) {
    if (typeof one === 'string' && !isByEquality(one)) return false
  }
  return (JSON.stringify(answer).match(OWN_ID) ?? []).every((id) => findId(id) !== null)
}

/** A resource id from this directory: a UUID version 7. */
const OWN_ID = /\b[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\b/g
const CONDITIONAL = new Set([304, 401, 403, 412, 428, 429, 499])
const DISCOVERY = /^\/(?:Schemas|ResourceTypes|ServiceProviderConfig)(?:\/|$)/
const SCHEMA_ROUTES = /^\/(?:Schemas|ResourceTypes)\//
const KEPT_PARAMETERS =
  /^(?:attributes|excludedAttributes|sortBy|sortOrder|startIndex|count|aadOptscim062020)$/i
