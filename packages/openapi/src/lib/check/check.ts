import { defined, isJsonObject, type JsonObject, matchesRange, mediaTypeOf } from '@plumbline/base'
import type { ProblemType } from '@plumbline/problem'
import { MEDIA_TYPE_PROBLEM, plainIssues, pointerOf } from '@plumbline/problem/core'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { runExtensions } from '../schema/extensions.ts'
import { prepareSchema } from '../schema/prepare.ts'
import { runSchema, type SchemaResult } from '../schema/run-schema.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import type { StreamSpec } from '../spec/stream-spec.ts'
import { isStreamOf } from './check-parts.ts'
import { isEmpty, isReadable, messageOf, readContent } from './read-content.ts'
import type { Contract, NamedProblem, PreparedResponse } from './responses.ts'
import type { Violation, ViolationKind } from './violation.ts'

/** How a request is matched with a document's operations. */
export interface CheckOptions {
  /**
   * The path under which the operations are mounted, such as `/api`; a request outside it does not match. By
   * default, the path of each server in the document, and the root.
   */
  readonly basePath?: string | undefined
}

/** Whether a response has the parts of a declared stream. */
export function isStreamed(stream: StreamSpec, request: Request, response: Response): boolean {
  return request.method !== 'HEAD' && isStreamOf(stream, response)
}

/** Whether an exchange covers what the operation declares: a response to HEAD does not have the body GET declares. */
export function isCounted({ method }: { readonly method: string }, request: Request): boolean {
  return request.method !== 'HEAD' || method === 'head'
}

/** A checked exchange: its violations, and the problem or content. */
export interface CheckedExchange {
  readonly violations: readonly Violation[]
  /** The problem's name in the catalog; null if the response is not one of the operation's problems. */
  readonly problem: string | null
  /** The received content; null if the status is not declared or the response is a problem. */
  readonly content: CheckedContent | null
}

/** The body of a response, and where it is declared. */
export interface CheckedContent {
  /** The status code, range or `default`. */
  readonly key: string
  /** The media range that declares the body; null if no body was read. */
  readonly range: string | null
  /** The body as the schema receives it; undefined if it was not read. */
  readonly value: unknown
}

/** Checks a response against the operation's contract; without `isRead`, only the status and headers. */
export async function checkExchange(
  contract: Contract,
  request: Request,
  response: Response,
  isRead = true,
): Promise<CheckedExchange> {
  const note = createNote(contract)
  const declared = findDeclaredResponse(contract, response)
  if (declared === null) {
    const message = `the status ${response.status} is not declared`
    return withoutProblem([note('undocumented-status', message)])
  }
  const hasBody = isRead && request.method !== 'HEAD' && !NULL_BODY.has(response.status)
  if ('problems' in declared) {
    return hasBody ? await checkProblem(declared.problems, response, note) : withoutProblem([])
  }
  const missing = declared.requiredHeaders
    .filter((name) => !response.headers.has(name))
    .map((name) => note('missing-header', `the header ${name} is missing`))
  const checked = hasBody ? await checkBody(declared, response, note) : unread([])
  const { violations, range, value } = checked
  const content = { key: declared.key, range, value }
  return { violations: [...missing, ...violations], problem: null, content }
}

function withoutProblem(violations: readonly Violation[]): CheckedExchange {
  return { violations, problem: null, content: null }
}

/** A checked body: its violations and value. */
interface CheckedBody extends Omit<CheckedContent, 'key'> {
  readonly violations: readonly Violation[]
}

function unread(violations: readonly Violation[]): CheckedBody {
  return { violations, range: null, value: undefined }
}

/** The violation for a request without a matching operation. */
export function undocumented({ method, url }: Request): Violation {
  const message = `no operation is bound to ${method} ${new URL(url).pathname}`
  return { kind: 'undocumented-operation', operationId: null, message }
}

type NoteViolation = (kind: ViolationKind, message: string, pointer?: string) => Violation

function createNote({ operationId }: Contract): NoteViolation {
  return (kind, message, pointer) => defined({ kind, operationId, message, pointer })
}

/** OpenAPI 3.1.1 §4.8.16: the code itself, then the range, then `default`. */
export function findDeclaredResponse(
  { responses, problems }: Contract,
  { status, headers }: Response,
): PreparedResponse | { readonly problems: readonly NamedProblem[] } | null {
  const exact = responses.get(String(status))
  const entries = problems.get(String(status))
  // If the status also has another response, the media type identifies a problem.
  const isProblem = mediaTypeOf(headers.get('Content-Type') ?? '') === MEDIA_TYPE_PROBLEM
  if (exact && !(entries && isProblem)) return exact
  if (entries) return { problems: entries }
  return responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default') ?? null
}

async function checkBody(
  { body, stream }: PreparedResponse,
  response: Response,
  note: NoteViolation,
): Promise<CheckedBody> {
  const header = response.headers.get('Content-Type')
  // A stream is checked part by part.
  if (stream && isStreamOf(stream, response)) return unread([])
  if (body.length === 0 && !stream) {
    if (await isEmpty(response)) return unread([])
    const message = `a body of ${header ?? 'no media type'} was sent, but none is declared`
    return unread([note('undocumented-media-type', message)])
  }
  const type = header === null ? '' : mediaTypeOf(header)
  const found = body.find(([range]) => matchesRange(range, type))
  // A body without a Content-Type does not match `*/*`.
  if (!found || type === '') {
    const declared = [...body.map(([range]) => range), ...(stream?.mediaTypes ?? [])].join(', ')
    return unread([note('undocumented-media-type', `${header} is not one of ${declared}`)])
  }
  const [range, schema] = found
  const { whole } = prepareSchema(schema)
  if (!isReadable(type, whole) || isFileShape(whole)) return unread([])
  const content = await readContent(type, response, schema)
  if (content.issues) return unread(mismatches(content.issues, note))
  const { value } = content
  return { violations: describeResult(await runSchema(schema, value), note), range, value }
}

async function checkProblem(
  entries: readonly NamedProblem[],
  response: Response,
  note: NoteViolation,
): Promise<CheckedExchange> {
  const header = response.headers.get('Content-Type')
  if (header === null || mediaTypeOf(header) !== MEDIA_TYPE_PROBLEM) {
    const message = `a problem must be ${MEDIA_TYPE_PROBLEM}, not ${header}`
    return withoutProblem([note('undocumented-media-type', message)])
  }
  const content = await readContent(MEDIA_TYPE_PROBLEM, response)
  if (content.issues) return withoutProblem(mismatches(content.issues, note))
  const body = content.value
  if (!isJsonObject(body)) {
    return withoutProblem([note('body-mismatch', 'the body is not a JSON object', '')])
  }
  const found = entries.find(({ entry }) => entry.type === body.type)
  if (!found) {
    const types = entries.map(({ entry }) => entry.type).join(', ')
    const message = `the type ${JSON.stringify(body.type)} is not one of ${types}`
    return withoutProblem([note('undocumented-problem-type', message, '/type')])
  }
  const violations = await checkMembers(found.entry, body, note)
  return { violations, problem: found.name, content: null }
}

async function checkMembers(
  entry: ProblemType,
  body: JsonObject,
  note: NoteViolation,
): Promise<readonly Violation[]> {
  const fixed = (['title', 'status'] as const).filter((name) => body[name] !== entry[name])
  const texts = ['detail', 'instance'].filter(
    (name) => body[name] !== undefined && typeof body[name] !== 'string',
  )
  return [
    ...fixed.map((name) => note('body-mismatch', `must be ${entry[name]}`, `/${name}`)),
    ...texts.map((name) => note('body-mismatch', 'must be a string', `/${name}`)),
    ...(entry.extensions
      ? describeResult(await runExtensions(entry.extensions, omitStandardMembers(body)), note)
      : []),
  ]
}

/** Keeps the extension members: a schema that rejects unknown members would reject the standard ones. */
function omitStandardMembers({
  type,
  title,
  status,
  detail,
  instance,
  ...extensions
}: JsonObject): JsonObject {
  return extensions
}

function describeResult(result: SchemaResult, note: NoteViolation): readonly Violation[] {
  if (!('cause' in result)) return mismatches(result.issues ?? [], note)
  // A throwing schema is a violation, because an exception would replace the response.
  return [note('body-mismatch', `the schema threw an error: ${messageOf(result.cause)}`, '')]
}

function mismatches(
  issues: readonly StandardSchemaV1.Issue[],
  note: NoteViolation,
): readonly Violation[] {
  return plainIssues(issues).map(({ message, path }) =>
    note('body-mismatch', message, pointerOf(path)),
  )
}

/** RFC 9110 §6.4.1: responses without content, whatever their headers say. */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304])
