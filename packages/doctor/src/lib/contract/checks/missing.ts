import { differences } from '../../toolkit/differences.ts'
import type { StoreCheck } from '../check.ts'
import { idsOf } from '../client.ts'
import { expectError, expectNone, expectStatus, mismatch } from '../expectations.ts'
import { pathOf } from '../world.ts'
import { withImmutable } from './values.ts'

/** Ids that do not exist, and deleted resources. */
export const MISSING_CHECKS: readonly StoreCheck[] = [
  {
    name: 'read: answers 404 for an id that does not exist, in any form',
    section: 'RFC 7644 §3.4.1',
    advice:
      'return null. If the column is a number or a UUID, compare it with the id as text, or return null for an id of another form.',
    async run({ types, send }) {
      for (const type of types) {
        await type.create('minimal', 1)
        for (const id of UNKNOWN_IDS) {
          const answer = await send('GET', pathOf(type.endpoint, id))
          expectError(answer, 404, null, 'the resource does not exist')
        }
      }
    },
  },
  {
    name: 'write: answers 404 for an id that does not exist, in any form',
    section: 'RFC 7644 §3.5',
    advice: 'return null from replace and false from delete if no row has the id.',
    async run({ types, send }) {
      for (const type of types) {
        await type.create('minimal', 1)
        const body = await type.sample('minimal', 2)
        for (const id of UNKNOWN_IDS) {
          const path = pathOf(type.endpoint, id)
          const missing = 'the resource does not exist'
          expectError(await send('PUT', path, body), 404, null, missing)
          expectError(await send('DELETE', path), 404, null, missing)
        }
        const list = await send('GET', type.endpoint)
        if (idsOf(list).length !== 1) mismatch(list, 'the one resource that was created')
      }
    },
  },
  {
    name: 'delete: removes the resource from reads, lists and writes',
    section: 'RFC 7644 §3.6',
    advice: 'leave deleted rows out of read, list, replace and delete.',
    async run({ types, send }) {
      for (const type of types) {
        const { id, path } = await type.create('whole', 1)
        const body = await type.sample('minimal', 2)
        expectStatus(await send('DELETE', path), 204)
        const reason = 'the resource was deleted'
        expectError(await send('GET', path), 404, null, reason)
        expectError(await send('PUT', path, body), 404, null, reason)
        const list = await send('GET', type.endpoint)
        if (idsOf(list).includes(id)) mismatch(list, `a list without ${id}, because ${reason}`)
      }
    },
  },
  {
    name: 'delete: answers 404 for a resource that was already deleted',
    section: 'RFC 7644 §3.6',
    advice:
      'return true from delete only if a row was deleted, such as by the number of changed rows.',
    async run({ types, send }) {
      for (const type of types) {
        const { path } = await type.create('minimal', 1)
        expectStatus(await send('DELETE', path), 204)
        expectError(await send('DELETE', path), 404, null, 'the resource was already deleted')
      }
    },
  },
  {
    name: 'write: leaves the other resources as they were',
    section: 'RFC 7644 §3.5',
    advice: 'add the id to the where clause of every update and delete, also in child tables.',
    async run({ types, send }) {
      for (const type of types) {
        const other = await type.create('whole', 1)
        const before = await type.read(other.id)
        const { id, path } = await type.create('whole', 2)
        expectStatus(await send('DELETE', (await type.create('whole', 3)).path), 204)
        const body = withImmutable(type, await type.sample('minimal', 4), await type.read(id))
        const replaced = expectStatus(await send('PUT', path, body), 200)
        const lines = differences(type.fields, before, await type.read(other.id))
        expectNone(replaced, lines, `${other.path} is as it was before`)
      }
    },
  },
]

/** Ids in forms that the store does not use: numbers, UUIDs, object keys, SQL. */
const UNKNOWN_IDS: readonly string[] = [
  '987654321',
  '99999999999999999999',
  '-1',
  '1.5',
  '00000000-0000-4000-8000-000000000000',
  'not-an-id',
  `' or 1=1 --`,
  '__proto__',
  'a%20b',
  'é 日本',
  'x'.repeat(300),
]
