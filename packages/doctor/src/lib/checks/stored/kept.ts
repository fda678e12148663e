import type { Received } from '../../http/exchange.ts'
import type { JsonObject } from '../../json.ts'
import { type Field, fieldsOf } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { differences, UNASSIGNED } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'
import { readWhole } from './wholes.ts'

/** Requires a resource to be created with the attributes as sent. A server may reject a text. */
export async function expectKept(
  server: Server,
  type: ExaminedType,
  response: Received,
  sent: JsonObject,
  fields: readonly Field[],
): Promise<void> {
  if (response.status === 400 && !server.isThorough) return
  const path = pathOf(type, response)
  const lines = differences(fields, sent, await readWhole(server, type, path))
  expectNoDifferences(lines, `${path} as it was sent`)
}

/** Requires a resource to be read as it was sent: unless the examination is thorough, a server may alter values. */
export async function expectStored(
  server: Server,
  type: ExaminedType,
  path: string,
  sent: JsonObject,
): Promise<void> {
  const stored = await readWhole(server, type, path)
  const lines = differences(readFields(server, type), sent, stored)
  const losses = lines.filter((line) => server.isThorough || line.endsWith(`came ${UNASSIGNED}`))
  expectNoDifferences(losses, `${path} as it was sent`)
}

/** The attributes `readWhole` reads, without the client's identifier, which not every server keeps. */
export function readFields(server: Server, { definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ attribute: { name, returned } }) =>
      server.isThorough || (returned !== 'request' && name !== 'externalId'),
  )
}

/** Requires the response to a write to match what GET returns. A server may omit the body. */
export async function expectAsRead(
  server: Server,
  { definitions }: ExaminedType,
  path: string,
  { body, request }: Received,
): Promise<void> {
  const read = await server.get(path)
  if (body.id === undefined) return
  const fields = fieldsOf(definitions).filter(({ attribute }) => attribute.returned !== 'request')
  const lines = differences(fields, read.body, body)
  expectNoDifferences(lines, `${request} to answer what GET returns`)
}

/** Examines each item. The check is skipped if `examine` returns false for all: clients cannot create the resources. */
export async function forEachOffered<Item>(
  items: readonly Item[],
  examine: (item: Item) => Promise<boolean>,
): Promise<void> {
  let examined = 0
  for (const item of items) if (await examine(item)) examined += 1
  if (items.length > 0 && examined === 0) skip('Clients cannot create resources of the types.')
}

/** Whether clients can create a type's resources, judging from the response to a POST (RFC 9110 §15.5.6, §15.6.2). */
export function isOffered({ status }: Received): boolean {
  return !NOT_OFFERED.includes(status)
}

const NOT_OFFERED: readonly number[] = [403, 404, 405, 501]

/** Returns a created resource's path. */
export function pathOf({ endpoint }: ExaminedType, response: Received): string {
  expectStatus(response, 201)
  const { id } = response.body
  expectThat(typeof id === 'string' && id !== '', 'an id that is a string', id)
  return `${endpoint}/${encodeURIComponent(String(id))}`
}
