import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookUpSchemas, type TenantSchemas } from '../../../src/features/scim/tenant-schemas.ts'
import { writeWithSchemas } from '../../../src/features/scim/write-with-schemas.ts'
import { ROOT } from '../../../src/kernel/access/authenticate.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { BADGE_SCHEMA } from '../../contract/extension-api.ts'
import { type Client, connect } from '../../support/harness.ts'

let store: Store
let admin: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin' })
})
afterAll(() => store.close())

/** A write of a tenant under schemas, and whether its work ran. */
async function write(tenantId: string, schemas: TenantSchemas, from = store) {
  const subject = { resourceId: null, userName: null }
  const principal = { ...ROOT, tenantId }
  const now = () => Date.now()
  const context = { principal, store: from, schemas, now, db: null, subject }
  let ran = 0
  const result = writeWithSchemas(context, async ({ db }) => {
    ran += 1
    return db !== null
  })
  return [await result.catch((error: unknown) => Object(error).status), ran]
}

const register = async (tenantId: string, id: string) => {
  const path = `/api/tenants/${tenantId}/schemas`
  expect((await admin.send('POST', path, { ...BADGE_SCHEMA, id })).status).toBe(201)
}

/** The schemas of a tenant without those that this process knows. */
const readSchemas = (tenantId: string) => lookUpSchemas(tenantId, { ...store }, Date.now())

describe("a write parsed with the tenant's schemas", () => {
  it('the write runs in a transaction while the schemas are the same', async () => {
    const { tenantId } = await connect(store)
    expect(await write(tenantId, await readSchemas(tenantId))).toEqual([true, 1])
    await register(tenantId, 'urn:example:one:1.0:User')
    expect(await write(tenantId, await readSchemas(tenantId))).toEqual([true, 1])
  })

  it('the write is rejected with 503 after the first schema is registered', async () => {
    const { tenantId } = await connect(store)
    const before = await readSchemas(tenantId)
    await register(tenantId, 'urn:example:one:1.0:User')
    expect(await write(tenantId, before)).toEqual([503, 0])
  })

  it('the write does not lock schemas before the first one, which another process may register meanwhile', async () => {
    const { tenantId } = await connect(store)
    // Each value is a store of its own, so that another process keeps its version for a second.
    const other = { ...store }
    const before = await lookUpSchemas(tenantId, other, Date.now())
    await register(tenantId, 'urn:example:one:1.0:User')
    expect(await write(tenantId, before, other)).toEqual([true, 1])
  })

  it('the write is rejected with 503 if another process has registered a schema, and then notices it', async () => {
    const { tenantId } = await connect(store)
    await register(tenantId, 'urn:example:one:1.0:User')
    const other = { ...store }
    const before = await lookUpSchemas(tenantId, other, Date.now())
    await register(tenantId, 'urn:example:two:1.0:User')
    expect(await write(tenantId, before, other)).toEqual([503, 0])
    expect((await lookUpSchemas(tenantId, other, Date.now())).version).toBe(before.version + 1)
  })
})
