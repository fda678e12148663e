import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import type { Check } from './check.ts'
import { type ExamineOptions, examine } from './examine.ts'
import type { Fetch } from './http/transport.ts'
import { expectThat } from './toolkit/expect.ts'

const CONFIG = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'] }
const json = (body: unknown, status = 200): Response => Response.json(body, { status })

/** A check that sends one request to `/Users`. */
const PROBE: Check = {
  id: 'probe.users',
  section: 'RFC 7644 §3.4',
  level: 'MUST',
  title: 'probe',
  advice: 'Probe.',
  run: async ({ get }) => {
    await get('/Users')
  },
}

async function codeOf(fetch: Fetch, options: ExamineOptions = {}): Promise<string> {
  const result = await examine(fetch, { checks: [PROBE], ...options })
  return isFailure(result) ? result.error.code : result.status
}

describe('invalid options', () => {
  it.each<[string, object]>([
    ['profile is unknown: did you mean profiles?', { profile: 'interop' }],
    ['readonly is unknown: did you mean readOnly?', { readonly: true }],
    ['fetch is unknown: expected one of token, ', { fetch: () => null }],
    ['profile azure is not one of entra, okta, interop', { profiles: ['azure'] }],
    ['profiles must be a list of strings', { profiles: 'entra' }],
    ['readOnly must be true or false', { readOnly: 'yes' }],
    ['limits.timeout must be a number of at least 0', { limits: { timeout: Number.NaN } }],
    ['limits.rates is unknown: did you mean rate?', { limits: { rates: 5 } }],
    ['no check matches discover', { checks: undefined, only: ['discovery', 'discover'] }],
  ])('invalid options are rejected before a request: %s', async (message, options) => {
    const fetch = () => expect.unreachable()
    const result = await examine(fetch, { checks: [PROBE], ...options })
    expect(isFailure(result) && result.error).toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining(message),
    })
  })
})

describe('a server that cannot be examined', () => {
  const endless = (): Response =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
    )
  it.each<[string, string, Fetch]>([
    ['rejects connections', 'unreachable', () => Promise.reject(new TypeError('fetch failed'))],
    ['hangs', 'timeout', () => new Promise(() => undefined)],
    ['sends a body without end', 'too-large', async () => endless()],
    ['answers HTML', 'not-scim', async () => new Response('<html></html>')],
    ['answers JSON that is not SCIM', 'not-scim', async () => json({ hello: 'world' })],
    ['answers 404', 'not-scim', async () => json({}, 404)],
    ['rejects the token', 'unauthorized', async () => json({ schemas: [] }, 401)],
    [
      'redirects to another origin',
      'redirected',
      async () => Response.redirect('https://other.example/'),
    ],
    ['redirects in a circle', 'redirected', async ({ url }) => Response.redirect(url)],
    [
      'is always busy',
      'busy',
      async () => new Response(null, { status: 429, headers: { 'Retry-After': '0' } }),
    ],
  ])('an examination fails if the server %s: %s', async (_, code, fetch) => {
    expect(await codeOf(fetch, { limits: { timeout: 100, maxBody: 1_000_000 } })).toBe(code)
  })

  it.each([
    'ftp://example.com',
    'xhttp://example.com',
    'https-a://example.com',
    'example',
    'https://user:pass@example.com/',
    'https://a.b/?c=d',
  ])('an invalid base URL is rejected: %s', async (target) => {
    const result = await examine(target)
    expect(isFailure(result) && result.error.code).toBe('invalid-options')
  })

  it('a selection without a check is rejected', async () => {
    expect(await codeOf(async () => json(CONFIG), { only: ['none'] })).toBe('invalid-options')
  })
})

describe('an examination', () => {
  it('an examination does not record credentials, even if the server returns them', async () => {
    const fetch: Fetch = async ({ headers }) =>
      json({ ...CONFIG, echo: [headers.get('Authorization'), headers.get('X-Key')] })
    const options = { token: 'abcd-secret/+=', headers: { 'X-Key': 'key-secret' } }
    const run: Check['run'] = async ({ get }) => {
      const { text, headers } = await get(`/Users?token=${encodeURIComponent(options.token)}`)
      expectThat(false, 'no echo', [
        text,
        text.replaceAll('/', '\\/'),
        encodeURIComponent(text),
        ...headers,
      ])
    }
    const report = unwrap(await examine(fetch, { ...options, checks: [{ ...PROBE, run }] }))
    expect(report.outcomes[0]?.exchanges).toHaveLength(1)
    expect(report.outcomes[0]?.finding?.found).toContain('***')
    expect(JSON.stringify(report)).not.toContain('secret')
  })

  it('an examination without credentials skips the credential checks', async () => {
    const checks: Check[] = [{ ...PROBE, needs: ['credentials'] }]
    const statusWith = async (options: ExamineOptions) => {
      const { outcomes } = unwrap(await examine(async () => json(CONFIG), { checks, ...options }))
      return outcomes[0]?.status
    }
    expect(await statusWith({})).toBe('skipped')
    expect(await statusWith({ token: 'abcd' })).toBe('passed')
  })

  it('an examination sends a request again after 429', async () => {
    let count = 0
    const fetch: Fetch = async ({ url }) => {
      if (!url.endsWith('/Users')) return json(CONFIG)
      count += 1
      return count < 3
        ? new Response(null, { status: 429, headers: { 'Retry-After': '0' } })
        : json({})
    }
    const { outcomes } = unwrap(await examine(fetch, { checks: [PROBE] }))
    expect(outcomes[0]?.exchanges.map(({ status }) => status)).toStrictEqual([429, 429, 200])
  })

  it('an examination deletes what it created, even if the check fails or is interrupted', async () => {
    const abort = new AbortController()
    const sent: string[] = []
    const fetch: Fetch = async ({ method, url }) => {
      sent.push(`${method} ${new URL(url).pathname}`)
      if (method === 'POST') abort.abort()
      return method === 'POST' ? json({ id: '7' }, 201) : json(CONFIG)
    }
    const run: Check['run'] = async ({ post, get }) => {
      await post('/Users', {})
      await get('/Users/7')
    }
    const result = await examine(fetch, { checks: [{ ...PROBE, run }], signal: abort.signal })
    expect(isFailure(result) && result.error.code).toBe('interrupted')
    expect(sent.slice(4)).toStrictEqual(['POST /scim/v2/Users', 'DELETE /scim/v2/Users/7'])
  })

  it('an examination reports resources it could not delete', async () => {
    const fetch: Fetch = async ({ method }) =>
      method === 'DELETE'
        ? json({}, 500)
        : json({ ...CONFIG, id: '7' }, method === 'POST' ? 201 : 200)
    const run: Check['run'] = async ({ post }) => {
      await post('/Users', {})
    }
    const { left } = unwrap(await examine(fetch, { checks: [{ ...PROBE, run }] }))
    expect(left).toStrictEqual(['https://scim.example/scim/v2/Users/7'])
  })

  it('a read-only examination sends only GET requests and searches', async () => {
    const writes: string[] = []
    const fetch: Fetch = async ({ method, url }) => {
      if (method !== 'GET' && !url.endsWith('/.search')) writes.push(`${method} ${url}`)
      return json(CONFIG)
    }
    const { outcomes } = unwrap(await examine(fetch, { readOnly: true }))
    expect(writes).toStrictEqual([])
    expect(outcomes.find(({ id }) => id === 'create.user')?.reason).toMatch(/read-only/)
  })

  it('an examination stops after three checks without a response', async () => {
    const fetch: Fetch = async ({ url }) =>
      url.endsWith('/Users') ? Promise.reject(new TypeError('fetch failed')) : json(CONFIG)
    const checks = ['a', 'b', 'c', 'd'].map((name) => ({ ...PROBE, id: `probe.${name}` }))
    const { outcomes, stopped } = unwrap(await examine(fetch, { checks }))
    expect(outcomes).toHaveLength(3)
    expect(stopped).toBe('GET /scim/v2/Users: fetch failed')
  })

  it('an internal error in a check is reported as broken, and blocks the checks needing it', async () => {
    const run = async (): Promise<void> => {
      throw new TypeError('x is not a function')
    }
    const checks: Check[] = [
      { ...PROBE, id: 'probe.second', needs: ['check:probe.first'] },
      { ...PROBE, id: 'probe.first', run },
    ]
    const { outcomes } = unwrap(await examine(async () => json(CONFIG), { checks }))
    expect(outcomes.map(({ id, status }) => [id, status])).toStrictEqual([
      ['probe.first', 'broken'],
      ['probe.second', 'blocked'],
    ])
  })
})

describe('profiles', () => {
  const { run } = PROBE
  const checks: readonly Check[] = [
    { ...PROBE, id: 'probe.any', run },
    { ...PROBE, id: 'probe.entra', profiles: ['entra'], run },
    { ...PROBE, id: 'probe.opposite', notFor: ['entra'], run },
  ]
  it.each<[string, ExamineOptions['profiles'], readonly string[]]>([
    ['without a profile', [], ['probe.any', 'probe.opposite']],
    ['with one', ['entra'], ['probe.any', 'probe.entra']],
    ['with another', ['okta'], ['probe.any', 'probe.opposite']],
  ])('%s, the matching checks are chosen', async (_, profiles, expected) => {
    const { outcomes } = unwrap(await examine(async () => json(CONFIG), { checks, profiles }))
    expect(outcomes.map(({ id }) => id)).toStrictEqual(expected)
  })
})
