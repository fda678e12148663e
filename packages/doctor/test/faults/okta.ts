import { answers, type Body, defineFaults, receives, type SentRequest } from '../fault.ts'
import { afterwards, ignores, operations } from './patch.ts'

const isLookUp = ({ query }: SentRequest) =>
  query.get('startIndex') === '1' && /^userName eq "[^"]*"$/.test(query.get('filter') ?? '')

/** Answers 415 to a request of Okta with a content type. */
const rejectsType = (type: string) =>
  answers('POST /Users', (answer, { headers }) => {
    const isOkta = headers.get('User-Agent')?.startsWith('Okta') === true
    if (isOkta && headers.get('Content-Type') === type) answer.status = 415
  })

const isPut = (body: Body) => body?.meta !== undefined

export const OKTA_FAULTS = defineFaults([
  {
    check: 'okta.one-user',
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (query.toString() === 'count=1&startIndex=1') body.totalResults = String(body.totalResults)
    }),
  },
  {
    check: 'okta.look-up',
    fault: answers('GET /Users', ({ body }, sent) => {
      if (isLookUp(sent)) body.Resources = []
    }),
  },
  {
    check: 'okta.look-up-unknown',
    fault: answers('GET /Users', (answer, sent) => {
      if (isLookUp(sent) && answer.body.totalResults === 0) answer.status = 404
    }),
  },
  {
    check: 'okta.unknown-user',
    fault: answers('GET /Users/:id', ({ status, body }, { path }) => {
      if (status === 404 && path.includes('/00u-')) delete body.detail
    }),
  },
  {
    check: 'okta.create',
    fault: answers('POST /Users', (answer, { body }) => {
      if (body?.groups?.length === 0 && answer.status === 201) answer.status = 400
    }),
  },
  {
    check: 'okta.duplicate',
    fault: answers('POST /Users', (answer, { body }) => {
      if (body?.groups?.length === 0 && answer.status === 409) answer.status = 400
    }),
  },
  {
    check: 'okta.put-as-read',
    fault: answers('PUT /Users/:id', (answer, { body }) => {
      if (isPut(body) && body.displayName === 'Grace Sample') answer.status = 400
    }),
  },
  {
    check: 'okta.password',
    also: { 'answers.never-returned': 'it looks at all responses' },
    fault: answers('PUT /Users/:id', (answer, { body }) => {
      if (isPut(body) && body.password !== undefined) answer.body.password = body.password
    }),
  },
  {
    check: 'okta.deactivate',
    also: { 'patch-replace.active-no-path': 'it sends the same request' },
    fault: ignores(
      ({ op, path, value }) => op === 'replace' && path === undefined && value.active === false,
    ),
  },
  {
    check: 'okta.deactivate-by-put',
    fault: receives('PUT /Users/:id', ({ body }) =>
      isPut(body) && body.active === false ? { body: { ...body, active: true } } : null,
    ),
  },
  {
    check: 'okta.set-password',
    also: { 'answers.never-returned': 'it looks at all responses' },
    fault: afterwards(
      ({ path, value }) => path === undefined && value?.password !== undefined,
      (user, { value }) => {
        user.password = value.password
      },
    ),
  },
  {
    check: 'okta.content-type',
    fault: rejectsType('application/scim+json; charset=utf-8'),
  },
  { check: 'okta.json', fault: rejectsType('application/json') },
  {
    check: 'okta.group-changes',
    fault: receives('PATCH /Groups/:id', ({ body }) =>
      body.Operations?.length === 2 && body.Operations[0].op === 'remove'
        ? { body: { ...body, Operations: body.Operations.slice(0, 1) } }
        : null,
    ),
  },
  {
    check: 'okta.group-replace',
    fault: operations(
      (operation) =>
        operation.op === 'replace' && operation.value?.[0]?.display !== undefined
          ? [{ ...operation, op: 'add' }]
          : null,
      'PATCH /Groups/:id',
    ),
  },
  {
    check: 'okta.group-rename',
    fault: operations(
      (operation) =>
        operation.path === undefined && operation.value?.id !== undefined
          ? [{ op: 'replace', path: 'id', value: 'another' }]
          : null,
      'PATCH /Groups/:id',
    ),
  },
  {
    check: 'okta.group-delete',
    fault: answers('DELETE /Groups/:id', (answer) => {
      if (answer.status === 204) answer.status = 200
    }),
  },
])
