import { answers, type Body, bodyOf, defineFaults, receives } from '../fault.ts'

const isUpperCase = (text: unknown): boolean => typeof text === 'string' && /^[^a-z]+$/.test(text)

/** The value that a PATCH sets userName to. */
const renamed = (body: Body): unknown =>
  body.Operations?.find(({ path }: Body) => path === 'userName')?.value

export const UNIQUENESS_FAULTS = defineFaults([
  {
    check: 'uniqueness.shared-email',
    also: { 'delete.reuse': 'the new user has the address of the deleted one' },
    fault: (correct) => {
      const known = new Set<string>()
      return async (request) => {
        const { emails = [] } = await bodyOf(request)
        const isCreation = request.method === 'POST' && request.url.endsWith('/Users')
        const [first] = isCreation && Array.isArray(emails) ? emails : []
        if (first?.value === undefined || !known.has(first.value)) {
          known.add(first?.value)
          return correct(request)
        }
        return Response.json({ detail: 'the address exists', status: '409' }, { status: 409 })
      }
    },
  },
  {
    check: 'uniqueness.create',
    fault: answers('POST /Users', (answer, sent) => {
      const isSame = String(sent.body?.userName).endsWith('Ada@example.com')
      if (answer.status === 409 && isSame) Object.assign(answer, { status: 400 })
    }),
  },
  {
    check: 'uniqueness.scim-type',
    fault: answers('POST /Users', ({ body, status }) => {
      if (status === 409) delete body.scimType
    }),
  },
  {
    check: 'uniqueness.letter-case',
    fault: receives('POST /Users', ({ body }) =>
      isUpperCase(body?.userName) ? { body: { ...body, userName: crypto.randomUUID() } } : null,
    ),
  },
  {
    check: 'uniqueness.replace',
    fault: answers('PUT /Users/:id', (answer, sent) => {
      if (answer.status === 409 && !isUpperCase(sent.body?.userName)) answer.status = 200
    }),
  },
  {
    check: 'uniqueness.replace-letter-case',
    fault: answers('PUT /Users/:id', (answer, sent) => {
      if (answer.status === 409 && isUpperCase(sent.body?.userName)) answer.status = 200
    }),
  },
  {
    check: 'uniqueness.patch',
    fault: answers('PATCH /Users/:id', (answer, sent) => {
      if (answer.status === 409 && !isUpperCase(renamed(sent.body))) answer.status = 200
    }),
  },
  {
    check: 'uniqueness.change-error',
    fault: answers('PATCH /Users/:id', (answer, sent) => {
      if (answer.status !== 409 || isUpperCase(renamed(sent.body))) return
      answer.status = 400
      answer.body.scimType = 'invalidValue'
    }),
  },
  {
    check: 'uniqueness.patch-letter-case',
    fault: answers('PATCH /Users/:id', (answer, sent) => {
      if (answer.status === 409 && isUpperCase(renamed(sent.body))) answer.status = 204
    }),
  },
  {
    check: 'uniqueness.own',
    fault: answers('PUT /Users/:id', (answer, sent) => {
      const isOwn = answer.status === 200 && isUpperCase(sent.body?.userName)
      if (isOwn) Object.assign(answer, { status: 409, body: { scimType: 'uniqueness' } })
    }),
  },
  {
    check: 'uniqueness.shared-values',
    fault: (correct) => {
      const titles = new Set<unknown>()
      return async (request) => {
        if (request.method !== 'POST' || !request.url.endsWith('/Users')) return correct(request)
        const { title = '' } = await bodyOf(request)
        // Other titles are not unique.
        if (!String(title).startsWith('plumbline-')) return correct(request)
        const isTaken = titles.has(title)
        titles.add(title)
        return isTaken ? Response.json({}, { status: 409 }) : correct(request)
      }
    },
  },
  {
    check: 'uniqueness.external-id',
    fault: (correct) => {
      const used = new Set<unknown>()
      return async (request) => {
        const { method, url } = request
        if (method !== 'POST' || !/\/(Users|Groups)$/.test(url)) return correct(request)
        const { externalId } = Object(
          await request
            .clone()
            .json()
            .catch(() => null),
        )
        const isTaken = url.endsWith('/Groups') && used.has(externalId)
        if (externalId !== undefined) used.add(externalId)
        return isTaken ? Response.json({}, { status: 409 }) : correct(request)
      }
    },
  },
])
