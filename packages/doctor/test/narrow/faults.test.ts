import { USER_SCHEMA } from '@plumbline/scim'
import { pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
import { describe, expect, it } from 'vitest'
import type { ProfileName, ProviderName } from '../../src/index.ts'
import { answers, type Body, type Change, receives, replies } from '../fault.ts'
import { ignores } from '../faults/patch.ts'
import { examineAll, IS_WHOLE } from '../prove.ts'
import { useQuickDigests } from '../quick-digests.ts'
import { createReference, type Fetch, type ReferenceOptions } from '../reference.ts'

useQuickDigests()

/** The attributes that a server declares for users. Other servers have more, and are in test/faults. */
const SCHEMAS = {
  'only userName and active': ['userName', 'active'],
  'a name': ['userName', 'active', 'name.givenName', 'name.familyName'],
  'a name and an address': [
    'userName',
    'active',
    'name.givenName',
    'name.familyName',
    'emails.value',
    'emails.type',
  ],
  'other strings': ['userName', 'active', 'nickName', 'userType'],
} as const

type SchemaName = keyof typeof SCHEMAS
const NAMES = Object.keys(SCHEMAS).filter((name): name is SchemaName =>
  Object.hasOwn(SCHEMAS, name),
)

function createNarrow(schema: SchemaName, profile: ProviderName | 'interop'): Fetch {
  const users = pickAttributes(USER_DEFINITION, SCHEMAS[schema])
  const options: ReferenceOptions = {
    profile,
    definitions: (usual, type) => (type === 'User' ? { [USER_SCHEMA]: users } : usual),
  }
  return createReference(options)
}

interface NarrowFault {
  readonly name: string
  readonly profile: ProviderName
  readonly fault: Change
  /** The schemas for which checks must find the fault, and the checks. */
  readonly finds: Readonly<Partial<Record<SchemaName, readonly string[]>>>
}

/** The same checks for each schema. */
function each(...ids: readonly string[]): Readonly<Record<SchemaName, readonly string[]>> {
  return {
    'only userName and active': ids,
    'a name': ids,
    'a name and an address': ids,
    'other strings': ids,
  }
}

/** A PUT that answers as if it had stored the body. */
const pretends = (change: (body: Body) => Body): Change =>
  receives('PUT /Users/:id', ({ body }) => ({ body: change(body) }))

const FAULTS: readonly NarrowFault[] = [
  {
    name: 'PUT ignores active: false',
    profile: 'okta',
    fault: pretends((body) => ({ ...body, active: true })),
    finds: each('replace.active', 'okta.deactivate-by-put'),
  },
  {
    name: 'PUT stores only userName and active',
    profile: 'okta',
    fault: pretends(({ schemas, userName, active }) => ({ schemas, userName, active })),
    finds: {
      'a name': ['replace.user', 'okta.put-as-read'],
      'a name and an address': ['replace.user', 'okta.put-as-read'],
      'other strings': ['replace.user', 'okta.put-as-read'],
    },
  },
  {
    name: 'PUT ignores another userName',
    profile: 'okta',
    fault: (correct) => async (request) => {
      const response = await correct(request)
      if (request.method !== 'PUT' || response.status !== 200) return response
      return Response.json({ ...(await response.json()), userName: 'old@example.com' })
    },
    finds: { 'only userName and active': ['replace.user'] },
  },
  {
    name: 'PATCH of active changes nothing',
    profile: 'entra',
    fault: ignores(({ path, value }) => path === 'active' || value?.active !== undefined),
    finds: each('patch-replace.active', 'patch-replace.active-no-path', 'entra.disable'),
  },
  {
    name: 'PATCH without a path does not deactivate',
    profile: 'okta',
    fault: ignores(({ path, value }) => path === undefined && value?.active !== undefined),
    finds: each('okta.deactivate'),
  },
  {
    name: 'PATCH of a string changes nothing',
    profile: 'entra',
    fault: ignores(({ op, path }) => op === 'replace' && /^(userName|n.*Name)$/.test(path)),
    finds: each('patch-replace.attribute'),
  },
  {
    name: 'PATCH does not remove a string',
    profile: 'entra',
    fault: ignores(({ op, path }) => op === 'remove' && /familyName|userType/.test(path)),
    finds: {
      'a name': ['patch-remove.attribute'],
      'a name and an address': ['patch-remove.attribute'],
      'other strings': ['patch-remove.attribute'],
    },
  },
  {
    name: 'an op with a capital is rejected',
    profile: 'entra',
    fault: replies('PATCH *', ({ body }) =>
      /"op":"[A-Z]/.test(JSON.stringify(body)) ? { status: 400, body: {} } : null,
    ),
    finds: each('patch-replace.op-case', 'entra.op-case'),
  },
  {
    name: 'a manager, which the schema lacks, is rejected',
    profile: 'entra',
    fault: replies('PATCH *', ({ body }) =>
      /:manager"/.test(JSON.stringify(body)) ? { status: 400, body: {} } : null,
    ),
    finds: each('entra.manager-text', 'entra.manager-list'),
  },
  {
    name: 'the extension for enterprise users, which the schema lacks, is rejected',
    profile: 'entra',
    fault: replies('POST /Users', ({ body }) =>
      /enterprise/.test(JSON.stringify(body)) ? { status: 400, body: {} } : null,
    ),
    finds: each('entra.create-enterprise'),
  },
  {
    name: 'a password, which the schema lacks, is returned',
    profile: 'okta',
    fault: answers('POST /Users', ({ status, body }, sent) => {
      if (status === 201) body.password = sent.body.password
    }),
    finds: each('representation.password', 'okta.create'),
  },
  {
    name: 'If-Match of PUT is ignored',
    profile: 'okta',
    fault: (correct) => (request) => {
      if (request.method === 'PUT') request.headers.delete('If-Match')
      return correct(request)
    },
    finds: each('concurrency.stale-put'),
  },
  {
    name: 'a filter by presence selects everyone',
    profile: 'okta',
    fault: receives('GET /Users', ({ query }) => {
      if (!/^(name\.familyName|userType) pr$/.test(query.get('filter') ?? '')) return null
      const others = new URLSearchParams(query)
      others.set('filter', 'userName pr')
      return { query: others }
    }),
    finds: {
      'a name': ['filters.pr'],
      'a name and an address': ['filters.pr'],
      'other strings': ['filters.pr'],
    },
  },
  {
    name: 'sortBy is ignored',
    profile: 'okta',
    fault: receives('GET /Users', ({ query }) => {
      if (!query.has('sortBy')) return null
      const others = new URLSearchParams(query)
      others.delete('sortBy')
      return { query: others }
    }),
    finds: each('sorting.descending'),
  },
  {
    name: 'the address of a type is not changed',
    profile: 'entra',
    fault: ignores(({ path }) => /^emails\[type eq "work"\]\.value$/i.test(path)),
    finds: {
      'a name and an address': [
        'patch-replace.value-path-sub-attribute',
        'entra.sub-attribute-case',
      ],
    },
  },
  {
    name: 'attributes is ignored',
    profile: 'okta',
    fault: receives('GET /Users*', ({ query }) => {
      if (!query.has('attributes')) return null
      return { query: new URLSearchParams([...query].filter(([name]) => name !== 'attributes')) }
    }),
    finds: each('projection.attributes'),
  },
]

/** The findings of the topics, without the warnings about what no schema of these has. */
async function findingsOf(
  fetch: Fetch,
  profile: ProfileName,
  only: readonly string[] | undefined,
): Promise<readonly string[]> {
  const { outcomes } = await examineAll(fetch, profile, { hostile: false, only })
  return outcomes.flatMap(({ id, status }) =>
    status === 'failed' || status === 'broken' ? [id] : [],
  )
}

describe.concurrent.each(NAMES)('with a user schema that has %s,', (schema) => {
  it.each(['entra', 'okta', 'interop'] as const)(
    'a correct server for the profile %s does not have a finding',
    async (profile) => {
      // The other profiles are tried with their own checks, and in `.ci/run` with all.
      const only = profile === 'entra' || IS_WHOLE ? undefined : [profile]
      expect(await findingsOf(createNarrow(schema, profile), profile, only)).toEqual([])
    },
  )

  it.each(FAULTS.filter(({ finds }) => finds[schema] !== undefined))(
    'the doctor finds that $name',
    async ({ profile, fault, finds }) => {
      const wanted = finds[schema] ?? []
      const faulty = fault(createNarrow(schema, profile))
      const found = await findingsOf(faulty, profile, wanted)
      expect(found).toEqual(expect.arrayContaining([...wanted]))
    },
  )
})
