import type { AnyProblemCatalog } from '@plumbline/problem'
import type { DocumentBuilder, OperationsById, SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { ReceivedPart, StreamOf } from '../spec/stream-spec.ts'
import type { ClientAnswer } from './answer-types.ts'
import { callStream } from './call-stream.ts'
import type { ClientArguments, ClientInit } from './input-types.ts'
import {
  type ClientDocument,
  type ClientManifest,
  createManifest,
  MANIFEST_FORMAT,
  type OperationFacts,
} from './manifest.ts'
import { type ReadAnswer, readAnswer } from './read-answer.ts'
import type { StreamInit } from './stream-init.ts'
import {
  type RequestInput,
  writeAccept,
  writeBody,
  writeHeaders,
  writeUrl,
} from './write-request.ts'

/** The server's URL, and defaults for every request. */
export interface ClientOptions {
  /** The URL that operation paths are appended to, such as `https://example.com/api`, or a path in a browser. */
  readonly baseUrl: string
  /** Sends a request; defaults to the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Headers for every request, such as `Authorization`; a function is called for each request. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined
}

/** One function per operation. It sends a request and returns the answer. */
export type Client<
  Operations extends OperationsById,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  HasDefaults extends boolean = false,
> = {
  readonly [Name in keyof Operations]: (
    ...request: ClientArguments<Operations[Name]>
  ) => Promise<ClientAnswer<Operations[Name], Problems, HasDefaults>> &
    ([StreamOf<Operations[Name]['spec']>] extends [never]
      ? unknown
      : AsyncIterable<ReceivedPart<StreamOf<Operations[Name]['spec']>>>)
}

/** The client for a document, or for operations with their catalog. */
export type ClientOf<Source, Problems extends AnyProblemCatalog = Record<never, never>> =
  Source extends DocumentBuilder<infer Catalog, infer Operations, infer _Schemes, infer _Security>
    ? Client<Operations, Catalog, true>
    : Source extends OperationsById
      ? Client<Source, Problems>
      : never

/**
 * Creates a client from a document, from operations, or from their manifest and their types.
 *
 * A function resolves with any answer the operation declares, including problems, so the status determines the body's
 * type. It rejects as `fetch` does (for an aborted request, for example), with a `ResponseError` for undeclared
 * responses, and with a TypeError for path parameters a URL cannot carry: an empty string, `.` or `..`. `createClient`
 * throws a TypeError for another version's manifest.
 *
 * An operation with a stream also returns an async iterable: `for await` reads its events, and ends if the `signal` is
 * aborted. `check: true` checks each event, and `reconnect` connects again with the `Last-Event-ID`. A loop that starts
 * immediately sends an `Accept` for the stream, and `await` one for the body. `accept` chooses another media type, and
 * a caller's own `Accept` is sent as it is.
 *
 * Values are serialized as `operation.parse` reads them. Queries and forms cannot carry an empty list, and headers
 * cannot carry a comma in a list element. Browsers do not send `cookies`, and follow redirects themselves.
 *
 * @param source A document, operations keyed by function name, or a manifest from `createManifest`. With a manifest,
 * name the types: `createClient<typeof document>(manifest, options)`. Only a document's client knows the problems the
 * server answers by default.
 *
 * @example
 * ```ts
 * import { defineOperation } from '@plumbline/openapi'
 * import { createClient } from '@plumbline/openapi/client'
 * import { z } from 'zod'
 *
 * const readBook = defineOperation('readBook', 'GET /books/:bookId', {
 *   summary: 'Read a book',
 *   responses: {
 *     200: { description: 'The book', body: z.object({ title: z.string() }) },
 *     404: { description: 'Book not found' },
 *   },
 * })
 * const client = createClient(
 *   { readBook },
 *   { baseUrl: 'https://example.com', fetch: async () => Response.json({ title: 'Emma' }) },
 * )
 * const answer = await client.readBook({ params: { bookId: 'b1' } })
 * const title = answer.status === 200 ? answer.body.title : 'unknown' //=> 'Emma'
 * ```
 */
export function createClient<
  Source extends ClientDocument | OperationsById,
  Problems extends AnyProblemCatalog = Record<never, never>,
>(source: ClientManifest, options: ClientOptions): ClientOf<Source, Problems>
export function createClient<
  Problems extends AnyProblemCatalog,
  Operations extends OperationsById,
  Schemes extends SecuritySchemes,
  Security extends readonly SecurityRequirement[],
>(
  source: DocumentBuilder<Problems, Operations, Schemes, Security>,
  options: ClientOptions,
): Client<Operations, Problems, true>
export function createClient<
  const Operations extends OperationsById,
  const Problems extends AnyProblemCatalog = Record<never, never>,
>(
  source: Operations,
  options: ClientOptions & {
    /** The catalog where the operations' problems are defined. */
    readonly problems?: Problems
  } & RequireProblems<Operations, Problems>,
): Client<Operations, Problems>
export function createClient(
  source: ClientDocument | OperationsById | ClientManifest,
  options: ClientOptions & { readonly problems?: AnyProblemCatalog },
): object {
  if (typeof options?.baseUrl !== 'string')
    throw new TypeError('createClient: baseUrl must be a string')
  const manifest = isManifest(source) ? source : createManifest(source, options.problems)
  const functions = Object.entries(manifest.operations).map(([name, facts]) => [
    name,
    (input: RequestInput = {}, init: ClientInit & StreamInit = {}) =>
      facts.streams === undefined
        ? send({ manifest, facts, options }, input, init)
        : callStream(
            {
              facts,
              fetch: options.fetch ?? globalThis.fetch,
              send: (more, fetch, accept) =>
                send({ manifest, facts, options: { ...options, fetch }, accept }, input, more),
            },
            { ...init, spec: isManifest(source) ? null : findSpec(source, name) },
          ),
  ])
  return Object.fromEntries(functions)
}

/** Rejects a catalog at compile time if it lacks a problem the operations name. */
type RequireProblems<Operations, Problems> = [
  Exclude<ProblemNames<Operations[keyof Operations]>, keyof Problems>,
] extends [never]
  ? unknown
  : {
      readonly problems: `the catalog must define ${Exclude<ProblemNames<Operations[keyof Operations]>, keyof Problems> & string}`
    }

type ProblemNames<Of> = Of extends { readonly spec: { readonly problems: readonly (infer Name)[] } }
  ? Name
  : never

/** An operation may be named `format` too, but it is not a string. */
function isManifest(
  source: ClientDocument | OperationsById | ClientManifest,
): source is ClientManifest {
  const format = 'format' in source ? source.format : undefined
  if (typeof format !== 'string') return false
  if (format === MANIFEST_FORMAT) return true
  throw new TypeError(`the format of the manifest is ${format}, not ${MANIFEST_FORMAT}`)
}

/** An operation's spec, whose schemas check stream events. */
function findSpec(source: ClientDocument | OperationsById, name: string): OperationSpec | null {
  const { operations } = source
  const found =
    typeof operations === 'function'
      ? operations().find(({ operationId }: AnyOperation) => operationId === name)
      : (source as OperationsById)[name]
  return found?.spec ?? null
}

interface Sending {
  readonly manifest: ClientManifest
  readonly facts: OperationFacts
  readonly options: ClientOptions
  /** The media types to ask for, unless the caller chooses others. */
  readonly accept?: readonly string[]
}

async function send(
  { manifest, facts, options, accept = [] }: Sending,
  input: RequestInput,
  init: ClientInit,
): Promise<ReadAnswer> {
  const { baseUrl, fetch = globalThis.fetch, headers: common } = options
  const headers = new Headers(typeof common === 'function' ? await common() : common)
  const wanted = input.accept === undefined ? accept : [input.accept]
  if (input.accept !== undefined || (accept.length > 0 && !headers.has('Accept'))) {
    headers.set('Accept', writeAccept(wanted, facts, manifest.defaults))
  }
  for (const [key, value] of new Headers(init.headers)) headers.set(key, value)
  writeHeaders(input, headers)
  const body = writeBody(facts, input, headers)
  // The Fetch standard requires this for a stream.
  const duplex = body instanceof ReadableStream ? { duplex: 'half' } : {}
  const url = writeUrl(facts, baseUrl, input)
  const response = await fetch(url, { ...init, ...duplex, method: facts.method, headers, body })
  return await readAnswer(facts, manifest, response)
}
