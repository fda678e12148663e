import type { Check } from '../../check.ts'
import type { Field } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import { differences } from '../../toolkit/differences.ts'
import {
  expectEqual,
  expectError,
  expectNoDifferences,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { readResource } from '../../toolkit/patch.ts'
import { withReferences } from '../../toolkit/references.ts'
import type { Server } from '../../toolkit/server.ts'
import { forEachOther, forEachShelf, limited, listAll } from './shelves.ts'

/** Rules for ids without a resource, for deleted resources, and for resources a request does not name. */
export const DECLARED_MISSING_CHECKS: readonly Check[] = [
  {
    id: 'declared.unknown',
    ...RULES.statusCodes,
    title: 'Requests for an id without a resource answer 404, whatever the form of the id is',
    needs: ['write'],
    advice:
      "Compare ids as text, or answer 404 for an id that is not a number or a UUID. In the map of sqlStore, such columns have key: 'integer' or key: 'uuid'. Do not create a resource.",
    run: async (server) => {
      for (const type of limited(server, server.types)) {
        const before = server.isThorough ? await idsOf(server, type) : null
        for (const id of UNKNOWN_IDS.slice(0, server.isThorough ? undefined : 3)) {
          const path = `${type.endpoint}/${encodeURIComponent(id)}`
          expectError(await server.get(path), 404)
          if (!server.isThorough) continue
          expectError(await server.put(path, server.sample(type.name)), 404)
          expectError(await server.delete(path), 404)
        }
        if (before === null) continue
        expectEqual(await idsOf(server, type), before, `the resources of ${type.endpoint}`)
      }
    },
  },
  {
    id: 'declared.deleted',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'MUST return a 404 (Not Found) error code',
    title: 'A deleted resource of each type is not read, replaced, deleted again or listed',
    needs: ['write'],
    advice: 'Leave deleted rows out of every query. Answer 404 to DELETE if no row was deleted.',
    affects: { entra: 'A deleted group or user is matched again, and every change of it fails.' },
    run: (server) =>
      forEachOther(server, async ({ type }) => {
        const { id, path, sent } = await server.createWhole(type)
        expectStatus(await server.delete(path), 200, 204)
        expectError(await server.get(path), 404)
        expectError(await server.put(path, sent), 404)
        expectError(await server.delete(path), 404)
        const ids = (await idsOf(server, type)) ?? []
        expectThat(!ids.includes(id), `a list of ${type.endpoint} without ${id}`, id)
      }),
  },
  {
    id: 'declared.others',
    section: 'RFC 7644 §3.5.1',
    level: 'practice',
    title: 'A change and a deletion leave the other resources of the type as they were',
    needs: ['write'],
    advice: 'Add the id to the WHERE of each UPDATE and DELETE, also in the tables of lists.',
    run: (server) =>
      forEachShelf(server, async ({ type, fields }) => {
        const references = await withReferences(server, type, {}, isList)
        const other = await server.createWhole(type, references)
        const before = await readResource(server, other.path)
        const { path, sent } = await server.createWhole(type, references)
        expectStatus(await server.put(path, sent), 200, 204)
        expectStatus(await server.delete(path), 200, 204)
        const after = await readResource(server, other.path)
        const lines = differences(fields, before, after)
        for (const name of Object.keys(references)) {
          expectEqual(after[name], before[name], `${name} of ${other.path}`)
        }
        expectNoDifferences(lines, `${other.path} as it was before`)
      }),
  },
]

/** A list of references, such as the members of a group. */
const isList = ({ container, attribute }: Field): boolean =>
  container === null && attribute.multiValued === true

/** The ids of a type's resources; null if the server does not list all of them. */
async function idsOf(server: Server, type: ExaminedType): Promise<readonly string[] | null> {
  const list = await listAll(server, type)
  return list === null ? null : list.map(({ id }) => String(id)).sort()
}

/**
 * Ids in forms a server does not use: numbers, UUIDs, object keys, quotes. They must not belong to a resource, because
 * such resources are replaced and deleted.
 */
const UNKNOWN_IDS: readonly string[] = [
  '99999999999999999999',
  '00000000-0000-4000-8000-000000000000',
  'not-an-id',
  '-98765432109',
  '98765432109.5',
  `o'hara"`,
  '__proto__',
  'a%20b',
  'é 日本',
  'x'.repeat(300),
]
