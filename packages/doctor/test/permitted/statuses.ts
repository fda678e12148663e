import { answers, type Change, replies } from '../fault.ts'
import { all, errorOf, rejects, type Variant } from './variant.ts'

/** Servers that do what a sentence says, and answer another status, or take less in a request. */
export const STATUS_VARIANTS: readonly Variant[] = [
  {
    name: 'a PUT without userName keeps it',
    section: 'RFC 7644 §3.5.1',
    isShared: true,
    change: keeps('userName'),
  },
  {
    name: 'a PUT without active keeps it',
    section: 'RFC 7644 §3.5.1',
    isShared: true,
    change: keeps('active'),
  },
  ...[403, 404, 405, 501].map((status) => ({
    name: `clients cannot create devices, which is answered by ${status}`,
    section: 'RFC 7644 §3.3',
    topics: ['representation', 'create', 'replace', 'filters', 'patch-replace'],
    change: replies('POST /Devices', () => rejects(status)),
  })),
  ...[403, 500].map((status) => ({
    name: `the operation of a bulk request that fails has the status ${status}`,
    section: 'RFC 7644 §3.7',
    topics: ['bulk'],
    change: answers('POST /Bulk', ({ body }) => {
      for (const one of body.Operations ?? []) {
        if (one.status !== '404') continue
        one.status = String(status)
        one.response.status = String(status)
      }
    }),
  })),
  {
    name: 'a userName that is taken is answered by 500 to PUT and PATCH, and not stored',
    section: 'RFC 7643 §4.1.1',
    isShared: true,
    change: all(...['PUT', 'PATCH'].map((method) => conflictAs(method, 409, 500))),
  },
  {
    name: 'another version is answered by 409 and not by 412',
    section: 'RFC 9110 §13.1.1',
    isShared: true,
    change: all(...['PUT', 'PATCH', 'DELETE'].map((method) => conflictAs(method, 412, 409))),
  },
  {
    name: 'a user without a userName is answered by 422',
    section: 'RFC 7643 §4.1.1',
    isShared: true,
    change: answers('POST /Users', (answer, { body }) => {
      if (answer.status === 400 && !body?.userName) answer.status = 422
    }),
  },
  {
    name: 'a page has one user at most',
    section: 'RFC 7644 §3.4.2.4',
    topics: ['sorting', 'paging', 'cursors', 'search'],
    reference: { limits: { defaultCount: 1, maxCount: 1 } },
  },
  {
    name: 'a PATCH request has three operations at most',
    section: 'RFC 7644 §3.12',
    topics: ['patch-add', 'patch-replace', 'patch-remove', 'groups'],
    change: replies('PATCH *', ({ body }) => (body?.Operations?.length > 3 ? rejects(413) : null)),
  },
  {
    name: 'a PATCH request has one operation at most',
    section: 'RFC 7644 §3.12',
    topics: ['patch-add', 'patch-replace', 'patch-remove', 'groups'],
    change: replies('PATCH *', ({ body }) => (body?.Operations?.length > 1 ? rejects(413) : null)),
  },
  {
    name: 'a user without an address has the userName as its address',
    section: 'RFC 7644 §3.3',
    topics: ['create', 'replace', 'patch-add', 'patch-remove'],
    change: all(
      ...['GET', 'POST', 'PUT', 'PATCH'].map((method) =>
        answers(`${method} /Users*`, ({ status, body }, { query, body: sent }) => {
          const asked = JSON.stringify([...query.keys(), ...Object.keys(sent ?? {})])
          const isPart = /"(attributes|excludedAttributes)"/.test(asked)
          if (status >= 300 || body === undefined || isPart) return false
          for (const user of body.Resources ?? [body]) {
            if (user.userName !== undefined)
              user.emails ??= [{ value: user.userName, type: 'work' }]
          }
          return true
        }),
      ),
    ),
  },
]

/** A PUT without the attribute keeps its value. */
function keeps(name: string): Change {
  return (correct) => async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method !== 'PUT' || !pathname.includes('/Users/')) return correct(request)
    const text = await request.clone().text()
    if (!text.startsWith('{') || Object.hasOwn(JSON.parse(text), name)) return correct(request)
    const { headers } = request
    const current = await correct(new Request(request.url, { headers: withoutConditions(headers) }))
    if (current.status !== 200) return correct(request)
    const body = { ...JSON.parse(text), [name]: (await current.json())[name] }
    return correct(new Request(request.url, { method: 'PUT', headers, body: JSON.stringify(body) }))
  }
}

function withoutConditions(headers: Headers): Headers {
  const others = new Headers(headers)
  for (const name of ['If-Match', 'If-None-Match', 'Content-Length']) others.delete(name)
  return others
}

function conflictAs(method: string, from: number, to: number): Change {
  return answers(`${method} *`, (answer) => {
    if (answer.status !== from) return
    answer.status = to
    answer.body = errorOf(to)
  })
}
