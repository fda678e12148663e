import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { curlOf } from '../../../src/features/log/pages/curl.ts'
import { explainRequest } from '../../../src/features/log/pages/explain-request.ts'
import { openConsole, openLoggedConsole } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const HOSTILE = `<img src=x onerror=alert(1)>"'&`

const IGNORED = /\d+ (?:or more )?attributes? ignored:.*/
/** The text of a page, with a line for each cell. */
const textOf = (page: string) => page.replaceAll('</td>', '\n').replaceAll(/<[^>]*>/g, '')

const { store, log, browser } = await openLoggedConsole()
const client = await connect(store, { provisioning: log, profile: 'entra' })
const home = `/console/tenants/${client.tenantId}/requests`

const pageOf = async (path: string): Promise<string> => {
  await log.flush()
  const { status, text } = await browser.open(path)
  expect(status).toBe(200)
  return text
}
/** The links of the list to its requests, the newest first. */
const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/<th scope="row" class="time"><a href="([^"]+)">/g)].map(
    ([, href = '']) => href,
  )
/** The page of the newest request. */
const newest = async (): Promise<string> => pageOf(linksIn(await pageOf(home))[0] ?? '')

describe('the request list', () => {
  it('the list shows each request with the status and the reason', async () => {
    await client.send('POST', '/Users', { userName: 'anna' }, { 'X-Request-Id': 'the-first' })
    await client.send('POST', '/Users', { userName: 'anna' }, { 'X-Request-Id': 'the-second' })
    const text = await pageOf(home)
    expect(linksIn(text)).toHaveLength(2)
    expect(text).toContain('>userName is already taken<')
    expect(text).toContain('Another resource has the same value')
    expect(text).toMatch(
      /data-source="\/console\/tenants\/[\w-]+\/requests\/live" data-after="\d+"/,
    )
  })

  it.each([
    ['?status=errors', 1],
    ['?status=2xx', 1],
    ['?status=5xx', 0],
    ['?status=unknown', 2],
    ['?user=ANNA', 2],
    ['?user=bert', 0],
    ['?requestId=the-first', 1],
    ['?requestId=%20the-first%20&status=errors', 0],
    ['?requestId=the-second&user=anna', 1],
    ['?requestId=unknown', 0],
    ['?from=2000-01-01T00:00&to=2001-01-01T00:00', 0],
    ['?from=2000-01-01T00:00', 2],
    ['?from=2000-01-01T00:00:30.5&to=2001-01-01T00:00:30', 0],
    ['?to=2999-01-01T00:00', 2],
  ])('the list shows the matches for the filters in the URL: %s', async (query, count) => {
    const text = await pageOf(`${home}${query}`)
    expect(linksIn(text)).toHaveLength(count)
    expect(text).not.toContain('id="live"')
  })

  it.each(['from=yesterday', 'requestId=a%20b'])(
    'the list explains an invalid filter: %s',
    async (query) => {
      const { status, text } = await browser.open(`${home}?${query}`)
      expect(status).toBe(422)
      expect(text).toContain('The search is not valid')
      expect(text).not.toContain('value="anna"')
    },
  )

  it('the list keeps the request id in the form and in the links to other pages', async () => {
    const text = await pageOf(`${home}?requestId=the-first`)
    expect(text).toMatch(/name="requestId" type="search" value="the-first"/)
  })

  it('the list has pages', async () => {
    for (let at = 0; at < 60; at += 1) await client.send('GET', `/Users/none-${at}`)
    const first = await pageOf(`${home}?status=4xx`)
    expect(linksIn(first)).toHaveLength(50)
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await pageOf(next)
    expect(linksIn(second)).toHaveLength(11)
    expect(second).toContain(
      `<a rel="prev" href="${home}?status=4xx" class="btn btn-sm">Newest requests</a>`,
    )
    expect(second).not.toContain('id="live"')
    expect(new Set([...linksIn(first), ...linksIn(second)]).size).toBe(61)
  })

  it('the list says how many requests could not be logged', async () => {
    const counts = () => ({ waiting: 0, stored: 0, dropped: 3 })
    const lossy = await openConsole(store, { provisioning: { ...log, counts } })
    const { text } = await lossy.open(home)
    expect(text).toContain('could not log 3 requests since its start')
    expect(await pageOf(home)).not.toContain('could not log')
  })

  it("the list marks a PATCH whose misspelled attributes were ignored, and the request's page names them", async () => {
    const { body } = await client.send('POST', '/Users', { userName: 'misspelled' })
    const ignoredBy = async (value: object) => {
      const Operations = [{ op: 'replace', value }]
      const sent = { schemas: [PATCH_OP], Operations }
      expect((await client.send('PATCH', `/Users/${body.id}`, sent)).status).toBe(200)
      const list = await pageOf(home)
      const pages = [list, await pageOf(linksIn(list)[0] ?? '')]
      return pages.map((page) => IGNORED.exec(textOf(page))?.[0] ?? null)
    }
    const one = '1 attribute ignored: emails.valu'
    expect(await ignoredBy({ 'emails[type eq "work"].valu': 'x' })).toEqual([one, one])
    expect(await ignoredBy({ a: 1, b: 2, c: 3, [HOSTILE]: 4 })).toEqual([
      '4 attributes ignored: a, b, c, …',
      expect.stringMatching(/^4 attributes ignored: a, b, c, &lt;img/),
    ])
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, at]))
    const [first] = await ignoredBy(many)
    expect(first).toBe('20 or more attributes ignored: x0, x1, x2, …')
    expect((await ignoredBy({ title: 'Guide' }))[1]).toBeNull()
  })

  it('the list never shows a value from a request as HTML', async () => {
    await client.send('POST', '/Users', { userName: HOSTILE, title: 5 })
    await client.send('GET', `/Users?filter=${encodeURIComponent(HOSTILE)}`)
    await client.send('GET', `/Users/${encodeURIComponent(HOSTILE)}`)
    const text = await pageOf(home)
    expect(text).not.toContain('<img')
    for (const href of linksIn(text).slice(0, 3)) expect(await pageOf(href)).not.toContain('<img')
  })
})

describe("a request's page", () => {
  it("the page shows a rejected request's bodies without sensitive values", async () => {
    await client.send('POST', '/Users', { userName: 5, password: 'secret-word' })
    const text = await newest()
    expect(text).toContain('Why it was rejected')
    expect(text).toContain('&quot;userName&quot;: 5')
    expect(text).toContain('&quot;scimType&quot;: &quot;invalidValue&quot;')
    expect(text).not.toContain('secret-word')
  })

  it("the page shows that a successful request's bodies are not stored", async () => {
    await client.send('GET', '/Users?count=0')
    expect(await newest()).toContain('bodies of rejected requests only')
  })

  describe('the page for 409 uniqueness (RFC 7644 §3.3)', () => {
    let user: string
    let group: string
    beforeAll(async () => {
      user = String((await client.send('POST', '/Users', { userName: 'taken' })).body.id)
      group = String((await client.send('POST', '/Groups', { displayName: 'Taken' })).body.id)
    })

    const patch = (...operations: readonly object[]) => ({
      schemas: [PATCH_OP],
      Operations: operations,
    })
    it.each([
      ['POST', '/Users', { userName: 'TAKEN' }],
      ['PUT', '/Users/{id}', { USERNAME: 'Taken' }],
      ['PATCH', '/Users/{id}', patch({ op: 'replace', path: 'userName', value: 'taken' })],
      ['PATCH', '/Users/{id}', patch({ op: 'replace', value: { userName: 'taken' } })],
      ['POST', '/Groups', { displayName: 'taken' }],
    ] as const)('%s %s %j names the resource with the value', async (method, path, body) => {
      const other = await client.send('POST', '/Users', { userName: `other-${Math.random()}` })
      const target = path.replace('{id}', String(other.body.id))
      expect((await client.send(method, target, body)).status).toBe(409)
      const owner = path === '/Groups' ? `/groups/${group}` : `/users/${user}`
      expect(await newest()).toContain(`${owner}">`)
    })
  })

  it.each(['9999', '0', 'x', '%22'])('the page is a 404 for the number %s', async (number) => {
    expect((await browser.open(`${home}/${number}`)).status).toBe(404)
  })

  it("the page is a 404 for another tenant's request", async () => {
    const other = await connect(store, { provisioning: log })
    const [href = ''] = linksIn(await pageOf(home))
    const number = href.split('/').at(-1)
    const path = `/console/tenants/${other.tenantId}/requests/${number}`
    expect((await browser.open(path)).status).toBe(404)
  })
})

it('requests without a known token are listed apart', async () => {
  await client.send('GET', '/Users', undefined, { Authorization: 'Bearer mistyped' })
  const text = await pageOf('/console/requests')
  expect(text).toContain('The token is not known')
  expect(await pageOf(linksIn(text)[0] ?? '')).toContain('The token is not known')
})

it("an OAuth client's wrong secret is listed with the reason, and cannot be repeated", async () => {
  const created = await browser.post(`/console/tenants/${client.tenantId}/clients`, {
    name: 'Entra',
  })
  const clientId = created.headers.get('Location')?.split('/').at(-1) ?? ''
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: 'the-wrong-one',
  })
  const url = 'http://localhost/scim/oauth/token'
  const answer = await client.directory.fetch(new Request(url, { method: 'POST', body }))
  expect(answer.status).toBe(401)
  const [row = ''] = /<tr><th scope="row".*?<\/tr>/s.exec(await pageOf(home)) ?? []
  expect(row).toContain('<code>wrong-secret</code>')
  expect(row).toContain('Rotate the secret')
  const page = await newest()
  expect(page).toContain(`/clients/${clientId}"><bdi>Entra</bdi></a>`)
  expect(page).toContain('POST /scim/oauth/token')
  for (const text of [row, page]) {
    expect(text).not.toContain('curl')
    expect(text).not.toContain('the-wrong-one')
  }
})

describe('a curl command', () => {
  const site = { origin: 'https://example.com', tenantId: 'acme' }
  const URL = 'https://example.com/scim/tenants/acme/v2'

  it.each([
    [{ method: 'GET', path: '/Users/1' }, `curl -H "Authorization: Bearer $TOKEN" ${URL}/Users/1`],
    [
      { method: 'HEAD', path: '/Users/1' },
      `curl --head -H "Authorization: Bearer $TOKEN" ${URL}/Users/1`,
    ],
    [
      { method: 'X Y', path: '/a b' },
      `curl -X 'X Y' -H "Authorization: Bearer $TOKEN" '${URL}/a b'`,
    ],
    [
      { method: 'GET', path: '/Users', body: null },
      `curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/scim+json' --data null ${URL}/Users`,
    ],
    [
      { method: 'PUT', path: '/Users/1' },
      `curl -X PUT -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/scim+json' --data @body.json ${URL}/Users/1`,
    ],
    [
      { method: 'DELETE', path: '/Users/1' },
      `curl -X DELETE -H "Authorization: Bearer $TOKEN" ${URL}/Users/1`,
    ],
    [
      { method: 'POST', path: '/Users', body: { userName: "O'Neil $(id)" } },
      `curl -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/scim+json' --data '{"userName":"O'\\''Neil $(id)"}' ${URL}/Users`,
    ],
    [
      { method: 'PATCH', path: '/Users/1' },
      `curl -X PATCH -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/scim+json' --data @body.json ${URL}/Users/1`,
    ],
  ])('a curl command repeats %j', (request, command) => {
    expect(curlOf(request, site)).toBe(command)
  })

  it('a curl command passes each value to curl as one word, whatever a client has sent', () => {
    const body = { userName: '\'; echo injected; `id` $(id) "\\' }
    const path = "/Users?filter='&x=$(id)`id`;id"
    const command = curlOf({ method: 'POST', path, body }, site)
    const show = 'curl() { for word in "$@"; do printf "%s\\n" "$word"; done; }'
    const words = execFileSync('sh', ['-c', `TOKEN=t; ${show}; ${command}`], { encoding: 'utf8' })
    expect(words.trimEnd().split('\n').slice(-2)).toEqual([JSON.stringify(body), `${URL}${path}`])
  })
})

describe('an explanation', () => {
  it.each([200, 201, 204, 304])('an explanation is not necessary for %i', (status) => {
    expect(explainRequest({ status, scimType: null, rejection: null })).toBeNull()
  })

  it.each([
    [{ status: 401, scimType: null, rejection: 'expired' }, 'has expired'],
    [{ status: 403, scimType: null, rejection: null }, 'may only read'],
    [{ status: 400, scimType: 'noTarget', rejection: null }, 'does not exist'],
    [{ status: 400, scimType: 'unheard', rejection: null }, 'not valid'],
    [{ status: 400, scimType: 'constructor', rejection: null }, 'not valid'],
    [{ status: 418, scimType: null, rejection: null }, 'not valid'],
    [{ status: 599, scimType: null, rejection: null }, 'error of the directory'],
  ] as const)('an explanation for %j names the reason', (request, words) => {
    expect(explainRequest(request)).toContain(words)
  })

  it('explanations differ for each log reason, code of RFC 7644 §3.12 and RFC 9865 §2, and status', () => {
    const none = { status: 400, scimType: null, rejection: null } as const
    const explanations = [
      ...REJECTIONS.map((rejection) => explainRequest({ ...none, rejection })),
      ...SCIM_TYPES.map((scimType) => explainRequest({ ...none, scimType })),
      ...STATUSES.map((status) => explainRequest({ ...none, status })),
    ]
    for (const text of explanations) expect(text).toMatch(/^[A-Z].+\.$/)
    expect(new Set(explanations).size).toBe(explanations.length)
  })
})

const REJECTIONS = [
  ...(['missing', 'unknown', 'revoked', 'expired', 'other-tenant'] as const),
  ...(['unknown-client', 'wrong-secret', 'disabled'] as const),
]
const SCIM_TYPES = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
]
const STATUSES = [400, 401, 403, 404, 405, 409, 412, 413, 415, 429, 499, 500, 501, 503]
