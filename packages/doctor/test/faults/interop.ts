import { USER_SCHEMA } from '@plumbline/scim'
import { PROFILES, type Profile } from '@plumbline/scim/endpoint'
import {
  answers,
  type Body,
  type Change,
  defineFaults,
  receives,
  reference,
  replies,
} from '../fault.ts'

/** A server of the profile with one rule changed. */
const withProfile = (change: Partial<Profile>): Change =>
  reference({ profile: { ...PROFILES.interop, ...change } })

/** Removes what a server does not know from a request, so that the reference accepts it. */
const ignores = (route: string, change: (body: Body) => Body | null): Change =>
  receives(route, ({ body }) => {
    const changed = body === undefined ? null : change(body)
    return changed === null ? null : { body: changed }
  })

const UNKNOWN = /^x.*plumbline/
const UNKNOWN_URN = /:unknown:/

function without(object: Body, pattern: RegExp): Body | null {
  const names = Object.keys(object ?? {}).filter((name) => pattern.test(name))
  if (names.length === 0) return null
  for (const name of names) delete object[name]
  return object
}

function withoutUrn(body: Body, pattern: RegExp): Body | null {
  const schemas = body.schemas?.filter((urn: string) => !pattern.test(urn))
  return schemas?.length === body.schemas?.length ? null : { ...body, schemas }
}

/** Removes the operations of a PATCH that a server ignores. */
const ignoresOperations = (isIgnored: (operation: Body) => boolean): Change =>
  ignores('PATCH /Users/:id', (body) => {
    const Operations = body.Operations?.filter((one: Body) => !isIgnored(one))
    return Operations?.length === body.Operations?.length ? null : { ...body, Operations }
  })

export const INTEROP_FAULTS = defineFaults([
  { check: 'interop.flag', fault: withProfile({ declare: {} }) },
  {
    check: 'interop.resource-type-ids',
    fault: answers('GET /ResourceTypes*', ({ body, status }) => {
      for (const one of status === 200 ? (body.Resources ?? [body]) : []) {
        one.id = one.name.toLowerCase()
      }
    }),
  },
  { check: 'interop.canonical-types', fault: withProfile({ canonicalTypes: [] }) },
  {
    check: 'interop.id-case',
    fault: receives('GET /Users', ({ query }) => {
      const filter = query.get('filter') ?? ''
      if (!/^id eq/.test(filter)) return null
      query.set('filter', filter.toLowerCase())
      return { query }
    }),
  },
  {
    check: 'interop.external-id-case',
    fault: receives('GET /Users', ({ query }) => {
      const [, value] = /^externalId eq "(.+)-ABC"$/.exec(query.get('filter') ?? '') ?? []
      if (value === undefined) return null
      query.set('filter', `externalId eq "${value}-ABC" or externalId eq "${value}-abc"`)
      return { query }
    }),
  },
  {
    check: 'interop.endpoints',
    fault: answers('GET /Users/:id', (answer, { path }) => {
      if (!path.includes('@')) return
      answer.status = 200
      answer.body = { schemas: [USER_SCHEMA], id: '1' }
    }),
  },
  {
    check: 'interop.unknown-filter',
    fault: answers('GET /Users', (answer, { query }) => {
      if (answer.body.scimType !== 'invalidFilter') return
      if (/favoriteColor|nick|color/.test(query.get('filter') ?? '')) {
        answer.body.scimType = 'invalidPath'
      }
    }),
  },
  {
    check: 'interop.filter',
    fault: replies('GET /Users', ({ query }) =>
      / and externalId/.test(query.get('filter') ?? '') ? { status: 501 } : null,
    ),
  },
  {
    check: 'interop.page-of-100',
    fault: receives('GET /Users', ({ query }) => {
      if (query.get('count') !== '100' || query.has('filter')) return null
      query.set('count', '1')
      return { query }
    }),
  },
  {
    check: 'interop.patch',
    fault: answers('GET /Users', (answer, { query }) => {
      const isLookUp = /^userName eq/.test(query.get('filter') ?? '')
      const kept = answer.body.Resources?.filter((one: Body) => one.active !== false)
      if (isLookUp && kept !== undefined) answer.body.Resources = kept
    }),
  },
  {
    check: 'interop.path',
    also: { 'interop.path-of-add': 'it accepts add without a path, too' },
    fault: withProfile({ reject: ['unknown-attributes'] }),
  },
  {
    check: 'interop.path-of-add',
    fault: ignores('PATCH /Users/:id', (body) => {
      const [operation, ...others] = body.Operations ?? []
      if (operation?.op !== 'add' || operation.path !== undefined || others.length > 0) return null
      const entries = Object.entries(operation.value)
      return {
        ...body,
        Operations: entries.map(([path, value]) => ({ op: 'add', path, value })),
      }
    }),
  },
  {
    check: 'interop.count-above-maximum',
    fault: replies('GET /Users', ({ query }) =>
      query.get('count') === '5000' ? { status: 400, body: {} } : null,
    ),
  },
  {
    check: 'interop.unique-conflict',
    fault: answers('PATCH /Users/:id', (answer) => {
      if (answer.status === 409) answer.status = 400
    }),
  },
  { check: 'interop.replace-whole', fault: withProfile({ patch: [] }) },
  {
    check: 'interop.deleted',
    also: { 'patch-replace.unknown-resource': 'it sends a PATCH of an unknown user' },
    fault: answers('PATCH /Users/:id', (answer) => {
      if (answer.status === 404) answer.status = 410
    }),
  },
  {
    check: 'interop.basic',
    fault: answers('GET /ServiceProviderConfig', ({ body }) => {
      body.authenticationSchemes.push({ type: 'httpbasic', name: 'Basic', description: 'Basic' })
    }),
  },
  {
    check: 'interop.listed-attributes',
    fault: answers('POST /Users', ({ body }) => {
      delete body.nickName
    }),
  },
  {
    check: 'interop.unknown-attribute',
    fault: ignores('POST /Users', (body) => without(body, UNKNOWN)),
  },
  {
    check: 'interop.unknown-sub-attribute',
    fault: ignores('POST /Users', (body) => {
      const name = without(body.name, UNKNOWN)
      return name === null ? null : { ...body, name }
    }),
  },
  {
    check: 'interop.unknown-schema',
    fault: ignores('POST /Users', (body) =>
      Object.keys(body).some((name) => UNKNOWN_URN.test(name))
        ? null
        : withoutUrn(body, UNKNOWN_URN),
    ),
  },
  {
    check: 'interop.unknown-extension',
    fault: ignores('POST /Users', (body) => {
      const kept = without(body, UNKNOWN_URN)
      return kept === null ? null : withoutUrn(kept, UNKNOWN_URN)
    }),
  },
  {
    check: 'interop.unknown-extension-attribute',
    fault: ignores('POST /Users', (body) => {
      const [urn] = Object.keys(body).filter((name) => /:enterprise:/.test(name))
      return urn !== undefined && without(body[urn], UNKNOWN) !== null ? body : null
    }),
  },
  {
    check: 'interop.other-extension',
    fault: ignores('POST /Groups', (body) => withoutUrn(body, /:enterprise:/)),
  },
  {
    check: 'interop.unknown-in-put',
    fault: ignores('PUT /Users/:id', (body) => without(body, UNKNOWN)),
  },
  {
    check: 'interop.unknown-patch-path',
    fault: ignoresOperations(({ path }) => UNKNOWN.test(path)),
  },
  {
    check: 'interop.unknown-patch-schema',
    fault: ignoresOperations(({ path }) => UNKNOWN_URN.test(path)),
  },
  {
    check: 'interop.unknown-patch-member',
    fault: ignoresOperations(
      ({ path, value }) =>
        path === 'name' && Object.keys(value ?? {}).some((name) => UNKNOWN.test(name)),
    ),
  },
  {
    check: 'interop.unknown-in-bulk',
    fault: ignores('POST /Bulk', (body) => {
      const data = without(body.Operations?.[0]?.data, UNKNOWN)
      return data === null ? null : body
    }),
  },
])
