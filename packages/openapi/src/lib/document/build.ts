import type { AnyProblemCatalog } from '@plumbline/problem'
import { pointerOf } from '@plumbline/problem/core'
import { failure, isFailure, type Result, success } from '@plumbline/result'
import { JSON_SCHEMA_DIALECT, OPENAPI_VERSION } from '../constants.ts'
import { defined } from '../json/defined.ts'
import { copyPlain } from '../json/object.ts'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { convertTogether } from '../schema/convert-together.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { prepareRoute } from '../spec/route.ts'
import { collectSchemas } from './collect-schemas.ts'
import { NAME } from './component-name.ts'
import { nameByKeys } from './components/name-definitions.ts'
import { listComponents } from './components/schemas.ts'
import { type Components, createComponents } from './components/state.ts'
import {
  type DocumentContext,
  describeOperation,
  reportUnknownSchemes,
} from './describe-operation.ts'
import { describeProblems, reserveProblemNames } from './describe-problems.ts'
import { type BuildFault, buildFault, OpenAPIBuildError, type Report } from './faults.ts'

/** The document without its operations. */
export interface DocumentOptions<Problems extends AnyProblemCatalog = AnyProblemCatalog> {
  /** The title, version and contacts of the API. */
  readonly info: OpenAPI.Info
  /** The tags of operations, in the order in which tools show them. */
  readonly tags?: readonly OpenAPI.Tag[]
  /** The servers of the API, each with an absolute `url`. */
  readonly servers?: readonly OpenAPI.Server[]
  /** The schemes that operations may name. */
  readonly securitySchemes?: Readonly<Record<string, OpenAPI.SecurityScheme>>
  /** The security of operations that do not declare their own. */
  readonly security?: readonly OpenAPI.SecurityRequirement[]
  /** The catalog whose entries operations may name. */
  readonly problems?: Problems
}

/** Collects operations and builds a document from them. */
export interface DocumentBuilder<Problems extends AnyProblemCatalog = AnyProblemCatalog> {
  /**
   * Adds operations. An operation with a problem that the catalog does not define does not compile.
   * `build` checks names that are not known at compile time, such as those of `AnyOperation`.
   */
  add<const Added extends readonly AnyOperation[]>(
    ...operations: CheckProblems<Added, keyof Problems & string>
  ): DocumentBuilder<Problems>
  /**
   * Builds a new document at each call. Documents of the same operations are equal. A second build is
   * faster, because the builder keeps the converted schemas until an operation is added.
   */
  build(): Result<OpenAPI.Document, OpenAPIBuildError>
  /** Every scope that an operation requires, by the name of its scheme. */
  scopes(): Record<string, string[]>
  /** The operations that were added, in that order. */
  operations(): readonly AnyOperation[]
  /** The catalog of the document; empty by default. */
  problems(): Problems
  /** The servers of the document; empty by default. */
  servers(): readonly OpenAPI.Server[]
}

type CheckProblems<Added extends readonly AnyOperation[], Known extends string> = {
  readonly [At in keyof Added]: Added[At] & NamesOnly<Added[At], Known>
}

/** Rejects at compile time an operation with an unknown problem. */
type NamesOnly<Added, Known extends string> = Added extends {
  readonly spec: { readonly problems?: readonly (infer Name)[] }
}
  ? string extends Name
    ? unknown
    : [Name] extends [Known]
      ? unknown
      : AnyOperation<Known>
  : unknown

/** The part of a builder, with any catalog, that checks of exchanges need. */
export type DocumentOperations = Pick<DocumentBuilder, 'operations' | 'problems'> &
  Partial<Pick<DocumentBuilder, 'servers'>>

/**
 * Starts a document.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { unwrap } from '@plumbline/result'
 *
 * const route = { method: 'DELETE', pattern: '/books/:bookId' } as const
 * const deleteBook = defineOperation('deleteBook', route, {
 *   summary: 'Delete a book',
 *   responses: { 204: { description: 'Deleted' } },
 * })
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(deleteBook)
 * const { openapi, paths } = unwrap(builder.build())
 * openapi //=> '3.1.1'
 * Object.keys(paths ?? {}) //=> ['/books/{bookId}']
 * ```
 */
export function createDocument<const Problems extends AnyProblemCatalog = Record<never, never>>(
  options: DocumentOptions<Problems>,
): DocumentBuilder<Problems> {
  const operations: AnyOperation[] = []
  // The conversions of the last document: three quarters of the time of a build.
  let kept: Conversions | undefined
  const builder: DocumentBuilder<Problems> = {
    add: (...added) => {
      operations.push(...added)
      kept = undefined
      return builder
    },
    build: () => {
      const { problems = {} } = options
      kept ??= convertBefore(collectSchemas(operations, problems))
      const built = buildDocument(options, operations, kept)
      if (!isFailure(built)) return built
      // A fault is reported at each of its places only if each schema is converted at its first use.
      kept = undefined
      return buildDocument(options, operations, new Map())
    },
    scopes: () => collectScopes(options, operations),
    operations: () => operations,
    // The default of the type parameter is the empty catalog.
    problems: () => options.problems ?? ({} as Problems),
    servers: () => options.servers ?? [],
  }
  return builder
}

type Conversions = Components['conversions']

/** Converts the schemas that can be converted in one call. */
function convertBefore(schemas: Iterable<Schema>): Conversions {
  const together = [...convertTogether(schemas)]
  return new Map(together.map(([schema, json]) => [schema, nameByKeys(json)]))
}

function buildDocument(
  options: DocumentOptions,
  operations: readonly AnyOperation[],
  conversions: Conversions,
): Result<OpenAPI.Document, OpenAPIBuildError> {
  const faults: BuildFault[] = []
  const report: Report = (place, fault, cause) => {
    faults.push(buildFault(place, fault, cause))
  }
  const { info, servers, tags, security, securitySchemes = {}, problems: catalog = {} } = options
  const components = createComponents(report, conversions)
  const context: DocumentContext = { components, report, catalog, securitySchemes }
  reserveProblemNames(catalog, components)
  checkServers(servers ?? [], report)
  for (const requirement of security ?? []) {
    reportUnknownSchemes(requirement, { operationId: null, pointer: '/security' }, context)
  }
  const paths = describePaths(operations, context)
  const described = describeProblems(catalog, components)
  const sections = withoutEmpty({
    schemas: { ...listComponents(components), ...described.schemas },
    responses: described.responses,
    securitySchemes: copyPlain(securitySchemes),
  })
  checkNames(sections, report)
  const [first] = faults
  if (first) return failure(new OpenAPIBuildError(first, faults))
  const document = {
    openapi: OPENAPI_VERSION,
    jsonSchemaDialect: JSON_SCHEMA_DIALECT,
    info: copyPlain(info),
    servers: servers && copyPlain(servers),
    tags: tags && copyPlain(tags),
    security: security && copyPlain(security),
    paths,
    components: Object.keys(sections).length > 0 ? sections : undefined,
  }
  return success(defined(document) as OpenAPI.Document)
}

function describePaths(
  operations: readonly AnyOperation[],
  context: DocumentContext,
): Record<string, Record<string, OpenAPI.Operation>> {
  const { report } = context
  // A template begins with a slash, so it is never the name of an inherited member.
  const paths: Record<string, Record<string, OpenAPI.Operation>> = {}
  const ids = new Set<string>()
  const templates = new Map<string, string>()
  for (const operation of operations) {
    const { operationId, route } = operation
    const { value: prepared, fault } = prepareRoute(route)
    if (fault) {
      report({ operationId, pointer: '/paths' }, fault)
      continue
    }
    const { template, method } = prepared
    const place = { operationId, pointer: pointerOf(['paths', template, method]) }
    if (ids.has(operationId)) {
      report(place, { code: 'duplicate-operation-id', name: operationId })
    }
    ids.add(operationId)
    const item = paths[template] ?? {}
    if (item[method] !== undefined) {
      report(place, { code: 'duplicate-route', route: `${method.toUpperCase()} ${template}` })
    }
    const shape = template.replace(/\{[^}]*\}/g, '{}')
    const other = templates.get(shape) ?? template
    if (other !== template) report(place, { code: 'conflicting-path', path: other })
    templates.set(shape, other)
    item[method] = describeOperation(operation, prepared, place, context)
    paths[template] = item
  }
  return paths
}

function checkServers(servers: readonly OpenAPI.Server[], report: Report): void {
  for (const [at, { url }] of servers.entries()) {
    // OpenAPI 3.1.1 §4.8.5.1: a url may contain variables in braces, also as its port.
    const filled = url.replace(/:\{[^}]*\}/g, ':1').replace(/\{[^}]*\}/g, 'x')
    if (/^[^:/]+:\/\//.test(filled) && URL.canParse(filled)) continue
    const place = { operationId: null, pointer: `/servers/${at}/url` }
    report(place, { code: 'relative-server-url', url })
  }
}

/** Checks the names of components, except schemas, which are checked at each use. */
function checkNames(components: Readonly<Record<string, object>>, report: Report): void {
  for (const [kind, named] of Object.entries(components)) {
    if (kind === 'schemas') continue
    for (const name of Object.keys(named)) {
      if (NAME.test(name)) continue
      const pointer = pointerOf(['components', kind, name])
      report(
        { operationId: null, pointer },
        { code: 'invalid-component-name', name: JSON.stringify(name) },
      )
    }
  }
}

function collectScopes(
  { security = [] }: DocumentOptions,
  operations: readonly AnyOperation[],
): Record<string, string[]> {
  const scopes = new Map<string, Set<string>>()
  for (const { spec } of operations) {
    for (const requirement of spec.security ?? security) {
      for (const [scheme, required] of Object.entries(requirement)) {
        scopes.set(scheme, new Set([...(scopes.get(scheme) ?? []), ...required]))
      }
    }
  }
  return Object.fromEntries([...scopes].map(([scheme, required]) => [scheme, [...required]]))
}

function withoutEmpty<Value extends object>(values: Readonly<Record<string, Value>>) {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => Object.keys(value).length > 0),
  )
}
