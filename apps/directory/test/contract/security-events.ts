import { expect, it } from 'vitest'
import { EVENT_URIS } from '../../src/changes/security-event.ts'
import { deleteOldChanges } from '../../src/store/changes/feed.ts'
import { rotateEventKeys } from '../../src/store/event-keys.ts'
import type { Store } from '../../src/store/store.ts'
import { type Body, type Client, connect } from '../support/harness.ts'
import { patch } from '../support/two-processes.ts'
import { verifyToken } from '../support/verify-token.ts'

const PREFIX = 'urn:ietf:params:scim:event:prov:'
const AUDIENCE = 'https://receiver.example.com'
const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/** Security Event Tokens on every store. */
export function securityEventContract(storeOf: () => Store): void {
  let time = Date.now()
  const connected = () => connect(storeOf(), { role: 'admin', now: () => time })
  const receiverOf = async (client: Client) => {
    const path = `/api/tenants/${client.tenantId}/receivers`
    const { status, body } = await client.send('POST', path, { name: 'app', audience: AUDIENCE })
    expect([status, body.audience]).toEqual([201, AUDIENCE])
    const poll = async (request: object = {}) => {
      const sent = { returnImmediately: true, ...request }
      return await client.send('POST', `${path}/${body.id}/events`, sent)
    }
    return { path, id: String(body.id), poll }
  }
  const create = async (client: Client, path: string, body: object) =>
    String((await client.send('POST', path, body)).body.id)
  const verifyAll = (client: Client, sets: Body) =>
    Promise.all(Object.values(sets).map((token) => verifyToken(client, token)))

  it('each kind of change is a signed token with the event of RFC 9967 §2.4', async () => {
    const client = await connected()
    const { poll } = await receiverOf(client)
    const ada = await create(client, '/Users', { userName: 'ada', externalId: 'hr-1' })
    const members = [{ value: ada }]
    const group = await create(client, '/Groups', { displayName: 'staff', members })
    await client.send('PATCH', `/Users/${ada}`, patch({ op: 'add', path: 'title', value: 'Dr.' }))
    for (const value of [false, true]) {
      await client.send('PATCH', `/Users/${ada}`, patch({ op: 'replace', path: 'active', value }))
    }
    const deleted = await client.send('DELETE', `/Users/${ada}`)
    time += 60_000
    const { body } = await poll()
    const claims = await verifyAll(client, body.sets ?? ({} as Body))
    const operation = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] }
    const add = { op: 'add', path: 'members', value: members }
    const remove = { op: 'remove', path: `members[value eq "${ada}"]` }
    const user = { format: 'scim', uri: `/Users/${ada}`, externalId: 'hr-1' }
    const ofGroup = { format: 'scim', uri: `/Groups/${group}` }
    expect(claims.map(({ sub_id, events }) => [sub_id, events])).toEqual([
      [user, { [`${PREFIX}create:notice`]: { attributes: ['id', 'externalId'] } }],
      [ofGroup, { [`${PREFIX}create:notice`]: { attributes: ['id'] } }],
      [ofGroup, { [`${PREFIX}patch:full`]: { data: { ...operation, Operations: [add] } } }],
      [user, { [`${PREFIX}patch:notice`]: { attributes: ['title'] } }],
      [user, { [`${PREFIX}deactivate`]: {} }],
      [user, { [`${PREFIX}activate`]: {} }],
      [ofGroup, { [`${PREFIX}patch:full`]: { data: { ...operation, Operations: [remove] } } }],
      [user, { [`${PREFIX}delete`]: {} }],
    ])
    expect(claims.at(-1)).toMatchObject({
      iss: 'http://localhost',
      aud: AUDIENCE,
      jti: `${client.tenantId}.8`,
      txn: deleted.headers.get('X-Request-Id'),
    })
    expect(claims.flatMap(({ events }) => Object.keys(events ?? {}))).toEqual(
      expect.arrayContaining([...EVENT_URIS]),
    )
    const { body: configuration } = await client.send('GET', '/ServiceProviderConfig')
    expect(configuration.securityEvents).toEqual({ asyncRequest: 'none', eventUris: EVENT_URIS })
  })

  it('tokens without acknowledgment are sent again (RFC 8936 §2.4)', async () => {
    const client = await connected()
    const { path, poll } = await receiverOf(client)
    for (const userName of ['ada', 'bob', 'eve']) await create(client, '/Users', { userName })
    const idsOf = async (request: object) => Object.keys((await poll(request)).body.sets ?? {})
    const [one = '', two = '', three = ''] = await idsOf({})
    const first = await poll({ maxEvents: 1 })
    expect([Object.keys(first.body.sets ?? {}), first.body.moreAvailable]).toEqual([[one], true])
    // The receiver has lost the first, and has stored the others.
    expect(await idsOf({ ack: [two, three] })).toEqual([one, two, three])
    expect(await idsOf({ ack: [one], setErrs: { [two]: { err: 'invalid_key' } } })).toEqual([three])
    expect((await poll({ maxEvents: 0 })).body).toEqual({ sets: {}, moreAvailable: true })
    // Another feed, a position without a change, and names of JavaScript do not acknowledge anything.
    const foreign = ['other.3', `${client.tenantId}.99`, '__proto__', 'constructor']
    expect(await idsOf({ ack: foreign })).toEqual([three])
    expect((await poll({ ack: [three] })).body).toEqual({ sets: {}, moreAvailable: false })
    const { body } = await client.send('GET', path)
    expect(body.receivers?.map(({ cursor }) => cursor)).toEqual(['3'])
  })

  it('a poll without changes waits for the next one', async () => {
    const client = await connected()
    const { poll } = await receiverOf(client)
    const answer = poll({ returnImmediately: false })
    await create(client, '/Users', { userName: 'ada' })
    expect(Object.keys((await answer).body.sets ?? {})).toEqual([`${client.tenantId}.1`])
  })

  it('a receiver does not see the changes that wait, and cannot acknowledge them', async () => {
    const client = await connected()
    const ada = await create(client, '/Users', { userName: 'ada' })
    const { poll } = await receiverOf(client)
    await client.send('DELETE', `/Users/${ada}`)
    const early = await poll({ ack: [`${client.tenantId}.2`] })
    expect(early.body).toEqual({ sets: {}, moreAvailable: false })
    time += 60_000
    expect(Object.keys((await poll()).body.sets ?? {})).toEqual([`${client.tenantId}.2`])
  })

  it('a receiver that has not read changes before their deletion gets 410', async () => {
    const client = await connected()
    const { poll } = await receiverOf(client)
    await create(client, '/Users', { userName: 'ada' })
    time += 31 * 86_400_000
    const kept = { since: time - 30 * 86_400_000, bytes: 2 ** 30 }
    await storeOf().background((db) => deleteOldChanges(db, client.tenantId, kept))
    expect((await poll()).status).toBe(410)
  })

  it('a new key signs an hour after its publication, and the old one verifies for a week more', async () => {
    const client = await connected()
    const { poll } = await receiverOf(client)
    await create(client, '/Users', { userName: 'ada' })
    const keysAfter = async (passed: number) => {
      time += passed
      const { body } = await client.send('GET', '/.well-known/jwks.json')
      // A list has a method of the same name.
      const { keys } = body as unknown as { readonly keys: readonly Body[] }
      const [token] = Object.values((await poll()).body.sets ?? {})
      await verifyToken(client, token)
      const [header = ''] = String(token).split('.')
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
      return { signing: String(kid), published: keys.map((key) => String(key.kid)) }
    }
    const rotate = async (isRevoked: boolean) =>
      (await storeOf().write((db) => rotateEventKeys(db, { now: time, isRevoked }))).kid
    const { signing: old } = await keysAfter(DAY * 30)
    const added = await rotate(false)
    expect(await keysAfter(MINUTE + 1)).toEqual({ signing: old, published: [added, old] })
    expect(await keysAfter(60 * MINUTE)).toEqual({ signing: added, published: [added, old] })
    expect(await keysAfter(6 * DAY)).toEqual({ signing: added, published: [added, old] })
    expect(await keysAfter(DAY)).toEqual({ signing: added, published: [added] })
    await rotate(false)
    const only = await rotate(true)
    expect(await keysAfter(MINUTE + 1)).toEqual({ signing: only, published: [only] })
  })

  it('a hostile body is 422, and a receiver belongs to its tenant', async () => {
    const [client, other] = [await connected(), await connected()]
    const { path, id, poll } = await receiverOf(client)
    const bodies = [
      { maxEvents: -1 },
      { maxEvents: 0.5 },
      { ack: 'all' },
      { ack: Array.from({ length: 1_001 }, () => 'x') },
      { setErrs: { x: 'error' } },
      { returnImmediately: 'yes' },
    ]
    for (const body of bodies) expect((await poll(body)).status).toBe(422)
    expect((await poll({ maxEvents: 2 ** 40 })).status).toBe(200)
    expect((await client.send('POST', path, { name: 'a', audience: '' })).status).toBe(422)
    const foreign = `/api/tenants/${other.tenantId}/receivers`
    expect((await other.send('POST', `${foreign}/${id}/events`, {})).status).toBe(404)
    expect((await other.send('DELETE', `${foreign}/${id}`)).status).toBe(404)
    expect((await client.send('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await poll()).status).toBe(404)
    const missing = '/api/tenants/missing/receivers'
    expect((await client.send('GET', missing)).status).toBe(404)
    expect((await client.send('POST', missing, { name: 'a', audience: 'b' })).status).toBe(404)
  })
}
