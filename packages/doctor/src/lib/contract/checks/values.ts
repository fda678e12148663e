import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { isJsonObject, own } from '../../json.ts'
import type { Field } from '../../model/fields.ts'
import type { Attribute } from '../../model/types.ts'
import type { Body } from '../world.ts'

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

type Place = Pick<Field, 'container' | 'attribute'>
