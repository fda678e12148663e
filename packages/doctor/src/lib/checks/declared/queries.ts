import { unwrap } from '@plumbline/result'
import { compareResources } from '@plumbline/scim'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import type { Check } from '../../check.ts'
import { type JsonObject, withAt } from '../../json.ts'
import { type Field, valuesOf } from '../../model/fields.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { readResource } from '../../toolkit/patch.ts'
import type { Server } from '../../toolkit/server.ts'
import { spareText } from '../../toolkit/spare.ts'
import {
  comparisons,
  logicalFilters,
  missingFilters,
  UNUSUAL,
  unusualFilters,
  valueFilters,
} from './generate-filters.ts'
import { forEachShelf, listShelf, type Shelf } from './shelves.ts'

/** Filters and sort orders on the attributes the schemas declare. */
export const DECLARED_QUERY_CHECKS: readonly Check[] = [
  {
    id: 'declared.filters',
    ...RULES.matching,
    title: 'Filters compare each attribute that a schema declares, if the server filters by it',
    needs: ['filter', 'write'],
    advice: 'Compare the stored value, or answer 400 invalidFilter if the filter is not supported.',
    run: (server) =>
      forEachShelf(server, async (shelf) => {
        const { fields, chosen, resources } = shelf
        for (const field of fields.filter(isSimple)) {
          const [first] = resources.flatMap((resource) => valuesOf(resource, field))
          const isText = typeof first === 'string' && isSortKey(field)
          const equal = isText ? [`${field.path} eq ${JSON.stringify(first)}`] : []
          const filters = chosen.includes(field) ? comparisons(field, resources) : equal
          for (const filter of filters) await expectSelected(server, shelf, filter)
        }
        // The topics filters and value-paths have them for users.
        if (!server.isThorough) return
        for (const filter of [
          ...valueFilters(shelf, resources),
          ...logicalFilters(shelf, resources),
        ]) {
          await expectSelected(server, shelf, filter)
        }
      }),
  },
  {
    id: 'declared.filters-missing',
    section: 'RFC 7643 §2.5',
    level: 'practice',
    title: 'ne and eq null select the resources without a value of each attribute, too',
    needs: ['filter', 'write'],
    advice:
      'Treat a missing value as different from any other. SQL needs IS DISTINCT FROM for that.',
    run: (server) =>
      forEachShelf(server, async (shelf) => {
        for (const field of shelf.chosen.filter(isSimple)) {
          const [first] = shelf.resources.flatMap((resource) => valuesOf(resource, field))
          if (first === undefined) continue
          for (const filter of missingFilters(field, first)) {
            await expectSelected(server, shelf, filter)
          }
        }
      }),
  },
  {
    id: 'declared.filters-exact',
    ...RULES.matching,
    level: 'defined',
    title: 'eq, sw, ew and co compare quotes, accents, blanks, wildcards and long texts exactly',
    needs: ['filter', 'write'],
    advice:
      'Send values as parameters of the statement, escape %, _ and \\ in patterns, and use a collation that compares accents and trailing blanks.',
    run: async (server) => {
      const type = server.types.find((one) => spareText(one) !== undefined)
      const path = type && spareText(type)
      if (type === undefined || path === undefined) {
        return skip('No resource type has a text that a client may choose.')
      }
      const resources: JsonObject[] = []
      const texts = server.isThorough ? UNUSUAL : UNUSUAL.slice(0, 7)
      for (const text of texts) {
        const response = await server.post(
          type.endpoint,
          withAt(server.sample(type.name), { [path]: text }),
        )
        if (response.status !== 201) continue
        const url = `${type.endpoint}/${encodeURIComponent(String(response.body.id))}`
        resources.push(await readResource(server, url))
      }
      const shelf = { type, resources, fields: [], chosen: [] }
      for (const filter of unusualFilters(path, texts)) await expectSelected(server, shelf, filter)
    },
  },
  {
    id: 'declared.unreturned',
    ...RULES.projections,
    title: 'Filters and orders use attributes that the response does not have',
    needs: ['filter', 'write'],
    advice: 'Omit attributes after the resources are filtered and sorted.',
    run: (server) =>
      forEachShelf(server, async (shelf) => {
        for (const { path } of shelf.chosen.filter(isSortKey).slice(0, MAX_FIELDS)) {
          await expectSelected(server, shelf, `${path} pr`, { attributes: 'id', sortBy: path })
        }
      }),
  },
  {
    id: 'declared.sorting',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    quote: '"sortOrder" MUST sort according to the attribute type',
    title: 'Lists are sorted by each single value that a schema declares',
    needs: ['sort', 'write'],
    advice:
      'Sort numbers, instants and booleans by their value, strings by their caseExact, and missing values last.',
    run: (server) =>
      forEachShelf(server, async (shelf) => {
        if ((await listShelf(server, shelf, {})) === null) return
        for (const field of shelf.chosen.filter(isSortKey)) {
          await expectSorted(server, shelf, { sortBy: field.path, sortOrder: 'ascending' })
          await expectSorted(server, shelf, { sortBy: field.path, sortOrder: 'descending' })
          // sorting.name-case has it for users.
          if (!server.isThorough) continue
          const sortBy = field.path.toUpperCase()
          await expectSorted(server, shelf, { sortBy, sortOrder: 'ascending' })
        }
      }),
  },
]

function isSimple({ attribute }: Field): boolean {
  return attribute.type !== 'complex'
}

function isSortKey(field: Field): boolean {
  const { parent, attribute } = field
  const isListed = attribute.multiValued === true || parent?.multiValued === true
  return isSimple(field) && !isListed && attribute.name !== 'id'
}

/** Throws unless the filter selects exactly the resources that match according to the schemas. */
async function expectSelected(
  server: Server,
  shelf: Shelf,
  filter: string,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const found = await listShelf(server, shelf, { ...query, filter })
  if (found === null) return
  const matches = unwrap(compileFilter(unwrap(parseFilter(filter)), shelf.type))
  const expected = shelf.resources.filter(matches)
  expectEqual(idsOf(found).sort(), idsOf(expected).sort(), `the resources that ${filter} selects`)
}

interface Order {
  readonly sortBy: string
  readonly sortOrder: 'ascending' | 'descending'
}

/** Throws unless the resources are in order. Equal resources may be in any order. */
async function expectSorted(server: Server, shelf: Shelf, order: Order): Promise<void> {
  const found = await listShelf(server, shelf, { ...order })
  if (found === null) return
  const what = `the resources by ${order.sortBy} ${order.sortOrder}`
  expectEqual(idsOf(found).sort(), idsOf(shelf.resources).sort(), what)
  const compare = compareResources(order, shelf.type.definitions)
  const sorted = found.flatMap(({ id }) => shelf.resources.filter((one) => one.id === id))
  for (const [at, resource] of sorted.entries()) {
    const before = sorted[at - 1]
    const isSorted = before === undefined || compare(before, resource) <= 0
    expectThat(isSorted, what, [before, resource])
  }
}

function idsOf(resources: readonly JsonObject[]): string[] {
  return resources.map(({ id }) => String(id))
}

const MAX_FIELDS = 12
