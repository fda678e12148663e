import { kindOf } from '@plumbline/base'
import { isAssigned, isJsonObject, own } from '../../json.ts'
import type { ListQuery } from '../../model.ts'
import { project } from '../../resource/project.ts'
import { fold } from '../../values/fold.ts'
import { storeFault } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import { PreparedResource, type WireResource } from '../options/store.ts'
import { computeContentTag, tagOfRepresentation } from './etags.ts'

/** A resource as a client wants it. */
export interface Representation {
  /** JSON: an object, a RawJson or pieces. */
  readonly body: object
  /** The entity tag, or null if it is not known. */
  readonly version: string | null
  readonly location: string
}

/** Where a resource comes from, for messages about store faults. */
export interface Origin {
  readonly type: ServedType<never>
  readonly method: string
  /** The position in a list. */
  readonly at?: number
  readonly base: string
  /** The id the resource must have. */
  readonly id?: string
}

/**
 * Completes a store's wire resource: adds `schemas`, `meta.resourceType` and `meta.location`. Members without a
 * definition are dropped, so a table column cannot leak into a response. Throws a TypeError unless the value is a
 * resource of this type.
 */
export function completeResource(value: unknown, origin: Origin): WireResource {
  const { type, base } = origin
  const resource = requireResource(value, origin)
  const { schemas: _, id, meta: stored, ...members } = knownMembers(resource, type)
  const present = type.extensions.filter((urn) => isJsonObject(own(members, urn)))
  const location = `${base}${type.endpoint}/${encodeURIComponent(String(id))}`
  const meta = { resourceType: type.name, location, ...(isJsonObject(stored) ? stored : {}) }
  return { schemas: [type.core, ...present], id, ...members, meta }
}

/** Returns a resource's URL. */
export function locationOf(
  { endpoint }: Pick<ServedType<never>, 'endpoint'>,
  base: string,
  id: string,
): string {
  return `${base}${endpoint}/${encodeURIComponent(id)}`
}

/** Returns the representation a store prepared. */
export function representPrepared(
  { body, version }: PreparedResource,
  location: string,
): Representation {
  return { body, version, location }
}

/** Represents a completed resource as a query wants it. */
export async function represent(
  resource: WireResource,
  query: Pick<ListQuery, 'attributes' | 'excludedAttributes'>,
  type: ServedType<never>,
  { isPartial = false }: { readonly isPartial?: boolean } = {},
): Promise<Representation> {
  const meta = Object(resource.meta)
  const location = String(meta.location)
  const content = await contentTagOf(resource, type, { isPartial })
  if (content === null) {
    return { body: project(resource, query, type.definitions), version: null, location }
  }
  const versioned = { ...resource, meta: { ...meta, version: content } }
  const body = project(versioned, query, type.definitions)
  if (type.computed.length === 0) return { body, version: content, location }
  const version = await tagOfRepresentation(content, resource, body, type)
  if (version !== content && isJsonObject(body.meta) && Object.hasOwn(body.meta, 'version')) {
    return { body: { ...body, meta: { ...body.meta, version } }, version, location }
  }
  return { body, version, location }
}

/**
 * Returns the tag of a resource's content: the version the store set, or a digest of the whole resource. Null if the
 * store does not set it and may have omitted attributes.
 */
export async function contentTagOf(
  resource: WireResource,
  type: ServedType<never>,
  { isPartial }: { readonly isPartial: boolean },
): Promise<string | null> {
  const set = isJsonObject(resource.meta) ? own(resource.meta, 'version') : undefined
  if (typeof set === 'string') return set
  return isPartial ? null : await computeContentTag(resource, type)
}

/** Returns a store's resource. Throws a TypeError for anything else. */
export function requireResource(value: unknown, origin: Origin): WireResource {
  const { type, id: wanted } = origin
  const fault = (what: string): TypeError => storeFault(type, placeOf(origin), what)
  if (value instanceof PreparedResource) throw fault('a prepared resource from a write')
  if (!isJsonObject(value)) throw fault(`${kindOf(value)}, which is not a resource`)
  const { id, meta, schemas } = value
  if (typeof id !== 'string' || id === '') throw fault('a resource without an id')
  if (!id.isWellFormed() || id.includes('\0') || UNADDRESSABLE.has(id)) {
    throw fault(`a resource whose id ${JSON.stringify(id)} a URL cannot contain`)
  }
  if (wanted !== undefined && id !== wanted) throw fault('a resource with another id')
  const named = isJsonObject(meta) ? meta.resourceType : undefined
  if (named !== undefined && named !== type.name) {
    throw fault(`a resource of another type, ${JSON.stringify(named)}`)
  }
  if (Array.isArray(schemas) && !schemas.some((urn) => fold(String(urn)) === fold(type.core))) {
    throw fault('a resource whose schemas do not list the core schema')
  }
  return value
}

function placeOf({ method, at }: Origin): string {
  return at === undefined ? method : `${method}, resources[${at}]`
}

/** Keeps the defined and assigned members. A store may return every table column. */
function knownMembers(resource: WireResource, { members }: ServedType<never>): WireResource {
  const isKept = ([name, value]: readonly [string, unknown]): boolean =>
    isAssigned(value) && (members.has(name) || members.has(fold(name)))
  const entries = Object.entries(resource)
  return entries.every(isKept) ? resource : Object.fromEntries(entries.filter(isKept))
}

/** A URL resolves dot segments, also if they are encoded, and a search has a separate path. */
const UNADDRESSABLE: ReadonlySet<string> = new Set(['.', '..', '.search'])
