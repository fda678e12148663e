import { storeContract } from '@plumbline/doctor/testing'
import { expect, it } from 'vitest'
import { makeStores } from './subject.ts'

/** Errors of PostgreSQL for a text in a column of another type, and the entry of the map that helps. */
const ERRORS = [
  ['invalid input syntax for type uuid: "not-an-id"', "{ column: 'id', key: 'uuid' }"],
  ['operator does not exist: uuid = text', "{ column: 'id', key: 'uuid' }"],
  ['collations are not supported by type uuid', "{ column: 'id', key: 'uuid' }"],
  ['invalid input syntax for type integer: "not-an-id"', "{ column: 'id', key: 'integer' }"],
  ['operator does not exist: bigint = text', "{ column: 'id', key: 'integer' }"],
] as const

// RFC 7644 §3.12
it.each(ERRORS)('the advice for the error %s names the entry %s', async (message, entry) => {
  const checks = storeContract(() =>
    makeStores(['User'], ({ store }) => ({
      read: (id, ...call) =>
        id.startsWith('user-') ? store.read(id, ...call) : Promise.reject(new Error(message)),
    })),
  )
  const unknown = checks.find(({ name }) => name.startsWith('declared.unknown: '))
  await expect(unknown?.run()).rejects.toThrow(`came: 500: Error: ${message}\nwhat to do: Is it a`)
  await expect(unknown?.run()).rejects.toThrow(
    `In the map of sqlStore, it is ${entry}. Compare ids`,
  )
})
