import { failure, type Result, success } from '@plumbline/result'
import type { Method } from '../http/exchange.ts'
import { isJsonObject, type JsonObject } from '../json.ts'

/** A request of a run, with the answer to expect. */
export interface RunStep {
  readonly name: string
  readonly request: {
    readonly method: Method
    /** The path below the base URL, with the query. Names such as `{{user}}` are replaced with saved values. */
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    /** Undefined without a body. */
    readonly body?: unknown
  }
  readonly expect: {
    readonly status: number
    /** The members required in the body; null for a member that must be absent. Undefined for any body. */
    readonly body?: unknown
    readonly headers: Readonly<Record<string, string>>
  }
  /** Names of values for the next steps, each with a JSON pointer (RFC 6901) into the answer's body. */
  readonly save: Readonly<Record<string, string>>
}

/** Recorded requests, which can be replayed against an empty tenant. */
export interface Run {
  /** Where the requests come from. */
  readonly source: string
  /** The profile of the token that sent them, such as `okta`. */
  readonly profile: string
  /** The extension schemas the tenant needs. */
  readonly extensions: readonly JsonObject[]
  readonly steps: readonly RunStep[]
}

/**
 * Reads a run, such as a recording exported from the directory. The failure names the first wrong member.
 *
 * @example
 * ```ts
 * import { parseRun } from '@plumbline/doctor'
 * import { unwrap } from '@plumbline/result'
 *
 * const request = { method: 'GET', path: '/Users?count=1' }
 * const steps = [{ name: 'look', request, expect: { status: 200 } }]
 * const run = unwrap(parseRun({ profile: 'okta', source: 'by hand', steps }))
 * run.steps.length //=> 1
 * ```
 */
export function parseRun(json: unknown): Result<Run, TypeError> {
  const run: JsonObject = isJsonObject(json) ? json : {}
  const { source, profile = 'standard', extensions = [], steps } = run
  if (!isText(source)) return wrong('source', 'text')
  if (!isText(profile)) return wrong('profile', 'text')
  if (!isObjects(extensions)) return wrong('extensions', 'a list of schemas')
  if (!isObjects(steps) || steps.length === 0) return wrong('steps', 'a list of steps')
  const read: RunStep[] = []
  for (const [at, step] of steps.entries()) {
    const fault = faultOf(step)
    if (fault !== null) return wrong(`steps[${at}].${fault[0]}`, fault[1])
    read.push(stepOf(step))
  }
  return success({ source, profile, extensions, steps: read })
}

function faultOf({ name, request, expect, save = {} }: JsonObject): [string, string] | null {
  if (!isText(name)) return ['name', 'text']
  if (!isJsonObject(request)) return ['request', 'an object']
  if (!METHODS.some((one) => one === request.method)) {
    return ['request.method', METHODS.join(', ')]
  }
  if (!isText(request.path) || !request.path.startsWith('/')) {
    return ['request.path', 'a path with a slash']
  }
  if (!isTexts(request.headers ?? {})) return ['request.headers', 'an object of strings']
  if (!isJsonObject(expect)) return ['expect', 'an object']
  if (!Number.isInteger(expect.status)) return ['expect.status', 'a status']
  if (!isTexts(expect.headers ?? {})) return ['expect.headers', 'an object of strings']
  const isSaved = isTexts(save) && Object.values(save).every((one) => one.startsWith('/'))
  return isSaved ? null : ['save', 'an object of JSON pointers']
}

/** A step without a fault. */
function stepOf({ name, request, expect, save = {} }: JsonObject): RunStep {
  const step = { name, request: withHeaders(request), expect: withHeaders(expect), save }
  return step as RunStep
}

function withHeaders(value: unknown): object {
  return { headers: {}, ...Object(value) }
}

function wrong(member: string, wanted: string): Result<never, TypeError> {
  return failure(new TypeError(`${member} of the run must be ${wanted}`))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string')
}

function isObjects(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject)
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
