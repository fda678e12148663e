import { pointerOf } from '@plumbline/problem/core'
import { isJsonObject, own } from '../json/object.ts'
import type { Link, Operation, Paths } from '../openapi.ts'
import type { FaultPlace, Report } from './faults.ts'
import { type Exchange, findExpressionFaults } from './runtime-expression.ts'

/** The links of one response, checked once all operations are described. */
export interface DeclaredLinks {
  readonly links: Readonly<Record<string, Link>>
  readonly exchange: Exchange
  readonly place: FaultPlace
}

/** Checks links against the operations that they lead to (OpenAPI 3.1.1 §4.8.20). */
export function checkLinks(declared: readonly DeclaredLinks[], paths: Paths, report: Report): void {
  if (declared.length === 0) return
  const items: readonly object[] = Object.values(paths)
  const operations = new Map(
    items
      .flatMap((item): readonly Operation[] => Object.values(item))
      .map((operation) => [operation.operationId, operation]),
  )
  for (const { links, exchange, place } of declared) {
    for (const [name, link] of Object.entries(links)) {
      const here = { ...place, pointer: `${place.pointer}${pointerOf([name])}` }
      for (const reason of findFaults(link, exchange, operations, paths)) {
        report(here, { code: 'invalid-link', reason })
      }
    }
  }
}

function findFaults(
  { operationId, operationRef, parameters = {}, requestBody }: Link,
  exchange: Exchange,
  operations: ReadonlyMap<string | undefined, Operation>,
  paths: Paths,
): readonly string[] {
  const given = [...Object.values(parameters), requestBody]
  const wrong = findExpressionFaults(given.flatMap(expressionsOf), exchange)
  const reasons = wrong.map(({ expression, reason }) => `the expression ${expression} ${reason}`)
  if ((operationId === undefined) === (operationRef === undefined)) {
    return ['it must have either operationId or operationRef', ...reasons]
  }
  // An operation of another document is not known.
  if (operationRef !== undefined && !operationRef.startsWith('#')) return reasons
  const target =
    operationRef === undefined ? operations.get(operationId) : follow(operationRef, paths)
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

/** The runtime expressions of a value: the whole string, or the parts of it in braces. */
function expressionsOf(value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  if (value.startsWith('$')) return [value]
  return [...value.matchAll(/\{(\$[^}]*)\}/g)].map(([, expression = '']) => expression)
}

/** The operation that a JSON Pointer in a URI fragment leads to (RFC 6901 §6). */
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

/** The names of the parameters, with and without the location. */
function namesOf({ parameters = [] }: Operation): ReadonlySet<string> {
  const names = parameters.flatMap((one) =>
    'name' in one ? [one.name, `${one.in}.${one.name}`] : [],
  )
  return new Set(names)
}
