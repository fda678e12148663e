import { PROFILES } from '@plumbline/scim/endpoint'
import { answers, type Body, defineFaults, receives, reference, replies } from '../fault.ts'

/** Answers a list without resources if the filter matches. */
const findsNothing = (route: string, pattern: RegExp) =>
  answers(route, ({ body }, { query }) => {
    if (!pattern.test(query.get('filter') ?? '')) return
    body.Resources = []
    body.totalResults = 0
  })

/** Stores another externalId than a PATCH sends. */
const changesExternalId = (route: string) =>
  receives(route, ({ body }) => {
    const operation = { op: 'replace', path: 'externalId', value: 'x' }
    const isOwn = body.Operations?.[0]?.path === 'externalId'
    return isOwn ? { body: { ...body, Operations: [operation] } } : null
  })

export const IPSIE_FAULTS = defineFaults([
  {
    check: 'ipsie.bulk',
    fault: answers('GET /ServiceProviderConfig', ({ body }) => {
      body.bulk.supported = false
    }),
  },
  {
    check: 'ipsie.active',
    fault: receives('PATCH /Users/:id', ({ body }) => {
      const isActivation =
        body.Operations?.[0]?.path === 'active' && body.Operations[0].value === true
      const operation = { op: 'replace', path: 'active', value: false }
      return isActivation ? { body: { ...body, Operations: [operation] } } : null
    }),
  },
  { check: 'ipsie.filters', fault: findsNothing('GET /Users', /^emails\[value eq/) },
  {
    check: 'ipsie.attributes',
    also: { 'patch-replace.whole': 'it changes attributes by PATCH as well' },
    fault: changesExternalId('PATCH /Users/:id'),
  },
  {
    check: 'ipsie.no-password',
    fault: reference({ profile: { ...PROFILES['ipsie-al2'], omit: {} } }),
  },
  {
    check: 'ipsie.page-of-1000',
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (query.get('count') !== '100000') return
      const [first] = body.Resources
      body.Resources = Array.from({ length: 1_001 }, () => first)
    }),
  },
  {
    check: 'ipsie.cursors',
    fault: answers('GET /ServiceProviderConfig', ({ body }) => {
      delete body.pagination
    }),
  },
  { check: 'ipsie.group-attributes', fault: changesExternalId('PATCH /Groups/:id') },
  {
    check: 'ipsie.group-names',
    fault: reference({ profile: { ...PROFILES['ipsie-al2'], unique: {} } }),
  },
  {
    check: 'ipsie.empty-group',
    fault: replies('POST /Groups', ({ body }) =>
      Array.isArray(body.members) && body.members.length === 0 ? { status: 400 } : null,
    ),
  },
  {
    check: 'ipsie.group-filters',
    also: { 'declared.filters': 'it filters groups by externalId as well' },
    fault: findsNothing('GET /Groups', /^externalId eq/),
  },
  {
    check: 'ipsie.members',
    fault: replies('PATCH /Groups/:id', ({ body }: { readonly body: Body }) =>
      body.Operations?.length >= 50 ? { status: 413 } : null,
    ),
  },
])
