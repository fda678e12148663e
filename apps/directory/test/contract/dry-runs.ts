import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRun, type Run } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyTenant } from '../../src/commands/copy-tenant.ts'
import { type DryRun, dryRun } from '../../src/dry-runs/dry-run.ts'
import { findRun } from '../../src/dry-runs/find-run.ts'
import { writeDryRun } from '../../src/dry-runs/write-dry-run.ts'
import { createReport } from '../../src/imports/report.ts'
import type { Profile } from '../../src/profiles.ts'
import { readRuns } from '../../src/recordings/provider-runs.ts'
import { createRecorder, type Recorder } from '../../src/recordings/recorder.ts'
import { ScanTimeoutError, type Store } from '../../src/store/store.ts'
import { type Body, type Client, connect } from '../support/harness.ts'
import { patch } from '../support/two-processes.ts'

/** Dry runs of recorded requests, on every store. */
export function dryRunContract(storeOf: () => Store): void {
  const folder = mkdtempSync(join(tmpdir(), 'directory-dry-runs-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let recorder: Recorder
  let time = Date.now()
  const now = () => time++
  let slowTime = Date.now()
  /** A clock on which each look takes a minute. */
  const slowly = () => {
    slowTime += 60_000
    return slowTime
  }
  beforeAll(() => {
    recorder = createRecorder({ store: storeOf(), now })
  })

  const connected = (profile: Profile = 'standard') =>
    connect(storeOf(), { role: 'admin', profile, recorder, now })
  const create = async ({ send }: Client, path: string, body: object) => {
    const created = await send('POST', path, body)
    expect(created.status).toBe(201)
    return String(created.body.id)
  }
  /** The users, the groups and the changes of a tenant. */
  const stateOf = async ({ send, tenantId }: Client): Promise<readonly Body[]> => {
    const paths = ['/Users', '/Groups', `/api/tenants/${tenantId}/changes`]
    const answers = await Promise.all(paths.map((path) => send('GET', path)))
    return answers.map(({ body }) => body)
  }
  /** Plans a run on a tenant, and checks that the tenant does not change. */
  const plan = async (client: Client, run: Run, faults: Partial<Store> = {}): Promise<DryRun> => {
    const before = await stateOf(client)
    const reported: string[] = []
    const report = createReport((line) => reported.push(line))
    const parts = { store: storeOf(), tenantId: client.tenantId, now: slowly }
    const files = mkdtempSync(join(folder, 'copy-'))
    const copy = await copyTenant({ ...parts, folder: files, report })
    if (copy === null) throw new TypeError('the tenant does not exist')
    try {
      return await dryRun({ ...parts, copy: { ...copy, ...faults }, run })
    } finally {
      await copy.close()
      expect(reported).toEqual([])
      expect(await stateOf(client)).toEqual(before)
    }
  }
  const providerRun = (name: string): Run => {
    const run = readRuns().get(name)
    if (run === undefined) throw new TypeError(`the run ${name} does not exist`)
    return run
  }
  /** A run of requests; each is expected to be answered with 200. */
  const runOf = (
    ...requests: readonly (readonly [method: string, path: string, body?: object])[]
  ) =>
    unwrap(
      parseRun({
        source: 'a test',
        steps: requests.map(([method, path, body]) => {
          const request = { method, path, ...(body && { body }) }
          return { name: 'a step', request, expect: { status: method === 'POST' ? 201 : 200 } }
        }),
      }),
    )
  const deactivation = patch({ op: 'replace', path: 'active', value: false })
  /** The actions of a dry run, as `create User ada`. */
  const linesOf = ({ actions }: DryRun) =>
    actions.map(({ action, resourceType, name }) => `${action} ${resourceType} ${name}`)

  it.each([
    ['okta-patch', ['create User test.user@okta.local', 'deactivate User test.user@okta.local']],
    ['entra-legacy', ['create User manager@testuser.com']],
  ])('the run %s creates users in an empty tenant, as it was recorded', async (name, lines) => {
    const planned = await plan(await connected(), providerRun(name))
    expect(linesOf(planned)).toEqual(expect.arrayContaining(lines))
    expect(planned).toMatchObject({ different: [], hold: null, missingSchemas: [] })
  })

  it('a recorded creation of a user who exists links the user, whose other attributes stay', async () => {
    const client = await connected()
    const name = { familyName: 'Young' }
    const user = { userName: 'JYoung@TestUser.com', title: 'Dr', name, active: true }
    const id = await create(client, '/Users', user)
    const planned = await plan(client, { ...providerRun('entra-legacy'), steps: firstCreation() })
    expect(planned).toMatchObject({
      different: [],
      actions: [
        { action: 'link', id, externalId: 'jyoung' },
        { action: 'change', id, attributes: expect.arrayContaining(['externalId']) },
      ],
    })
    const changed = planned.actions[1]?.attributes
    expect(changed).not.toContain('title')
    expect(writeDryRun(planned)).toMatch(/^link {15}User \S+ \(externalId jyoung\)$/m)
  })

  it('a recorded creation of a group whose name is unique links the group, and adds its members', async () => {
    const client = await connected('entra')
    const [ada, bob] = [
      await create(client, '/Users', { userName: 'ada' }),
      await create(client, '/Users', { userName: 'bob' }),
    ]
    const displayName = 'Finance'
    const id = await create(client, '/Groups', { displayName, members: [{ value: ada }] })
    const body = { displayName: 'finance', externalId: 'g', members: [{ value: bob }] }
    const removal = patch({ op: 'remove', path: `members[value eq "${ada}"]` })
    const run = runOf(['POST', '/Groups', body], ['PATCH', '/Groups/{{group}}', removal])
    const steps = run.steps.map((step) => ({ ...step, save: { group: '/id' } }))
    const planned = await plan(client, { ...run, steps, profile: 'entra' })
    expect(planned.actions).toMatchObject([
      { action: 'link', id, name: 'Finance', externalId: 'g' },
      { action: 'change', id, attributes: ['externalId'] },
      { action: 'members', id, added: 1, removed: 1 },
    ])
  })

  it('a mass deactivation by the requests of Okta would be held, and the rule is that of the tenant', async () => {
    const client = await connected()
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) {
      ids.push(await create(client, '/Users', { userName: `user-${at}`, active: true }))
    }
    const step = providerRun('okta-patch').steps.find(({ name }) => name.startsWith('deactivate'))
    if (step === undefined) throw new TypeError('the step does not exist')
    const steps = ids.map((id) => ({ ...step, request: { ...step.request, path: `/Users/${id}` } }))
    const run = { ...providerRun('okta-patch'), steps }
    const planned = await plan(client, run)
    expect(planned.hold).toEqual({
      reason: 'users',
      step: 10,
      users: { count: 12, isExact: true },
      groupId: null,
    })
    expect(linesOf(planned)).toEqual(ids.map((_, at) => `deactivate User user-${at}`))
    expect(writeDryRun(planned)).toContain(
      "The tenant's rule would hold the changes from request 10: 12 users would lose their access.",
    )
    const connection = `/api/tenants/${client.tenantId}/connection`
    await client.send('PATCH', connection, { state: 'paused', rule: { least: 13 } })
    expect(await plan(client, run)).toMatchObject({ hold: null, connection: 'paused' })
  })

  it('a recording of one tenant is planned on another, whose user the recorded query finds', async () => {
    const [staging, production] = [await connected('okta'), await connected('okta')]
    const user = { userName: 'ada', externalId: '00u1', active: true }
    const there = await create(staging, '/Users', user)
    const id = await create(production, '/Users', { userName: 'Ada', active: true })
    await create(production, '/Users', { userName: 'other' })
    const path = `/api/tenants/${staging.tenantId}/recordings`
    const recording = await staging.send('POST', path)
    time += 2_000
    await staging.send('GET', '/Users?filter=userName%20eq%20%22ada%22')
    await staging.send('PATCH', `/Users/${there}`, deactivation)
    const bob = await create(staging, '/Users', { userName: 'bob' })
    const members = [{ value: bob }, { value: there }]
    await create(staging, '/Groups', { displayName: 'Team', members })
    await recorder.flush()
    const run = await findRun(storeOf(), String(recording.body.id))
    expect(run).toMatchObject({ profile: 'okta', steps: { length: 4 } })
    const planned = await plan(production, run)
    expect(planned.different).toEqual([])
    expect(planned.actions).toMatchObject([
      { action: 'link', id },
      { action: 'deactivate', id, name: 'Ada' },
      { action: 'create', name: 'bob' },
      { action: 'create', name: 'Team' },
      { action: 'members', name: 'Team', added: 2, removed: 0 },
    ])
  })

  it('names the requests that are answered differently, and those that need their answers', async () => {
    const missing = '/Users/01900000-0000-7000-8000-000000000000'
    const run = runOf(['PATCH', missing, deactivation], ['GET', '/Users/{{ada}}'])
    const planned = await plan(await connected(), run)
    expect(planned.actions).toEqual([])
    expect(planned.different).toMatchObject([
      { step: 1, request: `PATCH ${missing}`, reason: expect.stringMatching(/^the status is 404/) },
      { step: 2, reason: 'no earlier answer has a value for ada' },
    ])
  })

  it('a search that takes too long is answered differently, and the next requests are planned', async () => {
    const scan = () => Promise.reject(new ScanTimeoutError(1_000))
    const run = runOf(
      ['GET', '/Users?filter=title%20co%20%22a%22'],
      ['POST', '/Users', { userName: 'ada' }],
    )
    const planned = await plan(await connected(), run, { scan })
    expect(planned.different).toMatchObject([
      { step: 1, reason: expect.stringContaining('the search took longer than 1 seconds') },
    ])
    expect(linesOf(planned)).toEqual(['create User ada'])
  })

  it('deletions, memberships and schemas of the tenant are those of the copy', async () => {
    const client = await connected()
    const urn = 'urn:example:2.0:Badge'
    const extension = { resourceType: 'User', id: urn, name: 'Badge', description: 'A badge' }
    const attributes = [{ name: 'number', type: 'string' }]
    const path = `/api/tenants/${client.tenantId}/schemas`
    expect((await client.send('POST', path, { ...extension, attributes })).status).toBe(201)
    const ada = await create(client, '/Users', { userName: 'ada', [urn]: { number: '1' } })
    const bob = await create(client, '/Users', { userName: 'bob' })
    const members = [{ value: ada }, { value: bob }]
    const group = await create(client, '/Groups', { displayName: 'Team', members })
    const run = runOf(
      ['PATCH', `/Users/${bob}`, patch({ op: 'replace', path: `${urn}:number`, value: '2' })],
      ['DELETE', `/Users/${ada}`],
      ['PATCH', `/Groups/${group}`, patch({ op: 'remove', path: `members[value eq "${bob}"]` })],
      ['PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: bob }] })],
    )
    const extensions = [{ id: urn }, { id: 'urn:example:2.0:Other' }]
    const planned = await plan(client, { ...run, extensions })
    expect(planned.missingSchemas).toEqual(['urn:example:2.0:Other'])
    expect(planned.actions).toMatchObject([
      { action: 'change', name: 'bob', attributes: [`${urn}:number`] },
      { action: 'members', id: group, added: 0, removed: 1 },
      { action: 'delete', id: ada, name: 'ada' },
    ])
  })

  it('control characters of a recording are escaped', async () => {
    const run = runOf(['POST', '/Users', { userName: '\u001b[2Jada' }])
    const text = writeDryRun(await plan(await connected(), { ...run, source: '\u202Ea\nb' }))
    expect(text).toContain('\\u001b[2Jada')
    expect(text).toContain('\\u202ea\\u000ab')
  })
}

/** The first steps of a recorded run, until the creation of the first user. */
function firstCreation() {
  const { steps = [] } = readRuns().get('entra-legacy') ?? {}
  return steps.slice(0, steps.findIndex(({ request }) => request.method === 'POST') + 1)
}
