import { isObject, type Members } from '../own.ts'

/** A step from a schema to one of its parts. */
export type Step = string | number

/**
 * Copies a JSON Schema, each of its subschemas replaced by what `replace` makes of it.
 *
 * Only keywords that hold schemas are entered: a property called `$ref`, and values in `const`, `enum`,
 * `default` and `examples`, stay as they are.
 */
export function mapSubschemas(
  schema: Members,
  replace: (part: unknown, path: readonly Step[]) => unknown,
): Record<string, unknown> {
  const copy: [string, unknown][] = []
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = KEYWORDS.get(keyword)
    copy.push([keyword, kind === undefined ? value : enter[kind](value, keyword, replace)])
  }
  return Object.fromEntries(copy)
}

type Kind = 'one' | 'list' | 'record'
type Replace = (part: unknown, path: readonly Step[]) => unknown

const enter: Readonly<
  Record<Kind, (value: unknown, keyword: string, replace: Replace) => unknown>
> = {
  one: (value, keyword, replace) => replace(value, [keyword]),
  list: (value, keyword, replace) =>
    Array.isArray(value) ? value.map((part, at) => replace(part, [keyword, at])) : value,
  record: (value, keyword, replace) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, part]) => [name, replace(part, [keyword, name])]),
        )
      : value,
}

/** The keywords of draft 2020-12 whose values are schemas (JSON Schema Core §10 and §11). */
const KEYWORDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['items', 'one'],
  ['contains', 'one'],
  ['additionalProperties', 'one'],
  ['propertyNames', 'one'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['unevaluatedItems', 'one'],
  ['unevaluatedProperties', 'one'],
  ['contentSchema', 'one'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['properties', 'record'],
  ['patternProperties', 'record'],
  ['dependentSchemas', 'record'],
  ['$defs', 'record'],
])
