import { GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { ExaminationError } from '../examination-error.ts'
import type { Received } from '../http/exchange.ts'
import { type JsonObject, memberAt, objectsOf } from '../json.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import { show } from './expect.ts'
import { block, skip } from './finding.ts'
import { sampleResource } from './sample.ts'
import type { Created, ServerOptions } from './server.ts'

/** Finds a type by name; `User` and `Group` are found by their core schema. Skips the check if the server lacks it. */
export function findType(types: readonly ExaminedType[], name: string): ExaminedType {
  const schema = { User: USER_SCHEMA, Group: GROUP_SCHEMA }[name]
  const found = types.find((type) =>
    schema === undefined ? type.name === name : type.schema === schema,
  )
  return found ?? skip(`The server does not have the resource type ${name}.`)
}

/** Smaller forms of a resource to try. */
export interface Reductions {
  /** Tried after the form with one value in each list. */
  readonly fewer?: readonly ((resource: JsonObject) => JsonObject)[]
  /** The members the check needs as they are. */
  readonly needed?: JsonObject | undefined
}

/**
 * Creates a resource. If a server rejects it, a smaller one is tried. If the server rejects this, too, the check is
 * blocked.
 */
export async function createResource(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
  wanted: JsonObject,
  { fewer = [], needed = {} }: Reductions = {},
): Promise<Created> {
  const { reduced } = options.shared
  const firstValues = (resource: JsonObject): JsonObject => ({
    ...firstOfLists(resource),
    ...needed,
  })
  // A value a server rejected once is not sent again.
  let sent = reduced.has(type.name) ? firstValues(wanted) : wanted
  let response = await client.post(type.endpoint, sent)
  for (const reduce of [asAddress, firstValues, ...fewer]) {
    if (response.status !== 400) break
    const less = reduce(wanted)
    if (JSON.stringify(less) === JSON.stringify(sent)) continue
    const second = await client.post(type.endpoint, less)
    if (second.status !== 201) continue
    ;[sent, response] = [less, second]
    if (reduce === firstValues) reduced.add(type.name)
  }
  const id = memberAt(response.body, 'id')
  if (response.status !== 201 || typeof id !== 'string') {
    const detail = memberAt(response.body, 'detail')
    await requireSpace(options, client, type, response)
    block(`A ${type.name} could not be created: ${response.status} ${show(detail)}.`)
  }
  options.shared.rejections.set(type.name, 0)
  const path = `${type.endpoint}/${encodeURIComponent(id)}`
  return { id, path, sent, body: response.body, response }
}

/** Copies the address to the userName: a server may keep one value for both. */
function asAddress(resource: JsonObject): JsonObject {
  const [email] = objectsOf(resource.emails)
  const isOther = typeof email?.value === 'string' && typeof resource.userName === 'string'
  return isOther ? { ...resource, userName: email.value } : resource
}

/** Keeps one value in each list: a server may store one address. */
function firstOfLists(resource: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [
      name,
      Array.isArray(value) && name !== 'schemas' ? value.slice(0, 1) : value,
    ]),
  )
}

/**
 * Throws an ExaminationError if a server created such resources before but does not store more: it forbids them, or it
 * rejected three in a row and rejects a plain one, too.
 */
async function requireSpace(
  { shared: { rejections }, unique }: ServerOptions,
  client: Client,
  type: ExaminedType,
  { request, status }: Received,
): Promise<void> {
  const count = rejections.get(type.name)
  if (count === undefined) return
  rejections.set(type.name, count + 1)
  if (status !== 402 && status !== 403) {
    if (count + 1 < 3) return
    rejections.set(type.name, 0)
    const plain = await client.post(type.endpoint, sampleResource(type, unique))
    if (plain.status === 201) return
  }
  const message = `${request}: ${status}; the server created such resources before, and does not create more`
  throw new ExaminationError('full', message)
}
