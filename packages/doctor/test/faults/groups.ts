import { answers, type Body, type Change, defineFaults, receives } from '../fault.ts'
import { afterwards, ignores, operations } from './patch.ts'

const GROUP = 'PATCH /Groups/:id'

/** Replaces the operations of PATCH requests for groups. */
const groupOperations = (change: (operation: Body) => readonly object[] | null) =>
  operations(change, GROUP)

/** Adds one member by its value. */
const addsMember = ({ op, path, value }: Body) =>
  op === 'add' && path === 'members' && value.length === 1

/** Keeps the groups of a user that an earlier response had, after a request for a group. */
const staleGroups = (isCause: (sent: { method: string; body: Body }) => boolean): Change => {
  const members = new Map<string, Body>()
  const stale = new Map<string, Body>()
  return answers('* *', ({ status, body }, sent) => {
    if (sent.path === '/Groups' && status === 201) members.set(`/Groups/${body.id}`, body)
    const group = members.get(sent.path)
    if (group !== undefined && isCause(sent)) {
      for (const { value } of group.members ?? []) stale.set(`/Users/${value}`, { value: group.id })
    }
    if (sent.method !== 'GET' || !stale.has(sent.path)) return false
    body.groups = [...(body.groups ?? []), stale.get(sent.path)]
    return true
  })
}

/** Does not show the groups that users joined by PATCH. */
const staleJoins = (): Change => {
  const joined = new Map<string, string>()
  return answers('* *', ({ body }, sent) => {
    const [operation] = sent.body?.Operations ?? []
    if (sent.path.startsWith('/Groups/') && operation !== undefined && addsMember(operation)) {
      joined.set(`/Users/${operation.value[0].value}`, sent.path.slice('/Groups/'.length))
    }
    if (sent.method !== 'GET' || !joined.has(sent.path)) return false
    body.groups = body.groups?.filter(({ value }: Body) => value !== joined.get(sent.path))
    return true
  })
}

/** Keeps members of a type that were deleted. */
const staleMembers = (endpoint: string): Change => {
  const members = new Map<string, Body>()
  const deleted = new Set<string>()
  return answers('* *', ({ status, body }, sent) => {
    if (sent.path === '/Groups' && status === 201) members.set(`/Groups/${body.id}`, body.members)
    if (sent.method === 'DELETE') deleted.add(sent.path)
    const before: readonly Body[] = members.get(sent.path) ?? []
    const isStale = before.some(({ value }) => deleted.has(`${endpoint}/${value}`))
    if (sent.method !== 'GET' || status !== 200 || !isStale) return false
    body.members = before
    return true
  })
}

/** Shows the groups that a user has through another group as direct ones. */
const flattened = (): Change => {
  const members = new Map<string, readonly Body[]>()
  const shown = new Map<string, Body>()
  return answers('* *', ({ status, body }, sent) => {
    if (sent.path === '/Groups' && status === 201) {
      members.set(body.id, body.members ?? [])
      const inner: readonly Body[] = members.get(body.members?.[0]?.value) ?? []
      for (const { value } of inner)
        shown.set(`/Users/${value}`, { value: body.id, type: 'direct' })
    }
    if (sent.method !== 'GET' || !shown.has(sent.path)) return false
    return body?.groups?.push(shown.get(sent.path)) ?? false
  })
}

export const GROUPS_FAULTS = defineFaults([
  {
    check: 'groups.members',
    fault: receives('POST /Groups', ({ body }) =>
      body.members?.length === 3 ? { body: { ...body, members: body.members.slice(0, 2) } } : null,
    ),
  },
  {
    check: 'groups.put-members',
    fault: receives('PUT /Groups/:id', ({ body }) =>
      body.members?.length === 2 ? { body: { ...body, members: body.members.slice(0, 1) } } : null,
    ),
  },
  {
    check: 'groups.add-member',
    fault: groupOperations((operation) =>
      addsMember(operation) ? [{ ...operation, op: 'replace' }] : null,
    ),
  },
  {
    check: 'groups.add-member-twice',
    fault: afterwards(
      addsMember,
      ({ members }, { value }) => {
        if (members.length === 1) members.push(value[0])
      },
      '/Groups/:id',
    ),
  },
  {
    check: 'groups.remove-member',
    fault: groupOperations(({ op, path }) =>
      op === 'remove' && path.startsWith('members[') ? [{ op, path: 'members' }] : null,
    ),
  },
  {
    check: 'groups.remove-all-members',
    fault: ignores(({ op, path }) => op === 'remove' && path === 'members', GROUP),
  },
  {
    check: 'groups.replace-members',
    fault: groupOperations((operation) =>
      operation.op === 'replace' && operation.path === 'members'
        ? [{ ...operation, op: 'add' }]
        : null,
    ),
  },
  {
    check: 'groups.rename',
    also: { 'groups.rename-with-member': 'it renames a group as well' },
    fault: groupOperations((operation) =>
      operation.op === 'replace' && operation.path === 'displayName'
        ? [{ op: 'remove', path: 'members' }, operation]
        : null,
    ),
  },
  {
    check: 'groups.rename-with-member',
    fault: receives(GROUP, ({ body }) => {
      const [rename, add] = body?.Operations ?? []
      if (rename?.path !== 'displayName' || add?.path !== 'members') return null
      return { body: { ...body, Operations: [add] } }
    }),
  },
  {
    check: 'groups.add-to-deleted',
    fault: answers(GROUP, (answer) => {
      if (answer.status === 404) answer.status = 204
    }),
  },
  {
    check: 'groups.nested',
    fault: receives('POST /Groups', ({ body }) =>
      body.members?.[0]?.type === 'Group' ? { body: { ...body, members: [] } } : null,
    ),
  },
  {
    check: 'groups.unknown-member',
    fault: answers('POST /Groups', (answer, { body }) => {
      const isUnknown = body.members?.length === 1 && !/^[0-9a-f-]{36}$/.test(body.members[0].value)
      if (isUnknown) answer.status = 500
    }),
  },
  {
    check: 'groups.large',
    fault: receives('POST /Groups', ({ body }) =>
      body.members?.length > 500
        ? { body: { ...body, members: body.members.slice(0, 500) } }
        : null,
    ),
  },
  {
    check: 'groups.user-groups',
    fault: answers('GET /Users/:id', ({ body }) => delete body?.groups),
  },
  { check: 'groups.user-joins', fault: staleJoins() },
  {
    check: 'groups.user-leaves',
    fault: staleGroups(
      ({ method, body }) => method === 'PATCH' && body.Operations[0].op === 'remove',
    ),
  },
  { check: 'groups.deleted-group', fault: staleGroups(({ method }) => method === 'DELETE') },
  { check: 'groups.deleted-user', fault: staleMembers('/Users') },
  { check: 'groups.deleted-nested', fault: staleMembers('/Groups') },
  {
    check: 'groups.user-groups-read-only',
    fault: afterwards(
      ({ op, path }) => op === 'add' && path === 'groups',
      (user, { value }) => {
        user.groups = value
      },
    ),
  },
  {
    check: 'groups.indirect',
    fault: flattened(),
  },
  {
    check: 'groups.display-name',
    fault: receives('POST /Groups', ({ body }) =>
      body.displayName === undefined
        ? { body: { ...body, displayName: crypto.randomUUID() } }
        : null,
    ),
  },
  {
    check: 'groups.excluded-members',
    fault: receives('GET /Groups/:id', ({ query }) =>
      query.get('excludedAttributes') === 'members' ? { query: new URLSearchParams() } : null,
    ),
  },
  {
    check: 'groups.list-excluded-members',
    fault: receives('GET /Groups', ({ query }) => {
      if (query.get('excludedAttributes') !== 'members') return null
      return { query: new URLSearchParams({ filter: query.get('filter') ?? '' }) }
    }),
  },
  {
    check: 'groups.filter-members',
    fault: receives('GET /Groups', ({ query }) =>
      /^members\.value eq /.test(query.get('filter') ?? '')
        ? { query: new URLSearchParams({ filter: 'id pr', count: '100' }) }
        : null,
    ),
  },
])
