import {
  ANY_TYPE,
  byMediaRange,
  isJson,
  JSON_RANGES,
  matchesRange,
  mediaTypeOf,
  memoize,
} from '@plumbline/base'
import type { BodySpec, Schema } from '@plumbline/openapi'
import {
  type Contract,
  convertForParsing,
  isSchema,
  isStatusCode,
  type NamedProblem,
  type ParameterLocation,
  propertiesOf,
  rangesOf,
  requiredOf,
  rootOf,
} from '@plumbline/openapi/internal'
import type { CoverageKind, Item } from '../report.ts'

/** A contract's items, except its members. Items are counted by object identity. */
export interface ContractItems {
  status(status: number): Item
  readonly problems: ReadonlyMap<string, Item>
  /** By the request body's media type or range. */
  readonly mediaTypes: ReadonlyMap<string, Item>
  /** The optional parameters by location and name. */
  readonly parameters: ReadonlyMap<ParameterLocation, ReadonlyMap<string, Item>>
}

/** Finds a contract's items once. */
export const itemsOf: (contract: Contract) => ContractItems = memoize((contract) => {
  const { spec, responses } = contract
  const statuses = new Map([...responses.keys()].map((name) => [name, itemOf('status', name)]))
  const status = (status: number): Item => {
    const name = String(status)
    const known = statuses.get(name) ?? itemOf('status', name)
    statuses.set(name, known)
    return known
  }
  const parameters = LOCATIONS.map(([location, prefix]) => {
    const names = spec[location] ? optionalNames(spec[location]) : []
    return [location, itemsBy('parameter', names, (name) => `${prefix}:${name}`)] as const
  })
  return {
    status,
    problems: itemsBy(
      'problem',
      problemsOf(contract).map(({ name }) => name),
    ),
    mediaTypes: itemsBy('mediaType', spec.body === undefined ? [] : mediaTypesOf(spec.body)),
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
 * Lists what tests may cover in a contract, except its members. A problem's status is not an item, because the problem
 * type already is. Status ranges, `default` and required parameters are not items either. A problem the operation has
 * only as a default belongs to the document.
 */
export function listItems(contract: Contract): readonly Item[] {
  const { status, problems, mediaTypes, parameters } = itemsOf(contract)
  const statuses = [...contract.responses.keys()].filter(isStatusCode)
  const own = problemsOf(contract).filter(({ isDefault }) => !isDefault)
  return [
    ...statuses.map((name) => status(Number(name))),
    ...own.flatMap(({ name }) => problems.get(name) ?? []),
    ...mediaTypes.values(),
    ...[...parameters.values()].flatMap((names) => [...names.values()]),
  ]
}

/** Lists the problems operations have only as defaults. */
export const listDefaultProblems: (contracts: readonly Contract[]) => readonly Item[] = memoize(
  (contracts) => {
    const names = contracts.flatMap((contract) =>
      problemsOf(contract).flatMap(({ name, isDefault }) => (isDefault ? [name] : [])),
    )
    return [...new Set(names)].map((name) => itemOf('problem', name))
  },
)

/** An operation's problems. */
export function problemsOf({ problems }: Contract): readonly NamedProblem[] {
  return [...problems.values()].flat()
}

function optionalNames(schema: Schema): readonly string[] {
  const { value, fault } = convertForParsing(schema)
  // The build reports a schema that cannot be converted.
  if (fault) return []
  const root = rootOf(value.json)
  const required = requiredOf(root)
  return [...propertiesOf(root).keys()].filter((name) => !required.has(name))
}

function mediaTypesOf(body: BodySpec): readonly string[] {
  if (!isSchema(body)) return byMediaRange(body).map(([range]) => range)
  const { ranges } = rangesOf(body)
  return ranges === JSON_RANGES ? ranges.slice(0, 1) : ranges
}

/** Finds the declared media type or range for a request's body. */
export function coveredMediaType(contract: Contract, request: Request): string | undefined {
  const { body } = contract.spec
  if (body === undefined) return undefined
  const header = request.headers.get('Content-Type')
  const ranges = [...itemsOf(contract).mediaTypes.keys()]
  if (isSchema(body) && ranges.includes(ANY_TYPE)) return request.body ? ANY_TYPE : undefined
  if (header === null) return undefined
  const type = mediaTypeOf(header)
  if (isSchema(body) && isJson(type) && ranges[0] === JSON_RANGES[0]) return ranges[0]
  return ranges.find((range) => matchesRange(range, type))
}

const LOCATIONS = [
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const
