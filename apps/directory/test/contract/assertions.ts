import { createHash, createHmac, randomUUID } from 'node:crypto'
import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { createClientLimits } from '../../src/kernel/rate-limit/client-limits.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { createSigningKey, encode, type SigningKey } from '../support/assertion.ts'
import { basic, GRANT, openClients } from './oauth.ts'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const TOKEN_URL = 'http://localhost/scim/oauth/token'

/** Clients that authenticate by a JWT (RFC 7523), on every store. */
export function assertionContract(storeOf: () => Store): void {
  const es256 = createSigningKey('ES256')
  const rs256 = createSigningKey('RS256')

  describe('a client with public keys (RFC 7523 §2.2)', () => {
    it.each([
      ['ES256', es256, {}],
      ['RS256', rs256, {}],
      ['the URL of the server as audience', es256, { aud: 'http://localhost' }],
      ['both audiences', es256, { aud: ['http://localhost', TOKEN_URL] }],
      ['an expiry of 60 seconds before', es256, { exp: -59 }],
      ['an issue time and a start of 60 seconds later', es256, { iat: 60, nbf: 60 }],
    ])(
      'a client with public keys gets an access token for a JWT with %s',
      async (_, key, claims) => {
        const { ask, scim, assert } = await openKeys(storeOf(), await key)
        const answer = await ask(await assert(claims))
        expect([answer.status, answer.body.scope]).toEqual([200, 'scim:read scim:write'])
        const send = scim(answer.body.access_token)
        expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(201)
      },
    )

    it.each<[string, object]>([
      ['another issuer (§3, 1)', { iss: 'other' }],
      ['no issuer', { iss: undefined }],
      ['another subject (§3, 2)', { sub: 'other' }],
      ['no subject', { sub: undefined }],
      ['another audience (§3, 3)', { aud: 'https://other.example' }],
      [
        'an audience that another server accepts too',
        { aud: ['https://other.example', TOKEN_URL] },
      ],
      ['an audience that is not a string', { aud: [TOKEN_URL, 7] }],
      ['no audience', { aud: undefined }],
      ['an expiry that is over (§3, 4)', { exp: -60 }],
      ['no expiry', { exp: undefined }],
      ['an expiry that is a string', { exp: '99999999999' }],
      ['an expiry in more than an hour', { exp: 3_700 }],
      ['a start in the future (§3, 5)', { nbf: 61 }],
      ['an issue time in the future (§3, 6)', { iat: 61 }],
      ['no id', { jti: undefined }],
      ['an empty id', { jti: '' }],
      ['a long id', { jti: 'x'.repeat(201) }],
    ])('a JWT with %s is rejected', async (_, claims) => {
      const { ask, assert, logged } = await openKeys(storeOf(), await es256)
      const answer = await ask(await assert(claims))
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
      const reasons = logged.map(({ rejection }) => rejection?.reason)
      expect(['wrong-assertion', 'unknown-client', undefined]).toContain(reasons.at(-1))
    })

    it.each<[string, (key: SigningKey, claims: object) => Promise<string> | string]>([
      ['the algorithm none', (_, claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
      [
        'the algorithm none and a signature',
        (_, claims) => `${encode({ alg: 'none' })}.${encode(claims)}.AAAA`,
      ],
      [
        'HMAC with the public key as its secret',
        ({ jwks: { keys } }, claims) => {
          const content = `${encode({ alg: 'HS256' })}.${encode(claims)}`
          const mac = createHmac('sha256', JSON.stringify(keys[0])).update(content)
          return `${content}.${mac.digest('base64url')}`
        },
      ],
      ['the algorithm of another type of key', (key, claims) => key.sign(claims, { alg: 'RS256' })],
      [
        'the type of an access token (RFC 9068)',
        (key, claims) => key.sign(claims, { typ: 'at+jwt' }),
      ],
      ['the type of a proof (RFC 9449)', (key, claims) => key.sign(claims, { typ: 'dpop+jwt' })],
      [
        'the type of a Security Event Token',
        (key, claims) => key.sign(claims, { typ: 'application/secevent+jwt' }),
      ],
      ['an extension that is critical', (key, claims) => key.sign(claims, { crit: ['b64'] })],
      ['another kid', (key, claims) => key.sign(claims, { kid: 'b' })],
      [
        'the signature of another key',
        async (_, claims) => await (await createSigningKey('ES256')).sign(claims),
      ],
      [
        'claims that were changed',
        async (key, claims) => {
          const [header, , signature] = (await key.sign(claims)).split('.')
          return `${header}.${encode({ ...claims, jti: 'other' })}.${signature}`
        },
      ],
      ['an empty signature', async (key, claims) => (await key.sign(claims)).replace(/[^.]+$/, '')],
      ['no JSON', () => 'e.e.e'],
      [
        'more than 8,000 characters',
        (key, claims) => key.sign({ ...claims, x: 'x'.repeat(6_000) }),
      ],
    ])('an assertion with %s is rejected', async (_, make) => {
      const { ask, claimsOf } = await openKeys(storeOf(), await es256)
      const answer = await ask(formOf(await make(await es256, claimsOf())))
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
      expect(answer.body.error_description).toMatch(/^[ !#-[\]-~]+$/)
    })

    // RFC 8725 §3.11: a JWT that was made for another purpose has another type.
    it.each(['JWT', 'jwt', 'application/jwt', 'client-authentication+jwt'])(
      'a client with public keys gets an access token for a JWT with the type %s',
      async (typ) => {
        const key = await es256
        const { ask, claimsOf } = await openKeys(storeOf(), key)
        expect((await ask(formOf(await key.sign(claimsOf(), { typ })))).status).toBe(200)
      },
    )

    it('a client cannot sign with a key of exponent 1 registered by an earlier version', async () => {
      const { ask, claimsOf, id } = await openKeys(storeOf(), await rs256)
      const [weak] = (await rs256).jwks.keys
      const keys = JSON.stringify([{ ...weak, e: 'AQ' }])
      await storeOf().write((db) =>
        db.exec(sql`update clients set public_keys = ${keys} where id = ${id}`),
      )
      const content = `${encode({ alg: 'RS256' })}.${encode(claimsOf())}`
      const answer = await ask(formOf(`${content}.${forgedWithoutKey(content, String(weak.n))}`))
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
    })

    it('each JWT is used once, also if two requests send it at the same time', async () => {
      const { ask, assert, clock, logged } = await openKeys(storeOf(), await es256)
      const form = await assert({ exp: 30 })
      const answers = await Promise.all([ask(form), ask(form), ask(form)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
      expect(logged.at(-1)?.rejection?.reason).toBe('wrong-assertion')
      clock.time += 89_999
      const again = await ask(form)
      expect(again.body.error_description).toContain('jti')
      clock.time += 1
      expect((await ask(form)).body.error_description).toContain('expired')
      // The next use deletes what has expired.
      expect((await ask(await assert({}))).status).toBe(200)
      const { rows } = await storeOf().read((db) =>
        db.exec(sql`select expires_at from used_assertions where expires_at <= ${clock.time}`),
      )
      expect(rows).toEqual([])
    })

    it('two clients can use the same JWT id', async () => {
      const one = await openKeys(storeOf(), await es256)
      const other = await openKeys(storeOf(), await es256)
      expect((await one.ask(await one.assert({ jti: 'shared' }))).status).toBe(200)
      expect((await other.ask(await other.assert({ jti: 'shared' }))).status).toBe(200)
    })

    it('a client with public keys gets the scope scim, which is reading and writing (IPSIE draft 00 §4.1)', async () => {
      const { ask, scim, assert } = await openKeys(storeOf(), await es256)
      const { body } = await ask(`${await assert({})}&scope=scim`)
      expect(body.scope).toBe('scim')
      const created = await scim(body.access_token)('POST', '/Users', { userName: 'a' })
      expect(created.status).toBe(201)
      const reader = await openKeys(storeOf(), await es256, { access: 'read' })
      const rejected = await reader.ask(`${await reader.assert({})}&scope=scim`)
      expect([rejected.status, rejected.body.error]).toEqual([400, 'invalid_scope'])
    })

    it('a client with public keys does not have a secret, and its access tokens survive a rotation for the overlap', async () => {
      const { ask, scim, assert, admin, id, clock } = await openKeys(storeOf(), await es256)
      const send = scim((await ask(await assert({}))).body.access_token)
      const { jwks } = await rs256
      const path = `/api/clients/${id}/rotate`
      const rotated = await admin('POST', path, { jwks, overlapSeconds: 60 })
      expect(rotated).toMatchObject({ status: 200, body: { secret: null, jwks } })
      expect((await send('GET', '/Users?count=0')).status).toBe(200)
      expect((await ask(await assert({}))).status).toBe(401)
      clock.time += 60_000
      expect((await send('GET', '/Users?count=0')).status).toBe(401)
      const { body } = await admin('POST', path, {})
      expect(body.jwks).toBeNull()
      expect((await ask(GRANT, basic(id, String(body.secret)))).status).toBe(200)
    })

    it('the old secret stays valid for the overlap when a client changes from a secret to keys', async () => {
      const key = await es256
      const { clientOf, ask, admin, clock } = await openClients(storeOf())
      const { id, secret } = await clientOf()
      const body = { jwks: key.jwks, overlapSeconds: 60 }
      const rotated = await admin('POST', `/api/clients/${id}/rotate`, body)
      expect(rotated.body.secret).toBeNull()
      const statusesOf = async () => [
        (await ask(GRANT, basic(id, secret))).status,
        (await ask(formOf(await key.sign(claimsFor(id, clock.time))))).status,
      ]
      clock.time += 59_999
      expect(await statusesOf()).toEqual([200, 200])
      clock.time += 1
      expect(await statusesOf()).toEqual([401, 200])
    })

    it('rejected JWTs from an address count as guesses', async () => {
      const limits = createClientLimits({
        requests: { perSecond: 1_000, burst: 1_000 },
        now: () => 0,
        proxies: 0,
        isBehindProxy: false,
      })
      const { ask, assert } = await openKeys(storeOf(), await es256, {}, { limits })
      const statuses: number[] = []
      for (let at = 0; at < 61; at += 1) {
        statuses.push((await ask(await assert({ aud: 'x' }))).status)
      }
      expect(statuses).toEqual([...Array(60).fill(401), 429])
    })
  })

  it.each(Object.entries(WEAK_RSA_KEYS))(
    'a client cannot be created or rotated with %s',
    async (_, change) => {
      const { admin, tenantId, clientOf } = await openClients(storeOf())
      const jwks = { keys: [{ ...(await rs256).jwks.keys[0], ...change }] }
      const rejected = { status: 422, body: { issues: [{ pointer: '/jwks/keys/0' }] } }
      const created = await admin('POST', '/api/clients', { tenantId, name: 'a', jwks })
      expect(created).toMatchObject(rejected)
      const { id } = await clientOf()
      expect(await admin('POST', `/api/clients/${id}/rotate`, { jwks })).toMatchObject(rejected)
    },
  )

  it.each<[string, (jwks: SigningKey['jwks']) => object, string]>([
    ['no key', () => ({ keys: [] }), '/jwks/keys'],
    ['a shared secret', () => ({ keys: [{ kty: 'oct', k: 'AAAA' }] }), '/jwks/keys/0/kty'],
    [
      'a private key',
      ({ keys }) => ({ keys: [{ ...keys[0], d: 'x'.repeat(43) }] }),
      '/jwks/keys/0/d',
    ],
    [
      'a point that is not on the curve',
      ({ keys }) => ({ keys: [{ ...keys[0], x: 'A'.repeat(43) }] }),
      '/jwks/keys/0',
    ],
    [
      'a short RSA key',
      () => ({ keys: [{ kty: 'RSA', n: 'x'.repeat(171), e: 'AQAB' }] }),
      '/jwks/keys/0/n',
    ],
    [
      'a key for encryption',
      ({ keys }) => ({ keys: [{ ...keys[0], use: 'enc' }] }),
      '/jwks/keys/0/use',
    ],
    [
      'a key for other operations',
      ({ keys }) => ({ keys: [{ ...keys[0], key_ops: ['verify', 'encrypt'] }] }),
      '/jwks/keys/0/key_ops',
    ],
    [
      'a key for another algorithm',
      ({ keys }) => ({ keys: [{ ...keys[0], alg: 'RS256' }] }),
      '/jwks/keys/0/alg',
    ],
    ['another curve', ({ keys }) => ({ keys: [{ ...keys[0], crv: 'P-192' }] }), '/jwks/keys/0/crv'],
    ['eleven keys', ({ keys }) => ({ keys: Array(11).fill(keys[0]) }), '/jwks/keys'],
  ])('a client cannot be created with %s (RFC 7517)', async (_, change, pointer) => {
    const { admin, tenantId } = await openClients(storeOf())
    const jwks = change((await es256).jwks)
    const answer = await admin('POST', '/api/clients', { tenantId, name: 'a', jwks })
    expect(answer).toMatchObject({ status: 422, body: { issues: [{ pointer }] } })
  })
}

/** With the exponent 1, a signature is its own message: the padded digest (RFC 8017 §9.2). */
function forgedWithoutKey(content: string, n: string): string {
  const digest = createHash('sha256').update(content).digest()
  const info = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest])
  const size = Buffer.from(n, 'base64url').length
  const padding = Buffer.alloc(size - info.length - 3, 0xff)
  return Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), info]).toString('base64url')
}

/** RSA keys that a client cannot have: changes of a valid one. */
const WEAK_RSA_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the exponent 1': { e: 'AQ' },
  'the exponent 1 with zeros before it': { e: 'AAAB' },
  'an even exponent': { e: 'AQAA' },
  'the exponent 0': { e: 'AA' },
  'an exponent with zeros before it': { e: 'AAEAAQ' },
  'an exponent that is not canonical base64url': { e: 'AR' },
  'a modulus with zeros before it': { n: `${'A'.repeat(172)}${'x'.repeat(170)}` },
  'a modulus of 2,047 bits': { n: `f${'_'.repeat(341)}` },
  'an even modulus': { n: `${'_'.repeat(340)}_g` },
}

/** A client with a key, and the means to send its assertions. */
async function openKeys(
  store: Store,
  key: SigningKey,
  more: object = {},
  options: Parameters<typeof openClients>[1] = {},
) {
  const opened = await openClients(store, options)
  const { jwks } = key
  const { id } = await opened.clientOf({ jwks, ...more })
  const claimsOf = (changes: object = {}) => claimsFor(id, opened.clock.time, changes)
  const assert = async (changes: object) => formOf(await key.sign(claimsOf(changes)))
  return { ...opened, id, claimsOf, assert }
}

/** The claims of a client at a time (ms). Changed times are relative to it, in seconds. */
function claimsFor(id: string, time: number, changes: object = {}): object {
  const claims = { iss: id, sub: id, aud: TOKEN_URL, exp: 60, jti: randomUUID(), ...changes }
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      typeof value === 'number' ? time / 1_000 + value : value,
    ]),
  )
}

/** The form of a token request with an assertion. */
function formOf(assertion: string): string {
  return `${GRANT}&client_assertion_type=${encodeURIComponent(TYPE)}&client_assertion=${assertion}`
}
