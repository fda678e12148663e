import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import { type Field, fieldsOf, readAttribute } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { withReferences } from '../../toolkit/references.ts'
import type { Server } from '../../toolkit/server.ts'
import { otherTypes } from '../declared/shelves.ts'
import {
  expectAsRead,
  expectStored,
  forEachOffered,
  isOffered,
  pathOf,
  readFields,
} from './kept.ts'
import { readWhole } from './wholes.ts'

/** Rules for new resources of each type. */
export const STORED_CREATE_CHECKS: readonly Check[] = [
  {
    id: 'stored.ids',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'It MUST be a stable, non-reassignable identifier',
    title: 'Each resource of a type has an id of its own, also after others were deleted',
    needs: ['write'],
    advice:
      'Use UUIDs, or keys that the database never reuses: autoincrement on SQLite. A client, or a group, may still refer to the old resource.',
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const existing = [await server.createWhole(type), await server.createWhole(type)]
        const ids = new Set(existing.map(({ id }) => id))
        expectThat(ids.size === 2, 'two ids of two resources', [...ids])
        // The newest, and then all, because a database may continue after the greatest existing key.
        for (const count of [1, 2]) {
          for (const { path } of existing.splice(-count)) {
            expectStatus(await server.delete(path), 200, 204)
          }
          const next = await server.createWhole(type)
          expectThat(!ids.has(next.id), 'an id that no resource had before', next.id)
          ids.add(next.id)
          existing.push(next)
        }
      }
    },
  },
  {
    id: 'stored.create',
    section: 'RFC 7644 §3.3',
    level: 'practice',
    title: 'A new resource of each type has every value that was sent, and that a schema declares',
    needs: ['write'],
    advice:
      'Accept and store each attribute, or remove it from the schema, such as by pickAttributes. Allow NULL for optional ones.',
    affects: { entra: 'Mapped attributes are never stored, although the schema declares them.' },
    run: async (server) => {
      await forEachOffered(otherTypes(server), async (type) => {
        const whole = server.whole(type)
        const sent = server.isThorough ? await withReferences(server, type, whole) : whole
        const response = await server.post(type.endpoint, sent)
        if (!isOffered(response)) return false
        // A server may reject values without a place.
        if (response.status === 400 && !server.isThorough) return true
        await expectStored(server, type, pathOf(type, response), sent)
        return true
      })
    },
  },
  {
    id: 'stored.minimal',
    section: 'RFC 7643 §2.2',
    level: 'practice',
    title: 'A resource of each type is created with only the required attributes',
    needs: ['write'],
    advice: 'Allow NULL in the columns of optional attributes, or declare them as required.',
    run: async (server) => {
      await forEachOffered(otherTypes(server), async (type) => {
        const sent = await minimalOf(server, type)
        const response = await server.post(type.endpoint, sent)
        if (!isOffered(response)) return false
        const path = pathOf(type, response)
        const stored = await readWhole(server, type, path)
        const fields = readFields(server, type).filter((field) => hasValue(sent, field))
        expectNoDifferences(differences(fields, sent, stored), `${path} as it was sent`)
        return true
      })
    },
  },
  {
    id: 'stored.responses',
    section: 'RFC 7644 §3.3',
    level: 'SHOULD',
    quote: "The response body SHOULD contain the service provider's",
    title: 'The responses to POST and PUT of each type have the values that GET returns',
    needs: ['write'],
    advice: 'Return from POST and PUT what GET returns for the resource after the change.',
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const created = await server.createWhole(type)
        await expectAsRead(server, type, created.path, created.response)
        const next = withImmutable(fieldsOf(type.definitions), server.whole(type), created.sent)
        const replaced = await server.put(created.path, server.isThorough ? next : created.sent)
        expectStatus(replaced, 200, 204)
        await expectAsRead(server, type, created.path, replaced)
      }
    },
  },
]

/** Returns a resource with only the required attributes, or with the usual ones if a server may expect more. */
export async function plainOf(server: Server, type: ExaminedType): Promise<JsonObject> {
  return server.isThorough ? await minimalOf(server, type) : server.sample(type.name)
}

/** Creates a plain resource, and returns the path. */
export async function createPlain(server: Server, type: ExaminedType): Promise<string> {
  if (!server.isThorough) return (await server.create(type.name)).path
  return pathOf(type, await server.post(type.endpoint, await minimalOf(server, type)))
}

async function minimalOf(server: Server, type: ExaminedType): Promise<JsonObject> {
  const isRequired = ({ attribute }: Field): boolean => attribute.required === true
  return await withReferences(server, type, server.minimal(type), isRequired)
}

function hasValue(resource: JsonObject, field: Field): boolean {
  return readAttribute(resource, field) !== undefined
}
