import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { describe, expect, it } from 'vitest'
import { importMemberships } from '../../../src/features/imports/csv-memberships.ts'
import { csvUserSource } from '../../../src/features/imports/csv-users.ts'
import { importResources } from '../../../src/features/imports/import.ts'
import { readMapping } from '../../../src/features/imports/mapping.ts'
import { createReport } from '../../../src/features/imports/report.ts'
import { type Client, connect } from '../../support/harness.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

const { folder, storeOf } = useSqliteStore()

function write(text: string): string {
  const file = join(folder, crypto.randomUUID())
  writeFileSync(file, text)
  return file
}

async function imported({ tenantId }: Client, csv: string, json: object, isDryRun = false) {
  const file = write(csv)
  const mapping = await readMapping(write(JSON.stringify(json)))
  const reported: string[] = []
  const report = createReport((line) => reported.push(line))
  const options = { store: storeOf(), tenantId, report, now: Date.now, isDryRun }
  await (mapping.users === null
    ? importMemberships({ ...options, file, mapping })
    : importResources({ ...options, open: (types) => csvUserSource(file, mapping, types) }))
  const { created, existing, rejected } = report.counts()
  return { created, existing, rejected, reported }
}

const USERS = {
  delimiter: ';',
  users: {
    userName: 'Login',
    externalId: 'Staff no',
    'name.familyName': 'Name',
    'emails[type eq "work"].value': 'Mail',
    active: { column: 'State', values: { employed: 'true', left: 'false' } },
    [`${ENTERPRISE_USER_SCHEMA}:department`]: 'Department',
  },
}
const HEADER = 'Login;Staff no;Name;Mail;State;Department;Not mapped\n'

describe('a user CSV file', () => {
  it('a user CSV file creates users with the mapped attributes', async () => {
    const client = await connect(storeOf())
    const row = '\uFEFF"Ada";7; "Love""lace; Countess\nof" ;ada@example.com;employed;Research;x\r\n'
    const csv = `\uFEFF${HEADER}${row.slice(1)}`
    expect(await imported(client, csv, USERS)).toEqual({
      created: 1,
      existing: 0,
      rejected: 0,
      reported: [],
    })
    const { body } = await client.send('GET', '/Users')
    expect(body.Resources).toMatchObject([
      {
        userName: 'Ada',
        externalId: '7',
        name: { familyName: 'Love"lace; Countess\nof' },
        emails: [{ type: 'work', value: 'ada@example.com' }],
        active: true,
        [ENTERPRISE_USER_SCHEMA]: { department: 'Research' },
      },
    ])
  })

  it("a user CSV file changes only an existing user's mapped attributes, and none for an empty cell", async () => {
    const client = await connect(storeOf())
    const home = { type: 'home', value: 'ada@home.example' }
    const { body: before } = await client.send('POST', '/Users', {
      userName: 'ada',
      title: 'Countess',
      emails: [{ type: 'work', value: 'old@example.com' }, home],
      [ENTERPRISE_USER_SCHEMA]: { department: 'Research' },
    })
    const csv = `${HEADER}ADA;7;;new@example.com;left;;\n`
    expect(await imported(client, csv, USERS)).toMatchObject({ existing: 1, rejected: 0 })
    const { body } = await client.send('GET', `/Users/${before.id}`)
    expect(body).toMatchObject({
      userName: 'ADA',
      externalId: '7',
      title: 'Countess',
      active: false,
      emails: [{ type: 'work', value: 'new@example.com' }, home],
      [ENTERPRISE_USER_SCHEMA]: { department: 'Research' },
    })
    const again = await imported(client, csv, USERS)
    expect(again).toMatchObject({ existing: 1, rejected: 0 })
    expect((await client.send('GET', `/Users/${before.id}`)).body).toEqual(body)
  })

  it('a user CSV file reports each rejected row with the line and the reason, also in a dry run', async () => {
    const client = await connect(storeOf())
    const csv = `${HEADER};1;;;;;\nada;2;;;perhaps;;\n\ngrace;3\nalan;4;;;;;\nAlan;5;;;;;\n`
    const rejected = {
      created: 1,
      existing: 0,
      rejected: 4,
      reported: [
        'line 2: userName is required',
        'line 3: active must be true or false',
        'line 5: the row has 2 cells, not 7',
        'line 7: line 6 has the same userName',
      ],
    }
    expect(await imported(client, csv, USERS, true)).toEqual(rejected)
    expect(await imported(client, csv, USERS)).toEqual(rejected)
  })

  it.each([
    [{ users: { userName: 'Nick' } }, HEADER, /^the column Nick is not one of Login;Staff no/],
    [{ users: { nick: 'Login' } }, 'Login\n', 'the mapping of nick: unknown attribute nick'],
    [{ users: { id: 'Login' } }, 'Login\n', 'the mapping of id: id is read-only'],
    [{ users: { userName: 'Login' } }, 'Login\n"x', /Quote Not Closed/],
    [{ users: { userName: 'Login' } }, 'Login,Login\n', 'two columns have the same name'],
    [{ users: { userName: 7 } }, 'Login\n', /Invalid input/],
    [{}, '', /must have either "users" or "memberships"$/],
    [{ memberships: { group: {}, member: { id: 'x' } } }, '', /Invalid input/],
  ])('the mapping %j is rejected for the file %j', async (mapping, csv, message) => {
    const client = await connect(storeOf())
    await expect(imported(client, csv, mapping)).rejects.toThrow(message)
  })
})

describe('a membership CSV file', () => {
  const mapping = {
    memberships: { group: { displayName: 'Team' }, member: { userName: 'Login' } },
  }

  it('a membership CSV file adds users to groups, and the other members stay', async () => {
    const client = await connect(storeOf())
    const create = async (path: string, body: object) =>
      String((await client.send('POST', path, body)).body.id)
    const [ada, alan] = [
      await create('/Users', { userName: 'ada' }),
      await create('/Users', { userName: 'alan' }),
    ]
    const team = await create('/Groups', { displayName: 'Sales', members: [{ value: ada }] })
    await create('/Groups', { displayName: 'Twins' })
    await create('/Groups', { displayName: 'twins' })
    const csv = 'Login,Team\nALAN,sales\nada,Sales\nada,Missing\ngrace,Sales\nada,Twins\n'
    const result = {
      created: 0,
      existing: 2,
      rejected: 3,
      reported: [
        'line 4: group Missing not found',
        'line 5: user grace not found',
        'line 6: group Twins is not unique',
      ],
    }
    expect(await imported(client, csv, mapping, true)).toEqual(result)
    expect((await client.send('GET', `/Groups/${team}`)).body.members).toHaveLength(1)
    expect(await imported(client, csv, mapping)).toEqual(result)
    const { body } = await client.send('GET', `/Groups/${team}`)
    expect(body.members).toMatchObject([{ value: ada }, { value: alan }])
    await imported(client, csv, mapping)
    expect((await client.send('GET', `/Groups/${team}`)).body).toEqual(body)
  })
})
