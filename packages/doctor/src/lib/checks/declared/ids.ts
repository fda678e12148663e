import type { Check } from '../../check.ts'
import type { ExaminedType } from '../../model/types.ts'
import { expectError, expectThat } from '../../toolkit/expect.ts'
import type { Server } from '../../toolkit/server.ts'
import { swapCase } from '../../toolkit/swap-case.ts'
import { expectUnchanged, readWhole } from '../stored/wholes.ts'
import { limited } from './shelves.ts'

/** Rules for ids a database or a parser may confuse with a resource's id. */
export const DECLARED_ID_CHECKS: readonly Check[] = [
  {
    id: 'declared.ids',
    section: 'RFC 7643 §3.1',
    level: 'practice',
    title: 'An id with other letters, another letter case or blanks does not select a resource',
    needs: ['write', 'check:declared.unknown', 'check:declared.others'],
    advice:
      'Compare the whole id as text: Number.parseInt and a MySQL integer read 1abc as 1, and a collation may ignore letter case and trailing blanks. Answer 404 to each method.',
    run: async (server) => {
      for (const type of limited(server, server.types)) {
        const { id, path } = await server.createWhole(type)
        const before = await readWhole(server, type, path)
        for (const other of similarTo(server, id)) await expectUnknown(server, type, other)
        await expectUnchanged(server, type, path, before)
      }
    },
  },
]

/** Returns other ids, which a comparison may treat as equal to this one. */
function similarTo({ isThorough }: Server, id: string): readonly string[] {
  const swapped = swapCase(id)
  // RFC 9562 §4: letter case is irrelevant in a UUID.
  const letterCase = swapped === id || UUID.test(id) ? [] : [swapped]
  const forms = [`${id}abc`, `${id} `, ...letterCase]
  if (!isThorough) return forms
  return [...forms, ` ${id}`, ...(/^\d+$/.test(id) ? [`0${id}`, `${id}.0`] : [])]
}

/** Requires each method to reject the id. A server may accept a PUT or DELETE if nothing changes. */
async function expectUnknown(server: Server, type: ExaminedType, id: string): Promise<void> {
  const path = `${type.endpoint}/${encodeURIComponent(id)}`
  const read = await server.get(path)
  if (!server.isThorough) {
    // The id may belong to another resource.
    if (read.status === 200 && read.body.id === id) return
    expectThat(read.status >= 400, `${read.request} to answer 404`, read.status)
    await server.put(path, server.sample(type.name))
    await server.delete(path)
    return
  }
  const change = { op: 'replace', path: 'externalId', value: server.unique() }
  expectError(read, 404)
  expectError(await server.put(path, server.whole(type)), 404)
  expectError(await server.modify(path, change), 404)
  expectError(await server.delete(path), 404)
}

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i
