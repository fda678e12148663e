import { describe, expect, it } from 'vitest'
import { mariaDbServer, postgresServer } from '../sql/openers.ts'
import { openApplication } from './application.ts'
import { proveTenants } from './tenants-suite.ts'

const POSTGRES = postgresServer('tenants')
const MARIADB = mariaDbServer('tenants', { isolation: 'read committed' })

proveTenants('PostgreSQL', POSTGRES)
proveTenants('MariaDB', MARIADB)
proveTenants('MariaDB at repeatable read', mariaDbServer('tenants_rr'))

const ROW_LOCK = { hasIndex: false, lock: 'for update' }
describe.each([
  ['PostgreSQL, with a unique index', POSTGRES, {}],
  ['PostgreSQL, with a lock in find and without an index', POSTGRES, ROW_LOCK],
  ['MariaDB, with a unique index', MARIADB, {}],
  ['MariaDB, with a lock in find and without an index', MARIADB, ROW_LOCK],
])('users created at the same time on %s', (_, database, options) => {
  it.each([8, 40])(
    '%i users with one address: one is linked, and the others are 409 uniqueness',
    async (count) => {
      const { run, errors, close, as } = await openApplication(database, options)
      await run(null, "insert into accounts (email, is_verified) values ('ada@a.example', true)")
      const answers = await Promise.all(
        Array.from({ length: count }, (_, at) => {
          const address = at % 2 === 0 ? 'ada@a.example' : 'ADA@a.example'
          return as(1).createUser(`${at}@a.example`, address)
        }),
      )
      expect(errors).toEqual([])
      const created = answers.filter(({ status }) => status === 201)
      const others = answers.filter(({ body }) => body.scimType === 'uniqueness')
      expect([created.length, others.length]).toEqual([1, count - 1])
      expect(await run(null, 'select user_id from links')).toEqual([
        { user_id: created[0]?.body.id },
      ])
      expect(await run(null, 'select email from users')).toHaveLength(1)
      await close()
    },
  )
})

describe.each([
  ['PostgreSQL', POSTGRES],
  ['MariaDB', MARIADB],
])('accounts created at the same time on %s', (_, database) => {
  it('8 users with one new address get one account, if it has a unique index', async () => {
    const { run, errors, close, as } = await openApplication(database, {
      replaced: ({ link }, run) => ({
        link: {
          ...link,
          // The application creates the account of the address.
          create: async (user, context) => {
            const [{ value }] = user.emails as [{ value: string }]
            const sql = 'insert into accounts (email, is_verified) values (?, true) returning id'
            return Number((await run(context, sql, value))[0]?.id)
          },
        },
      }),
    })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => as(1).createUser(`${at}@a.example`, 'new@a.example')),
    )
    expect(errors).toEqual([])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(await run(null, 'select email from accounts')).toHaveLength(1)
    await close()
  })
})

describe.each([
  ['PostgreSQL', POSTGRES],
  ['MariaDB', MARIADB],
])('two customers write on %s', (_, database) => {
  it('each user has one account from their own customer while reconcile runs for both', async () => {
    const { access, endpoint, run, errors, close, as } = await openApplication(database)
    const domains = { 1: 'a.example', 2: 'b.example' }
    const addresses = [1, 2].flatMap((org) =>
      Array.from({ length: 20 }, (_, at) => `${at}@${domains[org as 1 | 2]}`),
    )
    for (const address of addresses) {
      await run(null, 'insert into accounts (email, is_verified) values (?, true)', address)
    }
    /** Provisions every address, also those of the other customer, and changes or deletes the users. */
    const provision = async (org: 1 | 2, address: string, at: number) => {
      const { status, body } = await as(org).createUser(`${at}@${domains[org]}`, address)
      if (!address.endsWith(domains[org])) return expect(status).toBe(409)
      expect(status).toBe(201)
      const path = `/Users/${body.id}`
      if (at % 4 === 0) return await as(org).send('DELETE', path)
      const change =
        at % 4 === 1
          ? { path: 'active', value: false }
          : { path: 'emails[type eq "work"].value', value: addresses[(at + 20) % 40] }
      return await as(org).patch(path, { op: 'replace', ...change })
    }
    const both = [1, 2] as const
    await Promise.all([
      ...both.flatMap((org) => addresses.map((address, at) => provision(org, address, at))),
      ...both.map((org) => access.reconcile(endpoint, { org })),
    ])
    expect(errors).toEqual([])
    const rows = await run(
      null,
      'select org_id, user_id, email, is_active from links join accounts on id = account_id',
    )
    expect(rows).toHaveLength(30)
    for (const { org_id, email } of rows) {
      expect(String(email).endsWith(domains[org_id as 1 | 2])).toBe(true)
    }
    expect(rows.filter(({ is_active }) => !is_active)).toHaveLength(10)
    for (const org of both) {
      const { repaired, failed } = await access.reconcile(endpoint, { org })
      expect([repaired, failed]).toEqual([[], []])
    }
    await close()
  })
})
