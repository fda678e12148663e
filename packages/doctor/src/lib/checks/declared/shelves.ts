import { USER_SCHEMA } from '@plumbline/scim'
import { type JsonObject, objectsOf } from '../../json.ts'
import { type Field, fieldsOf, targetsOf, valuesOf } from '../../model/fields.ts'
import { type ExaminedType, isReadable } from '../../model/types.ts'
import { expectList } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'

/** A type's shared resources, with the attributes to compare. */
export interface Shelf {
  readonly type: ExaminedType
  /** The attributes returned by default. */
  readonly fields: readonly Field[]
  /** The attributes every request examines: all in a thorough examination, otherwise one of each kind. */
  readonly chosen: readonly Field[]
  readonly resources: readonly JsonObject[]
}

/** How many resource types the checks of a topic examine at most. */
const MAX_TYPES = 5

/** Examines each type's shared resources. The check is skipped if the server rejects all of them. */
export async function forEachShelf(
  server: Server,
  examine: (shelf: Shelf) => Promise<void>,
  types: readonly ExaminedType[] = server.types,
): Promise<void> {
  const hasUsers = server.types.some(({ schema }) => schema === USER_SCHEMA)
  const kinds = new Set(hasUsers ? KINDS_OF_USERS : [])
  let examined = 0
  for (const type of limited(server, types)) {
    const resources = await server.shelf(type)
    if (resources.length === 0) continue
    examined += 1
    const fields = fieldsOf(type.definitions).filter(
      (field) =>
        isCompared(field) &&
        (server.isThorough || (!isDecided(field) && isStored(resources, field))),
    )
    const chosen = fields.filter((field) => server.isThorough || isNew(kinds, field))
    await examine({ type, resources, fields, chosen })
  }
  if (examined === 0) skip('The server rejects resources with generated values.')
}

/** Examines the types from `otherTypes`. */
export async function forEachOther(
  server: Server,
  examine: (shelf: Shelf) => Promise<void>,
  isExamined?: (type: ExaminedType) => boolean,
): Promise<void> {
  await forEachShelf(server, examine, otherTypes(server, isExamined))
}

/**
 * Returns the types without their own topics: all in a thorough examination, otherwise all except users. If
 * `isExamined` is false for each, users take their place.
 */
export function otherTypes(
  server: Server,
  isExamined: (type: ExaminedType) => boolean = () => true,
): readonly ExaminedType[] {
  const types = server.types.filter(({ schema }) => server.isThorough || schema !== USER_SCHEMA)
  const examined = types.filter(isExamined)
  if (examined.length > 0) return limited(server, examined)
  return limited(server, server.types.filter(isExamined))
}

/** Limits the types to examine: all in a thorough examination, otherwise the first ones. */
export function limited(
  { isThorough }: Server,
  types: readonly ExaminedType[],
): readonly ExaminedType[] {
  return isThorough ? types : types.slice(0, MAX_TYPES)
}

/** The single strings: for users, other topics examine their filters and orders. */
const KINDS_OF_USERS: readonly string[] = ['string,false,false', 'string,true,false']

/** Whether no attribute of this kind was compared yet. */
function isNew(kinds: Set<string>, { parent, attribute }: Field): boolean {
  const { type, caseExact = false, multiValued = false } = attribute
  const isListed = multiValued || parent?.multiValued === true
  const kind = [type, caseExact, isListed].join()
  if (kinds.has(kind)) return false
  kinds.add(kind)
  return true
}

/** Whether a resource has a value: a server may also find by values it does not return. */
function isStored(resources: readonly JsonObject[], field: Field): boolean {
  return resources.some((resource) => valuesOf(resource, field).length > 0)
}

/** Whether a server decides about the value (RFC 7643 §3.1), or assembles it for responses (§4.1.1). */
export function isDecided({ attribute }: Field): boolean {
  return attribute.name === 'id' || attribute.name === 'formatted'
}

function isCompared({ parent, attribute }: Field): boolean {
  return [attribute, parent].every(
    (one) =>
      one === null ||
      (isReadable(one) && one.returned !== 'request' && targetsOf(one).length === 0),
  )
}

/**
 * Lists a shelf's resources in the order of the response; null if the server declines the query, or has more results
 * than it lists.
 */
export async function listShelf(
  server: Server,
  { type, resources }: Shelf,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly JsonObject[] | null> {
  const list = await listAll(server, type, query)
  const ids = new Set(resources.map(({ id }) => id))
  return list?.filter(({ id }) => ids.has(id)) ?? null
}

/** Lists all results for a query; null if the server declines it, or has more results than it lists. */
export async function listAll(
  server: Server,
  { endpoint }: ExaminedType,
  query: Readonly<Record<string, string | number>> = {},
): Promise<readonly JsonObject[] | null> {
  const response = await server.get(endpoint, { query: { ...query, count: 100 } })
  if (response.status === 400) return null
  const list = objectsOf(expectList(response))
  return Number(response.body.totalResults) > list.length ? null : list
}
