import { isFailure } from '@plumbline/result'
import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import {
  columnValues,
  filterColumns,
  namesOfColumns,
} from '../../../src/features/scim/attribute-columns.ts'
import { requireKnownExtensions } from '../../../src/features/scim/extension-column.ts'
import { GROUP } from '../../../src/features/scim/group.ts'
import { BroadSearchError } from '../../../src/features/scim/list/list.ts'
import { metaOf } from '../../../src/features/scim/meta.ts'
import { extendTypes, STORED_TYPES } from '../../../src/features/scim/stored-types.ts'
import { tagWithDigest } from '../../../src/features/scim/tags.ts'
import { RotationError, rotateToken } from '../../../src/features/tokens/rotate-token.ts'
import {
  isValidRevision,
  readAccessTokenKey,
  revisionOf,
} from '../../../src/kernel/access/client-store.ts'
import {
  createToken,
  findKnownToken,
  insertToken,
  listTokens,
  revokeToken,
} from '../../../src/kernel/access/token-store.ts'
import { insertRows } from '../../../src/kernel/store/database.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { isSameHash, sha256 } from '../../../src/kernel/store/sha256.ts'
import { tooLarge } from '../../../src/kernel/store/sizes.ts'
import { ScanTimeoutError, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import type { ClientRow } from '../../../src/kernel/store/tables.ts'
import { newTenant } from '../../support/in-scope.ts'

it('a value with another type than the columns is rejected', async () => {
  const db = { exec: () => expect.unreachable() }
  await expect(insertRows(db, 'tenants', [{ id: {} }])).rejects.toThrow('of the type object')
  await insertRows(db, 'tenants', [])
})

it('hashes are equal only with the same length and content', () => {
  const hash = sha256('a')
  expect(isSameHash(hash, sha256('a'))).toBe(true)
  expect(isSameHash(hash, sha256('b'))).toBe(false)
  expect(isSameHash(hash, hash.slice(1))).toBe(false)
  expect(isSameHash('', hash)).toBe(false)
})

it("a resource's meta has the times and the location (RFC 7643 §3.1)", () => {
  const type = { name: 'User', endpoint: '/Users' }
  const options = { base: 'https://example.com/scim/v2', version: 'W/"a"' }
  const row = { id: 'u', created_at: 0, last_modified: 1 }
  expect(metaOf(type, row, options)).toEqual({
    resourceType: 'User',
    created: '1970-01-01T00:00:00.000Z',
    lastModified: '1970-01-01T00:00:00.001Z',
    location: 'https://example.com/scim/v2/Users/u',
    version: 'W/"a"',
  })
})

it('a resource with computed values has a tag with their digest (RFC 7644 §3.14)', () => {
  const tag = 'W/"abc"'
  expect(tagWithDigest(tag, 'groups', [])).toBe(tag)
  const one = tagWithDigest(tag, 'groups', [{ value: 'a' }])
  expect(one).toMatch(/^W\/"abc-[\da-f]{16}"$/)
  expect(tagWithDigest(tag, 'groups', [{ value: 'a' }])).toBe(one)
  expect(tagWithDigest(tag, 'groups', [{ value: 'b' }])).not.toBe(one)
  expect(tagWithDigest(tag, 'members', [{ value: 'a' }])).not.toBe(one)
})

describe('attribute columns', () => {
  const columns = {
    title: 'title',
    'name.familyName': { column: 'family_name', folded: true },
    active: { column: 'active', type: 'boolean' },
    'urn:example:1.0:User:number': 'number',
  } as const

  it('attribute columns have names', () => {
    expect(namesOfColumns(columns)).toEqual(['title', 'family_name', 'active', 'number'])
  })

  it("attribute columns have a resource's values", () => {
    const resource = {
      title: 'Boss',
      name: { familyName: 'Meier' },
      active: true,
      'urn:example:1.0:User': { number: '7' },
    }
    const values = { title: 'Boss', family_name: 'meier', active: true, number: '7' }
    expect(columnValues(columns, resource)).toEqual(values)
  })

  it.each([
    {},
    {
      title: 1,
      name: { familyName: false },
      active: 'true',
      'urn:example:1.0:User': { number: 7 },
    },
    { title: null, name: null, active: null, 'urn:example:1.0:User': null },
  ])('attribute columns are null for values with other types: %j', (resource) => {
    const values = { title: null, family_name: null, active: null, number: null }
    expect(columnValues(columns, resource)).toEqual(values)
  })

  it.each([
    ['title', { title: 'a\0' }],
    ['name.familyName', { name: { familyName: 'a\0' } }],
    ['number', { 'urn:example:1.0:User': { number: 'a\0' } }],
  ])('attribute columns reject U+0000 in %s', (name, resource) => {
    expect(() => columnValues(columns, resource)).toThrow(`${name} must not contain U+0000`)
  })

  it("attribute columns are the same as for filters, also without an extension's URN (RFC 7644 §3.10)", () => {
    expect(filterColumns(columns)).toEqual({
      ...columns,
      id: 'id',
      'meta.created': { column: 'created_at', type: 'dateTime' },
      'meta.lastModified': { column: 'last_modified', type: 'dateTime' },
      number: 'number',
    })
  })
})

describe("an OAuth client's secret", () => {
  const row: ClientRow = {
    id: 'c',
    tenant_id: 't',
    name: 'a',
    profile: 'standard',
    access: 'write',
    user_id: null,
    public_keys: null,
    created_at: 0,
    last_used_at: null,
    secret_hash: sha256('new'),
    old_secret_hash: sha256('old'),
    revision: 3,
    old_secret_until: 100,
  }

  it.each([
    ['new', row, 99, 3],
    ['new', row, 100, 3],
    ['old', row, 99, 2],
    ['old', row, 100, null],
    ['older', row, 99, null],
    ['old', { ...row, old_secret_until: null }, 99, null],
    ['old', { ...row, old_secret_hash: null }, 99, null],
    ['new', { ...row, old_secret_hash: sha256('new') }, 200, 3],
  ])('the secret %j has a revision: %j at %i', (secret, client, now, expected) => {
    expect(revisionOf(client, secret, now)).toBe(expected)
  })

  it.each([
    [3, 99, true],
    [3, 100, true],
    [2, 99, true],
    [2, 100, false],
    [1, 99, false],
    [4, 99, false],
  ])('the secret is valid in the revision %i at %i: %j', (revision, now, expected) => {
    expect(isValidRevision(row, revision, now)).toBe(expected)
    const once = { ...row, old_secret_until: null }
    expect(isValidRevision(once, revision, now)).toBe(revision === 3)
  })
})

it("a tenant's resource types have the tenant's own extensions", () => {
  const definition = { id: 'urn:example:acme:1.0:User', name: 'Acme', attributes: [] }
  const extension = { resourceType: 'User', required: true, definition }
  const [user, group] = extendTypes([extension])
  expect(Object.keys(user?.definitions ?? {})).toContain(definition.id)
  expect(user?.requiredExtensions).toEqual([definition.id])
  expect(group).toBe(GROUP)
  expect(extendTypes([])).toBe(STORED_TYPES)
  const [other] = extendTypes([{ ...extension, required: false }])
  expect(other?.requiredExtensions).toEqual([])
})

it('administrator tokens are listed without a tenant', async () => {
  const store = await openSqlite(':memory:')
  const tenantId = await newTenant(store)
  const options = { name: 'a', profile: 'standard', now: 0 } as const
  const [admin, client] = await store.write(async (db) => [
    await createToken(db, { ...options, tenantId: null, role: 'admin' }),
    await createToken(db, { ...options, tenantId, role: 'client' }),
  ])
  expect(await store.read((db) => listTokens(db, null))).toEqual([admin?.row])
  expect(await store.read((db) => listTokens(db, tenantId))).toEqual([client?.row])
  await store.close()
})

it('a token is revoked, also if another process has stored that already', async () => {
  const store = await openSqlite(':memory:')
  const options = { tenantId: null, name: 'a', role: 'admin', profile: 'okta', now: 0 } as const
  const { row, text } = await store.write((db) => createToken(db, options))
  const revoke = () => store.write((db) => revokeToken(db, store.dialect, row.id, 1))
  expect(await revoke()).toBe(true)
  expect(await revoke()).toBe(false)
  await store.write((db) => insertToken(db, row))
  await store.write((db) => db.exec(sql`update tokens set id = ${row.id}`))
  expect(await revoke()).toBe(true)
  expect(await store.read((db) => findKnownToken(db, text))).toMatchObject({ is_revoked: 1 })
  await store.close()
})

describe('store errors', () => {
  it('store errors have their names and messages', () => {
    expect(new StoreUnavailableError('gone')).toMatchObject({
      name: 'StoreUnavailableError',
      message: 'gone',
    })
    expect(new ScanTimeoutError(1_500)).toMatchObject({
      name: 'ScanTimeoutError',
      message: 'the search took longer than 1.5 seconds',
    })
    expect(new RotationError('expired', 'old')).toMatchObject({
      name: 'RotationError',
      code: 'expired',
      message: 'old',
    })
    expect(new BroadSearchError().name).toBe('BroadSearchError')
    expect(tooLarge('the page', 3 * 2 ** 20)).toMatchObject({
      status: 400,
      scimType: 'tooMany',
      message: 'the page would be larger than 3 MiB',
    })
  })

  it('store errors ask for a retry if a resource has extensions unknown to this process', () => {
    const write = (row: { readonly extensions?: string | null }) => () =>
      requireKnownExtensions(null, row)
    expect(write({ extensions: '{}' })).toThrow(
      'the schemas of the tenant have changed: retry the request',
    )
    expect(write({ extensions: '{}' })).toThrow(expect.objectContaining({ status: 503 }))
    expect(write({ extensions: null })).not.toThrow()
    expect(write({})).not.toThrow()
  })

  it('store errors name the key missing in the database', async () => {
    const store = await openSqlite(':memory:')
    await store.write((db) => db.exec(sql`delete from settings`))
    await expect(store.read(readAccessTokenKey)).rejects.toThrow(
      'access_token_key is missing in the settings of the database',
    )
    await store.close()
  })

  it('store errors say why a token cannot be rotated', async () => {
    const store = await openSqlite(':memory:')
    const tenantId = await newTenant(store)
    const options = { tenantId, name: 'a', role: 'client', profile: 'okta', now: 0 } as const
    const rotate = async (id: string, now = 0) => {
      const rotation = { overlap: 10, now }
      const rotated = await store.write((db) => rotateToken(db, store.dialect, id, rotation))
      return isFailure(rotated) ? rotated.error : rotated.data
    }
    const { row } = await store.write((db) => createToken(db, options))
    expect(await rotate('none')).toMatchObject({ code: 'not-found', message: 'Token not found.' })
    const replacement = await rotate(row.id)
    const id = 'row' in replacement ? replacement.row.id : ''
    expect(await rotate(row.id)).toMatchObject({
      code: 'replaced',
      message: `Token ${id} has already replaced it: rotate or revoke that one.`,
    })
    expect(await rotate(row.id, 10)).toMatchObject({
      code: 'expired',
      message: 'The token has expired: create a new one.',
    })
    await store.close()
  })
})
