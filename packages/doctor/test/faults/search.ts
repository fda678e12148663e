import { answers, type Body, defineFaults, receives, repliesToText } from '../fault.ts'

/** The reference reads some searches of users with other members. */
const reads = (isAffected: (body: Body) => boolean, changed: Body) =>
  receives('POST /Users/.search', ({ body }) =>
    isAffected(body) ? { body: { ...body, ...changed } } : null,
  )

/** The search of the root does not return groups if the filter has attributes of users. */
const withoutGroups = answers('POST /.search', ({ body }, { body: { filter } }) => {
  if (!/^userName eq .* or /.test(filter)) return
  body.Resources = body.Resources.filter((one: Body) => one.userName !== undefined)
})

export const SEARCH_FAULTS = defineFaults([
  {
    check: 'search.filter',
    fault: reads(
      ({ filter, attributes, excludedAttributes }) => {
        return /^userName eq "[^"]*"$/.test(filter) && !attributes && !excludedAttributes
      },
      { filter: undefined },
    ),
  },
  {
    check: 'search.list-response',
    fault: answers('POST /Users/.search', ({ body, status }) => {
      if (status === 200) body.schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    }),
  },
  { check: 'search.paging', fault: reads((body) => body.startIndex === 3, { startIndex: 1 }) },
  { check: 'search.sorting', fault: reads((body) => body.sortBy, { sortOrder: undefined }) },
  {
    check: 'search.attributes',
    fault: reads((body) => body.attributes, { attributes: undefined }),
  },
  {
    check: 'search.excluded',
    fault: reads((body) => body.excludedAttributes, { excludedAttributes: undefined }),
  },
  {
    check: 'search.root',
    fault: answers('POST /.search', ({ body }, { body: { filter } }) => {
      if (/^userName eq "[^"]*"$/.test(filter)) body.Resources = []
    }),
  },
  { check: 'search.root-types', fault: withoutGroups },
  {
    check: 'search.invalid-filter',
    fault: reads((body) => body.filter === 'userName eq', { filter: undefined }),
  },
  {
    check: 'search.schemas',
    fault: reads((body) => /PatchOp/.test(body.schemas), {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    }),
  },
  {
    check: 'search.malformed',
    fault: repliesToText('POST /Users/.search', (text) =>
      text === 'null' ? { status: 500 } : null,
    ),
  },
])
