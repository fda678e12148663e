import { isFailure } from '@plumbline/result'
import { parsePatchPath } from '../../filter/parse.ts'
import { isJsonObject, own } from '../../json.ts'
import { attributeIndex, resolvePath } from '../../schema/attribute-index.ts'
import type { Attribute, Definitions } from '../../schema/types.ts'
import { fieldsOf, isWritable } from '../attributes.ts'
import type { Step } from './run.ts'

/**
 * The step with the attributes that the definitions declare, because an administrator maps only those. Null
 * for a PATCH without operations that are left.
 */
export function declaredStep(step: Step, definitions: Definitions): Step | null {
  const { body, expect } = step
  const operations = body && own(body, 'Operations')
  const kept = Array.isArray(operations)
    ? operations.flatMap((operation) => declaredOperation(operation, definitions))
    : null
  if (kept?.length === 0) return null
  return {
    ...step,
    ...(body && { body: kept ? { ...body, Operations: kept } : declared(body, definitions) }),
    ...(expect && { expect: declaredResponse(expect, definitions) }),
  }
}

function declaredOperation(operation: unknown, definitions: Definitions): object[] {
  if (!isJsonObject(operation)) return []
  const path = own(operation, 'path')
  if (typeof path === 'string') return isDeclared(path, definitions) ? [operation] : []
  const value = Object.entries(Object(own(operation, 'value'))).filter(([key]) =>
    isDeclared(key, definitions),
  )
  return value.length === 0 ? [] : [{ ...operation, value: Object.fromEntries(value) }]
}

function isDeclared(path: string, definitions: Definitions): boolean {
  const parsed = parsePatchPath(path)
  return (
    !isFailure(parsed) && resolvePath(attributeIndex(definitions), parsed.data.attribute) !== null
  )
}

function declaredResponse(expected: object, definitions: Definitions): object {
  const resources = own(expected, 'Resources')
  if (!Array.isArray(resources)) {
    return own(expected, 'totalResults') === undefined ? declared(expected, definitions) : expected
  }
  return { ...expected, Resources: resources.map((one) => declared(Object(one), definitions)) }
}

/** The members of a resource that the definitions declare, and those that belong to every resource. */
export function declared(resource: object, definitions: Definitions): object {
  const fields = fieldsOf(definitions).filter(({ parent }) => parent === null)
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    if (COMMON.has(name)) return [[name, value]]
    const members = isJsonObject(value) ? value : {}
    if (Object.hasOwn(definitions, name)) {
      const inner = Object.entries(members).flatMap((entry) =>
        declaredMember(
          entry,
          fields.filter(({ container }) => container === name),
        ),
      )
      return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]]
    }
    return declaredMember(
      [name, value],
      fields.filter(({ container }) => container === null),
    )
  })
  return Object.fromEntries(entries)
}

function declaredMember(
  [name, value]: readonly [string, unknown],
  fields: readonly { readonly attribute: Attribute }[],
): [string, unknown][] {
  const attribute = fields.find((field) => field.attribute.name === name)?.attribute
  if (attribute === undefined || !isWritable(attribute)) return []
  return [[name, declaredValue(attribute, value)]]
}

function declaredValue(attribute: Attribute, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => declaredValue(attribute, element))
  if (!isJsonObject(value)) return value
  const parts = new Set(attribute.subAttributes?.map((part) => part.name))
  return Object.fromEntries(Object.entries(value).filter(([name]) => parts.has(name)))
}

const COMMON: ReadonlySet<string> = new Set(['schemas', 'id', 'meta'])
