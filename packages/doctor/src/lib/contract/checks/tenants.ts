import type { Check } from '../../check.ts'
import { plainOf } from '../../checks/stored/creates.ts'
import { expectUnchanged, readWhole } from '../../checks/stored/wholes.ts'
import { fieldsOf, valuesOf } from '../../model/fields.ts'
import { isReadable } from '../../model/types.ts'
import { expectEqual, expectError, expectList, expectStatus } from '../../toolkit/expect.ts'
import { referencesOf } from '../../toolkit/references.ts'
import { AS_OTHER } from '../serve.ts'

const TENANT = 'Add the tenant of the context to every statement, also in the tables of lists.'

/** Resources of another context, such as another tenant. */
export const TENANT_CHECKS: readonly Check[] = [
  {
    id: 'tenants.read',
    section: 'RFC 7644 §6',
    level: 'practice',
    title: 'A resource of another tenant is not read',
    advice: `${TENANT} If resources are cached, add it to the key.`,
    run: async (server) => {
      for (const type of server.types) {
        const { path } = await server.createWhole(type)
        // A cache may have an entry after the first request.
        for (let round = 0; round < 2; round += 1) {
          expectError(await server.get(path, AS_OTHER), 404)
          expectStatus(await server.get(path), 200)
        }
      }
    },
  },
  {
    id: 'tenants.unique',
    section: 'RFC 7643 §7',
    level: 'practice',
    title: 'A tenant may use the unique values of another',
    advice: 'Add the tenant to each unique index. A conflict would show what another tenant has.',
    run: async (server) => {
      for (const type of server.types) {
        const fields = fieldsOf(type.definitions)
        const isGlobal = fields.some(({ attribute }) => attribute.uniqueness === 'global')
        // The target of a required reference belongs to the first tenant.
        if (isGlobal || referencesOf(type).some(({ attribute }) => attribute.required)) continue
        const sent = await plainOf(server, type)
        expectStatus(await server.post(type.endpoint, sent), 201)
        const created = await server.post(type.endpoint, sent, AS_OTHER)
        expectStatus(created, 201)
        await server.delete(
          `${type.endpoint}/${encodeURIComponent(`${created.body.id}`)}`,
          AS_OTHER,
        )
      }
    },
  },
  {
    id: 'tenants.list',
    section: 'RFC 7644 §6',
    level: 'practice',
    title: 'Resources of another tenant are neither listed nor counted',
    advice: TENANT,
    run: async (server) => {
      for (const type of server.types) {
        const { path } = await server.createWhole(type)
        const read = await readWhole(server, type, path)
        const filters = fieldsOf(type.definitions)
          .slice(0, 8)
          .filter(({ attribute }) => attribute.type === 'string' && isReadable(attribute))
          .flatMap((field) =>
            valuesOf(read, field).map((value) => `${field.path} eq ${JSON.stringify(value)}`),
          )
        for (const query of [{}, ...filters.map((filter) => ({ filter }))]) {
          const list = await server.get(type.endpoint, { ...AS_OTHER, query })
          expectEqual(expectList(list), [], `the resources of ${list.request}`)
          expectEqual(list.body.totalResults, 0, `totalResults of ${list.request}`)
        }
      }
    },
  },
  {
    id: 'tenants.write',
    section: 'RFC 7644 §6',
    level: 'practice',
    title: 'A resource of another tenant is neither changed nor deleted',
    advice: TENANT,
    run: async (server) => {
      for (const type of server.types) {
        const { path } = await server.createWhole(type)
        const before = await readWhole(server, type, path)
        const body = await plainOf(server, type)
        expectError(await server.put(path, body, AS_OTHER), 404)
        expectError(await server.delete(path, AS_OTHER), 404)
        await expectUnchanged(server, type, path, before)
      }
    },
  },
]
