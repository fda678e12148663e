import {
  accepts,
  type Components,
  FORMATS,
  isJsonObject,
  type JsonObject,
  targetOf,
} from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import { REPEATED } from './values.ts'

/** A schema's constraint, with a schema for values that break only this constraint. */
export interface Break {
  /** The pointer to the constraint in the document. */
  readonly pointer: string
  /** The constraint in words, such as `maxLength 200`. */
  readonly constraint: string
  /** The schema for whole values. Their part at the pointer breaks the constraint. */
  readonly schema: unknown
}

/**
 * Lists every constraint in a document's schema. A component is entered once, at the first place, so recursive schemas
 * end. The resulting schemas are approximate: the caller checks that the whole schema rejects a value.
 */
export function breaksOf(schema: unknown, pointer: string, components: Components): Break[] {
  const entered = new Set<string>()
  const breaks: Break[] = []
  const walk: Walk = (part, at, whole) => {
    if (!isJsonObject(part) || breaks.length >= MAX_BREAKS) return
    const { $ref, ...node } = part
    if (typeof $ref === 'string' && !entered.has($ref)) {
      entered.add($ref)
      walk(targetOf($ref, components), $ref.slice(1), (target) =>
        whole({ ...node, allOf: [...list(node.allOf), target] }),
      )
    }
    for (const [keyword, operand] of Object.entries(part)) {
      for (const { schema: broken, of = operand } of breakKeyword(keyword, part, components)) {
        const constraint = `${keyword} ${JSON.stringify(of)}`.slice(0, MAX_SHOWN)
        breaks.push({ pointer: `${at}/${keyword}`, constraint, schema: whole(broken) })
      }
    }
    enterParts(part, at, whole, walk)
  }
  walk(schema, pointer, (part) => part)
  return breaks
}

type Walk = (part: unknown, pointer: string, whole: (part: unknown) => unknown) => void

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown, otherwise: number) =>
  typeof value === 'number' ? value : otherwise

/** Enters a schema's subschemas; `whole` puts a subschema into the whole schema. */
function enterParts(node: JsonObject, at: string, whole: (part: unknown) => unknown, walk: Walk) {
  const { anyOf: _, oneOf: __, ...rest } = node
  const minItems = (least: number) => Math.max(least, numberOf(node.minItems, 0))
  for (const [name, part] of Object.entries(Object(node.properties))) {
    walk(part, at + pointerOf(['properties', name]), (broken) =>
      whole({
        ...node,
        properties: { ...Object(node.properties), [name]: broken },
        required: [...new Set([...list(node.required), name])],
      }),
    )
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    for (const [place, part] of list(node[keyword]).entries()) {
      walk(part, `${at}/${keyword}/${place}`, (broken) => whole({ ...rest, anyOf: [broken] }))
    }
  }
  for (const [place, part] of list(node.allOf).entries()) {
    walk(part, `${at}/allOf/${place}`, (broken) =>
      whole({ ...node, allOf: list(node.allOf).with(place, broken) }),
    )
  }
  for (const [place, part] of list(node.prefixItems).entries()) {
    walk(part, `${at}/prefixItems/${place}`, (broken) =>
      whole({
        ...node,
        prefixItems: list(node.prefixItems).with(place, broken),
        minItems: minItems(place + 1),
      }),
    )
  }
  walk(node.items, `${at}/items`, (broken) =>
    whole({ ...node, items: broken, minItems: minItems(list(node.prefixItems).length + 1) }),
  )
  walk(node.additionalProperties, `${at}/additionalProperties`, (broken) =>
    whole({
      ...node,
      additionalProperties: broken,
      minProperties: Math.max(numberOf(node.minProperties, 0), list(node.required).length + 1),
    }),
  )
}

interface Broken {
  readonly schema: JsonObject
  /** The broken part of the operand; defaults to the operand. */
  readonly of?: unknown
}

type BreakRule = (
  operand: unknown,
  rest: JsonObject,
  node: JsonObject,
  components: Components,
) => readonly Broken[]

/** Makes schemas for values that break one keyword. */
function breakKeyword(
  keyword: string,
  node: JsonObject,
  components: Components,
): readonly Broken[] {
  const { [keyword]: operand, ...rest } = node
  return RULES.get(keyword)?.(operand, rest, node, components) ?? []
}

/** Creates a rule for a limit: the opposite limit is set beyond it. */
const beyond =
  (other: string, step: number, most = Number.POSITIVE_INFINITY): BreakRule =>
  (limit, rest) => {
    const value = Number(limit) + step
    return value > most || (other.startsWith('max') && other !== 'maximum' && value < 0)
      ? []
      : [{ schema: { ...rest, [other]: value } }]
  }

const others: BreakRule = (values, rest) => {
  const type = rest.type ?? [...new Set(list(values).map((value) => typeof value))]
  return [{ schema: { ...rest, type, not: { enum: values } } }]
}

/** Numbers near zero, because libraries do not compute the remainders of large or very small ones exactly. */
function betweenMultiples(step: number, rest: JsonObject): JsonObject {
  const least = Math.max(
    numberOf(rest.minimum, -Infinity),
    numberOf(rest.exclusiveMinimum, -Infinity),
  )
  const most = Math.min(numberOf(rest.maximum, Infinity), numberOf(rest.exclusiveMaximum, Infinity))
  const center = Math.min(Math.max(0, least), most)
  return {
    ...rest,
    minimum: Math.max(least, center - 1_000 * step),
    maximum: Math.min(most, center + 1_000 * step),
    multipleOf: rest.type === 'integer' ? 1 : step / 4,
    not:
      rest.not === undefined ? { multipleOf: step } : { anyOf: [rest.not, { multipleOf: step }] },
  }
}

const RULES: ReadonlyMap<string, BreakRule> = new Map<string, BreakRule>([
  [
    'type',
    (_, __, node, components) => {
      const values = SAMPLES.filter((value) => !accepts({ type: node.type }, value, components))
      return values.length === 0 ? [] : [{ schema: { enum: values } }]
    },
  ],
  ['enum', others],
  ['const', (value, ...more) => others([value], ...more)],
  ['minimum', beyond('exclusiveMaximum', 0)],
  ['exclusiveMinimum', beyond('maximum', 0)],
  ['maximum', beyond('exclusiveMinimum', 0)],
  ['exclusiveMaximum', beyond('minimum', 0)],
  ['multipleOf', (step, rest) => [{ schema: betweenMultiples(Number(step), rest) }]],
  ['minLength', beyond('maxLength', -1)],
  ['maxLength', beyond('minLength', 1, 100_000)],
  ['pattern', (pattern, rest) => [{ schema: { ...rest, type: 'string', not: { pattern } } }]],
  [
    'format',
    // A pattern says what the format means.
    (format, _, { pattern }) =>
      FORMATS.has(String(format)) && pattern === undefined
        ? [{ schema: { enum: ['not of the format'] } }]
        : [],
  ],
  ['minItems', beyond('maxItems', -1)],
  ['maxItems', beyond('minItems', 1, 1_000)],
  [
    'contentMediaType',
    // Bytes declare any type.
    (type) =>
      type === BYTES
        ? []
        : [{ schema: { enum: [new Blob(['x'], { type: 'text/x-undeclared' })] } }],
  ],
  [
    'uniqueItems',
    (isUnique, rest) => (isUnique === true ? [{ schema: { ...rest, [REPEATED]: true } }] : []),
  ],
  [
    'required',
    (names, rest, { properties }) =>
      list(names).map((name) => {
        const { [String(name)]: _, ...kept } = Object(properties)
        const required = list(names).filter((one) => one !== name)
        return { of: name, schema: { ...rest, properties: kept, required } }
      }),
  ],
  [
    'additionalProperties',
    (part, rest, { properties, required }) =>
      part === false
        ? [
            {
              schema: {
                ...rest,
                properties: { ...Object(properties), [UNKNOWN]: { const: 'x' } },
                required: [...list(required), UNKNOWN],
              },
            },
          ]
        : [],
  ],
  [
    'propertyNames',
    (part, rest, { required }) => [
      {
        schema: { ...rest, propertyNames: { not: part }, minProperties: list(required).length + 1 },
      },
    ],
  ],
  ['minProperties', beyond('maxProperties', -1)],
  ['maxProperties', beyond('minProperties', 1, 1_000)],
])

const BYTES = 'application/octet-stream'
/** One value for each JSON type. */
const SAMPLES = [null, true, 1.5, 'text', [], {}]
const UNKNOWN = 'unexpectedMember'
const MAX_SHOWN = 120
/** How many constraints are tried at most for one schema. */
export const MAX_BREAKS = 1_000
