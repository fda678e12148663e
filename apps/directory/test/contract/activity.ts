import { expect, it } from 'vitest'
import { deleteOldChanges } from '../../src/features/changes/feed.ts'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { DAY, HOUR } from '../../src/kernel/durations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { cursorAt } from '../support/cursors.ts'
import { type Body, type Client, connect } from '../support/harness.ts'
import { typeCounts } from '../support/types.ts'

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The activity of a tenant on every store. */
export function activityContract(storeOf: () => Store): void {
  let time = Date.parse('2026-11-22T12:30:00Z')
  const now = () => time

  /** A tenant with a log of its own, and the function that returns its activity. */
  const logged = async (store = storeOf()) => {
    const log = createProvisioningLog({ store, now, days: 90, rows: 1_000 })
    const client = await connect(store, { role: 'admin', now, provisioning: log })
    const read = async (query = '') => {
      await log.flush()
      return await client.send('GET', `/api/tenants/${client.tenantId}/activity${query}`)
    }
    return { ...client, log, read }
  }
  const create = async ({ send }: Pick<Client, 'send'>, userName: string) =>
    String((await send('POST', '/Users', { userName })).body.id)
  const at = (body: Body, time: string) => body.points?.find((one) => String(one.time) === time)

  it('a tenant without requests has 24 hours, and the present users', async () => {
    const { read } = await logged()
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      step: 'hour',
      summary: {
        resources: { User: { count: 0 } },
        recent: { requests: 0, errors: 0 },
        connection: 'active',
      },
      requestsSince: null,
      resourcesSince: null,
      lastSuccess: null,
      lastChanges: [],
    })
    expect(body.points).toHaveLength(24)
    const none = { requests: null, errors: null, resources: typeCounts(0) }
    expect(body.points?.at(-1)).toEqual({ time: '2026-11-22T12:00:00.000Z', ...none })
  })

  it("requests and errors are counted per hour, and users and groups at each hour's end", async () => {
    const client = await logged()
    const other = await logged()
    const start = time
    for (const userName of ['a', 'b', 'a']) await create(client, userName)
    time += HOUR
    await create(other, 'other')
    time += HOUR
    const deleted = await create(client, 'c')
    await client.send('POST', '/Groups', { displayName: 'g' })
    time += HOUR
    await client.send('DELETE', `/Users/${deleted}`)
    await client.send('GET', '/Users/none')
    const { body } = await client.read()
    const oldest = new Date(start).toISOString()
    expect(body).toMatchObject({ requestsSince: oldest, resourcesSince: null })
    expect([12, 13, 14, 15].map((hour) => at(body, `2026-11-22T${hour}:00:00.000Z`))).toMatchObject(
      [
        { requests: 3, errors: 1, resources: { User: 2, Group: 0 } },
        { requests: 0, errors: 0, resources: { User: 2, Group: 0 } },
        { requests: 2, errors: 0, resources: { User: 3, Group: 1 } },
        { requests: 2, errors: 1, resources: { User: 2, Group: 1 } },
      ],
    )
    expect(at(body, '2026-11-22T11:00:00.000Z')).toMatchObject({
      requests: null,
      resources: { User: 0 },
    })
    await client.log.close()
    await other.log.close()
    time = start
  })

  it.each([
    ['week', 7],
    ['month', 30],
  ])('a %s has %i days (UTC)', async (period, length) => {
    const client = await logged()
    const start = time
    await create(client, 'a')
    time += DAY
    await create(client, 'b')
    const { body } = await client.read(`?period=${period}`)
    expect(body).toMatchObject({ step: 'day' })
    expect(body.points).toHaveLength(length)
    expect(body.points?.slice(-2)).toEqual([
      {
        time: '2026-11-22T00:00:00.000Z',
        requests: 1,
        errors: 0,
        resources: typeCounts(0, { User: 1 }),
      },
      {
        time: '2026-11-23T00:00:00.000Z',
        requests: 1,
        errors: 0,
        resources: typeCounts(0, { User: 2 }),
      },
    ])
    await client.log.close()
    time = start
  })

  it('requests from a process whose clock is ahead are counted in the last hour', async () => {
    const client = await logged()
    time += HOUR
    await create(client, 'a')
    await client.log.flush()
    time -= HOUR
    const { body } = await client.read()
    expect(body.points?.at(-1)).toMatchObject({ requests: 1, resources: { User: 1 } })
    await client.log.close()
  })

  it('the activity has the newest change for each kind, and the newest successful request', async () => {
    const client = await logged()
    await create(client, 'a')
    const id = await create(client, 'b')
    const value = {
      schemas: [PATCH],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    }
    await client.send('PATCH', `/Users/${id}`, value)
    await client.send('GET', '/Users/none')
    const { body } = await client.read()
    expect(body.lastChanges).toEqual([
      {
        type: 'user.deactivated',
        resourceId: id,
        cursor: await cursorAt(client, 3),
        time: new Date(time).toISOString(),
      },
      {
        type: 'user.created',
        resourceId: id,
        cursor: await cursorAt(client, 2),
        time: new Date(time).toISOString(),
      },
    ])
    const path = `/api/requests/${body.lastSuccess?.number}?tenantId=${client.tenantId}`
    expect((await client.send('GET', path)).body).toMatchObject({ operation: 'patch', status: 200 })
    await client.log.close()
  })

  it('the users before deleted changes are not known', async () => {
    const client = await logged()
    const start = time
    await create(client, 'a')
    time += DAY
    await create(client, 'b')
    const retention = { since: time, bytes: 1_000_000 }
    await storeOf().write((db) => deleteOldChanges(db, client.tenantId, retention))
    const { body } = await client.read('?period=week')
    expect(body).toMatchObject({ resourcesSince: new Date(time).toISOString() })
    expect(body.points?.slice(-2)).toMatchObject([
      { requests: 1, resources: { User: null, Group: null } },
      { requests: 1, resources: { User: 2, Group: 0 } },
    ])
    await client.log.close()
    time = start
  })

  it('40 requests at the same time are read in one scan, and not in 40', async () => {
    let running = 0
    let most = 0
    const counted: Store = {
      ...storeOf(),
      scan: async (work, options) => {
        running += 1
        most = Math.max(most, running)
        return await storeOf()
          .scan(work, options)
          .finally(() => {
            running -= 1
          })
      },
    }
    const { read, log } = await logged(counted)
    const answers = await Promise.all(Array.from({ length: 40 }, () => read('?period=month')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(most).toBe(1)
    await log.close()
  })
}
