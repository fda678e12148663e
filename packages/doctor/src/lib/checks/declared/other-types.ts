import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import type { ExaminedType } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import { expectError } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'
import { limited } from './shelves.ts'

/** Rules for resources of several types whose rows may share a table. */
export const DECLARED_OTHER_TYPE_CHECKS: readonly Check[] = [
  {
    id: 'declared.other-types',
    ...RULES.statusCodes,
    title: 'The endpoint of a type does not answer a resource of another type',
    needs: ['write', 'check:declared.unknown'],
    advice:
      'Add the type to the WHERE of each query if a table has the rows of several types, and answer 404.',
    run: async (server) => {
      const [first, ...others] = limited(server, server.types)
      if (first === undefined || others.length === 0) {
        return skip('The server does not have several resource types.')
      }
      for (const other of others) {
        await expectOnlyIn(server, first, other)
        await expectOnlyIn(server, other, first)
      }
    },
  },
]

/**
 * Requires that a resource is not found at another type's endpoint. Each type may count its ids, so another resource
 * may have this one.
 */
async function expectOnlyIn(
  server: Server,
  type: ExaminedType,
  other: ExaminedType,
): Promise<void> {
  const { id, sent } = await server.create(type.name)
  const response = await server.get(`${other.endpoint}/${encodeURIComponent(id)}`)
  if (response.status === 200 && !isShown(server, sent, response.text)) return
  expectError(response, 404)
}

/** Whether a text has one of a resource's unique values. */
function isShown(server: Server, sent: JsonObject, text: string): boolean {
  const marker = server.unique().replace(/\d+$/, '')
  const values = Object.values(sent).filter((one) => String(one).startsWith(marker))
  const shown = text.toLowerCase()
  return values.some((one) => shown.includes(JSON.stringify(one).toLowerCase()))
}
