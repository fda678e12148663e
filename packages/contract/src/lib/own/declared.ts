import {
  ANY_TYPE,
  byMediaRange,
  isJson,
  JSON_RANGES,
  matchesRange,
  mediaTypeOf,
  memoize,
} from '@plumbline/base'
import type { Schema } from '@plumbline/openapi'
import {
  type Contract,
  convertForParsing,
  isSchema,
  propertiesOf,
  rangesOf,
  requiredOf,
  rootOf,
} from '@plumbline/openapi/internal'

/** Lists a schema's optional members. */
export function optionalNames(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return []
  const { value, fault } = convertForParsing(schema)
  // The build reports a schema that cannot be converted.
  if (fault) return []
  const root = rootOf(value.json)
  const required = requiredOf(root)
  return [...propertiesOf(root).keys()].filter((name) => !required.has(name))
}

/** Lists the media types and ranges of a request's body. */
export const mediaTypesOf: (contract: Contract) => readonly string[] = memoize(
  ({ spec: { body } }) => {
    if (body === undefined) return []
    if (!isSchema(body)) return byMediaRange(body).map(([range]) => range)
    const { isFile, ranges } = rangesOf(body)
    // JSON has a second range, which documents do not name.
    return isFile ? ranges : ranges.slice(0, 1)
  },
)

/** Finds the declared media type or range of a request's body. */
export function sentMediaType(contract: Contract, request: Request): string | undefined {
  const { body } = contract.spec
  if (body === undefined) return undefined
  const header = request.headers.get('Content-Type')
  const ranges = mediaTypesOf(contract)
  if (isSchema(body) && ranges.includes(ANY_TYPE)) return request.body ? ANY_TYPE : undefined
  if (header === null) return undefined
  const type = mediaTypeOf(header)
  if (isSchema(body) && isJson(type) && ranges[0] === JSON_TYPE) return ranges[0]
  return ranges.find((range) => matchesRange(range, type))
}

const [JSON_TYPE] = JSON_RANGES
