import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { plainOf } from '../../checks/stored/creates.ts'
import { pathOf } from '../../checks/stored/kept.ts'
import { expectUnchanged, readWhole } from '../../checks/stored/wholes.ts'
import { type JsonObject, objectsOf } from '../../json.ts'
import { type Field, isChangeable, readAttribute, targetsOf } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { expectEqual, expectList, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { referencesOf, withReferences } from '../../toolkit/references.ts'
import type { Operation, Server } from '../../toolkit/server.ts'
import { FAILING } from '../serve.ts'

const ROLLBACK =
  'Roll back if the work of `transaction` throws, and run each statement of a write on its connection: does `execute` use the connection of `transaction`?'

/** Writes that fail after the store has done them. */
export const TRANSACTION_CHECKS: readonly Check[] = [
  {
    id: 'transactions.create',
    section: 'RFC 7644 §3.3',
    level: 'practice',
    title: 'A POST that fails leaves no resource',
    advice: ROLLBACK,
    run: async (server) => {
      for (const type of server.types) {
        const body = await withReferences(server, type, server.whole(type))
        const before = await idsOf(server, type)
        expectStatus(await server.post(type.endpoint, body, FAILING), 500)
        expectEqual(await idsOf(server, type), before, `the resources of ${type.endpoint}`)
        expectStatus(await server.post(type.endpoint, body), 201)
      }
    },
  },
  {
    id: 'transactions.change',
    section: 'RFC 7644 §3.5',
    level: 'practice',
    title: 'A PUT or DELETE that fails leaves the resource as it was',
    advice: ROLLBACK,
    run: async (server) => {
      for (const type of server.types) {
        const { path, before } = await createWithReferences(server, type)
        expectStatus(await server.put(path, await plainOf(server, type), FAILING), 500)
        await expectUnchanged(server, type, path, before)
        expectStatus(await server.delete(path, FAILING), 500)
        await expectUnchanged(server, type, path, before)
      }
    },
  },
  {
    id: 'transactions.members',
    section: 'RFC 7644 §3.5.2',
    level: 'practice',
    title: 'A change of members that fails leaves the members as they were',
    advice: ROLLBACK,
    run: async (server) => {
      const memberships = server.types.flatMap((type) =>
        referencesOf(type)
          .filter(({ attribute }) => attribute.multiValued === true && isChangeable(attribute))
          .map((field) => ({ type, field })),
      )
      if (memberships.length === 0) skip('No resource type has members.')
      for (const { type, field } of memberships) {
        const { path, before } = await createWithReferences(server, type)
        for (const operation of await changesOf(server, field, before)) {
          const body = { schemas: [PATCH_OP_SCHEMA], Operations: [operation] }
          expectStatus(await server.patch(path, body, FAILING), 500)
          await expectUnchanged(server, type, path, before)
        }
      }
    },
  },
]

/** Operations to add a member and remove one. The option `adapt` may omit the members. */
async function changesOf(
  server: Server,
  { path, attribute, container }: Field,
  before: object,
): Promise<readonly Operation[]> {
  const targets = targetsOf(attribute)
  const target = server.types.find(({ name }) => targets.includes(name))
  const value = target === undefined ? server.unique() : (await server.create(target.name)).id
  const [member] = objectsOf(readAttribute(before, { container, attribute }))
  const removed = `${path}[value eq ${JSON.stringify(member?.value)}]`
  return [
    { op: 'add', path, value: [{ value }] },
    ...(member === undefined ? [] : [{ op: 'remove', path: removed }]),
  ]
}

async function createWithReferences(
  server: Server,
  type: ExaminedType,
): Promise<{ readonly path: string; readonly before: JsonObject }> {
  const sent = await withReferences(server, type, server.whole(type))
  const path = pathOf(type, await server.post(type.endpoint, sent))
  return { path, before: await readWhole(server, type, path) }
}

async function idsOf(server: Server, { endpoint }: ExaminedType): Promise<readonly unknown[]> {
  const list = expectList(await server.get(endpoint, { query: { count: 100 } }))
  return list.map(({ id }) => id)
}
