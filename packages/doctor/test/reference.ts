import { unwrap } from '@plumbline/result'
import { compareResources, createWorkBudget, ScimError } from '@plumbline/scim'
import {
  type Discovery,
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import {
  createScimEndpoint,
  defineResourceType,
  type ListAnswer,
  type ListRequest,
  memoryStore,
  PreparedResource,
  type ResourceStore,
  type ScimEndpointOptions,
  type WireResource,
} from '@plumbline/scim/endpoint'
import { compileFilter } from '@plumbline/scim/filter'

/** A function that answers requests. */
export type Fetch = (request: Request) => Promise<Response>

export const BASE = 'https://scim.example/scim/v2'
export const TOKEN = 'correct-token'

/** A resource type that RFC 7643 does not define, with every kind of attribute. */
export const DEVICE: Discovery.SchemaDefinition = {
  id: 'urn:example:params:scim:schemas:2.0:Device',
  name: 'Device',
  description: 'A device',
  attributes: [
    { name: 'serial', type: 'string', required: true, caseExact: true, uniqueness: 'server' },
    { name: 'model', type: 'string', mutability: 'immutable' },
    { name: 'pin', type: 'string', mutability: 'writeOnly', returned: 'never' },
    { name: 'notes', type: 'string', returned: 'request' },
    { name: 'state', type: 'string', canonicalValues: ['active', 'retired'] },
    { name: 'slots', type: 'integer' },
    { name: 'weight', type: 'decimal' },
    { name: 'bought', type: 'dateTime' },
    { name: 'portable', type: 'boolean' },
    { name: 'tags', type: 'string', multiValued: true },
    { name: 'label', type: 'string', uniqueness: 'server' },
    { name: 'comment', type: 'string' },
    {
      name: 'ports',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: 'type', type: 'string', canonicalValues: ['in', 'out'] },
      ],
    },
    {
      name: 'owner',
      type: 'complex',
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: '$ref', type: 'reference', referenceTypes: ['User'] },
      ],
    },
  ],
}

/** The parts of the reference that a fault replaces. */
export interface ReferenceOptions extends Partial<ScimEndpointOptions<object>> {
  /** Replaces the store of a type: it receives the correct one. */
  readonly store?: (store: ResourceStore, type: string) => ResourceStore
  /** Replaces the schemas of a type. */
  readonly definitions?: (definitions: Discovery.Definitions, type: string) => Discovery.Definitions
}

/** Creates the correct server, with every feature: an endpoint over stores in memory. */
export function createReference({
  store = (one) => one,
  definitions = (one) => one,
  ...options
}: ReferenceOptions = {}): Fetch {
  const userDefinitions = definitions(USER_DEFINITIONS, 'User')
  const groupDefinitions = definitions(GROUP_DEFINITIONS, 'Group')
  const deviceDefinitions = definitions(DEVICE_DEFINITIONS, 'Device')
  const groups = memoryStore({ definitions: groupDefinitions })
  const users = memoryStore({ definitions: userDefinitions, groups })
  const devices = memoryStore({ definitions: deviceDefinitions })
  const type = (name: string, one: ResourceStore, own: Discovery.Definitions) =>
    defineResourceType({
      name,
      endpoint: `/${name}s`,
      definitions: own,
      store: store(withCursors(one, own), name),
    })
  let me = ''
  const endpoint = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      type('User', users, userDefinitions),
      type('Group', groups, groupDefinitions),
      type('Device', devices, deviceDefinitions),
    ],
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${TOKEN}` ? {} : null,
    me: { id: () => me },
    changePassword: true,
    // A page is shorter than the list of the users of an examination.
    limits: { defaultCount: 3 },
    ...options,
  })
  // The user of the token exists before the examination, as on a real server.
  const created = users.create({ userName: 'admin@example.com' }, {}, storeRequest())
  return async (request) => {
    me = String((await created).id)
    return endpoint.fetch(request)
  }
}

/** Pages by cursor (RFC 9865) over a store that lists all resources. A cursor is the position and the query. */
function withCursors(store: ResourceStore, definitions: Discovery.Definitions): ResourceStore {
  return {
    ...store,
    cursors: { timeout: 3_600 },
    list: async (context, request) => {
      if (request.cursor === null) return store.list(context, request)
      return listByCursor(request, await listAll(store, request, context, definitions))
    },
  }
}

async function listAll(
  store: ResourceStore,
  request: ListRequest,
  context: unknown,
  definitions: Discovery.Definitions,
): Promise<WireResource[]> {
  const whole = { ...request, startIndex: 1, count: 1_000_000 }
  const { resources } = await store.list(context, whole)
  const matches =
    request.filter === null ? () => true : unwrap(compileFilter(request.filter, { definitions }))
  const { sortOrder } = request
  const sortBy = request.sortBy ?? undefined
  return resources
    .flatMap((one) => (one instanceof PreparedResource ? [] : [one]))
    .filter(matches)
    .sort(compareResources({ sortBy, sortOrder }, definitions))
}

function listByCursor(request: ListRequest, all: readonly WireResource[]): ListAnswer {
  const { filter, sortBy, sortOrder, count } = request
  const query = JSON.stringify([filter, sortBy, sortOrder])
  const start = request.cursor === '' ? 0 : startOf(request.cursor ?? '', query)
  const end = start + count
  return {
    resources: all.slice(start, end),
    totalResults: all.length,
    applied: ['filter', 'sort', 'page'],
    ...(end < all.length && count > 0 ? { nextCursor: cursorOf(end, query) } : {}),
    ...(start > 0 ? { previousCursor: cursorOf(Math.max(start - count, 0), query) } : {}),
  }
}

function cursorOf(start: number, query: string): string {
  return Buffer.from(JSON.stringify([start, query])).toString('base64url')
}

function startOf(cursor: string, query: string): number {
  const invalid = new ScimError(400, 'the cursor is not valid', { scimType: 'invalidCursor' })
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw invalid
  }
  const [start, wanted]: readonly unknown[] = Array.isArray(parsed) ? parsed : []
  if (typeof start !== 'number' || wanted !== query) throw invalid
  return start
}

function storeRequest() {
  const budget = createWorkBudget(1_000_000)
  return { base: BASE, signal: new AbortController().signal, budget }
}

const USER_DEFINITIONS: Discovery.Definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const GROUP_DEFINITIONS: Discovery.Definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
const DEVICE_DEFINITIONS: Discovery.Definitions = { [DEVICE.id]: DEVICE }
