import { isSameJson, type JsonObject, memberAt } from '../../json.ts'
import { type Field, fieldsOf, isChangeable, targetsOf } from '../../model/fields.ts'
import { type ExaminedType, isReadable, isWritable } from '../../model/types.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, show } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'
import { limited } from '../declared/shelves.ts'

/** A resource created with every attribute of its type. */
export interface Whole {
  readonly type: ExaminedType
  readonly id: string
  readonly path: string
  /** The resource as it was sent. */
  readonly sent: JsonObject
  /** The resource as it is read. */
  readonly stored: JsonObject
}

/**
 * Creates a resource of each type with every attribute. The check is skipped if the server accepts none, or if `examine`
 * returns false for each: it has nothing to examine.
 */
export async function forEachWhole(
  server: Server,
  examine: (whole: Whole) => Promise<boolean>,
  types: readonly ExaminedType[] = limited(server, server.types),
): Promise<void> {
  const rejected: string[] = []
  let examined = 0
  for (const type of types) {
    const sent = server.whole(type)
    const created = await server.post(type.endpoint, sent)
    const { id } = created.body
    if (created.status !== 201 || typeof id !== 'string') {
      rejected.push(`${type.name}: ${created.status} ${show(created.body.detail)}`)
      continue
    }
    const path = `${type.endpoint}/${encodeURIComponent(id)}`
    const stored = await readWhole(server, type, path)
    if (await examine({ type, id, path, sent, stored })) examined += 1
  }
  if (rejected.length === types.length) {
    skip(`The server rejects resources with every attribute (${rejected.join('; ')}).`)
  }
  if (examined === 0) skip('The server does not store such a value as it was sent.')
}

/** Reads a resource; in a thorough examination, with the attributes returned on request (RFC 7643 §7). */
export async function readWhole(
  server: Pick<Server, 'get' | 'isThorough'>,
  { definitions }: ExaminedType,
  path: string,
): Promise<JsonObject> {
  const fields = fieldsOf(definitions)
  const isOnRequest = ({ attribute }: Field): boolean => attribute.returned === 'request'
  const names = fields.filter((field) => field.parent === null || isOnRequest(field))
  const attributes = ['meta', ...names.map((field) => field.path)].join()
  const isQueried = server.isThorough && fields.some(isOnRequest)
  const response = await server.get(path, { query: isQueried ? { attributes } : undefined })
  expectStatus(response, 200)
  return response.body
}

/** Requires a resource to be read as it was before. */
export async function expectUnchanged(
  server: Server,
  type: ExaminedType,
  path: string,
  before: JsonObject,
): Promise<void> {
  const after = await readWhole(server, type, path)
  const lines = differences(fieldsOf(type.definitions), before, after)
  expectNoDifferences(lines, `${path} as it was before`)
}

/** A single value the server stored as sent. */
export interface Kept extends Field {
  readonly value: unknown
}

/** The single values the server stored as sent. RFC 7644 §3.3: it is free to ignore or alter them. */
export function keptValues({ type, sent, stored }: Whole): readonly Kept[] {
  return fieldsToExamine(type).flatMap((field) => {
    const value = memberAt(sent, placeOf(field))
    const isKept = value !== undefined && isSameJson(memberAt(stored, placeOf(field)), value)
    return isKept ? [{ ...field, value }] : []
  })
}

/** Whether a server may keep a value the client omits or removes: an account is never without a state. */
export function isState({ path }: Field): boolean {
  return path === 'active'
}

/** The single values to change: all in a thorough examination, otherwise those that are free and were stored. */
export function changedValues(server: Server, whole: Whole): readonly Field[] {
  if (!server.isThorough) return keptValues(whole).filter(isFree)
  return fieldsOf(whole.type.definitions).filter(
    (field) => isSingle(field) && [field.attribute, field.parent].every(isOpen),
  )
}

/** The multi-valued attributes a client may change, except references to other resources. */
export function listsOf({ definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ parent, attribute }) =>
      parent === null && attribute.multiValued === true && isOpen(attribute),
  )
}

/** The values a client can change without a consequence for another rule. */
export function freeFields(type: ExaminedType): readonly Field[] {
  return fieldsToExamine(type).filter(isFree)
}

/** The member names that lead to a value. */
export function placeOf({ container, parent, attribute }: Field): readonly string[] {
  const names = parent === null ? [attribute.name] : [parent.name, attribute.name]
  return container === null ? names : [container, ...names]
}

/** The single values every response has, also those in a complex value. */
function fieldsToExamine({ definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    (field) =>
      isSingle(field) &&
      [field.attribute, field.parent].every(
        (one) => one === null || (isWritable(one) && isReadable(one) && one.returned !== 'request'),
      ),
  )
}

function isSingle({ attribute, parent }: Field): boolean {
  return attribute.type !== 'complex' && !attribute.multiValued && parent?.multiValued !== true
}

/** Whether a client may change and read an attribute, and it does not refer to another resource. */
export function isOpen(attribute: Field['parent']): boolean {
  if (attribute === null) return true
  return isChangeable(attribute) && isReadable(attribute) && targetsOf(attribute).length === 0
}

/** Whether a value can be changed and removed without a consequence for another rule. */
function isFree({ attribute, parent }: Field): boolean {
  return (
    [attribute, parent].every(
      (one) =>
        one === null ||
        (isChangeable(one) && one.required !== true && (one.uniqueness ?? 'none') === 'none'),
    ) && !KEPT.includes(attribute.name)
  )
}

/** The client's identifier, and what a server decides about. */
const KEPT: readonly string[] = ['externalId', 'active', 'userName']
