import { expect, it } from 'vitest'
import { openTenantConsole } from '../../support/console-client.ts'

const URN = 'urn:example:2.0:Badge'
const BADGE = {
  resourceType: 'User',
  id: URN,
  name: 'Badge',
  attributes: [{ name: 'number', type: 'string' }],
}

const { client, browser, home } = await openTenantConsole('schemas')

const postSchema = (path: string, schema: unknown) =>
  browser.post(path, { schema: typeof schema === 'string' ? schema : JSON.stringify(schema) })

it('an extension schema is registered, changed and deleted (RFC 7643 §7)', async () => {
  expect((await postSchema(home, BADGE)).status).toBe(303)
  expect((await browser.open(home)).text).toContain('>Badge</a>')
  const page = `${home}/${encodeURIComponent(URN)}`
  expect((await browser.open(page)).text).toContain('&quot;number&quot;')
  const attributes = [...BADGE.attributes, { name: 'color', type: 'string' }]
  expect((await postSchema(page, { ...BADGE, attributes })).status).toBe(303)
  const user = { userName: 'a', [URN]: { number: '7', color: 'red' } }
  expect((await client.send('POST', '/Users', user)).body).toMatchObject(user)
  const kept = await browser.confirm(`${page}/delete`)
  expect(kept.status).toBe(422)
  expect(kept.text).toContain('role="alert"')
  const lost = await postSchema(page, BADGE)
  expect(lost.status).toBe(422)
  const [found] = (await client.send('GET', '/Users')).body.Resources ?? []
  await client.send('DELETE', `/Users/${found?.id}`)
  expect((await browser.confirm(`${page}/delete`)).status).toBe(303)
  expect((await browser.open(page)).status).toBe(404)
})

it.each([
  ['not JSON', '{', 'not valid JSON'],
  ['not an object', '5', 'role="alert"'],
  ['without attributes', { ...BADGE, attributes: [] }, '/attributes'],
  ['with a core URN', { ...BADGE, id: 'urn:ietf:params:scim:schemas:core:2.0:User' }, '/id'],
])(
  'a schema that is %s is rejected with the reason, and stays in the form',
  async (_, schema, reason) => {
    const { status, text } = await postSchema(home, schema)
    expect(status).toBe(422)
    expect(text).toContain(reason)
    expect(text).toContain('<textarea')
  },
)

it("a schema's values are never HTML", async () => {
  const hostile = '<script>alert(1)</script>'
  const schema = { ...BADGE, id: 'urn:example:2.0:Hostile', name: hostile, description: hostile }
  expect((await postSchema(home, schema)).status).toBe(303)
  for (const path of [home, `${home}/urn:example:2.0:Hostile`]) {
    expect((await browser.open(path)).text).not.toContain(hostile)
  }
  const rejected = await postSchema(home, { ...schema, attributes: hostile })
  expect(rejected.text).not.toContain(hostile)
})
