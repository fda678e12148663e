import { verifyWebhooks } from '@plumbline/openapi/webhooks'
import { isFailure, unwrap } from '@plumbline/result'
import { chunkRows, sql } from '@plumbline/scim/internal'
import { afterEach, describe, expect, it } from 'vitest'
import { advanceFeed } from '../../src/features/changes/feed.ts'
import { createSurvey } from '../../src/features/metrics/survey.ts'
import { createReceivers, type ReceiverOptions } from '../../src/features/webhooks/addresses.ts'
import { createDeliveryJob } from '../../src/features/webhooks/delivery-job.ts'
import { createLease } from '../../src/features/webhooks/lease.ts'
import { changeMessage } from '../../src/features/webhooks/operations.ts'
import { createSendChange } from '../../src/features/webhooks/send-change.ts'
import { HOUR } from '../../src/kernel/durations.ts'
import { insertRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { cursorAt, epochOf, numberIn } from '../support/cursors.ts'
import { connect, problem, recorder } from '../support/harness.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'
import { patch, statusesOf } from '../support/two-processes.ts'
import {
  type AnswerMessage,
  OWN_LEASE,
  type ReceivedMessage,
  startReceiver,
} from '../support/webhook-receiver.ts'

const LOCAL = { allow: ['127.0.0.1'] }

/** The webhooks of a tenant on every store. */
export function webhookContract(storeOf: () => Store): void {
  let time = Date.now()
  const now = () => time
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** A receiver on this machine, which collects the messages that it accepts. */
  const receiver = async (
    answer: AnswerMessage = (_, response) => response.writeHead(204).end(),
  ) => {
    const { close, ...started } = await startReceiver(answer)
    closing.push(close)
    return started
  }

  const opened = async ({
    timeout = 10_000,
    ...options
  }: ReceiverOptions & { readonly timeout?: number } = LOCAL) => {
    const receivers = createReceivers(options)
    const client = await connect(storeOf(), { role: 'admin', now, receivers })
    const path = `/api/tenants/${client.tenantId}/webhooks`
    const hook = async (url: string, more: object = {}) => {
      const created = await client.send('POST', path, { url, ...more })
      expect(created.status).toBe(201)
      return { id: String(created.body.id), secret: String(created.body.secret) }
    }
    const read = async (id: string) => (await client.send('GET', `${path}/${id}`)).body
    const deliveries = async (id: string, query = '') =>
      (await client.send('GET', `${path}/${id}/deliveries${query}`)).body.deliveries ?? []
    const create = async (userName: string) => {
      const { status, body } = await client.send('POST', '/Users', { userName })
      expect(status).toBe(201)
      return String(body.id)
    }
    const send = createSendChange({ store: storeOf(), receivers, now, timeout })
    return { client, path, hook, read, deliveries, create, send, receivers }
  }
  type Opened = Awaited<ReturnType<typeof opened>>

  /** Delivers what is due, as the process that has the lease. */
  const deliver = async ({ send }: Pick<Opened, 'send'>, until = () => true) => {
    const job = createDeliveryJob({
      store: storeOf(),
      send,
      now,
      random: () => 0.5,
      lease: OWN_LEASE,
    })
    for (let runs = 0; runs < 50; runs += 1) {
      await job.run()
      await job.idle()
      if (until()) break
    }
    await job.close()
  }

  it('a receiver gets each change with a signature it can verify', async () => {
    const { accepted, url } = await receiver()
    const tenant = await opened()
    const { secret } = await tenant.hook(url)
    const id = await tenant.create('ada')
    // The message is checked against the document of the API.
    const { receivers } = tenant
    const { middleware } = recorder
    const send = createSendChange({ store: storeOf(), receivers, now, middleware })
    await deliver({ send })
    const [message] = accepted
    if (message === undefined) throw new Error('nothing was received')
    const { headers, text } = message
    const request = new Request(url, { method: 'POST', headers, body: text })
    const verify = verifyWebhooks(secret)
    const { body, id: messageId } = unwrap(await changeMessage.receive(request, { verify }))
    expect(body).toMatchObject({
      type: 'user.created',
      data: { id, cursor: await cursorAt(tenant.client, 1), tenantId: tenant.client.tenantId },
    })
    expect(messageId).toBe(`${tenant.client.tenantId}-${await epochOf(tenant.client)}-1`)
    const other = new Request(url, { method: 'POST', headers, body: `${text} ` })
    expect(isFailure(await changeMessage.receive(other, { verify }))).toBe(true)
  })

  it('the changes of one resource arrive in order, and those of several concurrently', async () => {
    let open = 0
    let most = 0
    const { accepted, url } = await receiver(async (_, response) => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
      open -= 1
      response.writeHead(200).end('ok')
    })
    const tenant = await opened()
    await tenant.hook(url)
    const ids = [await tenant.create('ada'), await tenant.create('bob'), await tenant.create('eve')]
    for (let at = 0; at < 10; at += 1) {
      for (const id of ids) {
        const op = { op: 'replace', path: 'title', value: `${at}` }
        await tenant.client.send('PATCH', `/Users/${id}`, patch(op))
      }
    }
    await deliver(tenant)
    expect(accepted).toHaveLength(33)
    expect(most).toBeGreaterThan(1)
    for (const id of ids) {
      const cursors = accepted
        .filter(({ body }) => String(body.data?.id) === id)
        .map(({ body }) => numberIn(body.data?.cursor))
      expect(cursors).toHaveLength(11)
      expect(cursors).toEqual([...cursors].sort((a, b) => a - b))
    }
  })

  it('a failing receiver is tried after growing pauses, and gets every change when it works again', async () => {
    let isBroken = true
    const { accepted, url } = await receiver((_, response) =>
      response.writeHead(isBroken ? 500 : 200).end('out of order'),
    )
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    for (const name of ['ada', 'bob', 'eve']) await tenant.create(name)
    const pauses: number[] = []
    for (let at = 0; at < 6; at += 1) {
      await deliver(tenant)
      await deliver(tenant)
      const { state, nextAttemptAt } = await tenant.read(id)
      expect(state).toBe('failing')
      pauses.push((Date.parse(String(nextAttemptAt)) - time) / 1_000)
      time = Date.parse(String(nextAttemptAt))
    }
    expect(pauses).toEqual([5, 30, 120, 600, 1_800, 3_600])
    const answers = await tenant.deliveries(id)
    expect(answers[0]).toMatchObject({ status: 500, answer: 'out of order', isAccepted: false })
    isBroken = false
    await deliver(tenant, () => accepted.length === 3)
    expect(accepted.map(({ body }) => numberIn(body.data?.cursor))).toEqual([1, 2, 3])
    expect(await tenant.read(id)).toMatchObject({
      state: 'active',
      waiting: 0,
      cursor: await cursorAt(tenant.client, 3),
    })
  })

  it('an accepted change is not sent again while another one fails', async () => {
    const { accepted, url } = await receiver(({ body }, response) =>
      response.writeHead(numberIn(body.data?.cursor) === 2 ? 500 : 200).end(),
    )
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    for (const name of ['ada', 'bob', 'eve', 'joe']) await tenant.create(name)
    const job = createDeliveryJob({ store: storeOf(), send: tenant.send, now, lease: OWN_LEASE })
    for (let at = 0; at < 5; at += 1) {
      await job.run()
      await job.idle()
      time += HOUR
    }
    await job.close()
    const received = accepted.map(({ id: messageId }) => messageId)
    expect(new Set(received).size).toBe(received.length)
    expect(await tenant.read(id)).toMatchObject({
      state: 'failing',
      cursor: await cursorAt(tenant.client, 1),
    })
  })

  it('a receiver failing 3 % of its answers gets all changes without a pause', async () => {
    const failed = new Set<string>()
    const { accepted, url } = await receiver(({ id, body }, response) => {
      const isBroken = numberIn(body.data?.cursor) % 33 === 0 && !failed.has(id)
      failed.add(id)
      response.writeHead(isBroken ? 500 : 204).end()
    })
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    await queue(storeOf(), tenant.client.tenantId, 200)
    // The clock stands still, so that a webhook with a pause gets nothing more.
    await deliver(tenant, () => accepted.length === 200)
    expect(accepted).toHaveLength(200)
    expect(await tenant.read(id)).toMatchObject({ state: 'active', waiting: 0 })
  })

  it('a change the receiver never accepts does not stop the next ones for other resources', async () => {
    const { accepted, url } = await receiver(({ body }, response) =>
      response.writeHead(numberIn(body.data?.cursor) === 1 ? 500 : 204).end(),
    )
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    const ada = await tenant.create('ada')
    const title = patch({ op: 'replace', path: 'title', value: 'Dr.' })
    await tenant.client.send('PATCH', `/Users/${ada}`, title)
    for (const name of ['bob', 'eve', 'joe', 'kim', 'lea']) await tenant.create(name)
    await deliver(tenant)
    const numbers = accepted.map(({ body }) => numberIn(body.data?.cursor))
    expect(numbers.sort((one, other) => one - other)).toEqual([3, 4, 5, 6, 7])
    expect(await tenant.read(id)).toMatchObject({
      state: 'failing',
      next: await cursorAt(tenant.client, 1),
    })
  })

  it('a change the receiver never accepts is skipped on request, and the others follow', async () => {
    const { accepted, url } = await receiver(({ body }, response) =>
      response.writeHead(numberIn(body.data?.cursor) === 1 ? 500 : 200).end(),
    )
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    const ada = await tenant.create('ada')
    await deliver(tenant)
    await tenant.create('bob')
    const at = (number: number) => cursorAt(tenant.client, number)
    const skipTo = async (cursor: string) =>
      (await tenant.client.send('PATCH', `${tenant.path}/${id}`, { cursor })).body
    const failing = { state: 'failing', cursor: await at(0), next: await at(1) }
    expect(await tenant.read(id)).toMatchObject(failing)
    const skipped = { state: 'active', cursor: await at(1), next: await at(2), waiting: 1 }
    expect(await skipTo(await at(1))).toMatchObject(skipped)
    await deliver(tenant)
    expect(accepted.map(({ body }) => numberIn(body.data?.cursor))).toEqual([2])
    // The deletion waits for 30 seconds, in which it may be held.
    await tenant.client.send('DELETE', `/Users/${ada}`)
    expect(await skipTo(await at(999))).toMatchObject({ cursor: await at(2), waiting: 1 })
    expect(await skipTo(await at(1))).toMatchObject({ cursor: await at(2) })
    for (const cursor of ['-1', '2', 'aaaaaaaa.2']) {
      const wrong = await tenant.client.send('PATCH', `${tenant.path}/${id}`, { cursor })
      expect(wrong).toMatchObject(problem(422, 'invalid'))
    }
  })

  it('a clock that was ahead for a moment delays neither a healthy webhook nor a deactivation', async () => {
    const { accepted, url } = await receiver()
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    const ada = await tenant.create('ada')
    const right = time
    time += 24 * HOUR
    await deliver(tenant)
    await tenant.client.send('DELETE', `/Users/${ada}`)
    time = right
    await tenant.create('bob')
    expect(await tenant.read(id)).toMatchObject({ state: 'active', waiting: 2 })
    await deliver(tenant)
    // Changes of several resources arrive in any order.
    const types = accepted.map(({ body }) => String(body.type)).sort()
    expect(types).toEqual(['user.created', 'user.created', 'user.deleted'])
  })

  it('a clock that was ahead for a moment neither disables a failing webhook nor stops its attempts', async () => {
    let isBroken = true
    const { accepted, url } = await receiver((_, response) =>
      response.writeHead(isBroken ? 503 : 200).end(),
    )
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    await tenant.create('ada')
    await deliver(tenant)
    const right = time
    time += 100 * HOUR
    await deliver(tenant)
    time = right
    expect(await tenant.read(id)).toMatchObject({ state: 'failing' })
    isBroken = false
    await deliver(tenant)
    expect(accepted).toHaveLength(1)
  })

  it('a receiver failing for three days is disabled, and continues when it is enabled', async () => {
    let isBroken = true
    const { accepted, url } = await receiver((_, response) =>
      response.writeHead(isBroken ? 503 : 200).end(),
    )
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    await tenant.create('ada')
    const start = time
    for (let at = 0; at < 90 && (await tenant.read(id)).state !== undefined; at += 1) {
      await deliver(tenant)
      const { state } = await tenant.read(id)
      if (String(state) === 'disabled') break
      time += HOUR * 1.3
    }
    expect(time - start).toBeGreaterThanOrEqual(72 * HOUR)
    expect(time - start).toBeLessThan(76 * HOUR)
    expect(await tenant.read(id)).toMatchObject({ state: 'disabled', disabledReason: 'failing' })
    isBroken = false
    await deliver(tenant)
    expect(accepted).toEqual([])
    await tenant.client.send('PATCH', `${tenant.path}/${id}`, { enabled: true })
    await deliver(tenant)
    expect(accepted).toHaveLength(1)
  })

  it('a webhook whose changes were deleted is disabled, and continues with the oldest stored one', async () => {
    const { accepted, url } = await receiver()
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    for (const name of ['ada', 'bob']) await tenant.create(name)
    const { tenantId } = tenant.client
    await storeOf().write(async (db) => {
      await db.exec(sql`update change_feeds set deleted_to = 1 where tenant_id = ${tenantId}`)
      await db.exec(sql`delete from changes where tenant_id = ${tenantId} and position = 1`)
    })
    await deliver(tenant)
    expect(await tenant.read(id)).toMatchObject({ disabledReason: 'changes-deleted' })
    expect(accepted).toEqual([])
    await tenant.client.send('PATCH', `${tenant.path}/${id}`, { enabled: true })
    await deliver(tenant)
    expect(accepted.map(({ body }) => numberIn(body.data?.cursor))).toEqual([2])
  })

  it('a webhook sends only the change kinds it names', async () => {
    const { accepted, url } = await receiver()
    const tenant = await opened()
    const { id } = await tenant.hook(url, { kinds: ['group.created'] })
    await tenant.create('ada')
    await tenant.client.send('POST', '/Groups', { displayName: 'staff' })
    await deliver(tenant)
    expect(accepted.map(({ body }) => String(body.type))).toEqual(['group.created'])
    expect(await tenant.read(id)).toMatchObject({ waiting: 0, kinds: ['group.created'] })
  })

  it('messages are signed with both secrets during a rotation, and then with the new one', async () => {
    const { accepted, url } = await receiver()
    const tenant = await opened()
    const { id, secret: old } = await tenant.hook(url)
    const rotated = await tenant.client.send('POST', `${tenant.path}/${id}/rotate`, {})
    const secret = String(rotated.body.secret)
    expect(secret).not.toBe(old)
    const isSigned = async (message: ReceivedMessage | undefined, by: string) => {
      if (message === undefined) throw new Error('nothing was received')
      const bytes = new TextEncoder().encode(message.text)
      return !('code' in (await verifyWebhooks(by)(message.headers, bytes)))
    }
    await tenant.create('ada')
    await deliver(tenant)
    expect(await isSigned(accepted[0], old)).toBe(true)
    expect(await isSigned(accepted[0], secret)).toBe(true)
    time += 25 * HOUR
    await tenant.create('bob')
    await deliver(tenant)
    expect(await isSigned(accepted[1], old)).toBe(false)
    expect(await isSigned(accepted[1], secret)).toBe(true)
  })

  it('a delivery is repeated on request, with the same message id', async () => {
    const { accepted, url } = await receiver((_, response) => response.writeHead(200).end('thanks'))
    const tenant = await opened()
    const { id } = await tenant.hook(url)
    await tenant.create('ada')
    expect((await tenant.read(id)).lastDelivery).toBeNull()
    await deliver(tenant)
    const [first] = await tenant.deliveries(id)
    const attemptedAt = new Date(time).toISOString()
    const { webhooks } = (await tenant.client.send('GET', tenant.path)).body
    expect(webhooks).toMatchObject([
      { lastDelivery: { attemptedAt, status: 200, isAccepted: true } },
    ])
    const path = `${tenant.path}/${id}/deliveries`
    time += 1
    const again = await tenant.client.send('POST', `${path}/${first?.id}/redeliver`)
    expect(again).toMatchObject({ status: 200, body: { status: 200, answer: 'thanks' } })
    expect(accepted[1]?.id).toBe(accepted[0]?.id)
    expect(accepted[1]?.text).toBe(accepted[0]?.text)
    expect((await tenant.deliveries(id)).map((one) => String(one.id))).toEqual([
      String(again.body.id),
      String(first?.id),
    ])
    const pages = [await tenant.deliveries(id, '?count=1')]
    expect(pages[0]).toHaveLength(1)
    expect(await tenant.deliveries(id, `?before=${again.body.id}`)).toHaveLength(1)
    const missing = `${path}/${crypto.randomUUID()}/redeliver`
    expect(await tenant.client.send('POST', missing)).toMatchObject(problem(404, 'not-found'))
    await storeOf().write((db) =>
      db.exec(sql`delete from changes where tenant_id = ${tenant.client.tenantId}`),
    )
    expect(await tenant.client.send('POST', `${path}/${first?.id}/redeliver`)).toMatchObject(
      problem(410, 'changes-deleted'),
    )
  })

  it("the metrics count attempts, and all tenants' webhooks by state in every process", async () => {
    const { url } = await receiver((_, response) => response.writeHead(500).end())
    const tenant = await opened()
    const { delivery, survey } = tenant.client.directory
    const run = async () => {
      const job = createDeliveryJob({ store: storeOf(), now, lease: OWN_LEASE, ...delivery })
      await job.run()
      await job.idle()
      await createSurvey({ store: storeOf(), now, ...survey }).run()
      const leases = (await read())('directory_lease_held', 'webhooks')
      await job.close()
      return leases
    }
    const read = async () => {
      const headers = { Authorization: `Bearer ${tenant.client.adminToken}` }
      const request = new Request('http://localhost/metrics', { headers })
      const samples = parsePrometheusText(
        await (await tenant.client.directory.fetch(request)).text(),
      )
      return (name: string, label: string) =>
        samples.find((one) => one.name === name && Object.values(one.labels)[0] === label)?.value
    }
    expect(await run()).toBe(1)
    const before = await read()
    const { id } = await tenant.hook(url)
    await tenant.create('ada')
    await run()
    time += 2_000
    await run()
    const after = await read()
    const failing = before('directory_webhooks', 'failing') ?? 0
    expect(after('directory_webhooks', 'failing')).toBe(failing + 1)
    expect(after('directory_webhook_deliveries_total', 'rejected')).toBe(1)
    const age = after('directory_webhook_oldest_change_seconds', 'failing')
    expect(age).toBeGreaterThanOrEqual(2)
    await tenant.client.send('PATCH', `${tenant.path}/${id}`, { enabled: false })
    await run()
    const off = before('directory_webhooks', 'off') ?? 0
    expect((await read())('directory_webhooks', 'off')).toBe(off + 1)
    expect((await read())('directory_webhooks', 'disabled')).toBe(
      before('directory_webhooks', 'disabled'),
    )
    // Another process delivers now.
    const lease = { ...OWN_LEASE, isHeld: () => false, renew: async () => false }
    const idle = createDeliveryJob({ store: storeOf(), now, lease, ...delivery })
    await idle.run()
    await idle.close()
    expect((await read())('directory_lease_held', 'webhooks')).toBe(0)
    expect((await read())('directory_webhooks', 'off')).toBe(off + 1)
  })

  it("20,000 changes for dead receivers do not delay another tenant's changes", async () => {
    const dead = await receiver(() => undefined)
    const { accepted, url } = await receiver()
    const [crowded, quiet] = [await opened(), await opened()]
    for (let at = 0; at < 20; at += 1) await crowded.hook(`${dead.url}/${at}`)
    await queue(storeOf(), crowded.client.tenantId, 20_000)
    const { id } = await quiet.hook(url)
    const { send } = quiet
    const ahead = time - Date.now()
    const running = () => Date.now() + ahead
    const job = createDeliveryJob({ store: storeOf(), send, now: running, lease: OWN_LEASE })
    job.start()
    try {
      for (let at = 0; at < 5; at += 1) {
        await quiet.create(`user-${at}`)
        const started = performance.now()
        await waitFor(() => accepted.length > at)
        expect(performance.now() - started).toBeLessThan(5_000)
      }
      await waitFor(async () => Number((await quiet.read(id)).waiting) === 0)
    } finally {
      await job.close()
    }
  })

  describe('the delivery lease', () => {
    const twoProcesses = () => {
      let passed = 0
      const elapsed = () => passed
      const options = { store: storeOf(), name: crypto.randomUUID(), elapsed }
      const wait = (seconds: number) => {
        passed += seconds * 1_000
      }
      return { one: createLease(options), other: createLease(options), wait }
    }

    it('the lease belongs to one process, and to another one 20 seconds after the last renewal', async () => {
      const { one, other, wait } = twoProcesses()
      expect([await one.renew(), await other.renew()]).toEqual([true, false])
      for (let at = 0; at < 10; at += 1) {
        wait(5)
        expect([await one.renew(), await other.renew()]).toEqual([true, false])
      }
      wait(15)
      expect([one.isHeld(), await other.renew()]).toEqual([false, false])
      wait(6)
      expect([await other.renew(), await one.renew()]).toEqual([true, false])
      expect([one.isHeld(), other.isHeld()]).toEqual([false, true])
    })

    it('the lease is free when the process stops', async () => {
      const { one, other, wait } = twoProcesses()
      expect([await one.renew(), await other.renew()]).toEqual([true, false])
      await one.release()
      wait(5)
      expect([one.isHeld(), await other.renew()]).toEqual([false, true])
    })

    it('one process takes the lease if two find it free at the same time', async () => {
      const { one, other } = twoProcesses()
      const held = await Promise.all([one.renew(), other.renew()])
      expect(held.filter(Boolean)).toHaveLength(1)
      expect([one.isHeld(), other.isHeld()]).toEqual(held)
    })
  })

  it("a stopped process does not move a webhook's position back", async () => {
    const tenant = await opened()
    const { accepted, url } = await receiver()
    const waiting: (() => void)[] = []
    const stopped = await receiver((_, response) => {
      waiting.push(() => response.writeHead(204).end())
    })
    const { id } = await tenant.hook(stopped.url)
    await tenant.create('ada')
    const late = deliver(tenant)
    await waitFor(() => waiting.length === 1)
    // The other process delivers meanwhile.
    await tenant.client.send('PATCH', `${tenant.path}/${id}`, { url })
    await tenant.create('bob')
    await deliver(tenant)
    expect(accepted).toHaveLength(2)
    for (const answer of waiting) answer()
    await late
    expect(await tenant.read(id)).toMatchObject({
      cursor: await cursorAt(tenant.client, 2),
      state: 'active',
    })
  })

  describe('a hostile receiver', () => {
    it("a hostile receiver's redirect to a metadata service is not followed", async () => {
      const location = 'http://169.254.169.254/latest/meta-data/'
      const { url } = await receiver((_, response) =>
        response.writeHead(301, { Location: location }).end(),
      )
      const tenant = await opened()
      const { id } = await tenant.hook(url)
      await tenant.create('ada')
      await deliver(tenant)
      expect(await tenant.deliveries(id)).toMatchObject([{ status: 301, isAccepted: false }])
    })

    it('a hostile receiver without an answer fails after the time limit', async () => {
      const { url } = await receiver(() => undefined)
      const tenant = await opened({ ...LOCAL, timeout: 200 })
      const { id } = await tenant.hook(url)
      await tenant.create('ada')
      await deliver(tenant)
      expect(await tenant.deliveries(id)).toMatchObject([
        { status: null, answer: 'No answer in time' },
      ])
    })

    it('a hostile receiver sending 1 GB is cut off after 1,024 bytes', async () => {
      let sent = 0
      const chunk = Buffer.alloc(2 ** 20, 'x')
      const { url } = await receiver((_, response) => {
        response.writeHead(200)
        const write = (): void => {
          while (sent < 2 ** 30 && !response.destroyed) {
            sent += chunk.length
            if (!response.write(chunk)) return void response.once('drain', write)
          }
        }
        write()
      })
      const tenant = await opened()
      const { id } = await tenant.hook(url)
      await tenant.create('ada')
      await deliver(tenant)
      const [delivery] = await tenant.deliveries(id)
      expect(delivery).toMatchObject({ status: 200, isAccepted: true })
      expect(String(delivery?.answer)).toBe('x'.repeat(1_024))
      expect(sent).toBeLessThan(64 * 2 ** 20)
    })

    it('a hostile receiver with the address 127.0.0.1 the second time is not reached', async () => {
      const { accepted, port } = await receiver()
      const addresses = [['93.184.216.34'], ['127.0.0.1']]
      const asked: string[] = []
      const own = `rebinding-${crypto.randomUUID()}.test`
      const tenant = await opened({
        resolve: async (host) => {
          // Other tests leave webhooks of their own in the database.
          if (host !== own) return []
          asked.push(host)
          return addresses.shift() ?? ['127.0.0.1']
        },
      })
      const { id } = await tenant.hook(`https://${own}:${port}/`)
      await tenant.create('ada')
      await deliver(tenant)
      time += HOUR
      await deliver(tenant)
      expect(asked).toEqual([own, own])
      const [second] = await tenant.deliveries(id)
      expect(String(second?.answer)).toContain(`${own} has the address 127.0.0.1`)
      expect(accepted).toEqual([])
    })
  })

  it.each([
    ['http://example.com/', 'must start with https://'],
    ['ftp://example.com/', 'must start with https://'],
    ['https://user:secret@example.com/', 'must not contain credentials'],
    ['https://example.com/#a', 'must not contain a fragment'],
    ['https://127.0.0.1/', 'must not be a private address'],
    ['https://0x7f000001/', 'must not be a private address'],
    ['https://[::ffff:10.0.0.1]/', 'must not be a private address'],
    ['https://169.254.169.254/', 'must not be a private address'],
    ['/hooks', 'must be an absolute URL'],
  ])('the URL %s is rejected', async (url, detail) => {
    const { client, path, hook } = await opened({})
    const rejected = await client.send('POST', path, { url })
    expect(rejected).toMatchObject(problem(422, 'invalid'))
    expect(rejected.body.issues).toMatchObject([{ pointer: '/url', detail }])
    const { id } = await hook('https://example.com/hooks')
    expect((await client.send('PATCH', `${path}/${id}`, { url })).status).toBe(422)
  })

  it('webhooks are listed, changed, disabled and deleted, each only in its tenant', async () => {
    const { client, path, hook } = await opened()
    const other = await opened()
    const { id } = await hook('https://example.com/hooks')
    const change = { url: 'https://example.org/', kinds: ['user.created'], enabled: false }
    const changed = await client.send('PATCH', `${path}/${id}`, change)
    expect(changed.body).toMatchObject({
      url: change.url,
      kinds: change.kinds,
      state: 'disabled',
      disabledReason: 'administrator',
    })
    expect((await client.send('GET', path)).body.webhooks).toEqual([changed.body])
    const same = await client.send('PATCH', `${path}/${id}`, {})
    expect(same.body).toEqual(changed.body)
    for (const [method, end, body] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/rotate', {}],
      ['GET', '/deliveries', undefined],
    ] as const) {
      const foreign = await client.send(method, `${other.path}/${id}${end}`, body)
      expect(foreign).toMatchObject(problem(404, 'not-found'))
    }
    expect((await client.send('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await client.send('GET', path)).body.webhooks).toEqual([])
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { url: 'https://example.com/' } : undefined
      const missing = await client.send(method, '/api/tenants/missing/webhooks', body)
      expect(missing).toMatchObject(problem(404, 'not-found'))
    }
  })

  it('a tenant has at most 20 webhooks', async () => {
    const { client, path } = await opened()
    const body = { url: 'https://example.com/' }
    const sent = Array.from({ length: 40 }, () => client.send('POST', path, body))
    expect(statusesOf(await Promise.all(sent))).toEqual({ 201: 20, 409: 20 })
    const rejected = await client.send('POST', path, { url: 'https://example.com/20' })
    expect(rejected).toMatchObject(problem(409, 'not-allowed'))
  })
}

/** Adds changes to the feed of a tenant, as if they had been written. */
async function queue(store: Store, tenantId: string, count: number): Promise<void> {
  const facts = { resourceType: 'User', externalId: null, requestId: 'r' }
  const time = new Date().toISOString()
  const rows = Array.from({ length: count }, (_, at) => {
    const change = JSON.stringify({ type: 'user.deleted', id: `u${at}`, time, ...facts })
    const row = { tenant_id: tenantId, position: at + 1, time: 0, type: 'user.deleted' }
    return { ...row, resource_id: `u${at}`, change, bytes: change.length }
  })
  await store.write(async (db) => {
    for (const some of chunkRows(rows)) await insertRows(db, 'changes', some)
    await advanceFeed(db, tenantId, { count, bytes: count })
  })
}

async function waitFor(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 10))
}
