import type { Check } from '../check.ts'
import { withAt } from '../json.ts'
import { findAttributeReason } from '../model/attribute-needs.ts'
import { expectThat } from '../toolkit/expect.ts'
import { fail } from '../toolkit/finding.ts'
import type { Server } from '../toolkit/server.ts'

/** Rules for all responses of an examination. */
export const ANSWER_CHECKS: readonly Check[] = [
  {
    id: 'answers.never-returned',
    section: 'RFC 7643 §7',
    level: 'defined',
    quote: 'never The attribute is never returned.',
    title:
      'No response of the examination has a password, or another attribute that is never returned',
    needs: ['check:create.user'],
    advice:
      'Write every representation with one function, which removes the password and its hash: for POST, PUT, PATCH, GET, lists, searches, /Me and bulk requests.',
    affects: {
      entra: 'Passwords reach the logs of the identity provider.',
      okta: 'Passwords reach the logs of the identity provider.',
    },
    run: async (server) => {
      if (findAttributeReason(server.types, 'User.password') === null) await sendPassword(server)
      const [first] = server.leaks
      if (first === undefined) return
      const requests = new Set(
        server.leaks
          .filter(({ path }) => path === first.path)
          .map(({ request }) => shapeOf(request)),
      )
      fail(`no response with ${first.path}`, `it in the responses to ${[...requests].join(', ')}`)
    },
  },
]

/** Sends a password with each method, and asks for it. */
async function sendPassword(server: Server): Promise<void> {
  const { endpoint } = server.type('User')
  const [first, second, third] = ['Correct-7-horse', 'Correct-8-horse', 'Correct-9-horse']
  const { path, sent, response } = await server.create('User', { password: first })
  const filter = `userName eq ${JSON.stringify(sent.userName)}`
  const replaced = await server.put(path, withAt(sent, { password: second }))
  const responses = [
    response,
    replaced,
    await server.modify(path, { op: 'replace', path: 'password', value: third }),
    await server.get(path),
    await server.get(endpoint, { query: { filter, count: 10 } }),
    await server.search(endpoint, { filter, count: 10 }),
  ]
  for (const { request, text, status } of responses) {
    const found = [first, second, third].find((one) => text.includes(one))
    if (status < 300)
      expectThat(found === undefined, `${request} to answer without the password`, found)
  }
}

/** Removes the id and the query from a request. */
function shapeOf(request: string): string {
  const [path = request] = request.split('?')
  return path.replace(/^(\S+ \/[^/]+)\/(?!\.search)[^/]+$/, '$1/{id}')
}
