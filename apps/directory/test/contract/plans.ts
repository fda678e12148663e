import { sql } from '@plumbline/scim/internal'
import { beforeAll, describe, expect, it } from 'vitest'
import { fill, STRIDE } from '../../src/commands/seed/fill.ts'
import { groupOf, personId, personOf } from '../../src/commands/seed/people.ts'
import type { Database } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'
import { planNodes, rowsRead } from '../support/postgres-plan.ts'
import type { Statement } from '../support/statement.ts'
import { watchStatements } from '../support/watch-statements.ts'

const SEED = 1
const USERS = 10_000
const GROUPS = 2_000
/** The users of a small tenant. */
const FEW = 50

/** Options of the contract. */
interface PlanOptions {
  /** Runs after the users were added. */
  readonly prepare?: () => Promise<unknown>
  /** Whether the planner has statistics; true by default. Without, only lookups have the right plan. */
  readonly hasStatistics?: boolean
}

/** Checks the query plan of each statement that common requests cause, with 10,000 users. */
export function planContract(
  storeOf: () => Store,
  { prepare = async () => undefined, hasStatistics = true }: PlanOptions = {},
): void {
  let client: Client
  let statements: Statement[] = []
  beforeAll(async () => {
    client = await connect(
      watchStatements(storeOf(), (statement) => statements.push(statement)),
      { profile: 'entra' },
    )
    const { tenantId } = client
    await fill(withoutAnalysis(storeOf()), { tenantId, users: USERS, groups: GROUPS, seed: SEED })
    await prepare()
  })

  /** The statements of a request that read more rows than they need. */
  const scansOf = async (send: () => Promise<{ readonly status: number }>): Promise<string[]> => {
    statements = []
    expect((await send()).status).toBeLessThan(300)
    // A tenant has one row in each of these tables.
    const sent = statements.filter(
      ({ text }) =>
        /^(?:select|update|delete)\b/i.test(text.trim()) &&
        !/(?:from schema_versions|update change_feeds)\b/.test(text),
    )
    expect(sent).not.toEqual([])
    const scans: string[] = []
    for (const statement of sent) {
      const found = await storeOf().read((db) => scansIn(db, storeOf(), statement))
      scans.push(...found)
      // Connections for scans use views of the tables, with the same plans as the other connections.
      if (!/^select\b/i.test(statement.text.trim())) continue
      const scanned = await storeOf().scan((db) => scansIn(db, storeOf(), statement))
      expect(scanned.map(withoutIndex)).toEqual(found.map(withoutIndex))
    }
    return scans
  }
  const list = (path: string, filter: string, rest = '') =>
    client.send('GET', `/${path}?filter=${encodeURIComponent(filter)}${rest}`)

  const person = personOf(4_711, SEED)
  const { userName, displayName, name, externalId, emails, phoneNumbers } = person.resource
  const phone = phoneNumbers?.[0]?.value
  const group = groupOf(17, SEED)
  const member = personId((17 * STRIDE) % USERS, SEED)
  const work = emails?.[0]?.value

  it.each([
    `userName eq "${userName}"`,
    `userName eq "${userName}" and active eq true`,
    `externalId eq "${externalId}"`,
    `id eq "${person.id}"`,
    `emails eq "${work}"`,
    `emails.value eq "${work}"`,
    `emails[type eq "work"].value eq "${work}"`,
    `emails[type eq "work" and value eq "${work}"]`,
    'employeeNumber eq "4711"',
    `displayName eq "${displayName}"`,
    `userName eq "${userName}" or externalId eq "hr-3"`,
    `userName eq "${userName}" or emails eq "${work}"`,
    `emails sw "${work}"`,
    `emails[type eq "work" and value sw "${work}"]`,
    `emails[primary eq true and not (type eq "home") and value eq "${work}"]`,
    `phoneNumbers eq "${phone}"`,
    `phoneNumbers.value eq "${phone}"`,
    `phoneNumbers[type eq "work"].value sw "${phone}"`,
    `phoneNumbers sw "${phone}" and addresses.country eq "NL" and title co "e"`,
    'addresses.postalCode eq "none"',
    'addresses[country eq "NL" and postalCode sw "none"]',
    'roles eq "none" or entitlements eq "none" or photos eq "none"',
    'x509Certificates eq "bm9uZQ=="',
  ])('Users?filter=%s uses an index', async (filter) => {
    expect(await scansOf(() => list('Users', filter))).toEqual([])
  })

  // Hundreds of users match: the index also has the order of the page.
  it.each([
    `name.familyName eq "${name?.familyName}"`,
    `name.familyName eq "${name?.familyName}" and active eq true`,
  ])('the first page of Users?filter=%s uses an index', async (filter) => {
    expect(await scansOf(() => list('Users', filter, '&count=8'))).toEqual([])
  })

  it('Users?filter=… on a multi-valued attribute of a registered schema uses an index', async () => {
    const schema = 'urn:example:badges:1.0:User'
    const { tenantId, store } = client
    const { send } = await connect(store, { role: 'admin', tenantId })
    const path = `/api/tenants/${tenantId}/schemas`
    expect((await send('POST', path, badgesSchema(schema))).status).toBe(201)
    const badges = (value: string) => ({ [schema]: { badges: [{ value, type: 'door' }] } })
    for (const value of ['b-1', 'b-2']) {
      const created = await client.send('POST', '/Users', { userName: value, ...badges(value) })
      expect(created.status).toBe(201)
    }
    // The first request after the change reads the schemas of the tenant.
    expect((await list('Users', `${schema}:badges eq "b-1"`)).body.totalResults).toBe(1)
    for (const filter of [
      `${schema}:badges.value eq "b-1"`,
      `${schema}:badges[type eq "door" and value sw "b-1"]`,
      `${schema}:badges sw "b-1" and active pr`,
    ]) {
      expect([filter, await scansOf(() => list('Users', filter))]).toEqual([filter, []])
    }
  })

  it('Users?filter=meta.lastModified gt "…" uses an index', async () => {
    const filter = `meta.lastModified gt "${new Date(personOf(USERS - 20, SEED).at).toISOString()}"`
    expect(await scansOf(() => list('Users', filter))).toEqual([])
  })

  // Most users match: the list reads users in their order until the page is full, and counts them all.
  it
    .runIf(hasStatistics)
    .each([
      'addresses.country eq "NL"',
      'addresses[country eq "nl" and locality sw "o"]',
      'emails.type eq "work"',
      'emails[type eq "work" and value co "ada"]',
      'phoneNumbers sw "+1"',
      'not (emails sw "ada")',
    ])('Users?filter=%s reads the values for each user from an index', async (filter) => {
    const scans = await scansOf(() => list('Users', filter, '&count=5'))
    expect(scans.filter((scan) => !isScanOfUsers(scan))).toEqual([])
    if (storeOf().dialect.name === 'postgres') {
      const page = statements.find(({ text }) => text.includes('limit 5'))
      if (page === undefined) throw new Error('the list did not read a page')
      expect(await storeOf().read((db) => rowsRead(db, page))).toBeLessThan(USERS / 10)
    }
  })

  it.each([
    `displayName eq "${group.resource.displayName}"`,
    `externalId eq "${group.resource.externalId}"`,
    `id eq "${group.id}"`,
    `members eq "${member}"`,
    `members.value eq "${member}"`,
    `id eq "${group.id}" and members eq "${member}"`,
  ])('Groups?filter=%s uses an index', async (filter) => {
    expect(await scansOf(() => list('Groups', filter, '&excludedAttributes=members'))).toEqual([])
  })

  const patch = (path: string, ...operations: readonly object[]) =>
    client.send('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    })
  const value = [{ value: person.id }]

  it.each([
    ['reading a user', () => client.send('GET', `/Users/${person.id}`)],
    ['reading a group', () => client.send('GET', `/Groups/${group.id}`)],
    [
      'changing a user',
      () => patch(`/Users/${person.id}`, { op: 'replace', path: 'title', value: 'x' }),
    ],
    [
      'adding a member and removing one',
      () =>
        patch(
          `/Groups/${group.id}`,
          { op: 'add', path: 'members', value },
          { op: 'remove', path: `members[value eq "${member}"]` },
        ),
    ],
    ['deleting a user', () => client.send('DELETE', `/Users/${personId(5, SEED)}`)],
    ['deleting a group', () => client.send('DELETE', `/Groups/${groupOf(1_999, SEED).id}`)],
  ])('%s uses an index', async (_, send) => {
    // Only the writes above have changes: a table of so few rows is read as a whole.
    const scans = (await scansOf(send)).filter((scan) => scan !== 'Seq Scan changes')
    expect(scans).toEqual([])
  })

  it.runIf(hasStatistics)(
    "a page by startIndex skips users once, and reads only its own users' groups",
    async () => {
      const scans = await scansOf(() => client.send('GET', '/Users?startIndex=9901&count=100'))
      expect(scans.filter((scan) => !isScanOfUsers(scan))).toEqual([])
      expect(statements.filter(({ text }) => /^select .*offset 99/s.test(text))).toHaveLength(1)
      if (storeOf().dialect.name !== 'postgres') return
      let rows = 0
      for (const page of statements.filter(({ text }) => /^select .*group_members/s.test(text))) {
        rows += await storeOf().read((db) => rowsRead(db, page, /^group/))
      }
      // Each is in two or three groups. All 10,000 are in 24,000.
      expect(rows).toBeGreaterThan(100)
      expect(rows).toBeLessThan(2_000)
    },
  )

  describe('a page by cursor', () => {
    it.each(['', '&sortBy=userName', '&sortBy=meta.lastModified&sortOrder=descending'])(
      'a page by cursor uses an index to find the position: %s',
      async (sort) => {
        const first = await client.send('GET', `/Users?cursor&count=10${sort}`)
        const cursor = encodeURIComponent(String(first.body.nextCursor))
        const next = `/Users?cursor=${cursor}&count=10${sort}`
        expect(await scansOf(() => client.send('GET', next))).toEqual([])
      },
    )
  })

  it("a filter without an index reads only the tenant's users", async () => {
    const store = watchStatements(storeOf(), (statement) => statements.push(statement))
    const { send, tenantId } = await connect(store, { profile: 'entra' })
    await fill(withoutAnalysis(storeOf()), { tenantId, users: FEW, groups: 0, seed: SEED })
    for (const filter of ['active eq true', 'nickName eq "none"', 'title pr']) {
      statements = []
      const path = `/Users?filter=${encodeURIComponent(filter)}&count=8`
      expect((await send('GET', path)).status).toBe(200)
      const sent = statements.filter(({ text }) => /^select .*\busers\b/s.test(text))
      expect(sent).not.toEqual([])
      for (const statement of sent) {
        expect(await storeOf().read((db) => readsOthers(db, storeOf(), statement))).toBe(false)
      }
    }
  })

  it('a scan is detected', async () => {
    expect(await scansOf(() => list('Users', 'nickName eq "none"'))).not.toEqual([])
    expect(await scansOf(() => list('Groups', 'displayName co "Sales"', '&count=1'))).not.toEqual(
      [],
    )
  })
}

/** The same store, whose statistics are not renewed. */
function withoutAnalysis(store: Store): Store {
  return { ...store, dialect: { ...store.dialect, renewStatistics: null } }
}

/** Whether a statement reads many more users than a small tenant has. */
async function readsOthers(
  db: Database,
  { dialect }: Pick<Store, 'dialect'>,
  statement: Statement,
): Promise<boolean> {
  if (dialect.name === 'postgres') return (await rowsRead(db, statement, /^user/)) > 4 * FEW
  const { rows } = await db.exec(sql`explain query plan ${statement.fragment}`)
  return rows.some(({ detail }) => /^SCAN (?:main\.)?user/.test(String(detail)))
}

async function scansIn(
  db: Database,
  { dialect }: Pick<Store, 'dialect'>,
  statement: Statement,
): Promise<string[]> {
  return dialect.name === 'sqlite'
    ? await scansOfSqlite(db, statement)
    : await scansOfPostgres(db, statement)
}

/** https://sqlite.org/eqp.html: a scan, or a search whose index is used for the tenant only. */
async function scansOfSqlite(db: Database, { fragment }: Statement): Promise<string[]> {
  const { rows } = await db.exec(sql`explain query plan ${fragment}`)
  const lines = rows.map(({ detail }) => String(detail).replace(' main.', ' '))
  expect(lines.join()).toMatch(/SEARCH|SCAN/)
  // The first groups of a user are the rows of a subquery with a limit.
  return lines.filter((line) => /^SCAN (?!first_groups$)|\(tenant_id=\?\)$/.test(line))
}

async function scansOfPostgres(db: Database, statement: Statement): Promise<string[]> {
  const nodes = await planNodes(db, statement)
  expect(nodes.length).toBeGreaterThan(0)
  return nodes
    .filter((node) => {
      const type = String(node['Node Type'])
      const isScan = /(?<!Bitmap Heap|Subquery) Scan$/.test(type)
      if (!isScan || SMALL.has(String(node['Relation Name']))) return false
      const condition = String(node['Index Cond'] ?? '')
      return type === 'Seq Scan' || condition.replaceAll(/\(?tenant_id = [^()]+\)?/g, '') === ''
    })
    .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? node['Index Name']}`)
}

/** A schema whose users have badges with a value and a type. */
function badgesSchema(id: string): object {
  const text = (name: string) => ({ name, type: 'string' })
  const subAttributes = [text('value'), text('type')]
  const attribute = { name: 'badges', type: 'complex', multiValued: true, subAttributes }
  return { resourceType: 'User', id, name: 'Badges', attributes: [attribute] }
}

/** Any index serves a scan of all users. */
function withoutIndex(scan: string): string {
  return scan.replace(/USING (?:COVERING )?INDEX \w+/, 'USING INDEX')
}

/** A scan of the users, or of the values to count those of most users. */
function isScanOfUsers(scan: string): boolean {
  return /^SEARCH users |^(?:Seq|Index Only|Index|Bitmap Index) Scan user/.test(scan)
}

/** Tables of a page or two, for which a scan is the right plan. */
const SMALL = new Set(['tokens', 'tenants', 'settings'])
