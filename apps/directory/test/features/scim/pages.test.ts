import { beforeAll, describe, expect, it } from 'vitest'
import { openLoggedConsole } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'

const { store, log, browser } = await openLoggedConsole()
const client = await connect(store, { provisioning: log })
const home = `/console/tenants/${client.tenantId}`
/** The ids of resources by their userName or displayName. */
const ids = new Map<string, string>()

beforeAll(async () => {
  await create('/Users', {
    userName: 'bjensen',
    displayName: 'Babs',
    name: { familyName: 'Jensen' },
    externalId: 'e-1',
    emails: [{ value: 'other@example.com' }, { value: 'babs@example.com', primary: true }],
  })
  await create('/Users', { userName: HOSTILE, displayName: HOSTILE, active: false })
  for (let at = 0; at < 53; at += 1) await create('/Users', { userName: `user-${at + 10}` })
  const members = [...ids.values()].map((value) => ({ value, display: HOSTILE }))
  await create('/Groups', { displayName: 'Guides', externalId: 'g-1', members })
})

async function create(path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const { status, body: created } = await client.send('POST', path, body)
  expect(status).toBe(201)
  ids.set(String(body.userName ?? body.displayName), String(created.id))
}

const HOSTILE = `<script>alert(1)</script>"'&`
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'

const pageOf = async (path: string): Promise<string> => {
  const { status, text } = await browser.open(`${home}${path}`)
  expect(status).toBe(200)
  return text
}
/** How many links to pages of users a page has. */
const usersIn = (text: string): number =>
  text.match(/<th scope="row"><a href="[^"]*\/users\//g)?.length ?? 0
const hrefOf = (text: string, label: string): string =>
  RegExp(`href="([^"]+)"[^>]*>${label}<`)
    .exec(text)?.[1]
    ?.replaceAll('&amp;', '&')
    .replace(home, '') ?? ''

describe("a tenant's users", () => {
  it("a tenant's users are shown in pages, ordered by userName", async () => {
    const first = await pageOf('/users')
    expect(usersIn(first)).toBe(50)
    expect(first).toContain('babs@example.com')
    expect(first).not.toContain('other@example.com')
    const second = await pageOf(hrefOf(first, 'Next page'))
    expect(usersIn(second)).toBe(5)
    expect(hrefOf(second, 'Next page')).toBe('')
    expect(hrefOf(second, 'First page')).toBe('/users')
  })

  it.each([
    ['userName', 'BJEN', ['bjensen']],
    ['userName', 'user-1', Array.from({ length: 10 }, (_, at) => `user-${at + 10}`)],
    ['name', 'babs', ['bjensen']],
    ['name', 'jens', ['bjensen']],
    ['email', 'other@', ['bjensen']],
    ['externalId', 'e-1', ['bjensen']],
    ['externalId', 'e-', []],
    ['userName', `"or"`, []],
    ['userName', '<script>', [HOSTILE]],
  ])("a tenant's users are found by %s %s", async (by, q, found) => {
    const text = await pageOf(`/users?${new URLSearchParams({ by, q })}`)
    expect(usersIn(text)).toBe(found.length)
    for (const name of found) expect(text).toContain(`/users/${ids.get(name)}`)
    expect(text).not.toContain('<script>alert')
  })

  it('an invalid user search is explained', async () => {
    const { status, text } = await browser.open(`${home}/users?cursor=x`)
    expect(status).toBe(400)
    expect(text).toContain('The search failed')
  })
})

describe("a user's page", () => {
  it("a user's page shows the resource, the groups, and the requests touching it", async () => {
    await log.flush()
    const text = await pageOf(`/users/${ids.get('bjensen')}`)
    expect(text).toContain('<h1>bjensen</h1>')
    expect(text).toContain('&quot;familyName&quot;: &quot;Jensen&quot;')
    expect(text).toContain(`${home}/groups/${ids.get('Guides')}`)
    expect(text).toMatch(/<td>create<\/td>\s*<td><span class="badge [^"]*badge-success">/)
  })

  it("a user's page escapes each value", async () => {
    const text = await pageOf(`/users/${ids.get(HOSTILE)}`)
    expect(text).toContain(`<h1>${ESCAPED}</h1>`)
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('inactive')
  })

  it.each(['/users/none', '/groups/none', '/users/%00', '/groups/%22%3E'])(
    "a user's page is a 404 for %s",
    async (path) => {
      const { status, text } = await browser.open(`${home}${path}`)
      expect(status).toBe(404)
      expect(text).toContain('does not exist')
    },
  )
})

it.each(['users', 'groups'])(
  "an unknown tenant's %s are a page 404 for the tenant",
  async (type) => {
    const { status, text } = await browser.open(`/console/tenants/missing/${type}/none`)
    expect([status, text.includes('Tenant missing does not exist')]).toEqual([404, true])
  },
)

describe("a group's page", () => {
  it("a group's page shows the resource without members, and all members in pages", async () => {
    const first = await pageOf(`/groups/${ids.get('Guides')}`)
    expect(first).toContain('&quot;externalId&quot;: &quot;g-1&quot;')
    expect(first).not.toContain('&quot;members&quot;')
    expect(first).toContain(`<td>${ESCAPED}</td>`)
    expect(usersIn(first)).toBe(50)
    const second = await pageOf(hrefOf(first, 'Next page'))
    expect(usersIn(second)).toBe(5)
    expect(hrefOf(second, 'Next page')).toBe('')
  })

  it.each([
    ['displayName', 'gui', 1],
    ['displayName', 'uides', 0],
    ['externalId', 'g-1', 1],
    ['externalId', 'g', 0],
  ])('a group is found by %s %s', async (by, q, count) => {
    const text = await pageOf(`/groups?${new URLSearchParams({ by, q })}`)
    expect(text.includes(`/groups/${ids.get('Guides')}`)).toBe(count === 1)
  })
})

it("another tenant's pages do not show a tenant's users", async () => {
  const other = await connect(store)
  const { status } = await browser.open(
    `/console/tenants/${other.tenantId}/users/${ids.get('bjensen')}`,
  )
  expect(status).toBe(404)
  const list = await browser.open(`/console/tenants/${other.tenantId}/users`)
  expect(list.text).toContain('This tenant does not have users yet.')
})
