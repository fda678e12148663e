import { accepts, isJsonObject, own, targetOf } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import type { Making } from './parts.ts'
import type { OperationPlan } from './plan.ts'

/**
 * Finds the pointer to an operation's schema, or the smallest part of it, that no value was found for. Returns null if
 * every required parameter and every body has values.
 */
export function findUnsatisfiable(
  { parameters, bodies }: OperationPlan,
  making: Making,
): string | null {
  const required = parameters.filter(({ isRequired }) => isRequired)
  for (const { schema, pointer } of [...required, ...bodies]) {
    const found = findWithin(schema, pointer, making, new Set())
    if (found !== null) return found
  }
  return null
}

function findWithin(
  schema: unknown,
  pointer: string,
  making: Making,
  entered: Set<unknown>,
): string | null {
  const { fc, json, components } = making
  const values = json(schema)
  const isSatisfied =
    values !== null && fc.sample(values, SAMPLE).some((value) => accepts(schema, value, components))
  if (isSatisfied || entered.has(schema)) return null
  entered.add(schema)
  for (const [inner, part] of requiredParts(schema, pointer, making)) {
    const found = findWithin(part, inner, making, entered)
    if (found !== null) return found
  }
  return pointer
}

type Part = readonly [pointer: string, schema: unknown]

/** Lists the parts of a schema each value needs. */
function requiredParts(schema: unknown, pointer: string, { components }: Making): readonly Part[] {
  if (!isJsonObject(schema)) return []
  const { $ref, allOf, required, properties, items, minItems } = schema
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const reference = typeof $ref === 'string' ? $ref : null
  return [
    ...(reference === null ? [] : [[reference.slice(1), targetOf(reference, components)] as const]),
    ...list(allOf).map((part, at) => [`${pointer}/allOf/${at}`, part] as const),
    ...list(required).flatMap((name) => {
      const part = own(properties, String(name))
      return part === undefined
        ? []
        : [[pointer + pointerOf(['properties', String(name)]), part] as const]
    }),
    ...(Number(minItems ?? 0) > 0 ? [[`${pointer}/items`, items] as const] : []),
  ]
}

const SAMPLE = { numRuns: 100, seed: 0 }
