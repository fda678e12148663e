import type { Check } from '../../check.ts'
import { memberAt } from '../../json.ts'
import { fieldsOf } from '../../model/fields.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { readResource, waitForLaterChange } from '../../toolkit/patch.ts'
import { limited } from './shelves.ts'

/** Rules for the time of the last change. */
export const DECLARED_LAST_MODIFIED_CHECKS: readonly Check[] = [
  {
    id: 'declared.last-modified',
    section: 'RFC 7643 §3.1',
    level: 'defined',
    quote: 'The most recent DateTime that the details of',
    title: 'A change of a resource of each type sets meta.lastModified to a later time',
    needs: ['write'],
    advice:
      'Set the time in each statement that changes the resource: the default of a column is only for new rows.',
    run: async (server) => {
      let compared = 0
      for (const type of limited(server, server.types)) {
        const { path, sent } = await server.createWhole(type)
        const before = await readResource(server, path)
        if (memberAt(before, 'meta.lastModified') === undefined) continue
        await waitForLaterChange(before)
        const fields = fieldsOf(type.definitions)
        const next = server.isThorough
          ? withImmutable(fields, server.whole(type), sent)
          : withImmutable(fields, { ...server.sample(type.name), id: before.id }, sent)
        expectStatus(await server.put(path, next), 200, 204)
        const after = await readResource(server, path)
        if (differences(fields, before, after).length === 0) continue
        const [first, later] = [before, after].map((one) =>
          Date.parse(String(memberAt(one, 'meta.lastModified'))),
        )
        const isLater = Number(later) > Number(first)
        expectThat(isLater, `meta.lastModified of ${path} after ${first}`, later)
        compared += 1
      }
      if (compared === 0) skip('No resource type has meta.lastModified.')
    },
  },
]
