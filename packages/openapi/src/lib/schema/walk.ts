import { copyPlain, isJsonObject, type JsonObject, type Step, setOwn } from '@plumbline/base'

/**
 * Returns a part's replacement. The part is a keyword's value, or the member `step` if the value is a list or a record.
 */
type Replace = (part: unknown, keyword: string, step?: Step) => unknown

/**
 * Copies a JSON Schema and replaces each subschema with the result of `replace`.
 *
 * Only keywords that hold schemas are entered: a property called `$ref`, and values in `const`, `enum`,
 * `default` and `examples`, stay unchanged. So does `$defs`, which does not restrict values.
 */
export function mapSubschemas(schema: JsonObject, replace: Replace): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    const kind = KEYWORDS.get(keyword)
    setOwn(
      copy,
      keyword,
      kind === undefined ? copyPlain(value) : enter[kind](value, keyword, replace),
    )
  }
  return copy
}

/** Whether a schema, or one within it or in the definitions, passes a test. */
export function someSchema(json: unknown, test: (schema: JsonObject) => boolean): boolean {
  const waiting: unknown[] = [json]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (!isJsonObject(node)) continue
    if (test(node)) return true
    for (const keyword of Object.keys(node)) {
      const kind = keyword === '$defs' ? 'record' : KEYWORDS.get(keyword)
      if (kind === 'one') waiting.push(node[keyword])
      else if (kind !== undefined) {
        for (const part of Object.values(Object(node[keyword]))) waiting.push(part)
      }
    }
  }
  return false
}

type KeywordKind = 'one' | 'list' | 'record'

const enter: Readonly<
  Record<KeywordKind, (value: unknown, keyword: string, replace: Replace) => unknown>
> = {
  one: (value, keyword, replace) => replace(value, keyword),
  list: (value, keyword, replace) =>
    Array.isArray(value) ? value.map((part, at) => replace(part, keyword, at)) : value,
  record: (value, keyword, replace) => {
    if (!isJsonObject(value)) return value
    const copy: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      setOwn(copy, name, replace(value[name], keyword, name))
    }
    return copy
  },
}

/** The draft 2020-12 keywords whose values are schemas (JSON Schema Core §10 and §11). */
const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
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
])
