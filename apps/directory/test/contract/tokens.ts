import { expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { createToken } from '../../src/store/tokens.ts'
import { connect } from '../harness.ts'

/** The behaviour of tokens on every store. */
export function tokenContract(store: () => Store): void {
  it('rejects an administrator with a tenant, and a client without a tenant', async () => {
    const { tenantId } = await connect(store())
    const base = { name: 'a', profile: 'standard', now: 0 } as const
    for (const owner of [
      { role: 'admin', tenantId },
      { role: 'client', tenantId: null },
    ] as const) {
      const made = store().write((db) => createToken(db, { ...base, ...owner }))
      await expect(made).rejects.toThrow()
    }
  })

  it('does not find a token by a string of more or fewer than two parts', async () => {
    const { send, token } = await connect(store())
    const [id, secret] = token.split('.')
    for (const text of [
      `${token}.x`,
      `${token}.`,
      `.${token}`,
      `${id}`,
      `${secret}`,
      `${token} x`,
    ]) {
      const headers = { Authorization: `Bearer ${text}` }
      expect((await send('GET', '/Users?count=0', undefined, headers)).status, text).toBe(401)
    }
    expect((await send('GET', '/Users?count=0')).status).toBe(200)
  })
}
