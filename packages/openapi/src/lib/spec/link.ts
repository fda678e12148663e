import { isJsonObject, memoize, own } from '@plumbline/base'
import type { Link, Operation, Paths } from '../openapi.ts'
import type { Exchange, LinkSpec } from './operation-spec.ts'
import { findExpressionFaults } from './runtime-expression.ts'

/**
 * Defines a link: a request that may follow a response. The build checks whether the operation exists, whether it has
 * the parameters and the body, and whether each runtime expression leads to a request or response value.
 *
 * A string starting with `$` is an expression, and so are parts such as `{$response.body#/id}` in other strings. An
 * `operationRef` into another document is not checked.
 *
 * @example
 * ```ts
 * import { createDocument, defineLink, defineOperation } from '@plumbline/openapi'
 * import { z } from 'zod'
 *
 * const Book = z.object({ id: z.string() })
 * const readBook = defineOperation('readBook', 'GET /books/:id', {
 *   summary: 'Read a book',
 *   responses: { 200: { description: 'The book', body: Book } },
 * })
 * const next = defineLink({ operationId: 'readBook', parameters: { id: '$response.body#/key' } })
 * const addBook = defineOperation('addBook', 'POST /books', {
 *   summary: 'Add a book',
 *   responses: { 201: { description: 'Added', body: Book, links: { next } } },
 * })
 * const info = { title: 'Books', version: '1.0.0' }
 * const built = createDocument({ info }).add(addBook, readBook).build()
 * 'error' in built && built.error.code //=> 'invalid-link'
 * ```
 * @see OpenAPI 3.1.1 §4.8.20
 */
export function defineLink(link: Link): LinkSpec {
  return { ...link, findFaults: (exchange, paths) => findFaults(link, exchange, paths) }
}

function findFaults(
  { operationId, operationRef, parameters = {}, requestBody }: Link,
  exchange: Exchange,
  paths: Paths,
): readonly string[] {
  const given = [...Object.values(parameters), requestBody]
  const wrong = findExpressionFaults(given.flatMap(expressionsOf), exchange)
  const reasons = wrong.map(({ expression, reason }) => `the expression ${expression} ${reason}`)
  if ((operationId === undefined) === (operationRef === undefined)) {
    return ['it must have either operationId or operationRef', ...reasons]
  }
  // Operations in another document are not known.
  if (operationRef !== undefined && !operationRef.startsWith('#')) return reasons
  const target =
    operationRef === undefined ? operationsOf(paths).get(operationId) : follow(operationRef, paths)
  if (target === undefined) {
    return [`the document does not have the operation ${operationId ?? operationRef}`, ...reasons]
  }
  const named = namesOf(target)
  const unknown = Object.keys(parameters).filter((name) => !named.has(name))
  return [
    ...unknown.map((name) => `the operation does not have the parameter ${name}`),
    ...(requestBody === undefined || target.requestBody !== undefined
      ? []
      : ['the operation does not have a body']),
    ...reasons,
  ]
}

const operationsOf = memoize((paths: Paths): ReadonlyMap<string | undefined, Operation> => {
  const items: readonly object[] = Object.values(paths)
  const operations = items.flatMap((item): readonly Operation[] => Object.values(item))
  return new Map(operations.map((operation) => [operation.operationId, operation]))
})

/** Returns a value's runtime expressions: the whole string, or the parts in braces. */
function expressionsOf(value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  if (value.startsWith('$')) return [value]
  return [...value.matchAll(/\{(\$[^}]*)\}/g)].map(([, expression = '']) => expression)
}

/** Finds the operation at a JSON Pointer in a URI fragment (RFC 6901 §6). */
function follow(reference: string, paths: Paths): Operation | undefined {
  const [, kind, path, method, ...more] = reference.slice(1).split('/').map(decode)
  if (kind !== 'paths' || more.length > 0) return undefined
  const operation = own(own(paths, path ?? ''), method ?? '')
  return isJsonObject(operation) ? operation : undefined
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** Returns the parameter names, with and without the location. */
function namesOf({ parameters = [] }: Operation): ReadonlySet<string> {
  const names = parameters.flatMap((one) =>
    'name' in one ? [one.name, `${one.in}.${one.name}`] : [],
  )
  return new Set(names)
}
