import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { answers, type Body, bodyOf, defineFaults, receives } from '../fault.ts'
import { afterwards, ignores, operations } from './patch.ts'

/** Whether an operation is a replace with the path. */
const replaces =
  (target: string) =>
  ({ op, path }: Body) =>
    op === 'replace' && path === target

/** A user loses attributes by a PATCH of another one. */
const loses = (...names: readonly string[]) =>
  operations((operation) =>
    operation.value === 'Ada Changed'
      ? [operation, ...names.map((path) => ({ op: 'remove', path }))]
      : null,
  )

/** Changes the response to a PATCH. */
const responds = (change: (body: Body) => unknown) =>
  answers('PATCH /Users/:id', ({ status, body }, sent) => {
    if (status !== 200 || sent.body.Operations[0]?.value !== 'Ada Answered') return false
    return change(body)
  })

export const PATCH_REPLACE_FAULTS = defineFaults([
  {
    check: 'patch-replace.whole',
    name: 'PATCH ignores phone numbers',
    fault: ignores(replaces('phoneNumbers')),
  },
  {
    check: 'patch-replace.whole',
    name: 'PATCH ignores nickName',
    also: { 'stored.patch-replace': 'it replaces the nickName as well' },
    fault: ignores(replaces('nickName')),
  },
  {
    check: 'patch-replace.whole',
    name: 'PATCH ignores externalId',
    fault: ignores(replaces('externalId')),
  },
  {
    check: 'patch-replace.others',
    name: 'PATCH removes e-mails',
    fault: loses('emails'),
  },
  {
    check: 'patch-replace.others',
    name: 'PATCH removes the nickName and an attribute of the extension',
    fault: loses('nickName', `${ENTERPRISE_USER_SCHEMA}:division`),
  },
  {
    check: 'patch-replace.answer',
    name: 'it lacks the e-mails',
    fault: responds((body) => delete body.emails),
  },
  {
    check: 'patch-replace.answer',
    name: 'active is a string',
    fault: responds((body) => {
      body.active = String(body.active)
    }),
  },
  {
    check: 'patch-replace.attribute',
    also: { 'stored.patch-replace': 'it replaces displayName as well' },
    fault: ignores(replaces('displayName')),
  },
  {
    check: 'patch-replace.absent',
    fault: ignores(
      ({ op, path, value }) => op === 'replace' && path === 'title' && value === 'Engineer',
    ),
  },
  {
    check: 'patch-replace.no-path',
    fault: operations((operation) =>
      operation.op === 'replace' && operation.path === undefined && operation.value.displayName
        ? [{ op: 'remove', path: 'title' }, operation]
        : null,
    ),
  },
  {
    check: 'patch-replace.sub-attribute',
    also: {
      'stored.patch-replace': 'it replaces parts of the name as well',
    },
    fault: operations((operation) =>
      replaces('name.givenName')(operation) ? [{ op: 'remove', path: 'name' }, operation] : null,
    ),
  },
  {
    check: 'patch-replace.complex',
    fault: operations((operation) =>
      replaces('name')(operation) ? [{ op: 'remove', path: 'name' }, operation] : null,
    ),
  },
  {
    check: 'patch-replace.multi-valued',
    also: { 'patch-replace.whole': 'it replaces e-mails as well' },
    fault: operations((operation) =>
      replaces('emails')(operation) ? [{ ...operation, op: 'add' }] : null,
    ),
  },
  {
    check: 'patch-replace.value-path',
    fault: operations((operation) =>
      replaces('emails[type eq "home"]')(operation) ? [{ ...operation, path: 'emails' }] : null,
    ),
  },
  {
    check: 'patch-replace.value-path-sub-attribute',
    fault: operations((operation) =>
      replaces('emails[type eq "work"].value')(operation)
        ? [{ ...operation, path: 'emails.value' }]
        : null,
    ),
  },
  {
    check: 'patch-replace.no-target',
    fault: operations((operation) =>
      replaces('emails[type eq "other"].value')(operation) ? [{ ...operation, op: 'add' }] : null,
    ),
  },
  {
    check: 'patch-replace.extension',
    also: {
      'patch-replace.whole': 'it replaces the department as well',
      'stored.patch-replace': 'it replaces the department as well',
    },
    fault: ignores(replaces(`${ENTERPRISE_USER_SCHEMA}:department`)),
  },
  {
    check: 'patch-replace.no-path-extension',
    fault: ignores(
      ({ op, path, value }) =>
        op === 'replace' && path === undefined && value[ENTERPRISE_USER_SCHEMA],
    ),
  },
  {
    check: 'patch-replace.primary',
    fault: afterwards(replaces('emails[type eq "home"].primary'), ({ emails }) => {
      for (const email of emails) email.primary = true
    }),
  },
  {
    check: 'patch-replace.literal-dot',
    fault: operations((operation) =>
      /value eq "[^"]*\.[^"]*"\]\.display$/.test(operation.path ?? '')
        ? [{ ...operation, path: 'emails[value eq "none"].display' }]
        : null,
    ),
  },
  {
    check: 'patch-replace.literal-colon',
    fault: ignores(replaces('emails[display eq "Room: 7"].value')),
  },
  {
    check: 'patch-replace.literal-space',
    fault: ignores(replaces('emails[display eq "At home"].value')),
  },
  {
    check: 'patch-replace.value-spaces',
    fault: operations((operation) =>
      replaces('addresses[type eq "work"].streetAddress')(operation)
        ? [{ ...operation, value: operation.value.split(' ')[0] }]
        : null,
    ),
  },
  {
    check: 'patch-replace.active',
    fault: ignores(({ path, value }) => path === 'active' && value === false),
  },
  {
    check: 'patch-replace.active-no-path',
    fault: ignores(({ path, value }) => path === undefined && value?.active === false),
  },
  {
    check: 'patch-replace.again',
    // Null is stored for the parts of a name without a value, and the next write is rejected.
    fault: (correct) => {
      const changed = new Set<string>()
      return async (request) => {
        if (request.method !== 'PATCH' || !request.url.includes('/Users/')) return correct(request)
        const { Operations: all = [] } = await bodyOf(request)
        if (!all.some(replaces('name.givenName'))) return correct(request)
        if (changed.has(request.url)) return Response.json({}, { status: 500 })
        changed.add(request.url)
        return correct(request)
      }
    },
  },
  {
    check: 'patch-replace.missing-value',
    fault: ignores(({ op, value }) => op === 'replace' && value === undefined),
  },
  {
    check: 'patch-replace.each-type',
    also: {
      'stored.patch-remove': 'it removes attributes of devices',
      'stored.patch-replace': 'it replaces attributes of devices',
      'stored.patch-members': 'it adds attributes to devices',
      'stored.patch-lists': 'it changes the tags of devices',
      'stored.patch-parts': 'it replaces parts of the ports of devices',
      'stored.patch-selected': 'it removes ports of devices',
      'stored.unique-change': 'it sets the serial of devices',
    },
    fault: ignores(({ path }) => path !== 'model', 'PATCH /Devices/:id'),
  },
  {
    check: 'patch-replace.response',
    also: { 'patch-replace.answer': 'it compares the response with the user as well' },
    fault: answers('PATCH /Users/:id', (answer, { query, body }) => {
      const [first, ...others] = body.Operations ?? []
      if (others.length > 0 || query.size > 0 || answer.status !== 200) return
      if (!replaces('displayName')(first)) return
      answer.body.displayName = 'Ada Sample'
    }),
  },
  {
    check: 'patch-replace.attributes',
    fault: receives('PATCH /Users/:id', ({ query }) =>
      query.has('attributes') ? { query: new URLSearchParams() } : null,
    ),
  },
  {
    check: 'patch-replace.order',
    fault: receives('PATCH /Users/:id', ({ body }) => {
      const all: readonly Body[] = body.Operations ?? []
      if (all.length !== 3) return null
      return { body: { ...body, Operations: all.toReversed() } }
    }),
  },
  {
    check: 'patch-replace.several',
    fault: receives('PATCH /Users/:id', ({ body }) => {
      const all: readonly Body[] = body.Operations ?? []
      if (all.length !== 2 || all.some(({ op, path }) => op !== 'replace' || path.includes('['))) {
        return null
      }
      return { body: { ...body, Operations: all.slice(0, 1) } }
    }),
  },
  {
    check: 'patch-replace.atomic',
    fault: (correct) =>
      Object.assign(
        async (request: Request) => {
          if (request.method !== 'PATCH') return correct(request)
          const response = await correct(request.clone())
          if (response.status !== 400) return response
          // Each operation is stored before the next one is read.
          const body: Body = await request.json()
          const [first] = body.Operations ?? []
          const { url, method, headers } = request
          const init = { method, headers, body: JSON.stringify({ ...body, Operations: [first] }) }
          if (body.Operations?.length > 1) await correct(new Request(url, init))
          return response
        },
        { route: 'PATCH /Users/:id' },
      ),
  },
  {
    check: 'patch-replace.path-case',
    fault: ignores(replaces('DISPLAYNAME')),
  },
  {
    check: 'patch-replace.core-urn',
    fault: ignores(replaces(`${USER_SCHEMA}:displayName`)),
  },
  {
    check: 'patch-replace.op-case',
    fault: operations((operation) =>
      operation.op === 'REPLACE' ? [{ ...operation, op: 'unknown' }] : null,
    ),
  },
  {
    check: 'patch-replace.unknown-resource',
    fault: answers('PATCH /Users/:id', (answer) => {
      if (answer.status === 404) answer.status = 400
    }),
  },
  {
    check: 'patch-replace.read-only',
    fault: afterwards(replaces('id'), (user, { value }) => {
      user.id = value
    }),
  },
  {
    check: 'patch-replace.read-only-meta',
    fault: afterwards(replaces('meta.created'), ({ meta }, { value }) => {
      meta.created = value
    }),
  },
  {
    check: 'patch-replace.immutable',
    fault: afterwards(
      replaces('model'),
      (device, { value }) => {
        device.model = value
      },
      '/Devices/:id',
    ),
  },
  {
    check: 'patch-replace.required',
    fault: afterwards(
      ({ op, path, value }) => op === 'replace' && path === 'userName' && value === '',
      (user) => delete user.userName,
    ),
  },
  {
    check: 'patch-replace.invalid-path',
    fault: ignores(replaces('emails[type eq "work"')),
  },
  {
    check: 'patch-replace.unknown-attribute',
    fault: afterwards(replaces('shoeSize'), (user, { value }) => {
      user.shoeSize = value
    }),
  },
  {
    check: 'patch-replace.invalid-value',
    fault: ignores(({ path, value }) => path === 'active' && value === 'sometimes'),
  },
  {
    check: 'patch-replace.unknown-op',
    fault: operations((operation) =>
      operation.op === 'merge' ? [{ ...operation, op: 'replace' }] : null,
    ),
  },
  {
    check: 'patch-replace.no-operations',
    fault: receives('PATCH /Users/:id', ({ body }) =>
      body.Operations === undefined
        ? { body: { ...body, Operations: [{ op: 'replace', value: {} }] } }
        : null,
    ),
  },
])
