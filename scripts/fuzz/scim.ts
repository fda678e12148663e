import {
  compareResources,
  parseGroup,
  parseListQuery,
  parseSearchRequest,
  parseUser,
  project,
  ScimError,
  userResource,
} from '@plumbline/scim'
import { parseBulk } from '@plumbline/scim/bulk'
import { filterToWhere, UntranslatableFilterError } from '@plumbline/scim/data-table'
import {
  type Discovery,
  ENTERPRISE_USER_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { compileFilter, parseFilter, parsePath, stringifyFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import fc from 'fast-check'
import { expectSame, expectTyped, jsonOf, type Target, target } from './target.ts'

const USER = USER_DEFINITION.id
const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions: Discovery.Definitions = {
  [USER]: USER_DEFINITION,
  [ENTERPRISE]: ENTERPRISE_USER_DEFINITION,
}
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

const names = USER_DEFINITION.attributes.flatMap(({ name, subAttributes = [] }) => [
  name,
  ...subAttributes.map((part) => part.name),
])
const scalars = ['a', 'work', 'True', '2026-01-01T00:00:00Z', USER, ENTERPRISE, 'YQ==', 5]
const json = jsonOf([...names, ENTERPRISE, USER, 'schemas', 'USERNAME'], scalars)
const text = fc.string({ unit: 'binary', maxLength: 12 })

/** Filters: pieces of the grammar in any order, and trees that are written out. */
const word = fc.constantFrom(
  '(',
  ')',
  '[',
  ']',
  'and',
  'or',
  'not',
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'pr',
  'gt',
  'le',
  '.',
  ':',
  'userName',
  'emails',
  'type',
  'value',
  'active',
  'meta.created',
  'name.givenName',
  `${USER}:title`,
  '"a"',
  '"\\u0041"',
  '"\\',
  'true',
  'null',
  '5',
  '-1e3',
  '"2026-01-01T00:00:00Z"',
)
const leaf = fc
  .tuple(
    fc.constantFrom(
      'userName',
      'emails.value',
      'active',
      'meta.created',
      'title',
      'emails',
      'x509Certificates',
    ),
    fc.constantFrom('eq', 'ne', 'co', 'sw', 'gt', 'pr'),
    fc.oneof(
      fc.constantFrom('true', 'null', '5', '"2026-01-01T00:00:00Z"'),
      text.map((one) => JSON.stringify(one)),
    ),
  )
  .map(([path, operator, value]) =>
    operator === 'pr' ? `${path} pr` : `${path} ${operator} ${value}`,
  )
const written = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
      .map((parts) => parts.join(' ')),
    tie('filter').map((inner) => `not (${inner})`),
    fc.constantFrom('type', 'value', 'primary').map((part) => `emails[${part} pr]`),
  ),
})).filter
const filter = fc.oneof(
  written,
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  text,
)
const path = fc.oneof(
  fc.constantFrom(
    ...names,
    'emails[type eq "work"].value',
    `${ENTERPRISE}:manager`,
    'name.givenName',
  ),
  filter.map((inner) => `emails[${inner}].value`),
  fc.array(word, { maxLength: 5 }).map((words) => words.join('')),
)
const operations = fc.array(
  fc.record(
    {
      op: fc.constantFrom('add', 'Replace', 'remove'),
      path,
      value: fc.oneof(
        json,
        json.map((value) => JSON.stringify(value)),
      ),
    },
    { requiredKeys: ['op'] },
  ),
  { minLength: 1, maxLength: 4 },
)
const user = json.map((more) => ({
  schemas: [USER],
  id: '1',
  userName: 'bjensen',
  emails: [{ value: 'b@x.org', type: 'work', primary: true }],
  ...(typeof more === 'object' && !Array.isArray(more) ? more : {}),
}))

export const scimTargets: readonly Target[] = [
  target(
    'scim: a filter that is parsed is written so that it parses to the same tree',
    filter,
    (one) => {
      const tree = expectTyped(parseFilter(one), ScimError)
      if (tree === undefined) return
      const again = expectTyped(parseFilter(stringifyFilter(tree)), ScimError)
      expectSame(JSON.stringify(tree), again, 'the tree')
    },
  ),
  target('scim: a path is parsed or rejected', path, (one) =>
    expectTyped(parsePath(one), ScimError),
  ),
  target(
    'scim: a compiled filter decides over any resource',
    fc.tuple(filter, user),
    ([one, resource]) => {
      const tree = expectTyped(parseFilter(one), ScimError)
      if (tree === undefined) return
      const matches = expectTyped(compileFilter(tree, { definitions }), ScimError)
      const before = JSON.stringify(resource)
      if (matches !== undefined && typeof matches(resource) !== 'boolean')
        throw new Error('no boolean')
      expectSame(before, resource, 'the resource')
    },
  ),
  target('scim: a filter is translated to SQL or rejected', filter, (one) => {
    const tree = expectTyped(parseFilter(one), ScimError)
    if (tree === undefined) return
    const columns = {
      userName: 'user_name',
      active: 'active',
      title: { column: 'title', caseExact: false },
    }
    const result = filterToWhere(tree, columns)
    if (result.status === 'failure' && result.error instanceof UntranslatableFilterError) return
    expectTyped(result, ScimError)
  }),
  target(
    'scim: a PATCH applies wholly or not at all',
    fc.tuple(user, operations),
    ([resource, Operations]) => {
      const parsed = expectTyped(parsePatch({ schemas: [PATCH_OP], Operations }), ScimError)
      if (parsed === undefined) return
      const before = JSON.stringify(resource)
      const patched = expectTyped(applyPatch(resource, parsed, { definitions }), ScimError)
      expectSame(before, resource, 'the resource')
      if (patched !== undefined) JSON.stringify(patched)
    },
  ),
  target(
    'scim: a user that is parsed is written so that it parses to the same user',
    json,
    (body) => {
      const before = JSON.stringify(body)
      const parsed = expectTyped(parseUser(body), ScimError)
      expectSame(before, body, 'the body')
      if (parsed === undefined) return
      const written = userResource(parsed)
      const again = expectTyped(parseUser(written), ScimError)
      if (again === undefined) throw new Error('what was written is rejected')
      expectSame(JSON.stringify(written), userResource(again), 'the user')
    },
  ),
  target('scim: a group is parsed or rejected', json, (body) =>
    expectTyped(parseGroup(body), ScimError),
  ),
  target('scim: a search request is parsed or rejected', json, (body) => {
    const request = typeof body === 'object' ? { schemas: [SEARCH], ...body } : body
    expectTyped(parseSearchRequest(request, { attributes: definitions, maxCount: 10 }), ScimError)
  }),
  target('scim: a bulk request is parsed or rejected', json, (body) => {
    const request = { schemas: [BULK], Operations: Array.isArray(body) ? body : [body] }
    expectTyped(parseBulk(request, { maxOperations: 10, maxPayloadSize: 100_000 }), ScimError)
  }),
  target(
    'scim: a list query is parsed, projects and sorts, or is rejected',
    fc.tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom(
            'filter',
            'sortBy',
            'count',
            'attributes',
            'excludedAttributes',
            'cursor',
          ),
          fc.oneof(path, text),
        ),
        { maxLength: 4 },
      ),
      user,
    ),
    ([pairs, resource]) => {
      const url = new URL('http://localhost/Users')
      for (const [name, value] of pairs) url.searchParams.append(name, value)
      const query = expectTyped(parseListQuery(url), ScimError)
      if (query === undefined) return
      const shown = project(resource, query, definitions)
      if (!Object.hasOwn(shown, 'id')) throw new Error('id is always returned (RFC 7643 §7)')
      if (query.sortBy === null || query.sortBy === undefined) return
      const compare = compareResources(query, definitions)
      if (compare !== null && typeof compare === 'function') compare(resource, resource)
    },
  ),
]
