import type { Discovery } from '@plumbline/scim/discovery'
import {
  answers,
  type Body,
  type Change,
  defineFaults,
  type Fault,
  receives,
  replies,
} from '../fault.ts'
import { all } from '../permitted/variant.ts'
import { createReference, DEVICE } from '../reference.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Devices whose model can be changed. */
function withMutableModel(definitions: Discovery.Definitions): Discovery.Definitions {
  if (!Object.hasOwn(definitions, DEVICE.id)) return definitions
  const attributes = DEVICE.attributes.map((one) =>
    one.name === 'model' ? { ...one, mutability: 'readWrite' as const } : one,
  )
  return { [DEVICE.id]: { ...DEVICE, attributes } }
}

/** A PUT without a part of the user: of every one, also of those that other checks send. */
function loses(name: string, change: (body: Body) => unknown): Fault {
  return {
    check: 'replace.whole',
    name: `PUT loses ${name}`,
    fault: receives('PUT /Users/:id', ({ body }) => {
      const less = structuredClone(body)
      change(less)
      return { body: less }
    }),
  }
}

/** A PUT does not change the department. */
function keepsDepartments(): Change {
  const known = new Map<string, Body>()
  return all(
    answers('POST /Users', ({ status, body }) => {
      if (status === 201) known.set(`/Users/${body.id}`, body[ENTERPRISE])
      return false
    }),
    receives('PUT /Users/:id', ({ path, body }) => {
      const old = known.get(path)
      const isChanged = old !== undefined && body?.[ENTERPRISE]?.division !== undefined
      return isChanged ? { body: { ...body, [ENTERPRISE]: old } } : null
    }),
  )
}

export const REPLACE_FAULTS = defineFaults([
  {
    check: 'replace.user',
    fault: answers('PUT /Users/:id', (answer, sent) => {
      const isReplaced = answer.status === 200 && sent.body.displayName === 'Ada Replaced'
      if (isReplaced) Object.assign(answer, { status: 204, body: undefined })
    }),
  },
  {
    check: 'replace.stored',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body.displayName === 'Replaced' ? { body: { ...body, displayName: 'Ada' } } : null,
    ),
  },
  loses('the family name', (body) => delete body.name?.familyName),
  loses('the types of e-mails', (body) => {
    for (const email of body.emails ?? []) delete email.type
  }),
  loses('the primary e-mail', (body) => {
    for (const email of body.emails ?? []) delete email.primary
  }),
  loses('the second e-mail', (body) => body.emails?.splice(1)),
  loses('the externalId', (body) => delete body.externalId),
  loses('the phone numbers', (body) => delete body.phoneNumbers),
  loses('the nickName', (body) => delete body.nickName),
  {
    check: 'replace.whole',
    name: 'PUT keeps the old department',
    fault: keepsDepartments(),
  },
  {
    check: 'replace.active',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body.active === false ? { body: { ...body, active: true } } : null,
    ),
  },
  {
    check: 'replace.null',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body.title === null ? { body: { ...body, title: 'Countess' } } : null,
    ),
  },
  {
    check: 'replace.empty-list',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body.emails?.length === 0
        ? { body: { ...body, emails: [{ value: 'ada@example.com' }] } }
        : null,
    ),
  },
  {
    check: 'replace.multi-valued',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body.emails?.[0]?.type === 'home'
        ? { body: { ...body, emails: [...body.emails, { value: 'old@example.com' }] } }
        : null,
    ),
  },
  {
    check: 'replace.extension',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body[ENTERPRISE]?.department === 'Replacements'
        ? { body: { ...body, [ENTERPRISE]: undefined } }
        : null,
    ),
  },
  {
    check: 'replace.read-only',
    fault: answers('PUT /Users/:id', ({ body, status }, sent) => {
      if (status === 200 && sent.body.meta?.created?.startsWith('1999')) body.meta = sent.body.meta
    }),
  },
  {
    check: 'replace.echo',
    also: { 'patch-replace.again': 'it sends the whole user back' },
    fault: answers('PUT /Users/:id', (answer, sent) => {
      if (sent.body.meta?.location !== undefined) answer.status = 400
    }),
  },
  {
    check: 'replace.required',
    fault: receives('PUT /Users/:id', ({ body }) =>
      body.userName === undefined ? { body: { ...body, userName: crypto.randomUUID() } } : null,
    ),
  },
  {
    check: 'replace.unknown',
    fault: replies('PUT /Users/:id', ({ path, body }) =>
      path.includes('plumbline') ? { status: 201, body } : null,
    ),
  },
  {
    check: 'replace.dates',
    fault: answers('PUT /Users/:id', ({ body, status }) => {
      if (status === 200 && body.meta) body.meta.created = '2099-01-01T00:00:00Z'
    }),
  },
  {
    check: 'replace.immutable',
    fault: () =>
      answers('GET /Schemas*', ({ body }) => {
        for (const schema of body.Resources ?? [body]) {
          const model = schema.attributes?.find(({ name }: Body) => name === 'model')
          if (model !== undefined) model.mutability = 'immutable'
        }
      })(createReference({ definitions: withMutableModel })),
  },
  {
    check: 'replace.immutable-error',
    fault: answers('PUT /Devices/:id', (answer) => {
      if (answer.status === 400) answer.status = 200
    }),
  },
  {
    check: 'replace.immutable-same',
    fault: answers('PUT /Devices/:id', (answer, sent) => {
      if (sent.body.model === 'first') Object.assign(answer, { status: 400, body: {} })
    }),
  },
])
