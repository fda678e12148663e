import { answers, type Body, defineFaults, receives } from '../fault.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export const CREATE_FAULTS = defineFaults([
  {
    check: 'create.body',
    fault: answers('POST /Users', (answer) => {
      if (answer.status === 201) answer.body = undefined
    }),
  },
  {
    check: 'create.user',
    fault: answers('POST /Users', (answer) => {
      if (answer.status === 201) answer.status = 200
    }),
  },
  {
    check: 'create.required',
    fault: receives('POST /Users', ({ body }) =>
      body?.schemas !== undefined && body?.userName === undefined
        ? { body: { ...body, userName: crypto.randomUUID() } }
        : null,
    ),
  },
  {
    check: 'create.extension',
    fault: receives('POST /Users', ({ body }) =>
      body?.[ENTERPRISE]?.department === 'Research' && !body[ENTERPRISE].employeeNumber
        ? { body: { ...body, [ENTERPRISE]: undefined } }
        : null,
    ),
  },
  {
    check: 'create.external-id',
    fault: answers('GET /Users/:id', ({ status, body }) => {
      if (status !== 200 || body.externalId === undefined) return false
      body.externalId = body.externalId.toLowerCase()
      return true
    }),
  },
  {
    check: 'create.read-only',
    fault: answers('POST /Users', ({ body, status }, sent) => {
      if (status === 201 && sent.body?.meta?.created !== undefined) body.meta = sent.body?.meta
    }),
  },
  {
    check: 'create.required-error',
    fault: answers('POST /Users', (answer, sent) => {
      if (answer.status === 400 && sent.body?.userName === undefined) answer.status = 500
    }),
  },
  {
    check: 'create.null',
    fault: answers('POST /Users', (answer, sent) => {
      if (sent.body?.title === null) answer.status = 400
    }),
  },
  {
    check: 'create.attribute-names',
    fault: receives('POST /Users', ({ body }) =>
      body?.TITLE === undefined ? null : { body: { ...body, TITLE: undefined } },
    ),
  },
  {
    check: 'create.unicode',
    fault: receives('POST /Users', ({ body }) =>
      /\p{Extended_Pictographic}/u.test(body?.title)
        ? { body: { ...body, title: body?.title.replace(/[^\0-\u{ffff}]/gu, '?') } }
        : null,
    ),
  },
  {
    check: 'create.multi-valued',
    fault: receives('POST /Users', ({ body }) =>
      body?.emails?.length === 2 && !body?.emails.some(({ primary }: Body) => primary)
        ? { body: { ...body, emails: body?.emails.slice(0, 1) } }
        : null,
    ),
  },
  {
    check: 'create.inactive',
    fault: receives('POST /Users', ({ body }) =>
      body?.active === false && body.name.familyName === 'Sample'
        ? { body: { ...body, active: body?.active || true } }
        : null,
    ),
  },
  {
    check: 'create.password',
    fault: answers('POST /Users', (answer, sent) => {
      if (sent.body?.password?.length > 20) answer.status = 400
    }),
  },
  {
    check: 'create.custom',
    also: { 'stored.responses': 'GET returns the serial as it was sent' },
    fault: answers('POST /Devices', ({ body }) => {
      if (body.serial !== undefined) body.serial = body.serial.toUpperCase()
    }),
  },
  {
    check: 'create.empty-user-name',
    fault: receives('POST /Users', ({ body }) =>
      body?.userName === '' ? { body: { ...body, userName: crypto.randomUUID() } } : null,
    ),
  },
  {
    check: 'create.wrong-type',
    fault: receives('POST /Users', ({ body }) =>
      typeof body?.userName === 'object'
        ? { body: { ...body, userName: JSON.stringify(body?.userName) } }
        : null,
    ),
  },
  {
    check: 'create.wrong-schema',
    fault: receives('POST /Users', ({ body }) =>
      body?.schemas?.[0]?.endsWith(':Group') ? { body: { ...body, schemas: undefined } } : null,
    ),
  },
  {
    check: 'create.two-primary',
    fault: answers('POST /Users', (answer, sent) => {
      const isRejected = answer.body?.detail === 'emails has more than one primary value'
      if (isRejected) Object.assign(answer, { status: 201, body: { ...sent.body, id: 'x' } })
    }),
  },
  {
    check: 'create.markup',
    fault: answers('GET /Users/:id', ({ status, body }) => {
      if (status !== 200 || !/&/.test(body.name?.familyName)) return false
      body.name.familyName = body.name.familyName.replaceAll('&', '&amp;')
      return true
    }),
  },
])
