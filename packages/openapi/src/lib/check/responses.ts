import { byMediaRange } from '@plumbline/base'
import type { ProblemType } from '@plumbline/problem'
import type { DocumentOperations } from '../document/builder.ts'
import { problemsOf } from '../document/defaults.ts'
import { rangesOf } from '../http/body-ranges.ts'
import type { Method } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { createRouteTable, type RouteTable } from '../routing/route-table.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import type { BodySpec, OperationSpec, ResponseSpec } from '../spec/operation-spec.ts'
import { type PreparedRoute, prepareRoute } from '../spec/route.ts'
import type { StreamSpec } from '../spec/stream-spec.ts'

/** An operation's declared responses. */
export interface Contract {
  readonly operationId: string
  readonly method: Method
  /** The path with variables as `{name}`. */
  readonly path: string
  readonly route: PreparedRoute
  readonly spec: OperationSpec
  /** By status code, range or `default`. */
  readonly responses: ReadonlyMap<string, PreparedResponse>
  /** By status code. */
  readonly problems: ReadonlyMap<string, readonly NamedProblem[]>
}

/** An operation's problem, with its name in the catalog. */
export interface NamedProblem {
  readonly name: string
  readonly entry: ProblemType
  /** Whether the operation doesn't declare it: the server may answer it as a default. */
  readonly isDefault: boolean
}

/** A declared response, prepared for checks. */
export interface PreparedResponse {
  /** The status code, range or `default`. */
  readonly key: string
  readonly requiredHeaders: readonly string[]
  /** By media range in lower case, most specific first. */
  readonly body: readonly (readonly [range: string, schema: Schema])[]
  readonly stream: StreamSpec | undefined
}

/** A document's operations, with the router's matching rules. */
export interface Contracts {
  readonly all: readonly Contract[]
  readonly routes: RouteTable<Contract>
}

const prepared = new WeakMap<DocumentOperations, { count: number; contracts: Contracts }>()

/** Whether a declared response's key is a status code, not a range such as `4XX` or `default`. */
export function isStatusCode(key: string): boolean {
  return /\d$/.test(key)
}

/** Prepares a builder's operations once, until another is added. */
export function prepareContracts(builder: DocumentOperations): Contracts {
  const operations = builder.operations()
  const count = operations.length + (builder.webhooks?.().length ?? 0)
  const known = prepared.get(builder)
  if (known?.count === count) return known.contracts
  const contracts = createContracts(operations, builder)
  prepared.set(builder, { count, contracts })
  return contracts
}

function createContracts(
  operations: readonly AnyOperation[],
  builder: DocumentOperations,
): Contracts {
  const options = { defaults: builder.defaults?.() ?? null, security: builder.security?.() ?? [] }
  const catalog = builder.problems()
  const routes = operations.flatMap((operation) => {
    const { value: route, fault } = prepareRoute(operation.route)
    // If OpenAPI cannot describe a route, the build reports it.
    if (fault) return []
    const problems = problemsOf(operation.spec, catalog, options)
    return [[route, prepareContract(operation, route, problems)] as const]
  })
  let table: RouteTable<Contract> | undefined
  return {
    all: [...routes.map(([, contract]) => contract), ...prepareWebhooks(builder)],
    // Created on first use: a server that only implements the operations has a separate table.
    get routes() {
      table ??= createRouteTable(routes, builder.servers?.() ?? [])
      return table
    },
  }
}

/** Prepares contracts for webhooks, the requests the API sends. Their paths are their names. */
function prepareWebhooks(builder: DocumentOperations): readonly Contract[] {
  const catalog = builder.problems()
  return (builder.webhooks?.() ?? []).flatMap((webhook) => {
    const { value: route } = prepareRoute(webhook.route)
    if (route === undefined) return []
    const problems = problemsOf(webhook.spec, catalog, { defaults: null, security: [] })
    return [prepareContract(webhook, { ...route, template: webhook.operationId }, problems)]
  })
}

function prepareContract(
  { operationId, spec }: AnyOperation,
  route: PreparedRoute,
  named: ReadonlyMap<string, ProblemType>,
): Contract {
  const problems = new Map<string, NamedProblem[]>()
  for (const [name, entry] of named) {
    const status = String(entry.status)
    const isDefault = spec.problems?.includes(name) !== true
    problems.set(status, [...(problems.get(status) ?? []), { name, entry, isDefault }])
  }
  const responses = Object.entries(spec.responses ?? {}).flatMap(([status, response]) =>
    response ? [[status, prepareResponse(status, response)] as const] : [],
  )
  return {
    operationId,
    method: route.method,
    path: route.template,
    route,
    spec,
    responses: new Map(responses),
    problems,
  }
}

function prepareResponse(
  key: string,
  { headers = {}, body, stream }: ResponseSpec,
): PreparedResponse {
  const required = Object.entries(headers).filter(([, header]) => header.required === true)
  return {
    key,
    requiredHeaders: required.map(([name]) => name),
    body: body === undefined ? [] : prepareContent(body),
    stream,
  }
}

function prepareContent(body: BodySpec): PreparedResponse['body'] {
  if (isSchema(body)) return rangesOf(body).ranges.map((range) => [range, body])
  return byMediaRange(body)
}
