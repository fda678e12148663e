import { sql } from '@plumbline/scim/internal'
import { afterEach, expect, it } from 'vitest'
import type { SendOptions } from '../../src/features/webhooks/send-change.ts'
import { HOUR } from '../../src/kernel/durations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { cursorAt, numberIn } from '../support/cursors.ts'
import { connect, problem } from '../support/harness.ts'
import { AUDIENCE, ORIGIN, openPushedTenant } from '../support/pushed-tenant.ts'
import { patch } from '../support/two-processes.ts'
import { verifyToken } from '../support/verify-token.ts'
import type { AnswerMessage } from '../support/webhook-receiver.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** The webhooks that push Security Event Tokens (RFC 8935), on every store. */
export function pushedEventContract(storeOf: () => Store): void {
  let time = Date.now()
  const now = () => time
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  const opened = async (answer?: AnswerMessage, sending?: Partial<SendOptions>) => {
    const tenant = await openPushedTenant({ store: storeOf(), now, answer, sending })
    closing.push(tenant.close)
    return tenant
  }

  it('a token is the same at each push (RFC 8417 §2.2)', async () => {
    const { client, accepted, hook, secret, create, deliver, deliveries } = await opened()
    const ada = await create('ada')
    await deliver()
    const [message] = accepted
    expect(message?.method).toBe('POST')
    expect(Object.fromEntries(message?.headers ?? [])).toMatchObject({
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      authorization: `Bearer ${secret}`,
    })
    const claims = await verifyToken(client, message?.text)
    expect(claims).toMatchObject({
      iss: ORIGIN,
      aud: AUDIENCE,
      jti: `${client.tenantId}.${await cursorAt(client, 1)}`,
      sub_id: { format: 'scim', uri: `/Users/${ada}` },
    })
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 202, isAccepted: true, type: 'user.created' })
    const again = await client.send('POST', `${hook}/deliveries/${delivery?.id}/redeliver`)
    expect(again.body).toMatchObject({ status: 202, isAccepted: true })
    expect(await verifyToken(client, accepted[1]?.text)).toEqual(claims)
  })

  it('the tokens for one resource arrive in order', async () => {
    const { client, accepted, create, deliver } = await opened()
    const ids = [await create('ada'), await create('bob')]
    for (const value of ['1', '2', '3', '4']) {
      for (const id of ids) {
        await client.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value }))
      }
    }
    await deliver()
    const all = await Promise.all(accepted.map(({ text }) => verifyToken(client, text)))
    for (const [at, id] of ids.entries()) {
      const own = all.filter(({ sub_id }) => String(sub_id?.uri) === `/Users/${id}`)
      const positions = [1, 3, 5, 7, 9].map((position) => position + at)
      expect(own.map(({ jti }) => numberIn(jti))).toEqual(positions)
    }
  })

  it('a delivery does not show the secret and the token if a receiver returns the request', async () => {
    const { client, hook, secret, create, deliver, deliveries } = await opened(
      ({ headers, text }, response) => {
        response.writeHead(202).end(JSON.stringify({ ...Object.fromEntries(headers), text }))
      },
      {},
    )
    await create('ada')
    await deliver()
    const rotated = await client.send('POST', `${hook}/rotate`, {})
    await create('bob')
    await deliver()
    const [first] = await deliveries()
    const again = await client.send('POST', `${hook}/deliveries/${first?.id}/redeliver`)
    expect(again.status).toBe(200)
    const { rows } = await storeOf().read((db) =>
      db.exec(sql`select answer from deliveries where tenant_id = ${client.tenantId}`),
    )
    const shown = JSON.stringify([rows, await deliveries(), again.body])
    expect(shown.match(/Bearer \*{3}/g)).toHaveLength(7)
    for (const part of [secret, String(rotated.body.secret)]) {
      expect(shown).not.toContain(part.slice(6, 20))
    }
    expect(shown).not.toContain('eyJ')
    // Answers that earlier versions have stored are shown without secrets, too.
    await storeOf().write((db) =>
      db.exec(
        sql`update deliveries set answer = ${`Bearer ${secret}`} where tenant_id = ${client.tenantId}`,
      ),
    )
    expect(JSON.stringify(await deliveries())).not.toContain(secret.slice(6, 20))
  })

  it("a delivery shows the receiver's error, and the receiver gets the token again", async () => {
    const error = { err: 'invalid_audience', description: 'Expected https://app.example.com' }
    const tenant = await opened(async ({ text }, response) => {
      const { aud } = await verifyToken(tenant.client, text)
      const isKnown = String(aud) !== AUDIENCE
      if (isKnown) response.writeHead(202).end()
      else response.writeHead(400, JSON_TYPE).end(JSON.stringify(error))
    })
    const { client, hook, create, deliver, deliveries } = tenant
    await create('ada')
    await deliver()
    const [rejected] = await deliveries()
    expect(rejected).toMatchObject({ status: 400, isAccepted: false })
    expect(JSON.parse(String(rejected?.answer))).toEqual(error)
    const changed = await client.send('PATCH', hook, { audience: 'https://app.example.com' })
    expect(changed.body).toMatchObject({ state: 'failing', audience: 'https://app.example.com' })
    time += HOUR
    await deliver()
    expect((await client.send('GET', hook)).body).toMatchObject({
      state: 'active',
      cursor: await cursorAt(client, 1),
    })
  })

  it.each([
    [200, '<h1>Welcome</h1>'],
    [400, '{"err":'],
    [400, 'x'.repeat(5_000)],
    [500, ''],
  ])('a token answered with %d and %j is sent again', async (status, answer) => {
    const { client, hook, create, deliver, deliveries } = await opened(
      (_, response) => response.writeHead(status, JSON_TYPE).end(answer),
      {},
    )
    await create('ada')
    await deliver()
    const sent = { status, isAccepted: false, answer: answer.slice(0, 1_024) }
    expect(await deliveries()).toMatchObject([sent])
    expect((await client.send('GET', hook)).body).toMatchObject({
      state: 'failing',
      cursor: await cursorAt(client, 0),
    })
  })

  it('the old secret is sent during a rotation, and then the new one', async () => {
    const { client, accepted, hook, secret: old, create, deliver } = await opened()
    const rotated = await client.send('POST', `${hook}/rotate`, {})
    await create('ada')
    await deliver()
    time += 25 * HOUR
    await create('bob')
    await deliver()
    expect(accepted.map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${old}`,
      `Bearer ${rotated.body.secret}`,
    ])
  })

  it('a token webhook needs an audience and the public origin', async () => {
    const { client, path } = await opened()
    const url = 'https://example.com/hooks'
    const pointerOf = async (to: typeof client, method: string, at: string, body: object) => {
      const answer = await to.send(method, at, body)
      expect(answer).toMatchObject(problem(422, 'invalid'))
      return String(answer.body.issues?.[0]?.pointer)
    }
    const set = { url, format: 'set', audience: AUDIENCE }
    expect(await pointerOf(client, 'POST', path, { url, format: 'set' })).toBe('/audience')
    expect(await pointerOf(client, 'POST', path, { url, audience: 'a' })).toBe('/audience')
    expect(await pointerOf(client, 'POST', path, { ...set, format: 'xml' })).toBe('/format')
    const { body } = await client.send('POST', path, { url })
    expect(body).toMatchObject({ format: 'standard', audience: null })
    expect(await pointerOf(client, 'PATCH', `${path}/${body.id}`, { audience: AUDIENCE })).toBe(
      '/audience',
    )
    const local = await connect(storeOf(), { role: 'admin', now })
    const own = `/api/tenants/${local.tenantId}/webhooks`
    expect(await pointerOf(local, 'POST', own, set)).toBe('/format')
  })
}
