import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import {
  type Field,
  fieldsOf,
  readAttribute,
  targetsOf,
  writeAttribute,
} from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { expectStatus } from '../../toolkit/expect.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { referencesOf } from '../../toolkit/references.ts'
import type { Server } from '../../toolkit/server.ts'
import { plainOf } from '../stored/creates.ts'
import { expectUnchanged, listsOf, readWhole } from '../stored/wholes.ts'
import { limited } from './shelves.ts'

/** Rules for resources with a value in common. */
export const DECLARED_TWIN_CHECKS: readonly Check[] = [
  {
    id: 'declared.twins',
    section: 'RFC 7644 §3.5.1',
    level: 'practice',
    title: 'A change of a resource leaves others as they were that have an equal value',
    needs: ['write', 'check:declared.others'],
    advice:
      'Select rows by the id of the resource, also in the tables of lists: not by an address, an externalId or a member alone.',
    affects: { entra: 'A change of one user changes or deletes the data of others.' },
    run: async (server) => {
      for (const type of limited(server, server.types)) {
        for (const field of commonFields(server, type)) await examineTwins(server, type, field)
      }
    },
  },
]

/** The attributes two resources may have in common; null for two resources without optional values. */
function commonFields(server: Server, type: ExaminedType): readonly (Field | null)[] {
  const externalId = fieldsOf(type.definitions).filter(({ path }) => path === 'externalId')
  const references = referencesOf(type).filter(({ attribute }) => attribute.multiValued === true)
  const lists = [...listsOf(type), ...references]
  return server.isThorough ? [null, ...externalId, ...lists] : [...externalId, ...lists.slice(0, 1)]
}

/** Changes a resource in each way, and requires a second one with the same value to stay as it is. */
async function examineTwins(
  server: Server,
  type: ExaminedType,
  field: Field | null,
): Promise<void> {
  const { value, target } = field === null ? NONE : await commonValue(server, type, field)
  const create = async (): Promise<{ readonly path: string; readonly sent: JsonObject } | null> => {
    const sent =
      field === null
        ? await plainOf(server, type)
        : server.settle(type, writeAttribute(resourceOf(server, type), field, value))
    const { status, body } = await server.post(type.endpoint, sent)
    // A server may not accept the value twice.
    return status === 201
      ? { path: `${type.endpoint}/${encodeURIComponent(`${body.id}`)}`, sent }
      : null
  }
  const first = await create()
  if (first === null) return
  const alone = await readWhole(server, type, first.path)
  const second = await create()
  if (second === null) return
  await expectUnchanged(server, type, first.path, alone)
  const before = await readWhole(server, type, second.path)
  const other = withImmutable(fieldsOf(type.definitions), resourceOf(server, type), first.sent)
  const removed = field === null ? 'externalId' : field.path
  // Other checks require these requests to succeed.
  for (const change of [
    () => server.modify(first.path, { op: 'remove', path: removed }),
    () => server.put(first.path, other),
    () => server.put(first.path, first.sent),
    () => server.delete(first.path),
  ]) {
    await change()
    await expectUnchanged(server, type, second.path, before)
    if (target !== null) expectStatus(await server.get(target), 200)
  }
}

function resourceOf(server: Server, type: ExaminedType): JsonObject {
  return server.isThorough ? server.whole(type) : server.sample(type.name)
}

interface Common {
  readonly value: unknown
  /** The path to the resource the value refers to. */
  readonly target: string | null
}

const NONE: Common = { value: undefined, target: null }

/** Finds a value two resources can share, such as a list of addresses or members. */
async function commonValue(server: Server, type: ExaminedType, field: Field): Promise<Common> {
  const targets = targetsOf(field.attribute)
  if (targets.length === 0) {
    return { value: readAttribute(server.whole(type), field) ?? server.unique(), target: null }
  }
  const target = server.types.find(({ name }) => targets.includes(name))
  if (target === undefined) return { value: [{ value: server.unique() }], target: null }
  const { id, path } = await server.create(target.name)
  return { value: [{ value: id }], target: path }
}
