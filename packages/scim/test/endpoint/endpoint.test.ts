import { describe, expect, it } from 'vitest'
import { BASE, patchOf, serve } from './serve.ts'

describe('a resource', () => {
  it('a resource is created with an id, location and entity tag, without the password (RFC 7644 §3.3)', async () => {
    const { send } = serve()
    const { status, headers, body } = await send('POST', '/Users', {
      userName: 'bjensen',
      password: 'secret',
      id: 'chosen',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ userName: 'bjensen', meta: { resourceType: 'User' } })
    expect(body.id).not.toBe('chosen')
    expect(body).not.toHaveProperty('password')
    expect(headers.get('Location')).toBe(`${BASE}/Users/${body.id}`)
    expect(body.meta.location).toBe(headers.get('Location'))
    expect(headers.get('ETag')).toBe(body.meta.version)
    expect((await send('GET', `/Users/${body.id}`)).body).toEqual(body)
  })

  it('a resource is replaced, changed and deleted (RFC 7644 §3.5, §3.6)', async () => {
    const { send } = serve()
    const { body } = await send('POST', '/Users', { userName: 'a', title: 'Guide' })
    const path = `/Users/${body.id}`
    const put = await send('PUT', path, { userName: 'b' })
    expect(put).toMatchObject({ status: 200, body: { userName: 'b' } })
    expect(put.body).not.toHaveProperty('title')
    const patch = await send('PATCH', path, patchOf({ op: 'add', path: 'active', value: 'True' }))
    expect(patch).toMatchObject({ status: 200, body: { userName: 'b', active: true } })
    expect(await send('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'PUT' ? { userName: 'b' } : patchOf({ op: 'remove', path: 'title' })
      const { status } = await send(method, path, method.startsWith('P') ? sent : undefined)
      expect(status).toBe(404)
    }
  })
})

it('a list is filtered, sorted, paged and projected (RFC 7644 §3.4.2)', async () => {
  const { send } = serve()
  for (const userName of ['b', 'C', 'a', 'x']) {
    await send('POST', '/Users', { userName, title: userName === 'x' ? 'no' : 'yes' })
  }
  const query = 'filter=title eq "YES"&sortBy=userName&startIndex=2&count=1&attributes=userName'
  const { body } = await send('GET', `/Users?${query}`)
  expect(body).toMatchObject({ totalResults: 3, itemsPerPage: 1, startIndex: 2 })
  expect(body.Resources).toEqual([
    { schemas: expect.anything(), id: expect.anything(), userName: 'b' },
  ])
})
