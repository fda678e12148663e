import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createSession,
  endSession,
  findSession,
  type SignIn,
} from '../../../src/kernel/access/sessions.ts'
import { createToken, revokeToken } from '../../../src/kernel/access/token-store.ts'
import { HOUR, MINUTE } from '../../../src/kernel/durations.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { newTenant } from '../../support/in-scope.ts'

const START = 1_700_000_000_000

let database: Store
let token: string
let id: string
beforeAll(async () => {
  database = await openSqlite(':memory:')
  const created = await tokenOf('admin')
  token = created.text
  id = created.row.id
})
afterAll(() => database.close())

async function tokenOf(role: 'admin' | 'client') {
  const tenantId = role === 'admin' ? null : await newTenant(database)
  const options = { name: 'Test', profile: 'standard', now: START } as const
  return await database.write((db) => createToken(db, { ...options, tenantId, role }))
}

/** Sessions at a time, with a store that counts its reads and writes, and may fail to write. */
function open(failure: unknown = null) {
  const calls = { reads: 0, writes: 0 }
  const store: Store = {
    ...database,
    read: (work, options) => {
      calls.reads += 1
      return database.read(work, options)
    },
    write: (work, options) => {
      calls.writes += 1
      return failure === null ? database.write(work, options) : Promise.reject(failure)
    },
    background: (work) => {
      calls.writes += 1
      return failure === null ? database.background(work) : Promise.reject(failure)
    },
  }
  let time = START
  const auth = { store, token: 'root-token-of-16', now: () => time }
  const find = async (secret: string, later = 0, isUsed = true) => {
    time = START + later
    return await findSession(secret, { ...auth, isUsed })
  }
  return { auth, calls, find }
}

/** A new session of the administrator, or of another token. */
async function signIn(text = token): Promise<string> {
  const session: SignIn = await createSession(text, open().auth)
  return typeof session === 'string' ? session : session.secret
}

describe('a session', () => {
  it("a session has the token's principal", async () => {
    const secret = await signIn()
    const principal = { tokenId: id, role: 'admin', access: 'write' }
    expect(await open().find(secret)).toMatchObject({ secret, principal })
  })

  it("a session from the environment's token belongs to no stored token", async () => {
    const secret = await signIn('root-token-of-16')
    expect((await open().find(secret))?.principal.tokenId).toBeNull()
  })

  it("a session is not created for a client's token, or an unknown one", async () => {
    const { text } = await tokenOf('client')
    expect([await signIn(text), await signIn('a.b')]).toEqual(['client', 'unknown'])
  })

  it('a session is stored as used once a minute', async () => {
    const secret = await signIn()
    const { calls, find } = open()
    for (const later of [0, MINUTE - 1]) expect(await find(secret, later)).not.toBeNull()
    // Each time the session and its token are read.
    expect(calls).toEqual({ reads: 4, writes: 0 })
    expect(await find(secret, MINUTE)).not.toBeNull()
    expect(calls.writes).toBe(1)
    await find(secret, 2 * MINUTE - 1)
    expect(calls.writes).toBe(1)
  })

  it('a session ends an hour after the last use', async () => {
    const secret = await signIn()
    const { find } = open()
    await find(secret, MINUTE)
    expect(await find(secret, HOUR + MINUTE - 1, false)).not.toBeNull()
    expect(await find(secret, HOUR + MINUTE, false)).toBeNull()
  })

  it('a script refreshing a page does not use the session', async () => {
    const secret = await signIn()
    const { calls, find } = open()
    expect(await find(secret, 2 * MINUTE, false)).not.toBeNull()
    expect(calls.writes).toBe(0)
  })

  it('a session may lose a use if it cannot be stored', async () => {
    const secret = await signIn()
    for (const error of [new StoreUnavailableError('busy'), new RangeError('a bug')]) {
      expect(await open(error).find(secret, MINUTE)).not.toBeNull()
    }
  })

  it('a session is found while the use is stored', async () => {
    const secret = await signIn()
    const { auth } = open()
    const store = { ...auth.store, background: () => new Promise<never>(() => undefined) }
    const options = { ...auth, store, now: () => START + MINUTE, isUsed: true }
    expect(await findSession(secret, options)).not.toBeNull()
  })

  it('an ended session is not found', async () => {
    const secret = await signIn()
    await endSession(secret, open().auth)
    expect(await open().find(secret)).toBeNull()
  })

  it('a session is not found after the token was revoked', async () => {
    const { row, text } = await tokenOf('admin')
    const secret = await signIn(text)
    expect(await open().find(secret)).not.toBeNull()
    await database.write((db) => revokeToken(db, database.dialect, row.id, START))
    expect(await open().find(secret)).toBeNull()
  })

  it.each(['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}!`, ` ${'x'.repeat(43)}`])(
    'a session is not looked up for the cookie %j',
    async (secret) => {
      const { calls, find } = open()
      expect(await find(secret)).toBeNull()
      expect(calls.reads).toBe(0)
    },
  )
})

describe('while the database cannot be written', () => {
  const full = new StoreUnavailableError('the disk is full')
  /** A session of a process whose writes are rejected. */
  const signInFull = async () => {
    const { auth, calls, find } = open(full)
    const session = await createSession(token, auth)
    if (typeof session === 'string') throw new Error(session)
    return { ...session, auth, calls, find }
  }

  it('an administrator signs in for this process, and signs out', async () => {
    const { secret, principal, auth, find } = await signInFull()
    expect(principal).toMatchObject({ tokenId: id, role: 'admin' })
    expect(await find(secret)).toMatchObject({ secret, principal })
    // Another process has only the sessions of the database.
    expect(await open().find(secret)).toBeNull()
    await endSession(secret, auth)
    expect(await find(secret)).toBeNull()
  })

  it('a session ends as any other: after an hour without a use, and with the token', async () => {
    const { secret, calls, find } = await signInFull()
    expect(await find(secret, HOUR - 1)).not.toBeNull()
    expect(await find(secret, 2 * HOUR - 2)).not.toBeNull()
    expect(await find(secret, 3 * HOUR - 2)).toBeNull()
    expect(calls.writes).toBe(1)
    const { row, text } = await tokenOf('admin')
    const { auth, find: findOther } = open(full)
    const other = await createSession(text, auth)
    const sent = typeof other === 'string' ? other : other.secret
    expect(await findOther(sent)).not.toBeNull()
    await database.write((db) => revokeToken(db, database.dialect, row.id, START))
    expect(await findOther(sent)).toBeNull()
  })

  it('a bug is not taken for a full disk', async () => {
    const { auth } = open(new RangeError('a bug'))
    await expect(createSession(token, auth)).rejects.toThrow('a bug')
  })

  it('a process keeps the last hundred such sessions', async () => {
    const { auth, find } = open(full)
    const secrets: string[] = []
    for (let at = 0; at < 101; at += 1) {
      const session = await createSession(token, auth)
      secrets.push(typeof session === 'string' ? session : session.secret)
    }
    expect(await find(secrets[0] ?? '')).toBeNull()
    expect(await find(secrets[1] ?? '')).not.toBeNull()
    expect(await find(secrets[100] ?? '')).not.toBeNull()
  })
})
