import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BULK_REQUEST_SCHEMA, PATCH_OP_SCHEMA, version } from '@plumbline/scim'
import { sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { exportResources } from '../../src/commands/export.ts'
import { importResources } from '../../src/features/imports/import.ts'
import { jsonLinesSource } from '../../src/features/imports/json-lines.ts'
import { createReport } from '../../src/features/imports/report.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

/** The entity tags of resources with values that are never returned (RFC 7643 §7), on every store. */
export function secretTagContract(storeOf: () => Store): void {
  it.each(TYPES)(
    'no answer about a $endpoint resource has a tag that lets a client guess a secret',
    async (type) => {
      const client = await withSecrets(storeOf())
      const { send } = client
      const { endpoint } = type
      const resource = type.withPin('660176')
      const created = await send('POST', endpoint, resource)
      const path = `${endpoint}/${created.body.id}`
      const title = { op: 'replace', path: type.other, value: 'changed' }
      const operations = { schemas: [PATCH_OP_SCHEMA], Operations: [title] }
      const patched = await send('PATCH', `${path}?attributes=${type.other},meta`, operations)
      const answers = [
        created.body,
        (await send('GET', path)).body,
        (await send('PUT', path, { ...resource, [type.other]: 'A' })).body,
        ...((await send('GET', endpoint)).body.Resources ?? []),
      ]
      const bulk = await send('POST', '/Bulk', {
        schemas: [BULK_REQUEST_SCHEMA],
        Operations: [{ method: 'PUT', path, data: resource }],
      })
      const tags = answers.map(({ meta }) => String(meta?.version))
      tags.push(String(bulk.body.Operations?.[0]?.version), patched.headers.get('ETag') ?? '')
      expect(tags.every((tag) => tag.startsWith('W/"'))).toBe(true)
      const whole = (await send('GET', path)).body
      for (const body of [...answers, whole]) {
        const { meta: _, groups: __, ...content } = body
        for (const guess of [{}, type.secretOf('660176')]) {
          expect(tags).not.toContain(await version({ ...content, [type.urn]: guess }))
          const merged = { ...Object(content[type.urn]), ...guess }
          expect(tags).not.toContain(await version({ ...content, [type.urn]: merged }))
        }
      }
    },
  )

  it.each(TYPES)(
    'changing a secret in a $endpoint resource changes the tag, and only a change does',
    async (type) => {
      const { send } = await withSecrets(storeOf())
      const created = await send('POST', type.endpoint, type.withPin('1'))
      const path = `${type.endpoint}/${created.body.id}`
      const tags = [created.headers.get('ETag')]
      for (const pin of ['2', '1', '2']) {
        const put = await send('PUT', path, type.withPin(pin))
        tags.push(put.headers.get('ETag'))
        const same = await send('PUT', path, type.withPin(pin))
        expect(same.body.meta).toEqual(put.body.meta)
        const { headers } = await send('GET', path)
        expect(headers.get('ETag')).toBe(tags.at(-1))
      }
      // A tag never returns, so that a client that may write cannot try one value after the other.
      expect(new Set(tags).size).toBe(4)
      const stale = await send('PUT', path, type.withPin('3'), { 'If-Match': tags[2] ?? '' })
      expect(stale.status).toBe(412)
    },
  )

  it('an export with secrets in resources, imported and exported again, is identical', async () => {
    const client = await withSecrets(storeOf())
    const { body } = await client.send('POST', '/Users', USER.withPin('1'))
    await client.send('PUT', `/Users/${body.id}`, USER.withPin('2'))
    await client.send('POST', '/Users', { userName: 'plain' })
    const members = [{ value: body.id }]
    const group = await client.send('POST', '/Groups', { ...GROUP.withPin('1'), members })
    await client.send('PUT', `/Groups/${group.body.id}`, { ...GROUP.withPin('2'), members })
    const lines = await exported(client)
    expect(lines).toContain(`-`)
    const empty = await withSecrets(storeOf())
    await imported(empty, lines)
    expect(await exported(empty)).toBe(lines)
  })

  it('an import keeps the tags from earlier versions, unless they may be digests of secrets', async () => {
    const client = await withSecrets(storeOf())
    const tags = new Map<string, string>()
    for (const [userName, secret] of [
      ['plain', {}],
      ['secret', { [USER.urn]: { pin: '1' } }],
    ] as const) {
      const { body } = await client.send('POST', '/Users', { userName, ...secret })
      const { meta: _, ...content } = body
      // Earlier versions computed the tag from all values.
      const tag = await version({ ...content, ...secret })
      tags.set(userName, tag)
      await storeOf().write((db) =>
        db.exec(
          sql`update users set version = ${tag}
            where tenant_id = ${client.tenantId} and id = ${String(body.id)}`,
        ),
      )
    }
    const empty = await withSecrets(storeOf())
    await imported(empty, await exported(client))
    const { body } = await empty.send('GET', '/Users?sortBy=userName')
    const [plain, secret] = body.Resources ?? []
    expect(plain?.meta?.version).toBe(tags.get('plain'))
    expect(secret?.meta?.version).toMatch(/^W\/"r[0-9a-f]{32}"$/)
  })

  it('importing an export into its own tenant keeps a write-only value missing in the file', async () => {
    const client = await withSecrets(storeOf())
    const user = { userName: 'ann', [USER.urn]: { pin: '1' } }
    const { body } = await client.send('POST', '/Users', user)
    const lines = await exported(client)
    await imported(client, lines)
    expect(await exported(client)).toBe(lines)
    const pin = { op: 'replace', path: `${USER.urn}:pin`, value: '1' }
    const patch = { schemas: [PATCH_OP_SCHEMA], Operations: [pin] }
    // A PATCH with the same value changes nothing.
    expect((await client.send('PATCH', `/Users/${body.id}`, patch)).headers.get('ETag')).toBe(
      body.meta?.version,
    )
  })
}

/** A resource type with an extension whose `pin` is never returned. */
interface SecretType {
  readonly endpoint: string
  readonly urn: string
  /** Another attribute. */
  readonly other: string
  readonly secretOf: (pin: string) => object
  readonly withPin: (pin: string) => object
}

function secretType(resourceType: string, content: object, other: string): SecretType {
  const urn = `urn:example:Secret:1.0:${resourceType}`
  const secretOf = (pin: string) => ({ pin, keys: [{ color: 'red', pin }] })
  return {
    endpoint: `/${resourceType}s`,
    urn,
    other,
    secretOf,
    withPin: (pin) => ({ ...content, [urn]: secretOf(pin) }),
  }
}

const USER = secretType('User', { userName: 'ann' }, 'title')
const GROUP = secretType('Group', { displayName: 'G' }, 'externalId')
const TYPES = [USER, GROUP]

/** A tenant whose users and groups have secrets. */
async function withSecrets(store: Store): Promise<Client> {
  const client = await connect(store, { role: 'admin' })
  for (const { endpoint, urn } of TYPES) {
    const pin = { name: 'pin', type: 'string', returned: 'never' }
    const keys = { name: 'keys', type: 'complex', multiValued: true }
    const { status } = await client.send('POST', `/api/tenants/${client.tenantId}/schemas`, {
      resourceType: endpoint.slice(1, -1),
      id: urn,
      name: 'Secret',
      attributes: [
        { ...pin, mutability: 'writeOnly' },
        { ...keys, subAttributes: [{ name: 'color', type: 'string' }, pin] },
      ],
    })
    expect(status).toBe(201)
  }
  return client
}

async function exported({ store, tenantId }: Client): Promise<string> {
  const lines: string[] = []
  const write = async (line: string) => void lines.push(line)
  await exportResources({ store, tenantId, base: 'http://localhost', now: Date.now, write })
  return lines.join('')
}

async function imported({ store, tenantId }: Client, lines: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'export.jsonl')
  writeFileSync(file, lines)
  const report = createReport((line) => expect(line).toBe(''))
  const open = () => jsonLinesSource(file)
  await importResources({ store, tenantId, open, report, now: Date.now })
}
