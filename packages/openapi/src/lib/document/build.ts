import {
  copyPlain,
  defined,
  type Forms,
  LIST,
  OBJECT,
  oneOf,
  required,
  requireOptions,
} from '@plumbline/base'
import type { AnyProblemCatalog } from '@plumbline/problem'
import { pointerOf } from '@plumbline/problem/core'
import { failure, isFailure, type Result, success } from '@plumbline/result'
import { JSON_SCHEMA_DIALECT, OPENAPI_VERSION } from '../constants.ts'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { convertTogether } from '../schema/convert-together.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { prepareRoute } from '../spec/route.ts'
import type {
  CheckDefaults,
  DefaultsOf,
  DocumentBuilder,
  DocumentOptions,
  SecuritySchemes,
} from './builder.ts'
import { checkDefaults, checkNames, checkServers } from './check-document.ts'
import { collectSchemas } from './collect-schemas.ts'
import { nameByKeys } from './components/name-definitions.ts'
import { listComponents } from './components/schemas.ts'
import { type Components, createComponents } from './components/state.ts'
import type { DocumentContext } from './context.ts'
import {
  type DefaultProblems,
  type ProblemDefaults,
  reasonsOf,
  resolveDefaults,
} from './defaults.ts'
import { checkRequirement, describeOperation } from './describe-operation.ts'
import { describeProblems, reserveProblemNames } from './describe-problems.ts'
import { describeWebhooks } from './describe-webhooks.ts'
import { checkSchemaExamples } from './examples.ts'
import { type BuildFault, buildFault, OpenAPIBuildError, type Report } from './faults.ts'

/**
 * Starts a document.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { unwrap } from '@plumbline/result'
 *
 * const deleteBook = defineOperation('deleteBook', 'DELETE /books/:bookId', {
 *   summary: 'Delete a book',
 *   responses: { 204: { description: 'Deleted' } },
 * })
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(deleteBook)
 * const { openapi, paths } = unwrap(builder.build())
 * openapi //=> '3.1.1'
 * Object.keys(paths ?? {}) //=> ['/books/{bookId}']
 * ```
 */
export function createDocument<
  const Problems extends AnyProblemCatalog = Record<never, never>,
  const Schemes extends SecuritySchemes = Record<never, never>,
  const Security extends readonly OpenAPI.SecurityRequirement[] = readonly [],
  const Defaults extends ProblemDefaults = never,
>(
  options: DocumentOptions<Problems, Schemes, Security> & {
    readonly defaults?: Defaults & CheckDefaults<Defaults, keyof Problems & string>
  },
): DocumentBuilder<Problems, Record<never, never>, Schemes, Security, DefaultsOf<Defaults>> {
  requireOptions<DocumentOptions>('createDocument', options, FORMS)
  const operations: AnyOperation[] = []
  const webhooks: AnyOperation[] = []
  // The last document's conversions: they take three quarters of the build time.
  let kept: Conversions | undefined
  const { problems = {}, defaults: chosen } = options
  const defaults = chosen === undefined ? null : resolveDefaults(problems, chosen)
  const builder: DocumentBuilder<
    Problems,
    Record<never, never>,
    Schemes,
    Security,
    DefaultsOf<Defaults>
  > = {
    add: (...added) => {
      operations.push(...added)
      kept = undefined
      return builder
    },
    addWebhook: (...added) => {
      webhooks.push(...added)
      kept = undefined
      return builder
    },
    build: () => {
      kept ??= convertBefore(collectSchemas([...operations, ...webhooks], problems))
      const built = buildDocument(options, operations, webhooks, kept, defaults)
      if (!isFailure(built)) return built
      // A fault is reported at all its places only if each schema is converted at the first use.
      kept = undefined
      return buildDocument(options, operations, webhooks, new Map(), defaults)
    },
    scopes: () => collectScopes(options, operations),
    operations: () => operations,
    webhooks: () => webhooks,
    // The type parameters' defaults are empty.
    problems: () => options.problems ?? ({} as Problems),
    servers: () => options.servers ?? [],
    securitySchemes: () => options.securitySchemes ?? ({} as Schemes),
    security: () => options.security ?? ([] as readonly OpenAPI.SecurityRequirement[] as Security),
    // Without the option, it is null.
    defaults: () => defaults as DefaultsOf<Defaults>,
  }
  return builder
}

type Conversions = Components['conversions']

/** Converts as many schemas as possible in one call. */
function convertBefore(schemas: Iterable<Schema>): Conversions {
  const together = [...convertTogether(schemas)]
  return new Map(together.map(([schema, json]) => [schema, nameByKeys(json)]))
}

function buildDocument(
  options: DocumentOptions,
  operations: readonly AnyOperation[],
  webhooks: readonly AnyOperation[],
  conversions: Conversions,
  defaults: DefaultProblems | null,
): Result<OpenAPI.Document, OpenAPIBuildError> {
  const faults: BuildFault[] = []
  const report: Report = (place, fault, cause) => {
    faults.push(buildFault(place, fault, cause))
  }
  const { servers, security, securitySchemes = {}, problems = {} } = options
  const { openapi: version = OPENAPI_VERSION } = options
  const components = createComponents(report, conversions)
  const catalog = { ...problems, ...listBlankProblems(options, operations, defaults) }
  const checks: ((paths: OpenAPI.Paths) => void)[] = []
  const context: DocumentContext = {
    components,
    report,
    catalog,
    securitySchemes,
    defaults,
    security: security ?? [],
    itemKeyword: version === OPENAPI_VERSION ? 'x-item-schema' : 'itemSchema',
    version,
    afterPaths: (check) => checks.push(check),
  }
  checkDefaults(options, report)
  reserveProblemNames(catalog, components)
  checkServers(servers ?? [], report)
  for (const requirement of security ?? []) {
    checkRequirement(requirement, { operationId: null, pointer: '/security' }, context)
  }
  const paths = describePaths(operations, context)
  const requests = describeWebhooks(webhooks, operations, context, describeOperation)
  for (const check of checks) check(paths)
  const { schemas, responses, examples } = describeProblems(catalog, components)
  const sections = withoutEmpty({
    schemas: { ...listComponents(components), ...schemas },
    responses,
    examples,
    securitySchemes: copyPlain(securitySchemes),
  })
  checkNames(sections, report)
  checkSchemaExamples(components, sections.schemas ?? {}, {
    paths,
    webhooks: requests,
    components: sections,
  })
  const [first] = faults
  if (first) return failure(new OpenAPIBuildError(first, faults))
  const described = { version, paths, webhooks: requests, components: sections }
  return success(writeDocument(options, described))
}

/** A document's described parts. */
interface Described {
  readonly version: string
  readonly paths: OpenAPI.Paths
  readonly webhooks: OpenAPI.Paths
  readonly components: OpenAPI.Components
}

function writeDocument(
  { info, servers, tags, security, externalDocs }: DocumentOptions,
  { version, paths, webhooks, components }: Described,
): OpenAPI.Document {
  const document = {
    openapi: version,
    // OpenAPI 3.2 has a different default dialect.
    jsonSchemaDialect: version === OPENAPI_VERSION ? JSON_SCHEMA_DIALECT : undefined,
    info: copyPlain(info),
    servers: servers && copyPlain(servers),
    tags: tags && copyPlain(tags),
    security: security && copyPlain(security),
    paths,
    webhooks: Object.keys(webhooks).length > 0 ? webhooks : undefined,
    components: Object.keys(components).length > 0 ? components : undefined,
    externalDocs: externalDocs && copyPlain(externalDocs),
  }
  return defined(document) as OpenAPI.Document
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
    if (method === 'query' && context.version === OPENAPI_VERSION) {
      const remedy = "give createDocument the option openapi: '3.2.0'"
      report(
        { operationId, pointer: '/paths' },
        { code: 'unsupported-method', method: route.method, remedy },
      )
      continue
    }
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

/** Lists the default problems an operation uses but the catalog lacks. */
function listBlankProblems(
  { problems = {}, security = [] }: DocumentOptions,
  operations: readonly AnyOperation[],
  defaults: DefaultProblems | null,
): AnyProblemCatalog {
  if (defaults === null) return {}
  const reasons = new Set(operations.flatMap(({ spec }) => reasonsOf(spec, security)))
  const used = [...reasons].map((reason) => defaults[reason])
  const blank = used.filter(({ name }) => !Object.hasOwn(problems, name))
  return Object.fromEntries(blank.map(({ name, entry }) => [name, entry]))
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

const FORMS: Forms<DocumentOptions> = {
  info: required(OBJECT),
  openapi: oneOf(OPENAPI_VERSION, '3.2.0'),
  tags: LIST,
  externalDocs: OBJECT,
  servers: LIST,
  securitySchemes: OBJECT,
  security: LIST,
  problems: OBJECT,
  defaults: OBJECT,
}
