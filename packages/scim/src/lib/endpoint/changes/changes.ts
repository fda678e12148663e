import { isAssigned, isJsonObject, own } from '../../json.ts'
import { fold } from '../../values/fold.ts'
import { areSameValues } from '../../values/same.ts'
import type { MemberChange, Versions } from '../core/exchange.ts'
import { hasMembers, type ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'

/** The facts about a changed resource. */
export interface ChangeFacts {
  /** The name of the resource's type, such as `User`. */
  readonly resourceType: string
  readonly id: string
  /** The client's id for the resource; null without one. */
  readonly externalId: string | null
  /** The request's id: the result of the option `requestId`. Operations in a bulk request share it. */
  readonly requestId: string
  /** When the store was changed, such as `2026-11-24T09:00:00.000Z`. */
  readonly time: string
}

/**
 * A change to a resource. Its `type` starts with the resource type's name, with a small first letter, such as `user`
 * for `User`.
 *
 * - `created`: `active` is false if the resource was created inactive, and absent if the type does not have the
 *   attribute.
 * - `changed`: the names of attributes with another value, without `members`, and without `active` if the resource was
 *   deactivated or reactivated. An extension attribute has its URN, such as
 *   `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department`.
 * - `deactivated`, `reactivated`: `active` became false, and stopped being false.
 * - `members`: the ids of added and removed members, each once.
 * - `deleted`. Before it, the resource's members are removed, and each group losing the resource has a change
 *   `members`.
 */
export type Change = ChangeFacts & ChangeDetail

/** A change's kind, with the members only this kind has. */
export type ChangeDetail =
  | { readonly type: `${string}.created`; readonly active?: boolean }
  | { readonly type: `${string}.changed`; readonly attributes: readonly string[] }
  | { readonly type: `${string}.deactivated` | `${string}.reactivated` | `${string}.deleted` }
  | {
      readonly type: `${string}.members`
      readonly added: readonly string[]
      readonly removed: readonly string[]
    }

/** Returns the prefix in the `type` of a resource type's changes, such as `user`. */
export function prefixOf({ name }: Pick<ServedType<never>, 'name'>): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`
}

/** Returns a created resource's changes. */
export function creationOf(type: ServedType<never>, resource: WireResource): ChangeDetail[] {
  const prefix = prefixOf(type)
  const added = hasMembers(type) ? [...membersOf(resource).values()] : []
  return [
    { type: `${prefix}.created`, ...(hasActive(type) && { active: isActive(resource) }) },
    ...memberDetails(prefix, { added, removed: [] }),
  ]
}

/** Returns a deleted resource's changes. */
export function deletionOf(type: ServedType<never>, resource: WireResource): ChangeDetail[] {
  const prefix = prefixOf(type)
  const removed = hasMembers(type) ? [...membersOf(resource).values()] : []
  return [...memberDetails(prefix, { added: [], removed }), { type: `${prefix}.deleted` }]
}

/** Returns the changes between two versions of a resource; none if they are equal. */
export function differenceOf(type: ServedType<never>, versions: Versions): ChangeDetail[] {
  const { before, after } = versions
  const prefix = prefixOf(type)
  const attributes = changedAttributes(type, versions)
  const [was, is] = [isActive(before), isActive(after)]
  return [
    ...(attributes.length === 0 ? [] : [{ type: `${prefix}.changed`, attributes } as const]),
    ...(was && !is ? [{ type: `${prefix}.deactivated` } as const] : []),
    ...(!was && is ? [{ type: `${prefix}.reactivated` } as const] : []),
    ...(hasMembers(type) ? memberDetails(prefix, memberDifference(before, after)) : []),
  ]
}

/** Returns the membership change; none if the members stayed. */
export function memberDetails(prefix: string, change: MemberChange): ChangeDetail[] {
  const { added, removed } = change
  return added.length + removed.length === 0 ? [] : [{ type: `${prefix}.members`, ...change }]
}

function hasActive({ index }: ServedType<never>): boolean {
  return index.core.attributes.has('active')
}

function memberDifference(before: WireResource, after: WireResource): MemberChange {
  const [old, current] = [membersOf(before), membersOf(after)]
  return {
    added: [...current].filter(([key]) => !old.has(key)).map(([, value]) => value),
    removed: [...old].filter(([key]) => !current.has(key)).map(([, value]) => value),
  }
}

/** Returns a resource's member ids, keyed by the folded id. */
function membersOf(resource: WireResource): ReadonlyMap<string, string> {
  const members = own(resource, 'members')
  if (!Array.isArray(members)) return new Map()
  const values = members.map((member) => own(Object(member), 'value'))
  return new Map(values.filter(isString).map((value) => [fold(value), value]))
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** RFC 7643 §4.1.1 leaves the default to the server: a resource without the attribute is active. */
function isActive(resource: WireResource): boolean {
  return own(resource, 'active') !== false
}

function changedAttributes(
  type: ServedType<never>,
  { before, after, written }: Versions,
): string[] {
  const { index } = type
  const apart = new Set(['schemas', ...(hasMembers(type) ? ['members'] : [])])
  // An assigned `true` is another value than none, but not another state.
  if (isActive(before) !== isActive(after)) apart.add('active')
  return [...index.schemas.values()].flatMap(({ container, attributes }) => {
    const [old, current, sent] = [before, after, written].map((one) =>
      container === null ? one : objectOf(own(one, container)),
    ) as [WireResource, WireResource, WireResource]
    return [...attributes.values()]
      .filter(({ mutability }) => mutability !== 'readOnly')
      .filter(({ name }) => container !== null || !apart.has(name))
      .filter(({ name, mutability, returned }) => {
        const isHidden = mutability === 'writeOnly' || returned === 'never'
        const value = own(isHidden ? sent : current, name)
        const isKept = isHidden && value === undefined
        return !isKept && !isSame(own(old, name), value)
      })
      .map(({ name }) => (container === null ? name : `${container}:${name}`))
  })
}

/** Unassigned values are the same as absent ones (RFC 7643 §2.5). */
function isSame(a: unknown, b: unknown): boolean {
  return isAssigned(a) || isAssigned(b) ? areSameValues(null, a, b) : true
}

function objectOf(value: unknown): WireResource {
  return isJsonObject(value) ? value : {}
}
