import { memoize } from '@plumbline/base'
import { isStatusCode } from '@plumbline/openapi/internal'
import type { CoverageKind, Item } from '../report.ts'
import type { OptionalLocation, SourceOperation, SourceProblem } from '../source.ts'

/** An operation's items, except its members. Items are counted by object identity. */
export interface OperationItems {
  status(status: number): Item
  readonly problems: ReadonlyMap<string, Item>
  /** By the request body's media type or range. */
  readonly mediaTypes: ReadonlyMap<string, Item>
  /** The optional parameters by location and name. */
  readonly parameters: ReadonlyMap<OptionalLocation, ReadonlyMap<string, Item>>
}

/** Finds an operation's items once. */
export const itemsOf: (operation: SourceOperation) => OperationItems = memoize((operation) => {
  const { responses, optional, mediaTypes } = operation
  const statuses = new Map([...responses.keys()].map((name) => [name, itemOf('status', name)]))
  const status = (status: number): Item => {
    const name = String(status)
    const known = statuses.get(name) ?? itemOf('status', name)
    statuses.set(name, known)
    return known
  }
  const parameters = LOCATIONS.map(
    ([location, prefix]) =>
      [location, itemsBy('parameter', optional[location], (name) => `${prefix}:${name}`)] as const,
  )
  return {
    status,
    problems: itemsBy(
      'problem',
      problemsOf(operation).map(({ name }) => name),
    ),
    mediaTypes: itemsBy('mediaType', mediaTypes),
    parameters: new Map(parameters),
  }
})

function itemOf(kind: CoverageKind, name: string): Item {
  return { kind, name }
}

function itemsBy(
  kind: CoverageKind,
  names: readonly string[],
  write = (name: string) => name,
): ReadonlyMap<string, Item> {
  return new Map(names.map((name) => [name, itemOf(kind, write(name))]))
}

/**
 * Lists what tests may cover in an operation, except its members. A problem's status is not an item, because the problem
 * type already is. Status ranges, `default` and required parameters are not items either. A problem the operation has
 * only as a default belongs to the document.
 */
export function listItems(operation: SourceOperation): readonly Item[] {
  const { status, problems, mediaTypes, parameters } = itemsOf(operation)
  const statuses = [...operation.responses.keys()].filter(isStatusCode)
  const own = problemsOf(operation).filter(({ isDefault }) => !isDefault)
  return [
    ...statuses.map((name) => status(Number(name))),
    ...own.flatMap(({ name }) => problems.get(name) ?? []),
    ...mediaTypes.values(),
    ...[...parameters.values()].flatMap((names) => [...names.values()]),
  ]
}

/** Lists the problems operations have only as defaults. */
export const listDefaultProblems: (operations: readonly SourceOperation[]) => readonly Item[] =
  memoize((operations) => {
    const names = operations.flatMap((operation) =>
      problemsOf(operation).flatMap(({ name, isDefault }) => (isDefault ? [name] : [])),
    )
    return [...new Set(names)].map((name) => itemOf('problem', name))
  })

/** An operation's problems. */
export function problemsOf({ problems }: SourceOperation): readonly SourceProblem[] {
  return [...problems.values()].flat()
}

const LOCATIONS = [
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const
