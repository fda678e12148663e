import { afterEach, expect, it } from 'vitest'
import { rotateEventKeys } from '../../src/features/changes/event-key-store.ts'
import { EVENT_URIS } from '../../src/features/changes/security-event.ts'
import { DAY, MINUTE } from '../../src/kernel/durations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { numberIn } from '../support/cursors.ts'
import type { Body } from '../support/harness.ts'
import { AUDIENCE, ORIGIN, openPushedTenant } from '../support/pushed-tenant.ts'
import { patch } from '../support/two-processes.ts'
import { verifyToken } from '../support/verify-token.ts'

const PREFIX = 'urn:ietf:params:scim:event:prov:'

/** Security Event Tokens on every store. */
export function securityEventContract(storeOf: () => Store): void {
  let time = Date.now()
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })
  const opened = async () => {
    const tenant = await openPushedTenant({ store: storeOf(), now: () => time })
    closing.push(tenant.close)
    return tenant
  }

  it('each kind of change is a signed token with the event from RFC 9967 §2.4', async () => {
    const { client, accepted, deliver } = await opened()
    const create = async (path: string, body: object) =>
      String((await client.send('POST', path, body)).body.id)
    const ada = await create('/Users', { userName: 'ada', externalId: 'hr-1' })
    const members = [{ value: ada }]
    const group = await create('/Groups', { displayName: 'staff', members })
    await client.send('PATCH', `/Users/${ada}`, patch({ op: 'add', path: 'title', value: 'Dr.' }))
    for (const value of [false, true]) {
      await client.send('PATCH', `/Users/${ada}`, patch({ op: 'replace', path: 'active', value }))
    }
    const deleted = await client.send('DELETE', `/Users/${ada}`)
    time += MINUTE
    await deliver()
    const claims = await Promise.all(accepted.map(({ text }) => verifyToken(client, text)))
    const operation = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] }
    const add = { op: 'add', path: 'members', value: members }
    const remove = { op: 'remove', path: `members[value eq "${ada}"]` }
    const user = { format: 'scim', uri: `/Users/${ada}`, externalId: 'hr-1' }
    const ofGroup = { format: 'scim', uri: `/Groups/${group}` }
    const eventsOf = (uri: string) =>
      claims
        .filter(({ sub_id }) => String(sub_id?.uri) === uri)
        .map(({ sub_id, events }) => [sub_id, events])
    expect(eventsOf(user.uri)).toEqual([
      [user, { [`${PREFIX}create:notice`]: { attributes: ['id', 'externalId'] } }],
      [user, { [`${PREFIX}patch:notice`]: { attributes: ['title'] } }],
      [user, { [`${PREFIX}deactivate`]: {} }],
      [user, { [`${PREFIX}activate`]: {} }],
      [user, { [`${PREFIX}delete`]: {} }],
    ])
    expect(eventsOf(ofGroup.uri)).toEqual([
      [ofGroup, { [`${PREFIX}create:notice`]: { attributes: ['id'] } }],
      [ofGroup, { [`${PREFIX}patch:full`]: { data: { ...operation, Operations: [add] } } }],
      [ofGroup, { [`${PREFIX}patch:full`]: { data: { ...operation, Operations: [remove] } } }],
    ])
    expect(claims.find(({ jti }) => numberIn(jti) === 8)).toMatchObject({
      iss: ORIGIN,
      aud: AUDIENCE,
      txn: deleted.headers.get('X-Request-Id'),
    })
    expect(claims.flatMap(({ events }) => Object.keys(events ?? {}))).toEqual(
      expect.arrayContaining([...EVENT_URIS]),
    )
    const { body: configuration } = await client.send('GET', '/ServiceProviderConfig')
    expect(configuration.securityEvents).toEqual({ asyncRequest: 'none', eventUris: EVENT_URIS })
  })

  it('a new key signs an hour after the publication, and the old one verifies for a week more', async () => {
    const { client, accepted, create, deliver } = await opened()
    const keysAfter = async (passed: number) => {
      time += passed
      const { body } = await client.send('GET', '/.well-known/jwks.json')
      // A list has a method of the same name.
      const { keys } = body as unknown as { readonly keys: readonly Body[] }
      await create(`user-${accepted.length}`)
      await deliver()
      const token = accepted.at(-1)?.text
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
}
