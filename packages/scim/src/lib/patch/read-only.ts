import { badRequest } from '../error.ts'
import { isAssigned, isJsonObject, own } from '../json.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import type { Write } from './coerce.ts'
import type { Context } from './context.ts'

/** RFC 7644 §3.5.2: `schemas` is derived from the resource. If a client sends it, the URNs must be known. */
export function requireKnownSchemas({ draft, rules }: Context, { op, target, value }: Write): void {
  if (op === 'remove')
    throw badRequest('mutability', `${target.place} is required and cannot be removed`)
  if (target.filter !== null) {
    throw badRequest(
      'mutability',
      'schemas is derived from the resource, so a filter cannot change it',
    )
  }
  const sent = Array.isArray(value) ? value : [value]
  for (const urn of sent) {
    if (typeof urn !== 'string') throw badRequest('invalidValue', 'schemas must be a list of URNs')
    if (!draft.index.schemas.has(fold(urn)) && rules.ignore === null) {
      throw badRequest(
        'invalidValue',
        `schemas: ${JSON.stringify(urn)} is not a schema of this resource`,
      )
    }
  }
}

/** Deviation: Okta sends read-only members back unchanged. A write of the same value is ignored. */
export function requireUnchanged(context: Context, write: Write): void {
  const { op, target } = write
  const { node, part, filter, place } = target
  const whole = context.draft.get(node)
  const current = part === null ? whole : isJsonObject(whole) ? whole[part.name] : undefined
  if (op !== 'remove' && filter === null && isUnchanged(context, write, current)) return
  throw badRequest('mutability', `${place} is read-only`)
}

/** Compares only the sent parts of a complex value (RFC 7644 §3.5.2.3). */
function isUnchanged({ rules }: Context, { target, value }: Write, current: unknown): boolean {
  if (!isAssigned(value)) return !isAssigned(current)
  if (!isJsonObject(value) || !isJsonObject(current)) return areSameValues(null, value, current)
  return Object.entries(value).every(([key, part]) => {
    const { name } = target.node.subAttributes.get(fold(key)) ?? {}
    if (name === undefined) return rules.ignore !== null
    return areSameValues(null, part ?? undefined, own(current, name) ?? undefined)
  })
}
