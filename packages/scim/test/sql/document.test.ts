import { sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { patchOf } from '../endpoint/serve.ts'
import { proveDocument } from './document-suite.ts'
import { SQLITE } from './openers.ts'
import { definitions, serve, userName } from './people.ts'

proveDocument('SQLite', 'sqlite', SQLITE.open)

describe('documents', () => {
  it('documents end a page before they exceed 16 MiB, and limit a search in memory (RFC 7644 §3.4.2.4)', async () => {
    const { send, database } = serve('rest text', { attributes: userName, document: 'rest' })
    const insert = database.prepare('insert into people values (?, ?, ?)')
    const rest = JSON.stringify({ title: 'x'.repeat(2 ** 20) })
    for (let at = 0; at < 70; at += 1) insert.run(String(1_000 + at), `u${at}`, rest)
    const first = await send('GET', '/Users?count=70&cursor=&attributes=userName')
    expect(first.body.Resources).toHaveLength(15)
    const cursor = encodeURIComponent(first.body.nextCursor)
    const second = await send('GET', `/Users?count=60&cursor=${cursor}&attributes=userName`)
    expect(second.body.Resources[0]).toMatchObject({ id: '1015' })
    expect(await send('GET', '/Users?filter=title%20pr')).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany' },
    })
  })

  it.each([
    ['ASCII letters', 'x'.repeat(1_500_000)],
    ['Chinese characters', '中'.repeat(500_000)],
  ])('documents with %s are counted in UTF-8 bytes in pages and searches', async (_, title) => {
    const { send, database } = serve('rest text', { attributes: userName, document: 'rest' })
    const insert = database.prepare('insert into people values (?, ?, ?)')
    const rest = JSON.stringify({ title })
    for (let at = 0; at < 44; at += 1) insert.run(String(1_000 + at), `u${at}`, rest)
    const page = await send('GET', '/Users?count=44&cursor=&attributes=userName')
    expect(page.body.Resources).toHaveLength(11)
    const search = () => send('GET', '/Users?filter=title%20pr&attributes=userName&count=1')
    expect((await search()).body).toMatchObject({ totalResults: 44 })
    insert.run('2000', 'last', rest)
    expect(await search()).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
  })

  it('a document has at most 2 MiB, so no change makes a resource larger', async () => {
    const { send } = serve('rest text', { attributes: userName, document: 'rest' })
    const half = 'x'.repeat(2 ** 20)
    const { body } = await send('POST', '/Users', { userName: 'a', title: half })
    const path = `/Users/${body.id}`
    const change = patchOf({ op: 'add', path: 'nickName', value: half })
    expect((await send('PATCH', path, change)).status).toBe(413)
  })

  it('a unique attribute requires a column', () => {
    const [definition] = Object.values(definitions)
    const attributes = [
      ...(definition?.attributes ?? []),
      { name: 'badge', type: 'string', uniqueness: 'server' } as const,
    ]
    const options = { dialect: 'sqlite', execute: () => [], table: 'people', id: 'id' } as const
    const unique = { u: { ...definition, id: 'urn:x', name: 'User', attributes } }
    expect(() =>
      sqlStore({ ...options, definitions: unique, attributes: userName, document: 'rest' }),
    ).toThrow('User: badge is unique, so it requires a column')
  })

  it('a password requires a column, and documents do not keep it', async () => {
    const { send, database } = serve('rest text', { attributes: userName, document: 'rest' })
    await send('POST', '/Users', { userName: 'a', password: 'secret' })
    expect(JSON.stringify(database.prepare('select * from people').all())).not.toContain('secret')
  })
})
