import type { Check } from '../../check.ts'
import { withAt } from '../../json.ts'
import { fieldsOf } from '../../model/fields.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus } from '../../toolkit/expect.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { readResource } from '../../toolkit/patch.ts'
import { spareText } from '../../toolkit/spare.ts'
import { forEachOther, listAll } from './shelves.ts'

/** Lists of each resource type after a change. */
export const DECLARED_CHANGED_LIST_CHECKS: readonly Check[] = [
  {
    id: 'declared.lists-after-changes',
    section: 'RFC 7644 §3.4.2',
    level: 'practice',
    title: 'A list of each resource type has the current values of a resource that was replaced',
    needs: ['write', 'check:declared.lists'],
    advice: 'Do not cache lists, or discard them with each POST, PUT, PATCH and DELETE.',
    affects: { entra: 'A change is sent again and again, because the old value is read.' },
    run: (server) =>
      forEachOther(server, async ({ type, fields }) => {
        const { id, path, sent } = await server.createWhole(type)
        const before = await listAll(server, type)
        if (before?.some((one) => one.id === id) !== true) return
        const spare = spareText(type)
        const next = server.isThorough
          ? withImmutable(fieldsOf(type.definitions), server.whole(type), sent)
          : spare === undefined
            ? sent
            : withAt(sent, { [spare]: server.unique() })
        expectStatus(await server.put(path, next), 200, 204)
        const list = (await listAll(server, type)) ?? []
        const read = await readResource(server, path)
        const listed = list.find((one) => one.id === id) ?? {}
        const lines = differences(fields, read, listed)
        expectNoDifferences(lines, `${id} in the list as GET returns it after a PUT`)
      }),
  },
]
