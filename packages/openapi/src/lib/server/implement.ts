import {
  type Forms,
  FUNCTION,
  MAX_TIMEOUT_MS,
  OBJECT,
  oneOf,
  required,
  requireOptions,
  STRING,
  whole,
} from '@plumbline/base'
import type { AnyProblemCatalog } from '@plumbline/problem'
import { unwrap } from '@plumbline/result'
import { prepareContracts } from '../check/responses.ts'
import type { DocumentBuilder, OperationsById, SecuritySchemes } from '../document/builder.ts'
import type { DefaultProblems } from '../document/defaults.ts'
import type { SecurityRequirement } from '../openapi.ts'
import { createRouteTable } from '../routing/route-table.ts'
import { prepareRoute } from '../spec/route.ts'
import type { Verifier } from './authenticate.ts'
import { checkImplementation } from './check-implementation.ts'
import { prepareDefaultAnswers } from './default-answers.ts'
import { createFetch } from './fetch.ts'
import {
  type AnyHandler,
  createOperationHandler,
  type OperationHandler,
} from './operation-handler.ts'
import { createReferencePage } from './reference-page.ts'
import type { SomeVerifiers, Unread } from './security-types.ts'
import type { Api, ImplementOptions, ServerOptions } from './types.ts'

/**
 * Implements a document's operations. Each request is authenticated and parsed, then passed to the operation's handler.
 * Everything the handler does not answer gets one of the document's default problems.
 *
 * A program does not compile if a handler is missing or unknown, if a status, body, required header or problem is
 * not declared, if a scheme does not have a verifier, or if the document does not have the option `defaults`. Throws a
 * TypeError for faults the types cannot express. Operations added to the document later are not served. Throws
 * an OpenAPIBuildError if `docs` is given and the document cannot be built.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { implement } from '@plumbline/openapi/server'
 * import { z } from 'zod'
 *
 * const readBook = defineOperation('readBook', 'GET /books/:bookId', {
 *   summary: 'Read a book',
 *   responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
 * })
 * const info = { title: 'Books', version: '1.0.0' }
 * const api = implement(createDocument({ info, defaults: {} }).add(readBook), {
 *   handlers: {
 *     readBook: ({ params, reply }) => reply(200, { title: `Book ${params.bookId}` }),
 *   },
 * })
 * const response = await api.fetch(new Request('http://localhost/books/b1'))
 * await response.json() //=> { title: 'Book b1' }
 * ```
 */
export function implement<
  Problems extends AnyProblemCatalog,
  Operations extends OperationsById,
  Schemes extends SecuritySchemes,
  Security extends readonly SecurityRequirement[],
  Defaults extends DefaultProblems | null,
  const Verifying extends SomeVerifiers<Schemes> = Unread<Schemes>,
>(
  builder: DocumentBuilder<Problems, Operations, Schemes, Security, Defaults>,
  options: ImplementOptions<Problems, Operations, Schemes, Security, Verifying> &
    RequireDefaults<Defaults>,
): Api<Operations> {
  requireOptions('implement', options, FORMS)
  // An operation's types match its handler's. This code treats both as those of any operation.
  const { handlers, security: verifiers = {}, ...rest } = options as unknown as UntypedOptions
  const defaults = checkImplementation(builder, handlers, verifiers, rest)
  const answerDefault = prepareDefaultAnswers(defaults)
  const catalog = builder.problems()
  const contracts = new Map(prepareContracts(builder).all.map((one) => [one.operationId, one]))
  const security = { schemes: builder.securitySchemes(), verifiers, realm: rest.realm }
  const byId = new Map<string, OperationHandler>()
  const routes = [...builder.operations()].flatMap((operation) => {
    const { operationId, spec } = operation
    const { value: route } = prepareRoute(operation.route)
    const contract = contracts.get(operationId)
    const handler = handlers[operationId]
    // checkImplementation has rejected routes and operations without them.
    if (!route || !contract || !handler) return []
    const named = (spec.problems ?? []).map((name) => [name, catalog[name]] as const)
    const served = createOperationHandler({
      operation,
      pattern: route.pattern.source,
      contract,
      handler,
      requirements: spec.security ?? builder.security(),
      security,
      problems: Object.fromEntries(named),
      answerDefault,
      options: rest,
    })
    byId.set(operationId, served.handle)
    return [[route, served] as const]
  })
  const table = createRouteTable(routes, builder.servers())
  const { basePath, docs } = rest
  const page = docs === undefined ? null : createReferencePage(docs, unwrap(builder.build()), table)
  return {
    document: builder,
    fetch: createFetch(table, answerDefault, { basePath, page }),
    // One handler was created for each operation.
    handlers: Object.fromEntries(byId) as unknown as Api<Operations>['handlers'],
  }
}

/** Rejects at compile time a document without answers for rejected requests. */
type RequireDefaults<Defaults> = [Defaults] extends [null]
  ? { readonly defaults: 'give createDocument the option defaults' }
  : unknown

interface UntypedOptions extends ServerOptions {
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly security?: Readonly<Record<string, Verifier>>
}

const FORMS: Forms<UntypedOptions> = {
  basePath: STRING,
  bodyLimit: whole(0),
  heartbeat: whole(0, MAX_TIMEOUT_MS),
  realm: STRING,
  onError: FUNCTION,
  middleware: FUNCTION,
  checkResponses: oneOf('throw', 'report'),
  docs: OBJECT,
  onViolation: FUNCTION,
  handlers: required(OBJECT),
  security: OBJECT,
}
