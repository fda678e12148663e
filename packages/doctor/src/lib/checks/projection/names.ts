import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import { isAlways } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { nameOf } from '../filters/selecting.ts'

interface Projecting extends Omit<Check, 'run'> {
  readonly query: Readonly<Record<string, string>>
  /** The members the response must have. */
  readonly has: readonly (string | readonly string[])[]
  /** The members that it must not have. */
  readonly lacks: readonly (string | readonly string[])[]
}

/** Checks which members the shared user ada has in a partial response. */
function projecting({ query, has, lacks, needs = [], ...check }: Projecting): Check {
  return {
    ...check,
    needs: ['check:create.user', ...needs],
    run: async ({ people, get, type }) => {
      const optional = lacks.filter((path) => !isAlways(type('User'), path))
      if (lacks.length > 0 && optional.length === 0)
        skip('The server always returns the attributes.')
      const { ada } = await people()
      const missing = has.find((path) => memberAt(ada.body, path) === undefined)
      if (missing !== undefined) skip(`The server does not return ${missing}.`)
      const response = await get(ada.path, { query })
      expectStatus(response, 200)
      for (const path of has) expectMember(response, path)
      for (const path of optional) expectAbsent(response, path)
    },
  }
}

/** Rules for the names of attributes and excludedAttributes. */
export const LIST_PROJECTION_CHECKS: readonly Check[] = [
  projecting({
    id: 'projection.attributes',
    ...RULES.overridden,
    title: 'attributes limits a resource to the named attributes',
    needs: ['User.displayName'],
    advice: 'Remove the attributes that are not named, except those that are always returned.',
    query: { attributes: 'userName' },
    has: ['userName'],
    lacks: ['displayName', 'emails', 'active'],
  }),
  projecting({
    id: 'projection.always',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'attributes does not remove id',
    needs: ['User.displayName'],
    advice: 'Return id in every response, because its returned characteristic is always.',
    query: { attributes: 'displayName' },
    has: ['id', 'displayName'],
    lacks: [],
  }),
  projecting({
    id: 'projection.sub-attribute',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'attributes accepts the path of a sub-attribute',
    needs: ['User.name.familyName', 'User.name.givenName'],
    advice: 'Return the complex attribute with only the named sub-attributes.',
    query: { attributes: 'name.familyName' },
    has: ['name.familyName'],
    lacks: ['name.givenName', 'displayName'],
  }),
  {
    id: 'projection.multi-valued',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'attributes selects a sub-attribute of each value',
    needs: ['check:create.user', 'User.emails.value', 'User.emails.type'],
    advice: 'Return every value with only the named sub-attributes.',
    run: async ({ people, get }) => {
      const { ada } = await people()
      const response = await get(ada.path, { query: { attributes: 'emails.value' } })
      const emails = objectsOf(expectMember(response, 'emails'))
      expectThat(emails.length > 0, 'the values of emails', emails)
      for (const email of emails) expectEqual(Object.keys(email), ['value'], 'the sub-attributes')
    },
  },
  {
    id: 'projection.list',
    ...RULES.projections,
    title: 'attributes limits each resource of a list',
    needs: ['check:filters.eq-string', 'User.displayName'],
    advice: 'Apply attributes to each resource of Resources.',
    run: async ({ people, get, type }) => {
      const query = {
        filter: `userName eq ${nameOf((await people()).ada)}`,
        attributes: 'userName',
      }
      const [ada = {}] = expectList(await get(type('User').endpoint, { query }))
      expectMember(ada, 'userName')
      for (const name of ['displayName', 'emails', 'active']) {
        if (!isAlways(type('User'), name)) expectAbsent(ada, name)
      }
    },
  },
  projecting({
    id: 'projection.excluded',
    ...RULES.projections,
    title: 'excludedAttributes removes the named attributes',
    needs: ['User.displayName', 'User.emails'],
    advice: 'Return the default attributes without the named ones.',
    query: { excludedAttributes: 'displayName,emails' },
    has: ['id', 'userName'],
    lacks: ['displayName', 'emails'],
  }),
  projecting({
    id: 'projection.excluded-sub-attribute',
    ...RULES.projections,
    title: 'excludedAttributes accepts the path of a sub-attribute',
    needs: ['User.name.familyName', 'User.name.givenName'],
    advice: 'Remove only the named sub-attribute of the complex attribute.',
    query: { excludedAttributes: 'name.familyName' },
    has: ['name.givenName'],
    lacks: ['name.familyName'],
  }),
  projecting({
    id: 'projection.excluded-always',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'excludedAttributes does not remove id',
    advice: 'Ignore excluded attributes whose returned characteristic is always.',
    query: { excludedAttributes: 'id' },
    has: ['id', 'userName'],
    lacks: [],
  }),
  projecting({
    id: 'projection.core-urn',
    ...RULES.withUrn,
    title: 'attributes accepts an attribute of the core schema with its URN',
    needs: ['User.displayName'],
    advice: 'Remove the URN of the core schema and the colon after it from an attribute name.',
    query: { attributes: `${USER_SCHEMA}:userName` },
    has: ['userName'],
    lacks: ['displayName'],
  }),
  projecting({
    id: 'projection.extension',
    ...RULES.withUrn,
    title: 'attributes accepts an attribute of an extension with its URN',
    needs: [
      ...(['enterprise', `User.${ENTERPRISE_USER_SCHEMA}:department`] as const),
      `User.${ENTERPRISE_USER_SCHEMA}:employeeNumber`,
    ],
    advice: 'Return the member of the extension with only the named attributes.',
    query: { attributes: `${ENTERPRISE_USER_SCHEMA}:department` },
    has: [[ENTERPRISE_USER_SCHEMA, 'department']],
    lacks: [[ENTERPRISE_USER_SCHEMA, 'employeeNumber'], 'displayName'],
  }),
  projecting({
    id: 'projection.name-case',
    ...RULES.anyCase,
    title: 'attributes accepts names in any letter case',
    needs: ['User.displayName', 'check:projection.attributes'],
    advice: 'Look up the named attributes without regard to letter case.',
    query: { attributes: 'USERNAME' },
    has: ['userName'],
    lacks: ['displayName'],
  }),
  {
    id: 'projection.unknown',
    ...RULES.statusCodes,
    title: 'An unknown name in attributes is ignored or rejected',
    needs: ['check:create.user'],
    advice: 'Ignore names that no schema defines, or answer 400.',
    run: async ({ people, get }) => {
      const query = { attributes: 'userName,plumblineUnknown' }
      const response = await get((await people()).ada.path, { query })
      expectStatus(response, 200, 400)
      if (response.status === 200) expectMember(response, 'userName')
    },
  },
]
