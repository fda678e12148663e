import type { AnyProblemCatalog } from '@plumbline/problem'
import type { DocumentBuilder, OperationsById } from '../document/builder.ts'
import type { AnyOperation } from '../operation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'

/** The operation facts a client needs. They do not contain schemas. */
export interface OperationFacts {
  /** The HTTP method. */
  readonly method: string
  /** The route pattern, such as `/books/:bookId`. */
  readonly pattern: string
  /** The request body's media types and ranges; empty without a body. */
  readonly body: readonly string[]
  /** Each response body's media types and ranges, by status, range or `default`. */
  readonly responses: Readonly<Record<string, readonly string[]>>
  /** The responses that are files, whatever their media type; absent without files. */
  readonly files?: readonly string[]
  /** The operation's problem names. */
  readonly problems: readonly string[]
  /** How each event's data is sent, or each `line`, by the stream's status; absent without a stream. */
  readonly streams?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Facts about an API's operations, as plain JSON. */
export interface ClientManifest {
  /** The format's name and version. */
  readonly format: string
  /** The operations, by client function name. */
  readonly operations: Readonly<Record<string, OperationFacts>>
  /** Each problem's `type` and status, by its name in the catalog. */
  readonly problems: Readonly<Record<string, { readonly type: string; readonly status: number }>>
  /** The names of the problems the server answers by default to any request. */
  readonly defaults: readonly string[]
}

/** The parts of a document a manifest describes. */
export type ClientDocument = Pick<DocumentBuilder, 'operations' | 'problems' | 'defaults'>

/**
 * Collects the facts a client needs, as plain JSON, from a document or from operations with their catalog. A program
 * that bundles the JSON, and only the document's types, does not contain schemas.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createManifest } from '@plumbline/openapi/client'
 *
 * const deleteBook = defineOperation('deleteBook', 'DELETE /books/:bookId', {
 *   summary: 'Delete a book',
 *   responses: { 204: { description: 'Deleted' } },
 * })
 * const document = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(deleteBook)
 * createManifest(document).operations //=> {
 * //     deleteBook: {
 * //       method: 'DELETE',
 * //       pattern: '/books/:bookId',
 * //       body: [],
 * //       responses: { 204: [] },
 * //       problems: [],
 * //     },
 * //   }
 * ```
 */
export function createManifest(
  source: ClientDocument | OperationsById,
  problems: AnyProblemCatalog = {},
): ClientManifest {
  if (!isDocument(source)) return describe(source, problems, [])
  const operations = source.operations().map((one) => [one.operationId, one] as const)
  const { notFound: _, methodNotAllowed: __, ...reasons } = source.defaults() ?? {}
  const defaults = Object.values(reasons)
  const blank = defaults.map(({ name, entry }) => [name, entry] as const)
  return describe(
    Object.fromEntries(operations),
    { ...Object.fromEntries(blank), ...source.problems() },
    defaults.map(({ name }) => name),
  )
}

/** An operation may be named `operations` too, but it is not a function. */
function isDocument(source: ClientDocument | OperationsById): source is ClientDocument {
  return typeof source.operations === 'function'
}

function describe(
  operations: OperationsById,
  problems: AnyProblemCatalog,
  defaults: readonly string[],
): ClientManifest {
  return {
    format: MANIFEST_FORMAT,
    operations: mapValues(operations, factsOf),
    problems: mapValues(problems, ({ type, status }) => ({ type, status })),
    defaults,
  }
}

function factsOf(operation: AnyOperation): OperationFacts {
  const { route, spec, rangesOf } = operation
  return {
    method: route.method.toUpperCase(),
    pattern: String(route.pattern),
    body: spec.body ? rangesOf(spec.body).ranges : [],
    responses: mapValues(spec.responses ?? {}, (response) => [
      ...(response?.body ? rangesOf(response.body).ranges : []),
      ...(response?.stream?.mediaTypes ?? []),
    ]),
    problems: spec.problems ?? [],
    ...filesOf(operation),
    ...streamsOf(spec),
  }
}

function filesOf({
  spec: { responses = {} },
  rangesOf,
}: AnyOperation): Pick<OperationFacts, 'files'> {
  const files = Object.entries(responses).flatMap(([status, response]) =>
    response?.body && rangesOf(response.body).isFile ? [status] : [],
  )
  return files.length > 0 ? { files } : {}
}

function streamsOf({ responses = {} }: OperationSpec): Pick<OperationFacts, 'streams'> {
  const streams = Object.entries(responses).flatMap(([status, response]) => {
    const { parts, format } = response?.stream ?? {}
    if (parts === undefined) return []
    const formats = Object.keys(parts).map((name) => [name, format?.isText(name) ? 'text' : 'json'])
    return [[status, Object.fromEntries(formats)] as const]
  })
  return streams.length > 0 ? { streams: Object.fromEntries(streams) } : {}
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

/** The manifest format's name and version. */
export const MANIFEST_FORMAT = 'plumbline-client/1'
