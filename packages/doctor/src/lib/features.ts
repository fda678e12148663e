import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Discovered } from './discover.ts'
import { memberAt } from './json.ts'
import {
  type AttributeNeed,
  findAttributeReason,
  isRoleNeed,
  type RoleNeed,
} from './model/attribute-needs.ts'
import { type Attribute, type ExaminedType, findAttribute } from './model/types.ts'
import { findVocabulary } from './model/vocabulary.ts'
import type { Client } from './toolkit/client.ts'
import { READ_ONLY } from './toolkit/finding.ts'

/** A feature a check can need. Discovery decides which ones a server has. */
export type Feature =
  | 'patch'
  | 'bulk'
  | 'filter'
  | 'sort'
  | 'etag'
  | 'changePassword'
  /** Cursor-based pages (RFC 9865). */
  | 'cursor'
  /** Index-based pages; every server without a `pagination` member has them. */
  | 'index'
  | 'users'
  | 'groups'
  /** The extension for enterprise users (RFC 7643 §4.3). */
  | 'enterprise'
  /** A resource type not defined in RFC 7643. */
  | 'custom'
  /** The examination may create resources. */
  | 'write'
  /** The examination may send what could take a server down: deep, long and many inputs. */
  | 'hostile'
  /** The examination sends an Authorization header. */
  | 'credentials'
  | 'me'
  /** Searches with POST (RFC 7644 §3.4.3). */
  | 'search'

/** A user attribute the server can filter on, such as `filterable:User.title` or `filterable:User:text`. */
export type FilterNeed = `filterable:User.${string}` | `filterable:${RoleNeed}`

/** Returns the reason why a server lacks a feature or an attribute, or null if it has it. */
export type FindReason = (
  need: Feature | AttributeNeed | RoleNeed | FilterNeed,
) => Promise<string | null>

type AttributeType = Attribute['type']

interface Facts extends Discovered {
  readonly client: Client
  readonly isReadOnly: boolean
  readonly hasCredentials: boolean
  readonly isHostile: boolean
}

/**
 * Creates the function that decides about features. If a feature needs a request, it is tried once, when a check needs
 * it.
 */
export function createFeatures(facts: Facts): FindReason {
  const known = new Map<string, Promise<string | null>>()
  return (need) => {
    const found = known.get(need) ?? findReason(facts, need)
    known.set(need, found)
    return found
  }
}

async function findReason(
  facts: Facts,
  need: Feature | AttributeNeed | RoleNeed | FilterNeed,
): Promise<string | null> {
  if (isFilterNeed(need)) return findFilterReason(facts, need.slice('filterable:User'.length))
  if (isRoleNeed(need) || isAttributeNeed(need)) return findAttributeReason(facts.types, need)
  return (await FEATURES[need](facts)) ?? null
}

/** A server may support filters on some attributes only, and reject the others with invalidFilter. */
async function findFilterReason(facts: Facts, target: string): Promise<string | null> {
  const type = facts.types.find((one) => one.schema === USER_SCHEMA)
  const path = type && (target.startsWith('.') ? target.slice(1) : pathOf(type, target.slice(1)))
  const attribute = path && (COMMON[path] ?? findAttribute(type, path)?.type)
  if (type === undefined || !attribute) {
    return `The schema of User does not declare ${path ?? 'the attribute'}.`
  }
  const filter = `${path} eq ${LITERALS[attribute]}`
  const { status, body } = await facts.client.get(type.endpoint, { query: { filter, count: 1 } })
  if (status !== 400 || memberAt(body, 'scimType') !== 'invalidFilter') return null
  return `The server does not filter by ${path}.`
}

/** Finds the attribute to filter on for a role. */
function pathOf(type: ExaminedType, role: string): string | undefined {
  const { text, optional, list } = findVocabulary(type)
  return { text, optional, list: list && `${list.path}.value` }[role]
}

function isFilterNeed(need: string): need is FilterNeed {
  return need.startsWith('filterable:')
}

function isAttributeNeed(need: Feature | AttributeNeed): need is AttributeNeed {
  return need.includes('.')
}

/** The types of the common attributes (RFC 7643 §3.1), which no schema has to declare. */
const COMMON: Readonly<Record<string, AttributeType>> = {
  id: 'string',
  externalId: 'string',
  'meta.created': 'dateTime',
  'meta.lastModified': 'dateTime',
}

/** A literal for each type, as in a filter. */
const LITERALS: Readonly<Record<AttributeType, string>> = {
  string: '"plumbline"',
  reference: '"plumbline"',
  binary: '"cGx1bWJsaW5l"',
  boolean: 'true',
  integer: '7',
  decimal: '7.5',
  dateTime: '"2026-01-31T12:00:00Z"',
  complex: '"plumbline"',
}

type Reason = string | null

/** Reads a feature the ServiceProviderConfig advertises. */
function advertised(path: string): (facts: Facts) => Reason {
  return ({ documents }) =>
    memberAt(documents.config.body, path) === true
      ? null
      : `The ServiceProviderConfig does not advertise ${path}.`
}

function served(schema: string, name: string): (facts: Facts) => Reason {
  return ({ types }) =>
    types.some((type) => Object.hasOwn(type.definitions, schema))
      ? null
      : `The server does not have ${name}.`
}

const FEATURES: Readonly<Record<Feature, (facts: Facts) => Reason | Promise<Reason>>> = {
  patch: advertised('patch.supported'),
  bulk: advertised('bulk.supported'),
  filter: advertised('filter.supported'),
  sort: advertised('sort.supported'),
  etag: advertised('etag.supported'),
  changePassword: advertised('changePassword.supported'),
  cursor: advertised('pagination.cursor'),
  index: ({ documents }) =>
    memberAt(documents.config.body, 'pagination.index') === false
      ? 'The ServiceProviderConfig says that pages by index are not supported.'
      : null,
  users: served(USER_SCHEMA, 'users'),
  groups: served(GROUP_SCHEMA, 'groups'),
  enterprise: served(ENTERPRISE_USER_SCHEMA, 'the enterprise extension'),
  custom: ({ types }) =>
    types.some(({ schema }) => schema !== USER_SCHEMA && schema !== GROUP_SCHEMA)
      ? null
      : 'The server does not have a resource type of its own.',
  write: ({ isReadOnly }) => (isReadOnly ? READ_ONLY : null),
  hostile: ({ isHostile, isReadOnly }) =>
    isHostile && !isReadOnly ? null : 'The examination is not hostile.',
  credentials: ({ hasCredentials }) =>
    hasCredentials ? null : 'The examination does not send an Authorization header.',
  me: async ({ client }) => {
    const { status } = await client.get('/Me')
    return status === 200 ? null : `GET /Me answers ${status}.`
  },
  search: async ({ client, types }) => {
    const [type] = types
    const { status } = await client.search(type?.endpoint ?? '', { count: 1 })
    return status === 200 ? null : `POST ${type?.endpoint}/.search answers ${status}.`
  },
}
