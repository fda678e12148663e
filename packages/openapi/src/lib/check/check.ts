import {
  defined,
  isJsonObject,
  type JsonObject,
  matchesRange,
  mediaTypeOf,
  requireOptions,
  STRING,
} from '@plumbline/base'
import type { ProblemType } from '@plumbline/problem'
import { MEDIA_TYPE_PROBLEM, plainIssues, pointerOf } from '@plumbline/problem/core'
import { failure, type Result, success } from '@plumbline/result'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { DocumentOperations } from '../document/builder.ts'
import { runExtensions } from '../schema/extensions.ts'
import { prepareSchema } from '../schema/prepare.ts'
import { runSchema, type SchemaResult } from '../schema/run-schema.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import type { StreamSpec } from '../spec/stream-spec.ts'
import { checkFirstParts, isStreamOf } from './check-parts.ts'
import { isEmpty, isReadable, messageOf, readContent } from './read-content.ts'
import {
  type Contract,
  type NamedProblem,
  type PreparedResponse,
  prepareContracts,
} from './responses.ts'
import { ConformanceError, type Violation, type ViolationKind } from './violation.ts'

/** How a request is matched with a document's operations. */
export interface CheckOptions {
  /**
   * The path under which the operations are mounted, such as `/api`; a request outside it does not match. By
   * default, the path of each server in the document, and the root.
   */
  readonly basePath?: string | undefined
}

/**
 * Checks one exchange against a document's operations: status, media type, required headers, and the body with the
 * declared schema.
 *
 * The body is read from a clone, so the response can still be sent. JSON, forms, `text/*` and every other text whose
 * schema accepts a string are validated. A declared stream is checked part by part for two seconds and up to one MiB;
 * a recorder checks all parts. Other event streams and binary bodies are not read. It never rejects: a throwing
 * schema is a violation, and so is a body that fails or does not end within two seconds.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { checkResponse } from '@plumbline/openapi/testing'
 * import { isFailure } from '@plumbline/result'
 * import { z } from 'zod'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('readBook', 'GET /books/:bookId', {
 *     summary: 'Read a book',
 *     responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
 *   }),
 * )
 * const request = new Request('http://localhost/books/b1')
 * const checked = await checkResponse(builder, request, Response.json({ title: 7 }))
 * isFailure(checked) && checked.error.violations[0]?.pointer //=> '/title'
 * ```
 */
export async function checkResponse(
  document: DocumentOperations,
  request: Request,
  response: Response,
  options: CheckOptions = {},
): Promise<Result<undefined, ConformanceError>> {
  requireOptions<CheckOptions>('checkResponse', options, { basePath: STRING })
  const { basePath } = options
  const contract = prepareContracts(document).routes.find(request, basePath)?.value
  const violations = contract
    ? await checkAll(contract, request, response)
    : [undocumented(request)]
  return violations.length === 0 ? success() : failure(new ConformanceError(violations))
}

async function checkAll(
  contract: Contract,
  request: Request,
  response: Response,
): Promise<readonly Violation[]> {
  const { violations } = await checkExchange(contract, request, response)
  const stream = findStream(contract, request, response)
  if (stream === null) return violations
  return [...violations, ...(await checkFirstParts(contract.operationId, stream, response))]
}

/** Finds the stream declared for a response; null if the response is not such a stream. */
export function findStream(
  contract: Contract,
  request: Request,
  response: Response,
): StreamSpec | null {
  if (request.method === 'HEAD') return null
  const declared = findDeclaredResponse(contract, response)
  const stream = declared && 'stream' in declared ? declared.stream : undefined
  return stream && isStreamOf(stream, response) ? stream : null
}

/** Whether an exchange covers what the operation declares: a response to HEAD does not have the body GET declares. */
export function isCounted({ method }: Contract, request: Request): boolean {
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
