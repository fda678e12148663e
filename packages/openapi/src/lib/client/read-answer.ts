import { isJson, matchesRange, mediaTypeOf } from '@plumbline/base'
import type { ClientManifest, OperationFacts } from './manifest.ts'
import { ResponseError } from './response-error.ts'

/** An answer, before the type is known. */
export interface ReadAnswer {
  readonly status: number
  readonly problem: string | undefined
  readonly contentType: string | undefined
  readonly body: unknown
  readonly headers: Headers
  readonly response: Response
}

/** Reads a declared response. Rejects with a ResponseError for any other. */
export async function readAnswer(
  facts: OperationFacts,
  { problems, defaults }: ClientManifest,
  response: Response,
): Promise<ReadAnswer> {
  const { status, headers } = response
  const header = headers.get('Content-Type')
  const answer = { status, headers, response, problem: undefined }
  const isProblem = (name: string) => problems[name]?.status === status
  const names = [...facts.problems, ...defaults].filter(isProblem)
  const key = declaredKey(facts, status, names.length > 0)
  const ranges = key === undefined ? undefined : facts.responses[key]
  if (ranges === undefined && names.length === 0) {
    throw new ResponseError('undeclared-status', `the status ${status} is not declared`, response)
  }
  const isEmpty = facts.method === 'HEAD' || NULL_BODY.includes(status)
  if (isEmpty || ranges?.length === 0) {
    return { ...answer, contentType: undefined, body: undefined }
  }
  const type = mediaTypeOf(header ?? '')
  // If the status also has another response, the media type identifies a problem.
  const content = names.length > 0 && type === PROBLEM ? undefined : ranges
  const accepted = content ?? [PROBLEM]
  if (!accepted.some((range) => matchesRange(range, type))) {
    const message = `${header} is not one of ${accepted.join(', ')}`
    throw new ResponseError('undeclared-media-type', message, response)
  }
  const isFile = content !== undefined && facts.files?.includes(key ?? '') === true
  const body = isFile ? await response.blob() : await readContent(type, response)
  if (content !== undefined) return { ...answer, contentType: type, body }
  const sent: unknown = Object(body).type
  const problem = names.find((name) => problems[name]?.type === sent)
  if (problem !== undefined) return { ...answer, problem, contentType: type, body }
  const message = `the problem ${JSON.stringify(sent)} is not declared`
  throw new ResponseError('undeclared-problem', message, response)
}

/** OpenAPI 3.1.1 §4.8.16: the code itself, then the range, then `default`. A problem has a code. */
function declaredKey(
  { responses }: OperationFacts,
  status: number,
  isProblem: boolean,
): string | undefined {
  const keys = isProblem ? [status] : [status, `${Math.floor(status / 100)}XX`, 'default']
  return keys.map(String).find((key) => responses[key] !== undefined)
}

/** Decodes a body: JSON is parsed, text is a string, parts are a stream, and everything else is a file. */
async function readContent(type: string, response: Response): Promise<unknown> {
  try {
    if (isJson(type)) return await response.json()
    if (SEQUENCE.test(type)) return response.body
    return TEXT.test(type) ? await response.text() : await response.blob()
  } catch (error) {
    // An aborted request is the caller's own, and is reported as fetch reports it.
    if (!(error instanceof SyntaxError)) throw error
    throw new ResponseError('malformed', `the body is not ${type}`, response, { cause: error })
  }
}

/** A problem's media type. */
export const PROBLEM = 'application/problem+json'
/** The media types whose bodies are streams. */
export const SEQUENCE: RegExp = /^text\/event-stream$|^application\/(?:jsonl|x-ndjson|json-seq)$/
const TEXT = /^text\/|^application\/(?:xml|yaml|x-www-form-urlencoded)$|\+(?:xml|yaml)$/
/** RFC 9110 §6.4.1: responses without content. */
const NULL_BODY = [204, 205, 304]
