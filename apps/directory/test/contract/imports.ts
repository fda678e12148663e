import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, PATCH_OP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { afterAll, expect, it } from 'vitest'
import { exportResources } from '../../src/commands/export.ts'
import { fill } from '../../src/commands/seed/fill.ts'
import { importResources } from '../../src/features/imports/import.ts'
import { jsonLinesSource } from '../../src/features/imports/json-lines.ts'
import { createReport } from '../../src/features/imports/report.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

/** The import of an export's lines. */
export function importContract(storeOf: () => Store): void {
  const folder = mkdtempSync(join(tmpdir(), 'directory-imports-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const exported = async ({ tenantId }: Pick<Client, 'tenantId'>): Promise<string> => {
    const lines: string[] = []
    const base = 'http://localhost/scim/v2'
    const write = async (line: string) => void lines.push(line)
    await exportResources({ store: storeOf(), tenantId, base, now: Date.now, write })
    return lines.join('')
  }

  /** Imports lines into the tenant of a client, and returns the counts and the report. */
  const imported = async (
    { tenantId }: Pick<Client, 'tenantId'>,
    lines: string | readonly object[],
    {
      isDryRun = false,
      progress = (_done: number, _of: number): void => undefined,
    }: { isDryRun?: boolean; progress?: (done: number, of: number) => void } = {},
  ) => {
    const file = join(folder, `${crypto.randomUUID()}.jsonl`)
    const text = typeof lines === 'string' ? lines : lines.map(stringifyLine).join('')
    writeFileSync(file, text)
    const reported: string[] = []
    const report = createReport((line) => reported.push(line))
    const open = () => jsonLinesSource(file)
    const options = { store: storeOf(), tenantId, open, report, now: Date.now }
    await importResources({ ...options, isDryRun, progress })
    return { ...report.counts(), reported, ignored: [...report.ignored()] }
  }

  const nothing = { created: 0, existing: 0, rejected: 0, leftOut: 0, reported: [], ignored: [] }

  /** A tenant with changed users, an extension, groups in a circle, and a group without members. */
  const provisioned = async (): Promise<Client> => {
    const client = await connect(storeOf())
    const { send } = client
    const create = async (path: string, body: object) => {
      const created = await send('POST', path, body)
      expect(created.status).toBe(201)
      return String(created.body.id)
    }
    const ada = await create('/Users', {
      [ENTERPRISE_USER_SCHEMA]: { department: 'Research' },
      userName: 'ada',
      externalId: 'hr-1',
      emails: [{ type: 'work', value: 'ada@example.com', primary: true }],
    })
    const grace = await create('/Users', {
      userName: 'Grace',
      externalId: '12\u2028"\\é',
      [ENTERPRISE_USER_SCHEMA]: { manager: { value: ada } },
    })
    await send('PATCH', `/Users/${ada}`, {
      schemas: [PATCH_OP_SCHEMA],
      Operations: [
        { op: 'add', path: 'title', value: 'Countess' },
        { op: 'add', path: 'name.givenName', value: 'Ada' },
        { op: 'replace', path: 'active', value: false },
      ],
    })
    const outer = await create('/Groups', { displayName: 'Everyone', members: [{ value: ada }] })
    const member = { value: outer, display: 'all' }
    const inner = await create('/Groups', {
      displayName: 'Everyone',
      externalId: 'g',
      members: [{ value: grace }, member],
    })
    await create('/Groups', { displayName: 'Empty' })
    await send('PATCH', `/Groups/${outer}`, {
      schemas: [PATCH_OP_SCHEMA],
      Operations: [{ op: 'add', path: 'members', value: [{ value: inner }] }],
    })
    return client
  }

  it('an export imported into an empty tenant and exported again is identical', async () => {
    const lines = await exported(await provisioned())
    const empty = await connect(storeOf())
    expect(await imported(empty, lines)).toEqual({ ...nothing, created: 5 })
    expect(await exported(empty)).toBe(lines)
  })

  it('importing an export into its own tenant changes nothing', async () => {
    const client = await provisioned()
    const lines = await exported(client)
    expect(await imported(client, lines)).toEqual({ ...nothing, existing: 5 })
    expect(await exported(client)).toBe(lines)
  })

  it('an import interrupted three times and run again has the same result as one run', async () => {
    const seeded = await connect(storeOf())
    await fill(storeOf(), { tenantId: seeded.tenantId, users: 300, groups: 8, seed: 3 })
    const lines = await exported(seeded)
    const empty = await connect(storeOf())
    for (const part of [0.4, 0.55, 0.9]) {
      const progress = (done: number, of: number): void => {
        if (done / of > part) throw new Error('interrupted')
      }
      await expect(imported(empty, lines, { progress })).rejects.toThrow('interrupted')
    }
    expect(await imported(empty, lines)).toMatchObject({ existing: 308, rejected: 0 })
    expect(await exported(empty)).toBe(lines)
  })

  it('a dry run reports the same and writes nothing', async () => {
    const lines = `${await exported(await provisioned())}{}\n`
    const empty = await connect(storeOf())
    const dry = await imported(empty, lines, { isDryRun: true })
    expect(await exported(empty)).toBe('')
    expect(dry).toEqual(await imported(empty, lines))
    expect(dry).toMatchObject({ created: 5, rejected: 1 })
  })

  it('an import finds an existing user by the externalId and then by the userName, and keeps the id', async () => {
    const client = await connect(storeOf())
    const { body: byExternalId } = await client.send('POST', '/Users', {
      userName: 'old name',
      externalId: 'hr-1',
    })
    const { body: byName } = await client.send('POST', '/Users', { userName: 'Grace', title: 'x' })
    const group = { value: 'source-1' }
    const counts = await imported(client, [
      { ...user('new name'), id: 'source-1', externalId: 'hr-1' },
      { ...user('grace'), id: 'source-2', externalId: 'hr-2' },
      { ...user('alan'), id: 'source-3', [ENTERPRISE_USER_SCHEMA]: { manager: group } },
      { schemas: [GROUP_SCHEMA], displayName: 'All', members: [group, { value: 'source-3' }] },
    ])
    expect(counts).toEqual({ ...nothing, created: 2, existing: 2 })
    const { body: list } = await client.send('GET', '/Users?sortBy=userName')
    expect(list.Resources).toMatchObject([
      { userName: 'alan', [ENTERPRISE_USER_SCHEMA]: { manager: { value: byExternalId.id } } },
      { id: byName.id, userName: 'grace', externalId: 'hr-2' },
      { id: byExternalId.id, userName: 'new name', externalId: 'hr-1' },
    ])
    expect(list.Resources?.[1]?.title).toBeUndefined()
    const { body: groups } = await client.send('GET', '/Groups')
    const members = Object(groups.Resources?.[0]).members.map(({ value }: never) => value)
    expect(members.sort()).toEqual([byExternalId.id, list.Resources?.[0]?.id].sort())
  })

  it('an import reports each rejected row with the line and the reason, and imports the others', async () => {
    const client = await connect(storeOf())
    await client.send('POST', '/Users', { userName: 'taken' })
    const twin = crypto.randomUUID()
    const { reported, ...counts } = await imported(
      client,
      [
        '{"schemas":',
        '[]',
        stringifyLine({ schemas: [USER_SCHEMA] }),
        stringifyLine({ ...user('a'), active: 'perhaps' }),
        '',
        stringifyLine({ ...user('b'), id: twin }),
        stringifyLine({ ...user('c'), id: twin }),
        stringifyLine(user('B')),
        stringifyLine({ ...user('nul'), externalId: 'a\0' }),
        stringifyLine({ ...user('late'), nickName: '\0' }),
        `{"schemas":${NESTED},"userName":"deep"}`,
        `{"schemas":["${USER_SCHEMA}"],"userName":"e","meta":{"version":${NESTED}}}`,
        stringifyLine({ ...user('d'), favouriteColour: 'red' }),
        stringifyLine({
          schemas: [GROUP_SCHEMA],
          displayName: 'G',
          members: [{ value: twin }, { value: 'missing' }],
        }),
      ]
        .map((line) => line.trimEnd())
        .join('\r\n'),
    )
    expect(reported).toEqual([
      'line 1: the line is not valid JSON',
      'line 2: neither meta.resourceType nor schemas names a type of the tenant',
      'line 3: userName is required',
      expect.stringMatching(/^line 4: active /),
      expect.stringMatching(/^line 9: externalId must not contain U\+0000$/),
      'line 11: neither meta.resourceType nor schemas names a type of the tenant',
      'line 7: line 6 has the same id',
      'line 8: line 6 has the same userName',
      expect.stringMatching(/^line 10: /),
      'line 14: the member missing does not exist and was left out',
    ])
    expect(counts).toEqual({
      created: 4,
      existing: 0,
      rejected: 9,
      leftOut: 1,
      ignored: [['favouriteColour', 1]],
    })
    const { body } = await client.send('GET', '/Groups')
    expect(body.Resources).toMatchObject([{ members: [{ value: twin }] }])
  })

  it("an import does not rename a user to another user's name", async () => {
    const client = await connect(storeOf())
    const { body: one } = await client.send('POST', '/Users', { userName: 'one' })
    await client.send('POST', '/Users', { userName: 'two' })
    const { reported } = await imported(client, [{ ...user('two'), id: one.id }])
    expect(reported).toEqual([
      expect.stringMatching(/^line 1: userName belongs to the user [0-9a-f-]{36}$/),
    ])
  })
}

function user(userName: string): object {
  return { schemas: [USER_SCHEMA], userName }
}

/** A list nested so deeply that it cannot be converted to a string. */
const NESTED = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

function stringifyLine(resource: object): string {
  return `${JSON.stringify(resource)}\n`
}
