import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { markDeleted } from '../../src/features/tenants/store.ts'
import { type RotationOptions, rotateToken } from '../../src/features/tokens/rotate-token.ts'
import {
  createToken,
  listTokens,
  revokeToken,
  type TokenOptions,
} from '../../src/kernel/access/token-store.ts'
import { HOUR } from '../../src/kernel/durations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect, sender } from '../support/harness.ts'
import { newTenant } from '../support/in-scope.ts'

const START = 1_700_000_000_000

/** The rotation of tokens on every store. */
export function rotationContract(storeOf: () => Store): void {
  const create = async (options: Partial<TokenOptions> = {}) => {
    const tenantId = await newTenant(storeOf())
    const base = { tenantId, name: 'a', role: 'client', profile: 'okta', now: START } as const
    return (await storeOf().write((db) => createToken(db, { ...base, ...options }))).row
  }
  const rotate = (id: string, options: Partial<RotationOptions> = {}) => {
    const store = storeOf()
    const all = { overlap: HOUR, now: START, ...options }
    return store.write((db) => rotateToken(db, store.dialect, id, all))
  }
  const rowsOf = async (tenantId: string | null) =>
    await storeOf().read((db) => listTokens(db, tenantId))
  const codeOf = async (id: string, options: Partial<RotationOptions> = {}) => {
    const rotated = await rotate(id, options)
    return isFailure(rotated) ? rotated.error.code : null
  }

  it("a rotation copies the token's properties, with a new secret", async () => {
    const old = await create({ userId: 'u1', access: 'read' })
    const { row, text } = unwrap(await rotate(old.id, { now: START + HOUR }))
    const { id, hash } = row
    expect(row).toEqual({ ...old, id, hash, created_at: START + HOUR, replaces: old.id })
    expect([id, hash]).not.toContain(old.id)
    expect(hash).not.toBe(old.hash)
    expect(text.startsWith(`${id}.`)).toBe(true)
    const rows = await rowsOf(old.tenant_id)
    expect(rows).toContainEqual(row)
    expect(rows).toContainEqual({ ...old, expires_at: START + 2 * HOUR })
  })

  it("a rotation copies an administrator's token", async () => {
    const old = await create({ tenantId: null, role: 'admin' })
    const { row } = unwrap(await rotate(old.id))
    expect(row).toMatchObject({ tenant_id: null, role: 'admin' })
  })

  it.each([
    ['the end of the overlap', null, HOUR, HOUR],
    ['the end of the overlap', 2 * HOUR, HOUR, HOUR],
    ['its own expiry', HOUR / 2, HOUR, HOUR / 2],
    ['the time of the rotation', null, 0, 0],
  ])(
    'a rotation lets the old token expire at %s: %j, %j',
    async (_, lifetime, overlap, expected) => {
      const old = await create({ expiresAt: lifetime === null ? null : START + lifetime })
      await rotate(old.id, { overlap })
      const rows = await rowsOf(old.tenant_id)
      expect(rows.find(({ id }) => id === old.id)?.expires_at).toBe(START + expected)
    },
  )

  describe("the new token's expiry", () => {
    it.each([
      ['is never, if that of the old one is', null, undefined, null],
      ['follows after the lifetime of the old one', 3 * HOUR, undefined, 4 * HOUR],
      ['can be named', 3 * HOUR, START + 9 * HOUR, 9 * HOUR],
      ['can be never', 3 * HOUR, null, null],
    ])('the expiry %s', async (_, lifetime, expiresAt, expected) => {
      const old = await create({ expiresAt: lifetime === null ? null : START + lifetime })
      const { row } = unwrap(await rotate(old.id, { now: START + HOUR, expiresAt }))
      expect(row.expires_at).toBe(expected === null ? null : START + expected)
    })

    it('the expiry follows after the lifetime the old token was created for, if that was rotated before', async () => {
      const old = await create()
      const first = unwrap(await rotate(old.id))
      const store = storeOf()
      await store.write((db) => revokeToken(db, store.dialect, first.row.id, START))
      expect(unwrap(await rotate(old.id)).row.expires_at).toBeNull()
    })
  })

  it('a rotation is rejected for an unknown, revoked or expired token, and changes nothing', async () => {
    const [revoked, expired] = [await create(), await create({ expiresAt: START + 1 })]
    const store = storeOf()
    await store.write((db) => revokeToken(db, store.dialect, revoked.id, START))
    expect(await codeOf('unknown')).toBe('not-found')
    expect(await codeOf(revoked.id)).toBe('not-found')
    expect(await codeOf(expired.id, { now: START + 1 })).toBe('expired')
    expect(await rowsOf(expired.tenant_id)).toEqual([expired])
  })

  it('a rotation is rejected for a token in a tenant marked for deletion', async () => {
    const old = await create()
    await storeOf().write((db) => markDeleted(db, String(old.tenant_id), START))
    expect(await codeOf(old.id)).toBe('not-found')
    expect(await rowsOf(old.tenant_id)).toEqual([old])
  })

  it('a rotation is rejected for a replaced token, until the other is revoked', async () => {
    const old = await create()
    const { row } = unwrap(await rotate(old.id, { now: START + 1 }))
    const again = await rotate(old.id, { overlap: 0 })
    expect(again).toMatchObject({ error: { code: 'replaced' } })
    expect(isFailure(again) && again.error.message).toContain(row.id)
    expect(await rowsOf(old.tenant_id)).toMatchObject([{ expires_at: START + 1 + HOUR }, row])
    const store = storeOf()
    await store.write((db) => revokeToken(db, store.dialect, row.id, START))
    expect(await codeOf(old.id)).toBeNull()
  })

  it.each([
    ['revoked', 'DELETE', '', undefined],
    ['rotated', 'POST', '/rotate', { overlapSeconds: 0 }],
  ])('another process rejects a token within a second after it was %s', async (...row) => {
    const [, method, path, body] = row
    let time = START
    const now = () => time
    const { directory, send, token } = await connect(storeOf(), { role: 'admin', now })
    // Another process has a cache of its own.
    const other = sender(createDirectory({ store: { ...storeOf() }, now }), token)
    for (const each of [sender(directory, token), other]) {
      expect((await each('GET', '/Users')).status).toBe(200)
    }
    const changed = await send(method, `/api/tokens/${token.split('.')[0]}${path}`, body)
    expect(changed.status).toBeLessThan(300)
    expect((await sender(directory, token)('GET', '/Users')).status).toBe(401)
    time += 1_000
    expect((await other('GET', '/Users')).status).toBe(401)
  })

  it('one rotation succeeds if a token is rotated ten times concurrently', async () => {
    const old = await create()
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(old.id)))
    expect(codes.filter((code) => code === null)).toHaveLength(1)
    expect(codes.filter((code) => code === 'replaced')).toHaveLength(9)
    expect(await rowsOf(old.tenant_id)).toHaveLength(2)
  })

  it("a rotation succeeds before the token's concurrent revocation, or not at all", async () => {
    for (let round = 0; round < 10; round += 1) {
      const old = await create()
      const store = storeOf()
      const revoke = () => store.write((db) => revokeToken(db, store.dialect, old.id, START))
      const [code, revoked] = await Promise.all([codeOf(old.id), revoke()])
      expect(revoked).toBe(true)
      expect([null, 'not-found']).toContain(code)
      expect(await rowsOf(old.tenant_id)).toHaveLength(code === null ? 1 : 0)
    }
  })
}
