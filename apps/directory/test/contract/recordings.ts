import { setTimeout } from 'node:timers/promises'
import { parseRun } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import { sql } from '@plumbline/scim/internal'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRecorder, type Recorder } from '../../src/features/recordings/recorder.ts'
import { createRecordingDeletion } from '../../src/features/recordings/recording-deletion.ts'
import {
  addRecorded,
  createRecording,
  listRecordings,
} from '../../src/features/recordings/store.ts'
import { DAY, MINUTE } from '../../src/kernel/durations.ts'
import { type Profile, profileOf } from '../../src/kernel/profiles.ts'
import { type Store, StoreUnavailableError } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { replayRun } from '../support/replay.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** Recordings of requests, and the runs that are made of them, on every store. */
export function recordingContract(storeOf: () => Store): void {
  let time = Date.parse('2026-11-22T12:00:00Z')
  const now = () => {
    time += 1
    return time
  }
  let recorder: Recorder
  beforeAll(() => {
    recorder = createRecorder({ store: storeOf(), now })
  })
  const connected = (profile: Profile = 'standard') =>
    connect(storeOf(), { role: 'admin', now, recorder, profile })
  const pathOf = ({ tenantId }: Client) => `/api/tenants/${tenantId}/recordings`
  const start = async (client: Client): Promise<string> => {
    const { status, body } = await client.send('POST', pathOf(client))
    expect([status, body]).toMatchObject([201, { isActive: true, requests: 0 }])
    return `${pathOf(client)}/${body.id}`
  }
  const runOf = async (client: Client, path: string) => {
    await recorder.flush()
    const { status, body } = await client.send('GET', `${path}/run`)
    expect(status).toBe(200)
    return unwrap(parseRun(body))
  }

  it('a recording starts with the next request in its process, and in the others when startsAt says so', async () => {
    const client = await connected()
    const other = await connect(storeOf(), {
      role: 'admin',
      now,
      tenantId: client.tenantId,
      recorder: createRecorder({ store: storeOf(), now }),
    })
    // Both processes have just looked up that the tenant is not recorded.
    await Promise.all([client.send('GET', '/Users/a'), other.send('GET', '/Users/b')])
    const { body } = await client.send('POST', pathOf(client))
    await client.send('GET', '/Users/first')
    time = Date.parse(String(body.startsAt))
    await Promise.all(['c', 'd', 'e'].map((id) => other.send('GET', `/Users/${id}`)))
    await setTimeout(300)
    await recorder.flush()
    const listed = await client.send('GET', pathOf(client))
    expect(listed.body.recordings).toMatchObject([{ requests: 4, startsAt: body.startsAt }])
    // A stopped recording does not get the next request.
    await client.send('POST', `${pathOf(client)}/${body.id}/stop`)
    await client.send('GET', '/Users/last')
    await recorder.flush()
    expect((await client.send('GET', pathOf(client))).body.recordings).toMatchObject([
      { requests: 4 },
    ])
  })

  describe("a recording's run", () => {
    it.each([...readRuns()].filter(([, { extensions }]) => extensions.length === 0))(
      'a run recorded from %s requests gets the same statuses from another tenant',
      async (name, run) => {
        const client = await connected(profileOf(run.profile))
        const path = await start(client)
        await replayRun(name, run, client)
        const exported = await runOf(client, path)
        expect(exported.profile).toBe(run.profile)
        expect(exported.steps.length).toBeGreaterThan(run.steps.length * 0.6)
        const fresh = await connected(profileOf(run.profile))
        await replayRun(`recorded ${name}`, exported, fresh)
      },
    )

    it("a run does not contain the tenant's values, and replaces equal values alike", async () => {
      const client = await connected()
      const path = await start(client)
      const person = {
        userName: 'Anna.Arbor@corp.test',
        externalId: 'HR-4711',
        password: 'hunter2-hunter2',
        name: { givenName: 'Anna', familyName: 'Arbor' },
        emails: [{ value: 'anna.arbor@corp.test', type: 'work' }],
      }
      const { body } = await client.send('POST', '/Users', { schemas: [USER], ...person })
      const filter = encodeURIComponent('userName eq "ANNA.ARBOR@corp.test"')
      await client.send('GET', `/Users?filter=${filter}`)
      const searched = encodeURIComponent('name.familyName sw "Arb"')
      await client.send('GET', `/Users?filter=${searched}&unknown=Arbor`)
      await client.send('GET', `/Users?filter=${encodeURIComponent('userName eq "Anna')}`)
      await client.send('GET', '/Users/Anna.Arbor')
      await client.send('PATCH', `/Users/${body.id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [
          {
            op: 'replace',
            path: 'emails[value eq "anna.arbor@corp.test"].display',
            value: 'Arbor',
          },
        ],
      })
      const run = await runOf(client, path)
      expect(JSON.stringify(run)).not.toMatch(/anna|arb|corp|4711|hunter2/i)
      expect(JSON.stringify(run)).not.toContain(String(body.id))
      const [created, found, , invalid, , patched] = run.steps
      const sent = Object(created?.request.body)
      expect(sent).toMatchObject({
        userName: expect.stringMatching(/^user\d+@example\.com$/),
        emails: [{ value: sent.userName, type: 'work' }],
      })
      expect(decodeURIComponent(String(found?.request.path))).toBe(
        `/Users?filter=userName eq "${sent.userName}"`,
      )
      expect(found?.expect.body).toMatchObject({ totalResults: 1, Resources: [{ id: '{{id1}}' }] })
      expect(invalid?.expect).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
      expect(Object(patched?.request.body).Operations[0].path).toBe(
        `emails[value eq "${sent.userName}"].display`,
      )
      const fresh = await connected()
      await replayRun('recorded', run, fresh)
    })

    it('a run omits the requests on resources from before, and on references to them', async () => {
      const client = await connected()
      const old = await client.send('POST', '/Users', { schemas: [USER], userName: 'old' })
      const path = await start(client)
      await client.send('GET', `/Users/${old.body.id}`)
      const members = [{ value: old.body.id }]
      await client.send('POST', '/Groups', { displayName: 'g', members })
      await client.send('GET', '/Users?filter=userName%20eq%20%22old%22')
      const run = await runOf(client, path)
      expect(run.source).toBe('a recording of 3 requests, of which 2 were left out')
      expect(run.steps).toMatchObject([{ expect: { status: 200 } }])
      expect(run.steps[0]?.expect).not.toHaveProperty('body')
    })

    it('a run is rejected without requests, and without a recording', async () => {
      const client = await connected()
      const path = await start(client)
      expect(await client.send('GET', `${path}/run`)).toMatchObject({ status: 409 })
      const missing = `${pathOf(client)}/${crypto.randomUUID()}/run`
      const { status, body } = await client.send('GET', missing)
      expect([status, body.detail]).toEqual([404, expect.stringContaining('needs a recording')])
    })
  })

  describe('a recording', () => {
    it("a recording does not contain earlier, later and other tenants' requests", async () => {
      const client = await connected()
      const other = await connected()
      await client.send('GET', '/Users')
      const path = await start(client)
      await client.send('GET', '/Groups')
      await other.send('GET', '/Schemas')
      expect(await client.send('POST', `${path}/stop`)).toMatchObject({
        status: 200,
        body: { isActive: false },
      })
      time += 1_000
      await client.send('GET', '/ResourceTypes')
      const { steps } = await runOf(client, path)
      expect(steps.map(({ request }) => request.path)).toEqual(['/Groups'])
    })

    it('a recording stops after 15 minutes, and a tenant has one at a time', async () => {
      const client = await connected()
      await start(client)
      expect(await client.send('POST', pathOf(client))).toMatchObject({ status: 409 })
      time += 15 * MINUTE
      const { body } = await client.send('GET', pathOf(client))
      expect(body.recordings).toMatchObject([{ isActive: false }])
      await client.send('GET', '/Users')
      await recorder.flush()
      await start(client)
      expect((await client.send('GET', pathOf(client))).body.recordings).toMatchObject([
        { isActive: false, requests: 0 },
        { isActive: true, requests: 0 },
      ])
    })

    it('a recording is deleted with the requests, and a tenant has five at most', async () => {
      const client = await connected()
      const paths: string[] = []
      for (let count = 0; count < 5; count += 1) {
        const path = await start(client)
        await client.send('GET', '/Users')
        await recorder.flush()
        await client.send('POST', `${path}/stop`)
        paths.push(path)
      }
      const rejected = await client.send('POST', pathOf(client))
      expect([rejected.status, rejected.body.detail]).toEqual([409, expect.stringContaining('5')])
      expect((await client.send('DELETE', String(paths[0]))).status).toBe(204)
      expect((await client.send('DELETE', String(paths[0]))).status).toBe(404)
      expect((await client.send('GET', `${paths[0]}/run`)).status).toBe(404)
      await start(client)
    })

    describe("a recording older than the log's limit", () => {
      // Long ago, so that the recordings of other tests are not deleted.
      const START = Date.parse('2001-01-01T00:00:00Z')
      const recorded = async (created: number, requests: number): Promise<string> => {
        const { tenantId } = await connect(storeOf(), { now })
        const id = crypto.randomUUID()
        const exchanges = Array.from({ length: requests }, () => '{}')
        await storeOf().write(async (db) => {
          await createRecording(db, { tenantId, id, now: created })
          await addRecorded(db, { tenant_id: tenantId, id }, exchanges)
        })
        return tenantId
      }
      const left = async (tenantId: string) => {
        const recordings = await storeOf().read((db) => listRecordings(db, tenantId))
        const { rows } = await storeOf().read((db) =>
          db.exec(
            sql`select count(*) as count from recorded_requests where tenant_id = ${tenantId}`,
          ),
        )
        return [recordings.length, Number(rows[0]?.count)]
      }
      const deletionAt = (time: number, store = storeOf()) =>
        createRecordingDeletion({ store, now: () => time, days: 30, interval: 5 })

      it('a recording past the limit is deleted with the requests, and a later one is not', async () => {
        // More requests than a transaction deletes.
        const old = await recorded(START, 1_100)
        const young = await recorded(START + 1, 2)
        await deletionAt(START + 30 * DAY).run()
        expect([await left(old), await left(young)]).toEqual([
          [1, 1_100],
          [1, 2],
        ])
        await deletionAt(START + 30 * DAY + 1).run()
        expect([await left(old), await left(young)]).toEqual([
          [0, 0],
          [1, 2],
        ])
      })

      it('a recording past the limit is deleted after the database was unavailable, and until the deletion is closed', async () => {
        const tenantId = await recorded(START, 1)
        let isAway = true
        const store: Store = {
          ...storeOf(),
          background: (work) =>
            isAway ? Promise.reject(new StoreUnavailableError('gone')) : storeOf().background(work),
        }
        const deletion = deletionAt(START + 31 * DAY, store)
        deletion.start()
        await deletion.run()
        expect(await left(tenantId)).toEqual([1, 1])
        isAway = false
        await expect.poll(() => left(tenantId), { timeout: 10_000 }).toEqual([0, 0])
        await deletion.close()
        const later = await recorded(START, 1)
        await setTimeout(50)
        expect(await left(later)).toEqual([1, 1])
        // The first run does not wait for the interval.
        const next = createRecordingDeletion({ store, now: () => START + 31 * DAY, days: 30 })
        next.start()
        await expect.poll(() => left(later), { timeout: 10_000 }).toEqual([0, 0])
        await next.close()
      })
    })

    it("a recording has every process's requests", async () => {
      const client = await connected()
      const path = await start(client)
      // A second store, like that of another process.
      const other = createRecorder({ store: { ...storeOf() }, now })
      const { tenantId } = client
      const second = await connect(storeOf(), { now, recorder: other, tenantId })
      await second.send('GET', '/Users')
      await client.send('GET', '/Groups')
      await other.flush()
      expect((await runOf(client, path)).steps).toHaveLength(2)
    })
  })
}
