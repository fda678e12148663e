import { answers, defineFaults } from '../fault.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export const READ_FAULTS = defineFaults([
  {
    check: 'read.user',
    fault: answers('GET /Users/:id', (answer) => {
      const { status, body } = answer
      const isBob = status === 200 && body.userName?.endsWith('.bob@example.com')
      if (isBob && body.emails !== undefined) answer.body = { Resources: [body] }
    }),
  },
  {
    check: 'read.as-created',
    also: {
      'declared.lists': 'its users are listed with the formatted name',
    },
    fault: answers('GET /Users/:id', ({ body }) => {
      if (body?.name?.formatted === 'Ada Sample') delete body.name.formatted
    }),
  },
  {
    check: 'read.extension',
    fault: answers('GET /Users/:id', ({ body }) => {
      if (body?.[ENTERPRISE]?.department === 'Research') delete body[ENTERPRISE].employeeNumber
    }),
  },
  {
    check: 'read.list-entry',
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (!query.get('filter')?.endsWith('.bob@example.com"')) return
      for (const one of body.Resources) delete one.emails
    }),
  },
  {
    check: 'read.unknown',
    fault: answers('GET /Users/:id', (answer, { path }) => {
      if (answer.status === 404 && /plumbline/.test(path)) answer.status = 400
    }),
  },
  {
    check: 'read.unknown-of-each-type',
    also: {
      'declared.unknown': 'it reads such ids of each type as well',
      'declared.deleted': 'it reads deleted resources of each type as well',
    },
    fault: answers('GET /Devices/:id', (answer) => {
      if (answer.status === 404) answer.status = 500
    }),
  },
  {
    check: 'read.encoded-id',
    fault: (correct) => async (request) =>
      request.url.includes('/Users/%')
        ? correct(new Request(request.url.replaceAll('%', '%25'), request))
        : correct(request),
  },
])
