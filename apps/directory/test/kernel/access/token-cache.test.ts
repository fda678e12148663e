import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockVersionForChange, writeExtension } from '../../../src/features/scim/extension-rows.ts'
import { forgetSchemas, lookUpSchemas } from '../../../src/features/scim/tenant-schemas.ts'
import {
  createClient,
  deleteClient,
  findClient,
  touchClient,
} from '../../../src/kernel/access/client-store.ts'
import {
  isCached,
  keep,
  lookUpClient,
  lookUpTenant,
  lookUpToken,
} from '../../../src/kernel/access/token-cache.ts'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { MINUTE } from '../../../src/kernel/durations.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { newTenant } from '../../support/in-scope.ts'

const START = 1_700_000_000_000

let database: Store
let tenantId: string
beforeAll(async () => {
  database = await openSqlite(':memory:')
  tenantId = await newTenant(database)
})
afterAll(() => database.close())

/** A store with a cache of its own, which counts its reads and writes. */
function open(failure: unknown = null) {
  const calls = { reads: 0, writes: 0 }
  const store: Store = {
    ...database,
    read: (work, options) => {
      calls.reads += 1
      return database.read(work, options)
    },
    background: (work) => {
      calls.writes += 1
      return failure === null ? database.background(work) : Promise.reject(failure)
    },
  }
  return { calls, store }
}

describe('an OAuth client', () => {
  const create = async () => {
    const options = { tenantId, name: 'Entra', profile: 'entra', access: 'write' } as const
    const { row } = await database.write((db) =>
      createClient(db, { ...options, userId: null, keys: null, now: START }),
    )
    return row
  }
  const isValid = () => true

  it('an OAuth client is read once a second', async () => {
    const { id } = await create()
    const { calls, store } = open()
    const found = []
    for (const later of [0, 999, 1_000]) {
      found.push((await lookUpClient(id, store, { time: START + later, isValid }))?.id)
    }
    expect(found).toEqual([id, id, id])
    expect(calls.reads).toBe(2)
  })

  it("an OAuth client's use is stored once a minute", async () => {
    const { id } = await create()
    const { calls, store } = open()
    const usedAt = async (later: number) => {
      await lookUpClient(id, store, { time: START + later, isValid })
      const row = await database.read((db) => findClient(db, id))
      return Number(row?.last_used_at) - START
    }
    for (const later of [0, 500, 2_000, MINUTE - 1]) expect(await usedAt(later)).toBe(0)
    expect(calls.writes).toBe(1)
    expect(await usedAt(MINUTE)).toBe(MINUTE)
    expect(calls.writes).toBe(2)
  })

  it("an OAuth client's use is stored within the second it is cached", async () => {
    const row = await create()
    await database.write((db) => touchClient(db, row, START - MINUTE + 500))
    const { calls, store } = open()
    const look = (later: number) => lookUpClient(row.id, store, { time: START + later, isValid })
    await look(0)
    expect(calls).toEqual({ reads: 1, writes: 0 })
    await look(499)
    expect(calls).toEqual({ reads: 1, writes: 0 })
    await look(500)
    expect(calls).toEqual({ reads: 2, writes: 1 })
    await look(501)
    expect(calls).toEqual({ reads: 2, writes: 1 })
  })

  it("an OAuth client's use is not stored if the client is not valid for the request", async () => {
    const { id } = await create()
    const { calls, store } = open()
    for (const later of [0, 999]) {
      const found = await lookUpClient(id, store, { time: START + later, isValid: () => false })
      expect(found?.last_used_at).toBeNull()
    }
    expect(calls).toEqual({ reads: 1, writes: 0 })
  })

  it('a deleted OAuth client is not cached any more', async () => {
    const { id } = await create()
    const { calls, store } = open()
    await lookUpClient(id, store, { time: START, isValid })
    await database.write((db) => deleteClient(db, id))
    for (const later of [1_000, 1_001]) {
      expect(await lookUpClient(id, store, { time: START + later, isValid })).toBeNull()
    }
    expect(calls.reads).toBe(3)
  })

  it("an OAuth client's use may be lost if it cannot be stored", async () => {
    const { id } = await create()
    for (const error of [new StoreUnavailableError('busy'), new RangeError('a bug')]) {
      const { store } = open(error)
      expect(await lookUpClient(id, store, { time: START, isValid })).not.toBeNull()
    }
  })

  it('an OAuth client is found while the use is stored', async () => {
    const { id } = await create()
    const store = { ...open().store, background: () => new Promise<never>(() => undefined) }
    expect(await lookUpClient(id, store, { time: START, isValid })).not.toBeNull()
  })
})

describe('a token', () => {
  it('a token is looked up together with the tenant', async () => {
    const options = { name: 'Test', role: 'client', profile: 'okta', now: START } as const
    const { row, text } = await database.write((db) => createToken(db, { ...options, tenantId }))
    const { calls, store } = open()
    expect(isCached(text, store)).toBe(false)
    expect((await lookUpToken(text, store, START))?.id).toBe(row.id)
    expect(isCached(text, store)).toBe(true)
    expect((await lookUpTenant(tenantId, store, START + 999))?.id).toBe(tenantId)
    expect(calls.reads).toBe(1)
  })

  it('an unknown token is not cached', async () => {
    const { store } = open()
    expect(await lookUpToken('a.b', store, START)).toBeNull()
    expect(isCached('a.b', store)).toBe(false)
  })
})

it('a missing tenant is not cached', async () => {
  const { calls, store } = open()
  expect(await lookUpTenant('missing', store, START)).toBeNull()
  expect(await lookUpTenant('missing', store, START)).toBeNull()
  expect(calls.reads).toBe(2)
})

it('a deleted tenant is not cached any more, also if the clock is set back', async () => {
  const gone = await newTenant(database)
  const { calls, store } = open()
  expect((await lookUpTenant(gone, store, START))?.id).toBe(gone)
  await database.write((db) => db.exec(sql`delete from tenants where id = ${gone}`))
  for (const later of [1_000, 500]) {
    expect(await lookUpTenant(gone, store, START + later)).toBeNull()
  }
  expect(calls.reads).toBe(3)
})

it('at most 10,000 rows are cached', () => {
  const rows = new Map<string, { readonly time: number }>()
  for (let at = 0; at < 10_000; at += 1) keep(rows, `${at}`, { time: at })
  expect(rows.size).toBe(10_000)
  keep(rows, 'next', { time: 0 })
  expect([...rows]).toEqual([['next', { time: 0 }]])
})

describe("a tenant's schemas", () => {
  const attributes = [{ name: 'number', type: 'string' }] as const
  const withSchema = async (): Promise<string> => {
    const id = await newTenant(database)
    const definition = { id: 'urn:example:2.0:Badge', name: 'Badge', attributes }
    await database.write(async (db) => {
      await lockVersionForChange(db, database.dialect, id, START)
      const extension = { resourceType: 'User', required: false, definition }
      await writeExtension(db, id, extension, START)
    })
    return id
  }

  it('the schemas are read once, and the version once a second', async () => {
    const id = await withSchema()
    const { calls, store } = open()
    const first = await lookUpSchemas(id, store, START)
    expect(first).toMatchObject({ version: START + 1, extensions: [{ resourceType: 'User' }] })
    expect(await lookUpSchemas(id, store, START + 999)).toBe(first)
    expect(calls.reads).toBe(1)
    expect(await lookUpSchemas(id, store, START + 1_000)).toBe(first)
    expect(calls.reads).toBe(2)
    forgetSchemas(id, store)
    expect(await lookUpSchemas(id, store, START + 1_000)).toBe(first)
    expect(calls.reads).toBe(3)
  })

  it('tenants without a registered schema share one value', async () => {
    const [one, two] = [await newTenant(database), await newTenant(database)]
    const { calls, store } = open()
    const first = await lookUpSchemas(one, store, START)
    expect(first).toMatchObject({ version: 0, extensions: [] })
    expect(await lookUpSchemas(two, store, START)).toBe(first)
    expect(await lookUpSchemas(one, store, START + 999)).toBe(first)
    expect(calls.reads).toBe(2)
  })

  it('the schemas are kept for the 100 tenants used last', async () => {
    const ids: string[] = []
    for (let at = 0; at <= 100; at += 1) ids.push(await withSchema())
    const [first = '', second = '', third = '', ...others] = ids
    const last = others.pop() ?? ''
    const { calls, store } = open()
    const readsOf = async (...wanted: readonly string[]) => {
      const before = calls.reads
      for (const id of wanted) await lookUpSchemas(id, store, START)
      return calls.reads - before
    }
    expect(await readsOf(first, second, third, ...others)).toBe(100)
    expect(await readsOf(second, third, ...others, first)).toBe(0)
    expect(await readsOf(last)).toBe(1)
    expect(await readsOf(first, third, ...others, last)).toBe(0)
    expect(await readsOf(second)).toBe(1)
  })
})
