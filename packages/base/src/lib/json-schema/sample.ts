import { isJsonObject, type JsonObject, own } from '../json/object.ts'
import { type Components, targetOf } from './accepts.ts'

/**
 * Returns an example value from `examples`, `default`, `const` or `enum`, or the simplest value for the type, with only
 * required members. The caller checks it: a schema with patterns may reject it.
 */
export function sampleOf(schema: unknown, components: Components, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return undefined
  const inner = (part: unknown) => sampleOf(part, components, depth + 1)
  if (typeof schema.$ref === 'string') return inner(targetOf(schema.$ref, components))
  const { examples, default: usual, const: constant, enum: values, anyOf, oneOf, type } = schema
  const branches = Array.isArray(anyOf) ? anyOf : oneOf
  const known = first(examples) ?? usual ?? constant ?? first(values)
  if (known !== undefined) return known
  if (Array.isArray(branches)) return inner(branches[0])
  const make = SAMPLES.get(String(Array.isArray(type) ? type[0] : type))
  return make?.(schema, inner)
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

type Sample = (schema: JsonObject, inner: (schema: unknown) => unknown) => unknown

const SAMPLES: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  ['string', ({ format }) => FORMATS.get(String(format)) ?? 'string'],
  ['boolean', () => true],
  ['number', ({ minimum }) => minimum ?? 1],
  ['integer', ({ minimum }) => minimum ?? 1],
  ['null', () => null],
  ['array', ({ items }, inner) => [inner(items)].filter((one) => one !== undefined)],
  [
    'object',
    ({ required, properties }, inner) => {
      const names: readonly unknown[] = Array.isArray(required) ? required : []
      return Object.fromEntries(
        names.map((name) => [String(name), inner(own(properties, String(name)))]),
      )
    },
  ],
])

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['date-time', '2026-01-31T12:00:00Z'],
  ['date', '2026-01-31'],
  ['email', 'name@example.com'],
  ['uri', 'https://example.com'],
  ['uuid', '0194bd2c-7b1f-7c3a-8f0e-3b6f5a1c2d4e'],
])

const MAX_DEPTH = 16
