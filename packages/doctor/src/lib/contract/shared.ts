import type { ResourceStore } from '@plumbline/scim/endpoint'
import { isJsonObject, type JsonObject, objectsOf, own } from '../json.ts'
import type { Definitions } from '../model/types.ts'
import type { Adapt } from '../toolkit/adapt.ts'
import type { StoreContractOptions } from './contract-check.ts'

/** Attributes stored in the same place. */
export type SharedColumns = readonly (readonly string[])[]

/** Where an attribute value is, such as that of `emails[work].value`. */
interface Place {
  readonly path: string
  readonly container: string | null
  readonly attribute: string
  /** The list element's `type`; null without one. */
  readonly kind: string | null
  readonly part: string | null
}

/** Sets attributes that share a column to one value. */
export type Settle = (
  resource: JsonObject,
  current?: JsonObject | null,
  winner?: string,
) => JsonObject

/**
 * Returns a function that sets attributes to one value if they share a column, as a store does. `winner` has the value;
 * without one, the attribute whose value is not the current one, and for a new resource, one whose value looks like an
 * address.
 */
export function settling(
  shared: SharedColumns,
  definitions: Definitions,
  folded: readonly string[],
): Settle {
  const groups = shared.map((paths) => paths.map((path) => placeOf(path, definitions)))
  return (resource, current = null, winner) => {
    const settled = groups.reduce((settled, places) => {
      const assigned = places.filter((place) => valueAt(settled, place) !== undefined)
      const changed = assigned.filter(
        (place) => current !== null && valueAt(current, place) !== valueAt(settled, place),
      )
      const chosen =
        places.find(({ path }) => path === winner) ??
        changed[0] ??
        assigned.find((place) => String(valueAt(settled, place)).includes('@')) ??
        assigned[0]
      if (chosen === undefined) return settled
      const value = valueAt(settled, chosen)
      const wanted = current === null && winner === undefined ? asAddress(value, places) : value
      return places.reduce((body, place) => withValue(body, place, wanted), settled)
    }, resource)
    const lower = folded.flatMap((name) => {
      const value = own(settled, name)
      return typeof value === 'string' ? [[name, value.toLowerCase()] as const] : []
    })
    return { ...settled, ...Object.fromEntries(lower) }
  }
}

/** A resource type whose store may name attributes it cannot keep apart, or does not keep. */
export interface Described {
  readonly definitions: Definitions
  readonly store: Pick<ResourceStore<never>, 'sharedColumns' | 'ignoredAttributes'>
}

/** How a store keeps resources. */
export interface Kept {
  /** Changes a generated resource as the options say, and then as the store would. */
  readonly adapt: Adapt
  readonly settle: Settle
}

/** Describes how a type's store keeps resources. */
export function keptBy(
  { definitions, store }: Described,
  { adapt = (resource) => resource, folded = [] }: StoreContractOptions,
): Kept {
  const settle = settling(store.sharedColumns ?? [], definitions, folded)
  return {
    settle,
    adapt: (resource, about) => {
      const adapted = { ...adapt(resource, about) }
      for (const name of store.ignoredAttributes ?? []) delete adapted[name]
      return settle(adapted)
    },
  }
}

/** Makes a generated value look like an address if it is also stored as one, because a table may require it. */
function asAddress(value: unknown, places: readonly Place[]): unknown {
  const isAddress = places.some(
    ({ attribute, part }) => /mail/i.test(part ?? '') || /mail/i.test(attribute),
  )
  if (!isAddress || typeof value !== 'string' || value.includes('@')) return value
  return `${value}@Example.com`
}

/** `urn:…:User:name.givenName` or `emails[work].value` */
function placeOf(path: string, definitions: Definitions): Place {
  const [, ...extensions] = Object.keys(definitions)
  const container = extensions.find((urn) => path.startsWith(`${urn}:`)) ?? null
  const name = container === null ? path : path.slice(container.length + 1)
  const [, attribute = '', kind = null, part = null] = PLACE.exec(name) ?? []
  return { path, container, attribute, kind, part }
}

function valueAt(resource: JsonObject, { container, attribute, kind, part }: Place): unknown {
  const holder = container === null ? resource : own(resource, container)
  const whole = isJsonObject(holder) ? own(holder, attribute) : undefined
  const value = kind === null ? whole : objectsOf(whole).find((one) => own(one, 'type') === kind)
  if (part === null) return value ?? undefined
  return isJsonObject(value) ? (own(value, part) ?? undefined) : undefined
}

function withValue(resource: JsonObject, place: Place, value: unknown): JsonObject {
  const { container, attribute, kind, part } = place
  if (valueAt(resource, place) === value) return resource
  const found = container === null ? resource : own(resource, container)
  const holder = isJsonObject(found) ? found : {}
  const changed = {
    ...holder,
    [attribute]: changedValue(own(holder, attribute), kind, part, value),
  }
  return container === null ? changed : { ...resource, [container]: changed }
}

function changedValue(
  whole: unknown,
  kind: string | null,
  part: string | null,
  value: unknown,
): unknown {
  if (part === null) return value
  if (kind === null) return { ...Object(whole), [part]: value }
  const elements = objectsOf(whole)
  const first = elements.findIndex((one) => own(one, 'type') === kind)
  if (first < 0) return [...elements, { type: kind, [part]: value }]
  return elements.map((one, at) => (at === first ? { ...one, [part]: value } : one))
}

const PLACE = /^([^[.]+)(?:\[([^\]]+)\])?(?:\.(.+))?$/
