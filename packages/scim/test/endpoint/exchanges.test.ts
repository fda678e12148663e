import { expect, it } from 'vitest'
import { EXCHANGES } from './exchanges.cases.ts'
import { type Send, serve } from './serve.ts'

it.each(EXCHANGES)('$title: $status ($section)', async ({ send, status, body, headers = {} }) => {
  const client = serve()
  const { id, groups } = await fill(client.send)
  const fillIn = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll('{id}', id).replaceAll('{groups}', groups))
  const [method, path, sent, sentHeaders] = send
  const given = sent === undefined || typeof sent === 'string' ? sent : fillIn(sent)
  const response = await client.send(method, fillIn(path), given, sentHeaders)
  expect(response.status).toBe(status)
  if (body !== undefined) expect(response.body).toMatchObject(fillIn(body))
  for (const [name, value] of Object.entries(headers)) {
    expect(response.headers.get(name)).toBe(value)
  }
  // Resources are personal data, also in an error.
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  if (response.body !== undefined) {
    expect(response.headers.get('Content-Type')).toBe('application/scim+json')
  }
})

/** Creates two users and a group; returns the id of the first user and the digest of its groups. */
async function fill(send: Send): Promise<{ readonly id: string; readonly groups: string }> {
  const { body } = await send('POST', '/Users', {
    userName: 'bjensen',
    password: 'secret',
    name: { givenName: 'Barbara', familyName: 'Jensen' },
  })
  await send('POST', '/Users', { userName: 'ajones' })
  await send('POST', '/Groups', { displayName: 'Guides', members: [{ value: body.id }] })
  const { headers } = await send('GET', `/Users/${body.id}`)
  const [, groups = ''] = /-([0-9a-f]{16})"$/.exec(headers.get('ETag') ?? '') ?? []
  expect(groups).not.toBe('')
  return { id: body.id, groups }
}
