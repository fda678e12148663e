import { afterEach, expect, it } from 'vitest'
import { createReceivers } from '../../src/receivers/addresses.ts'
import type { Store } from '../../src/store/store.ts'
import { createDeliveryJob } from '../../src/webhooks/delivery-job.ts'
import { createSendChange, type SendOptions } from '../../src/webhooks/send-change.ts'
import { connect, problem, recorder } from '../support/harness.ts'
import { patch } from '../support/two-processes.ts'
import { verifyToken } from '../support/verify-token.ts'
import { type AnswerMessage, OWN_LEASE, startReceiver } from '../support/webhook-receiver.ts'

const ORIGIN = 'https://directory.example.com'
const AUDIENCE = 'https://receiver.example.com'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const HOUR = 3_600_000

/** The webhooks that push Security Event Tokens (RFC 8935), on every store. */
export function pushedEventContract(storeOf: () => Store): void {
  let time = Date.now()
  const now = () => time
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** A tenant whose changes are pushed to a receiver on this machine. */
  const opened = async (
    answer: AnswerMessage = (_, response) => response.writeHead(202).end(),
    // The messages and answers are checked against the document of the API.
    options: Partial<SendOptions> = { middleware: recorder.middleware },
  ) => {
    const { accepted, url, close } = await startReceiver(answer)
    closing.push(close)
    const receivers = createReceivers({ allow: ['127.0.0.1'] })
    const sources = { receivers, now, publicOrigin: ORIGIN }
    const client = await connect(storeOf(), { role: 'admin', ...sources })
    const path = `/api/tenants/${client.tenantId}/webhooks`
    const sent = { url, format: 'set', audience: AUDIENCE }
    const { status, body } = await client.send('POST', path, sent)
    expect([status, body.format, body.audience]).toEqual([201, 'set', AUDIENCE])
    const hook = `${path}/${body.id}`
    const create = async (userName: string) =>
      String((await client.send('POST', '/Users', { userName })).body.id)
    const deliveries = async () =>
      (await client.send('GET', `${hook}/deliveries`)).body.deliveries ?? []
    const send = createSendChange({ store: storeOf(), ...sources, ...options })
    const deliver = async () => {
      const job = createDeliveryJob({ store: storeOf(), send, now, lease: OWN_LEASE })
      await job.run()
      await job.idle()
      await job.close()
    }
    const secret = String(body.secret)
    return { client, accepted, path, hook, secret, create, deliver, deliveries }
  }

  it('the token that a receiver gets is the one that it could poll', async () => {
    const { client, accepted, hook, secret, create, deliver, deliveries } = await opened()
    const polled = `/api/tenants/${client.tenantId}/receivers`
    const { body } = await client.send('POST', polled, { name: 'app', audience: AUDIENCE })
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
      ...{ iss: ORIGIN, aud: AUDIENCE, jti: `${client.tenantId}.1` },
      sub_id: { format: 'scim', uri: `/Users/${ada}` },
    })
    const poll = await client.send('POST', `${polled}/${body.id}/events`, {})
    const [token] = Object.values(poll.body.sets ?? {})
    expect(await verifyToken(client, token)).toEqual(claims)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 202, isAccepted: true, type: 'user.created' })
    const again = await client.send('POST', `${hook}/deliveries/${delivery?.id}/redeliver`)
    expect(again.body).toMatchObject({ status: 202, isAccepted: true })
    expect(await verifyToken(client, accepted[1]?.text)).toEqual(claims)
  })

  it('the tokens of one resource arrive in their order', async () => {
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
      const positions = [1, 3, 5, 7, 9].map((position) => `${client.tenantId}.${position + at}`)
      expect(own.map(({ jti }) => String(jti))).toEqual(positions)
    }
  })

  it('a delivery shows the error of a receiver, which gets the token again', async () => {
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
    expect((await client.send('GET', hook)).body).toMatchObject({ state: 'active', cursor: '1' })
  })

  it.each([
    [200, '<h1>Welcome</h1>'],
    [400, '{"err":'],
    [400, 'x'.repeat(5_000)],
    [500, ''],
  ])('a token that is answered with %d and %j is sent again', async (status, answer) => {
    const { client, hook, create, deliver, deliveries } = await opened(
      (_, response) => response.writeHead(status, JSON_TYPE).end(answer),
      {},
    )
    await create('ada')
    await deliver()
    const sent = { status, isAccepted: false, answer: answer.slice(0, 1_024) }
    expect(await deliveries()).toMatchObject([sent])
    expect((await client.send('GET', hook)).body).toMatchObject({ state: 'failing', cursor: '0' })
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

  it('a webhook of tokens needs an audience and the public origin', async () => {
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
    expect(await pointerOf(client, 'PATCH', `${path}/${body.id}`, set)).toBe('/audience')
    const local = await connect(storeOf(), { role: 'admin', now })
    const own = `/api/tenants/${local.tenantId}/webhooks`
    expect(await pointerOf(local, 'POST', own, set)).toBe('/format')
  })
}
