import type { Check } from '../check.ts'
import type { Received } from '../http/exchange.ts'
import { memberAt } from '../json.ts'
import { RULES } from '../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
} from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'
import type { Server } from '../toolkit/server.ts'
import { nameOf } from './filters/selecting.ts'
import { namesOf } from './projection/others.ts'

/** The search over all types is optional (RFC 7644 §3.4.2.1). */
async function searchAll({ search }: Server, filter: string, startIndex = 1): Promise<Received> {
  const from = startIndex === 1 ? {} : { startIndex }
  const response = await search('', { filter, count: 10, ...from })
  if (response.status === 200) return response
  return skip(`POST /.search answers ${response.status}.`)
}

export const SEARCH_CHECKS: readonly Check[] = [
  {
    id: 'search.filter',
    section: 'RFC 7644 §3.4.3',
    level: 'MUST',
    quote: 'SHALL be used to indicate that the HTTP',
    title: 'POST to .search of a type selects the resources that match the filter',
    needs: ['search', 'check:filters.eq-string'],
    advice: 'Read filter from the body, and answer like GET.',
    run: async ({ people, search, type }) => {
      const { ada } = await people()
      const query = { filter: `userName eq ${nameOf(ada)}` }
      const found = expectList(await search(type('User').endpoint, query))
      expectEqual(
        found.map(({ id }) => id),
        [ada.id],
        'the users that the search selects',
      )
    },
  },
  {
    id: 'search.list-response',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'Responses MUST be identified using the following URI:',
    title: 'A search answers 200 with a list response',
    needs: ['search', 'users'],
    advice: 'Answer with the schema of a list response and totalResults, as for GET.',
    run: async ({ search, type }) => {
      const response = await search(type('User').endpoint, { count: 1 })
      expectStatus(response, 200)
      expectMember(response, 'schemas', ['urn:ietf:params:scim:api:messages:2.0:ListResponse'])
      expectMember(response, 'totalResults')
    },
  },
  {
    id: 'search.paging',
    ...RULES.asByGet,
    title: 'A search applies startIndex and count',
    needs: ['check:search.filter', 'index', 'check:paging.total', 'check:paging.partial'],
    advice: 'Read startIndex and count from the body as numbers.',
    run: async ({ everyone, search, type }) => {
      const query = { filter: await everyone(), startIndex: 3, count: 2 }
      const response = await search(type('User').endpoint, query)
      expectEqual(expectList(response).length, 1, 'the number of resources from the third one on')
      expectMember(response, 'totalResults', 3)
    },
  },
  {
    id: 'search.sorting',
    ...RULES.asByGet,
    title: 'A search applies sortBy and sortOrder',
    needs: ['check:search.filter', 'check:sorting.descending'],
    advice: 'Read sortBy and sortOrder from the body.',
    run: async ({ people, everyone, search, type }) => {
      const { ada, bob, eve } = await people()
      const query = { filter: await everyone(), sortBy: 'userName', sortOrder: 'descending' }
      const found = expectList(await search(type('User').endpoint, query)).map(({ id }) => id)
      expectEqual(
        found.filter((id) => id !== eve.id),
        [bob.id, ada.id],
        'the order by userName',
      )
    },
  },
  {
    id: 'search.attributes',
    ...RULES.asByGet,
    title: 'A search limits the resources to the list of attributes',
    needs: ['check:search.filter', 'check:projection.list'],
    advice: 'Read attributes from the body as a list of names.',
    run: async ({ people, search, type }) => {
      const others = namesOf(type('User'))
      const filter = `userName eq ${nameOf((await people()).ada)}`
      const query = { filter, attributes: ['userName'] }
      const [ada = {}] = expectList(await search(type('User').endpoint, query))
      expectMember(ada, 'userName')
      for (const name of others) expectAbsent(ada, name)
    },
  },
  {
    id: 'search.excluded',
    ...RULES.asByGet,
    title: 'A search removes the list of excludedAttributes',
    needs: ['check:search.filter', 'check:projection.excluded'],
    advice: 'Read excludedAttributes from the body as a list of names.',
    run: async ({ people, search, type }) => {
      const names = namesOf(type('User'))
      const filter = `userName eq ${nameOf((await people()).ada)}`
      const query = { filter, excludedAttributes: names }
      const [ada = {}] = expectList(await search(type('User').endpoint, query))
      expectMember(ada, 'userName')
      for (const name of names) expectAbsent(ada, name)
    },
  },
  {
    id: 'search.root',
    section: 'RFC 7644 §3.4.2.1',
    level: 'MUST',
    quote: 'server SHALL be included, subject to filtering',
    title: 'A search of the root selects the resources of a type that match the filter',
    needs: ['check:search.filter'],
    advice: 'Search all resource types, or answer 501 if that is not supported.',
    run: async (server) => {
      const { ada } = await server.people()
      const found = expectList(await searchAll(server, `userName eq ${nameOf(ada)}`))
      expectEqual(
        found.map(({ id }) => id),
        [ada.id],
        'the resources that the search selects',
      )
    },
  },
  {
    id: 'search.root-types',
    section: 'RFC 7644 §3.4.2.1',
    level: 'MUST',
    quote: 'SHALL treat the attribute as if there is',
    title: 'A search of the root reads an attribute that a type does not have as unassigned',
    needs: ['check:search.root', 'groups', 'check:filters.or'],
    advice: 'Evaluate a comparison with an unknown attribute as false, and the rest as usual.',
    run: async (server) => {
      const { ada } = await server.people()
      const team = await server.team()
      const filter = `userName eq ${nameOf(ada)} or displayName eq ${JSON.stringify(team.sent.displayName)}`
      const ids = expectList(await searchAll(server, filter)).map(({ id }) => String(id))
      // RFC 7644 §3.4.2.4: a page may have fewer resources than match.
      if (ids.length === 1) {
        const rest = expectList(await searchAll(server, filter, 2))
        ids.push(...rest.map(({ id }) => String(id)))
      }
      expectEqual(ids.sort(), [ada.id, team.id].sort(), 'the user and the group')
    },
  },
  {
    id: 'search.invalid-filter',
    ...RULES.statusCodes,
    title: 'A search with a malformed filter is rejected',
    needs: ['search', 'filter', 'check:filters.malformed'],
    advice: 'Answer 400 invalidFilter, as for GET.',
    run: async ({ search, type }) => {
      const response = await search(type('User').endpoint, { filter: 'userName eq' })
      expectError(response, 400, 'invalidFilter')
    },
  },
  {
    id: 'search.schemas',
    ...RULES.statusCodes,
    title: 'A body with the schema of another message is not read as a search',
    needs: ['search', 'users'],
    advice: 'Answer 400 invalidSyntax if schemas does not list the schema of a search request.',
    run: async ({ post, type }) => {
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], count: 1 }
      expectError(await post(`${type('User').endpoint}/.search`, body), 400)
    },
  },
  {
    id: 'search.malformed',
    ...RULES.statusCodes,
    title: 'A search whose body is not a JSON object is rejected',
    needs: ['search', 'users'],
    advice: 'Answer 400 invalidSyntax to a body that cannot be parsed, or that is not an object.',
    run: async ({ post, type }) => {
      for (const body of ['{"schemas":[', '[]', 'null']) {
        const response = await post(`${type('User').endpoint}/.search`, body)
        expectError(response, 400)
        expectEqual(memberAt(response.body, 'Resources') ?? null, null, 'Resources of the error')
      }
    },
  },
]
