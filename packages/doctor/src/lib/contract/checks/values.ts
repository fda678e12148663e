import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { isJsonObject, own } from '../../json.ts'
import { type Field, readAttribute } from '../../model/fields.ts'
import type { Attribute } from '../../model/types.ts'
import type { Body, Served } from '../world.ts'

/** The body of a PATCH (RFC 7644 §3.5.2). */
export function patch(...operations: readonly object[]): object {
  return { schemas: [PATCH_OP_SCHEMA], Operations: operations }
}

/** Copies the resource with another value for an attribute. */
export function changed(resource: Body, { container, attribute }: Place, value: unknown): Body {
  if (container === null) return { ...resource, [attribute.name]: value }
  const extension = own(resource, container)
  const members = isJsonObject(extension) ? extension : {}
  return { ...resource, [container]: { ...members, [attribute.name]: value } }
}

/** Whether values that differ only in letter case are equal (RFC 7643 §2.2). */
export function unfolded({ type, caseExact = false }: Attribute): boolean {
  return (type === 'string' || type === 'reference') && !caseExact
}

/** A list request's query. */
export function query(parameters: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  return `?${new URLSearchParams(Object.fromEntries(entries))}`
}

/** The body with the immutable values of the current resource, which a client cannot change (RFC 7643 §7). */
export function withImmutable(type: Served, body: Body, current: Body): Body {
  const result = structuredClone(body)
  for (const field of type.fields) {
    if (field.attribute.mutability !== 'immutable') continue
    if (field.parent === null) keepAttribute(result, current, field)
    else keepPart(result, current, { ...field, attribute: field.parent }, field.attribute.name)
  }
  return result
}

type Place = Pick<Field, 'container' | 'attribute'>

function keepAttribute(body: Body, current: Body, { container, attribute }: Place): void {
  const value = readAttribute(current, { container, attribute })
  const holder = container === null ? body : (own(body, container) ?? {})
  if (!isJsonObject(holder)) return
  if (container !== null && value !== undefined) body[container] = holder
  if (value === undefined) delete holder[attribute.name]
  else holder[attribute.name] = value
}

/** Keeps a part of a complex attribute. A list's elements are replaced as a whole. */
function keepPart(body: Body, current: Body, whole: Place, part: string): void {
  const [from, to] = [readAttribute(current, whole), readAttribute(body, whole)]
  // An undefined part is not sent.
  if (isJsonObject(from) && isJsonObject(to)) to[part] = own(from, part)
}
