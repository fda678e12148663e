import { compareResources } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { type JsonObject, memberAt } from '../../json.ts'
import { type Field, fieldsOf, readAttribute } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectEqual, expectList, expectNoDifferences, expectThat } from '../../toolkit/expect.ts'
import { readResource } from '../../toolkit/patch.ts'
import type { Server } from '../../toolkit/server.ts'

/** Rules for more resources than a list usually has. */
export const PAGING_MANY_CHECKS: readonly Check[] = [
  {
    id: 'paging.many',
    section: 'RFC 7644 §3.4.2',
    level: 'practice',
    title: 'Lists and filters find each of many resources, with all of its values',
    needs: ['index', 'check:create.user'],
    advice:
      'Filter and sort before the page is cut, and count all matches. Do not stop at a limit of the query, such as take: 50, or of a second query for the values of lists.',
    affects: { okta: 'An import misses users.', entra: 'Users are not found, and created again.' },
    run: async (server) => {
      for (const type of server.isThorough ? server.types : [server.type('User')]) {
        await examineMany(server, type)
      }
    },
  },
]

async function examineMany(server: Server, type: ExaminedType): Promise<void> {
  const created: JsonObject[] = []
  for (let at = 0; at < (server.isThorough ? MANY : FEW); at += 1) {
    const { path, body } = await server.create(type.name)
    created.push(body.id === undefined ? await readResource(server, path) : body)
  }
  const key = keyOf(type)
  const listed = await listPages(server, type)
  const fields = fieldsOf(type.definitions).filter(
    ({ attribute: { returned } }) => returned !== 'request',
  )
  for (const resource of created) {
    const found = listed.get(String(resource.id))
    if (found === undefined) {
      expectThat(false, `${resource.id} on a page of ${type.endpoint}`, 'no such resource')
      continue
    }
    if (!server.isThorough) continue
    const lines = differences(fields, resource, found)
    expectNoDifferences(lines, `${resource.id} on its page as it was created`)
  }
  const [first, last] = [created[0], created.at(-1)]
  if (key === undefined || first === undefined || last === undefined) return
  if (server.isThorough) await expectOrder(server, type, key.path)
  for (const one of [first, last]) await expectFound(server, type, key, one)
}

/** Lists a type's resources by id, from all pages. The number of pages is limited. */
async function listPages(
  { get }: Server,
  { endpoint }: ExaminedType,
  query: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, JsonObject>> {
  const listed = new Map<string, JsonObject>()
  for (let page = 0, startIndex = 1; page < MAX_PAGES; page += 1) {
    const resources = expectList(
      await get(endpoint, { query: { ...query, startIndex, count: PAGE } }),
    )
    for (const resource of resources) listed.set(String(resource.id), resource)
    if (resources.length === 0) break
    startIndex += resources.length
  }
  return listed
}

/** Requires an attribute's order to continue on the next page. */
async function expectOrder(server: Server, type: ExaminedType, sortBy: string): Promise<void> {
  const sorted = [...(await listPages(server, type, { sortBy })).values()]
  const compare = compareResources({ sortBy, sortOrder: 'ascending' }, type.definitions)
  for (const [at, resource] of sorted.entries()) {
    const before = sorted[at - 1]
    const isSorted = before === undefined || compare(before, resource) <= 0
    expectThat(isSorted, `the pages of ${type.endpoint} by ${sortBy}`, [before, resource])
  }
}

/** Requires a filter to find the resource among the others. A server may reject the filter. */
async function expectFound(
  { get }: Server,
  { endpoint }: ExaminedType,
  field: Field,
  resource: JsonObject,
): Promise<void> {
  const filter = `${field.path} eq ${JSON.stringify(readAttribute(resource, field))}`
  const response = await get(endpoint, { query: { filter } })
  if (response.status === 400) return
  const ids = expectList(response).map(({ id }) => id)
  expectEqual(ids, [resource.id], `the resources that ${filter} selects`)
  expectEqual(memberAt(response.body, 'totalResults'), 1, `totalResults of ${filter}`)
}

/** Finds a required text attribute whose values differ between resources. */
function keyOf({ definitions }: ExaminedType): Field | undefined {
  return fieldsOf(definitions).find(
    ({ parent, container, attribute: { type, required, multiValued, canonicalValues = [] } }) =>
      parent === null &&
      container === null &&
      type === 'string' &&
      required === true &&
      multiValued !== true &&
      canonicalValues.length === 0,
  )
}

/** More resources than the usual query limits: 50, 100 and 150. */
const MANY = 160
/** More than the smallest limit, for a server behind a network. */
const FEW = 51
const PAGE = 100
const MAX_PAGES = 100
