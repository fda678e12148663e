import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import { type ExaminedType, findAttribute, isAlways } from '../../model/types.ts'
import { findVocabulary } from '../../model/vocabulary.ts'
import { type Renaming, renamingOf } from '../../rows/renaming.ts'
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
import { namesOf } from './others.ts'

type Path = string | readonly string[]

interface Projecting extends Omit<Check, 'run'> {
  readonly query: Readonly<Record<string, string>>
  /** The members the response must have. */
  readonly has: readonly Path[]
  /** The members it must not have. */
  readonly lacks: readonly Path[]
}

/** Checks which members the shared user ada has in a partial response. */
function projecting({ query, has, lacks, needs = [], ...check }: Projecting): Check {
  return {
    ...check,
    needs: ['check:create.user', ...needs],
    run: async ({ people, get, type }) => {
      const users = type('User')
      const names = renamingOf(findVocabulary(users))
      const renamed = (path: Path): Path => (typeof path === 'string' ? names.path(path) : path)
      const wanted = has.map(renamed)
      // If a string is in both lists, it is the only one the server declares.
      const unwanted = lacks.map(renamed).filter((path) => isDeclared(users, path))
      const absent = unwanted.filter((path) => !isAlways(users, path) && !wanted.includes(path))
      if (lacks.length > 0 && absent.length === 0)
        skip('The server always returns the attributes that it declares.')
      const { ada } = await people()
      const missing = wanted.find((path) => memberAt(ada.body, path) === undefined)
      if (missing !== undefined) skip(`The server does not return ${missing}.`)
      const response = await get(ada.path, { query: declaredIn(users, names, query) })
      expectStatus(response, 200)
      for (const path of wanted) expectMember(response, path)
      for (const path of absent) expectAbsent(response, path)
    },
  }
}

/** Reduces the parameters to the attributes the server declares. */
function declaredIn(
  users: ExaminedType,
  names: Renaming,
  query: Projecting['query'],
): Readonly<Record<string, string>> {
  const entries = Object.entries(query).map(([name, value]) => {
    const paths = value.split(',').map(names.path)
    return [name, paths.filter((path) => isDeclared(users, path)).join()]
  })
  return Object.fromEntries(entries)
}

function isDeclared(users: ExaminedType, path: Path): boolean {
  const [name = ''] = typeof path === 'string' ? [path] : path
  return name === 'id' || name.startsWith('urn:') || findAttribute(users, name) !== undefined
}

/** Rules for the names of attributes and excludedAttributes. */
export const PROJECTION_NAME_CHECKS: readonly Check[] = [
  projecting({
    id: 'projection.attributes',
    ...RULES.overridden,
    title: 'attributes limits a resource to the named attributes',
    advice: 'Remove the attributes that are not named, except those that are always returned.',
    query: { attributes: 'userName' },
    has: ['userName'],
    lacks: ['title', 'displayName', 'emails', 'active'],
  }),
  projecting({
    id: 'projection.always',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'attributes does not remove id',
    needs: ['User:optional'],
    advice: 'Return id in every response, because its returned characteristic is always.',
    query: { attributes: 'title' },
    has: ['id', 'title'],
    lacks: [],
  }),
  projecting({
    id: 'projection.sub-attribute',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'attributes accepts the path of a sub-attribute',
    needs: ['User:complex'],
    advice: 'Return the complex attribute with only the named sub-attributes.',
    query: { attributes: 'name.familyName' },
    has: ['name.familyName'],
    lacks: ['name.givenName', 'title'],
  }),
  {
    id: 'projection.multi-valued',
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'MUST contain the minimum set of resource attributes',
    title: 'attributes selects a sub-attribute of each value',
    needs: ['check:create.user', 'User:list'],
    advice: 'Return every value with only the named sub-attributes.',
    run: async ({ people, get, words }) => {
      const { path } = words().list
      const { ada } = await people()
      const response = await get(ada.path, { query: { attributes: `${path}.value` } })
      const values = objectsOf(expectMember(response, path))
      expectThat(values.length > 0, `the values of ${path}`, values)
      for (const one of values) expectEqual(Object.keys(one), ['value'], 'the sub-attributes')
    },
  },
  {
    id: 'projection.list',
    ...RULES.projections,
    title: 'attributes limits each resource of a list',
    needs: ['check:filters.eq-string'],
    advice: 'Apply attributes to each resource of Resources.',
    run: async ({ people, get, type }) => {
      const query = {
        filter: `userName eq ${nameOf((await people()).ada)}`,
        attributes: 'userName',
      }
      const [ada = {}] = expectList(await get(type('User').endpoint, { query }))
      expectMember(ada, 'userName')
      for (const name of namesOf(type('User'))) expectAbsent(ada, name)
    },
  },
  projecting({
    id: 'projection.excluded',
    ...RULES.projections,
    title: 'excludedAttributes removes the named attributes',
    advice: 'Return the default attributes without the named ones.',
    query: { excludedAttributes: 'title,emails,active' },
    has: ['id', 'userName'],
    lacks: ['title', 'emails', 'active'],
  }),
  {
    id: 'projection.list-excluded',
    ...RULES.projections,
    title: 'excludedAttributes removes the named attributes from each resource of a list',
    needs: ['check:projection.excluded', 'check:filters.eq-string'],
    advice: 'Apply excludedAttributes to each resource of Resources.',
    run: async ({ people, get, type }) => {
      const names = namesOf(type('User'))
      const { ada } = await people()
      const query = { filter: `userName eq ${nameOf(ada)}`, excludedAttributes: names.join() }
      const [found = {}] = expectList(await get(type('User').endpoint, { query }))
      expectMember(found, 'id', ada.id)
      expectMember(found, 'userName')
      for (const name of names) expectAbsent(found, name)
    },
  },
  projecting({
    id: 'projection.excluded-sub-attribute',
    ...RULES.projections,
    title: 'excludedAttributes accepts the path of a sub-attribute',
    needs: ['User:complex'],
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
    advice: 'Remove the URN of the core schema and the colon after it from an attribute name.',
    query: { attributes: `${USER_SCHEMA}:userName` },
    has: ['userName'],
    lacks: ['title', 'active'],
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
    lacks: [[ENTERPRISE_USER_SCHEMA, 'employeeNumber'], 'title'],
  }),
  projecting({
    id: 'projection.name-case',
    ...RULES.anyCase,
    title: 'attributes accepts names in any letter case',
    needs: ['check:projection.attributes'],
    advice: 'Look up the named attributes without regard to letter case.',
    query: { attributes: 'USERNAME' },
    has: ['userName'],
    lacks: ['title', 'active'],
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
