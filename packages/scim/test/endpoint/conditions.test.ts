import { describe, expect, it } from 'vitest'
import { patchOf, serve } from './serve.ts'

// RFC 7644 §3.14

describe('a read with If-None-Match', () => {
  it('a read with a matching If-None-Match is 304 with the tag and without a body', async () => {
    const { send } = serve()
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const tag = body.meta.version
    const {
      status,
      headers,
      body: none,
    } = await send('GET', `/Users/${body.id}`, undefined, {
      'If-None-Match': tag,
    })
    expect({ status, none, tag: headers.get('ETag') }).toEqual({
      status: 304,
      none: undefined,
      tag,
    })
  })

  it("a read is 200 after the user's groups have changed, unless they are not shown", async () => {
    const { send } = serve()
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const conditions = { 'If-None-Match': body.meta.version }
    await send('POST', '/Groups', { displayName: 'g', members: [{ value: body.id }] })
    const path = `/Users/${body.id}`
    const shown = await send('GET', path, undefined, conditions)
    expect(shown).toMatchObject({ status: 200, body: { groups: [{ display: 'g' }] } })
    expect(shown.body.meta.version).toBe(shown.headers.get('ETag'))
    const hidden = await send('GET', `${path}?excludedAttributes=groups`, undefined, conditions)
    expect(hidden.status).toBe(304)
  })
})

describe('a write with If-Match', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])(
    '%s with another tag in If-Match is 412, and changes nothing',
    async (method) => {
      const { send } = serve()
      const { body } = await send('POST', '/Users', { userName: 'a' })
      const sent =
        method === 'PUT' ? { userName: 'b' } : patchOf({ op: 'add', path: 'title', value: 'b' })
      const path = `/Users/${body.id}`
      const given = method === 'DELETE' ? undefined : sent
      const rejected = await send(method, path, given, { 'If-Match': 'W/"0"' })
      expect(rejected).toMatchObject({ status: 412, body: { status: '412' } })
      expect((await send('GET', path)).body).toEqual(body)
      const { status } = await send(method, path, given, { 'If-Match': body.meta.version })
      expect(status).toBeLessThan(300)
    },
  )

  it('If-Match accepts the tag from a representation whose groups have changed since', async () => {
    const { send } = serve()
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${body.id}`
    await send('POST', '/Groups', { displayName: 'g', members: [{ value: body.id }] })
    const { headers } = await send('GET', path)
    await send('POST', '/Groups', { displayName: 'h', members: [{ value: body.id }] })
    const conditions = { 'If-Match': headers.get('ETag') ?? '' }
    expect((await send('PUT', path, { userName: 'b' }, conditions)).status).toBe(200)
  })

  it('If-Match is checked together with the write: ten writes with one tag, and one succeeds', async () => {
    const { send } = serve()
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const conditions = { 'If-Match': body.meta.version }
    const writes = Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0
        ? send('PUT', `/Users/${body.id}`, { userName: `a${at}` }, conditions)
        : send(
            'PATCH',
            `/Users/${body.id}`,
            patchOf({ op: 'add', path: 'title', value: `${at}` }),
            conditions,
          ),
    )
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(9)
  })
})

it('ten concurrent PATCHes that each add an e-mail address are all kept (RFC 7644 §3.5.2.1)', async () => {
  const { send } = serve()
  const { body } = await send('POST', '/Users', { userName: 'a' })
  const path = `/Users/${body.id}`
  const add = (at: number) =>
    patchOf({ op: 'add', path: 'emails', value: [{ value: `${at}@x.com` }] })
  await Promise.all(Array.from({ length: 10 }, (_, at) => send('PATCH', path, add(at))))
  expect((await send('GET', path)).body.emails).toHaveLength(10)
})
