import { PATCH_OP_SCHEMA } from '../../constants.ts'
import { isJsonObject, own } from '../../json.ts'
import type { Attribute } from '../../schema/types.ts'
import type { Field } from '../attributes.ts'
import { readAttribute } from '../differences.ts'
import type { Body, Served } from '../world.ts'

/** The body of a PATCH (RFC 7644 §3.5.2). */
export function patch(...operations: readonly object[]): object {
  return { schemas: [PATCH_OP_SCHEMA], Operations: operations }
}

/** A copy of the resource with another value of an attribute. */
export function changed(
  resource: Body,
  { container, attribute }: Pick<Field, 'container' | 'attribute'>,
  value: unknown,
): Body {
  if (container === null) return { ...resource, [attribute.name]: value }
  const extension = own(resource, container)
  const members = isJsonObject(extension) ? extension : {}
  return { ...resource, [container]: { ...members, [attribute.name]: value } }
}

/** Whether values that differ only in letter case are equal (RFC 7643 §2.2). */
export function unfolded({ type, caseExact = false }: Attribute): boolean {
  return (type === 'string' || type === 'reference') && !caseExact
}

/** The string with each letter in the other case. */
export function swapCase(text: string): string {
  return [...text]
    .map((letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    .join('')
}

/** The query of a list request. */
export function query(parameters: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  return `?${new URLSearchParams(Object.fromEntries(entries))}`
}

/** The body with the immutable values of the current resource, which a client cannot change (RFC 7643 §7). */
export function withImmutable(type: Served, body: Body, current: Body): Body {
  const result = structuredClone(body)
  for (const { container, parent, attribute } of type.fields) {
    if (attribute.mutability !== 'immutable' || parent !== null) continue
    const value = readAttribute(current, { container, attribute })
    const holder = container === null ? result : (own(result, container) ?? {})
    if (!isJsonObject(holder)) continue
    if (container !== null && value !== undefined) result[container] = holder
    if (value === undefined) delete holder[attribute.name]
    else holder[attribute.name] = value
  }
  return result
}
