import type { Change } from '@plumbline/scim/endpoint'
import type { Execute } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { patchOf } from '../endpoint/serve.ts'
import { openStores } from '../sql/contract-suite.ts'
import { mariaDbServer, postgresServer } from '../sql/openers.ts'
import { type Client, serveTables, tables } from '../sql/teams.ts'
import { expectReplay } from './replay-changes.ts'

const WRITES = 50

/** A client, and the connection of its transaction. */
interface Connected extends Client {
  readonly run?: Execute<unknown>
}

describe.each([
  ['PostgreSQL', postgresServer('changes')],
  ['MariaDB', mariaDbServer('changes')],
])('on %s', (_, server) => {
  it("any change history, applied to an empty model, ends in sqlStore's state", async () => {
    await expectReplay(async () => ({ ...(await openStores(server)), canUndo: true }), 30)
  })

  it(`an outbox has the exact members, in order, after ${WRITES} concurrent PATCHes to one group`, async () => {
    const { dialect, openPool } = server
    const { execute, transact, close } = await openPool(8)
    for (const statement of tables(dialect)) await execute(statement, [])
    const key = dialect === 'mysql' ? 'int auto_increment primary key' : 'serial primary key'
    await execute(`create table outbox (place ${key}, content text not null)`, [])
    const value = dialect === 'mysql' ? '?' : '$1'
    const run: Execute<Connected> = (sql, values, context) =>
      (context?.run ?? execute)(sql, values, context)
    const send = serveTables(run, dialect, {
      transaction: (context, work) => transact((run) => work(Object.assign({ run }, context))),
      onChange: async (changes, { transaction }) => {
        const content = JSON.stringify(changes)
        await run(`insert into outbox (content) values (${value})`, [content], transaction)
      },
    })
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.push((await send('POST', '/Users', { userName: `${name}@example.com` })).body.id)
    }
    const { body: group } = await send('POST', '/Groups', { displayName: 'staff' })
    const patches = Array.from({ length: WRITES }, async (_, at) => {
      const value = ids[at % ids.length]
      const operation =
        at % 3 === 0
          ? { op: 'remove', path: `members[value eq "${value}"]` }
          : { op: 'add', path: 'members', value: [{ value }] }
      return (await send('PATCH', `/Groups/${group.id}`, patchOf(operation))).status
    })
    const statuses = await Promise.all(patches)
    // A removal of a user who is not a member is 400 noTarget.
    expect(statuses.filter((status) => status !== 204 && status !== 400)).toEqual([])
    const members = new Set<string>()
    const rows = await execute('select content from outbox order by place', [])
    for (const change of rows.flatMap(({ content }): Change[] => JSON.parse(String(content)))) {
      if (!('added' in change)) continue
      expect(change.added.filter((id) => members.has(id))).toEqual([])
      expect(change.removed.filter((id) => !members.has(id))).toEqual([])
      for (const id of change.added) members.add(id)
      for (const id of change.removed) members.delete(id)
    }
    const { body } = await send('GET', `/Groups/${group.id}`)
    expect(members).toEqual(new Set(body.members?.map(({ value }) => value)))
    await close()
  })
})
