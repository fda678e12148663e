import type { ProblemType } from '@plumbline/problem'
import { createMultiMatcher, type MultiMatcher } from '@remix-run/route-pattern/match'
import type { DocumentOperations } from '../document/build.ts'
import { byMediaRange, JSON_RANGES } from '../http/media-types.ts'
import type { Method } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import type { BodySpec, OperationSpec, ResponseSpec } from '../spec/operation-spec.ts'
import { type PreparedRoute, prepareRoute } from '../spec/route.ts'
import { type BasePath, compileBasePath, compileBasePaths, urlsBelow } from './base-path.ts'

/** The declared responses of one operation. */
export interface Contract {
  readonly operationId: string
  readonly method: Method
  /** The path with its variables as `{name}`. */
  readonly path: string
  readonly spec: OperationSpec
  /** By status code, range or `default`. */
  readonly responses: ReadonlyMap<string, PreparedResponse>
  /** By status code. */
  readonly problems: ReadonlyMap<string, readonly NamedProblem[]>
}

/** A problem of an operation, with its name in the catalog. */
export interface NamedProblem {
  readonly name: string
  readonly entry: ProblemType
}

/** The data of a declared response that checks need. */
export interface PreparedResponse {
  readonly requiredHeaders: readonly string[]
  /** By media range in lower case, most specific first. */
  readonly body: readonly (readonly [range: string, schema: Schema])[]
}

/** The operations of a document, matched as the router matches them. */
export interface Contracts {
  readonly all: readonly Contract[]
  /** The operation of a request. HEAD falls back to the operation of GET. */
  find(request: Request, basePath?: string): Contract | null
  /**
   * The urls by which a request is matched with routes: below `basePath`, or by default below the path of
   * each server and at the root.
   */
  urlsOf(request: Request, basePath?: string): readonly string[]
}

const prepared = new WeakMap<DocumentOperations, { count: number; contracts: Contracts }>()

/** Prepares the operations of a builder once, until another is added. */
export function prepareContracts(builder: DocumentOperations): Contracts {
  const operations = builder.operations()
  const known = prepared.get(builder)
  if (known?.count === operations.length) return known.contracts
  const contracts = createContracts(
    operations,
    builder.problems(),
    compileBasePaths(builder.servers?.() ?? []),
  )
  prepared.set(builder, { count: operations.length, contracts })
  return contracts
}

function createContracts(
  operations: readonly AnyOperation[],
  catalog: Readonly<Record<string, ProblemType>>,
  bases: readonly BasePath[],
): Contracts {
  const matchers = new Map<string, MultiMatcher<Contract>>()
  const all: Contract[] = []
  for (const operation of operations) {
    const { value: route, fault } = prepareRoute(operation.route)
    // The build reports a route that OpenAPI cannot describe.
    if (fault) continue
    const contract = prepareContract(operation, route, catalog)
    all.push(contract)
    const matcher = matchers.get(route.method) ?? createMultiMatcher<Contract>()
    matcher.add(route.pattern, contract)
    matchers.set(route.method, matcher)
  }
  const match = (method: string, url: string): Contract | null =>
    matchers.get(method)?.match(url)?.data ?? null
  const urlsOf: Contracts['urlsOf'] = ({ url }, basePath) =>
    basePath === undefined
      ? [...urlsBelow(url, bases), url]
      : urlsBelow(url, [compileBasePath(basePath)])
  return {
    all,
    urlsOf,
    find: (request, basePath) => {
      const method = request.method.toLowerCase()
      for (const url of urlsOf(request, basePath)) {
        const found = match(method, url) ?? (method === 'head' ? match('get', url) : null)
        if (found !== null) return found
      }
      return null
    },
  }
}

function prepareContract(
  { operationId, spec }: AnyOperation,
  { method, template }: PreparedRoute,
  catalog: Readonly<Record<string, ProblemType>>,
): Contract {
  const problems = new Map<string, NamedProblem[]>()
  for (const name of spec.problems ?? []) {
    const entry = Object.hasOwn(catalog, name) ? catalog[name] : undefined
    if (entry === undefined) continue
    const status = String(entry.status)
    problems.set(status, [...(problems.get(status) ?? []), { name, entry }])
  }
  const responses = Object.entries(spec.responses ?? {}).flatMap(([status, response]) =>
    response ? [[status, prepareResponse(response)] as const] : [],
  )
  return {
    operationId,
    method,
    path: template,
    spec,
    responses: new Map(responses),
    problems,
  }
}

function prepareResponse({ headers = {}, body }: ResponseSpec): PreparedResponse {
  const required = Object.entries(headers).filter(([, header]) => header.required === true)
  return {
    requiredHeaders: required.map(([name]) => name),
    body: body === undefined ? [] : prepareContent(body),
  }
}

function prepareContent(body: BodySpec): PreparedResponse['body'] {
  if (isSchema(body)) return JSON_RANGES.map((range) => [range, body])
  return byMediaRange(body)
}
