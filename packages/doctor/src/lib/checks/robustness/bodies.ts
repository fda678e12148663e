import type { Check } from '../../check.ts'
import { withAt } from '../../json.ts'
import { RULES } from '../../rules.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { expectCalm, userWith } from './calm.ts'

/** Rules for bodies no client should send. */
export const ROBUSTNESS_BODY_CHECKS: readonly Check[] = [
  {
    id: 'robustness.non-object',
    ...RULES.statusCodes,
    title: 'A body that is JSON but not an object is rejected with 400',
    needs: ['users', 'write'],
    advice: 'Answer 400 invalidSyntax if the body is null, a list, a string or a number.',
    run: async (server) => {
      for (const body of ['null', '[]', '"text"', '7']) {
        expectError(await server.post(server.type('User').endpoint, body), 400)
      }
    },
  },
  {
    id: 'robustness.wrong-types',
    ...RULES.statusCodes,
    title: 'Values of a wrong JSON type are not an internal error',
    needs: ['check:create.user'],
    advice:
      'Answer 400 invalidValue if an object, a list or a string is sent instead of the other.',
    run: async (server) => {
      const { endpoint } = server.type('User')
      const values = [{ userName: { a: 1 } }, { name: [] }, { emails: 'text' }]
      for (const value of values) {
        await expectCalm(server, await server.post(endpoint, server.sample('User', value)))
      }
    },
  },
  {
    id: 'robustness.nested-json',
    ...RULES.statusCodes,
    title: 'A deeply nested body is not an internal error',
    needs: ['hostile', 'check:create.user'],
    advice: 'Limit the depth of JSON, and do not read it with unlimited recursion.',
    run: async (server) => {
      const nested = `"name":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
      const response = await server.post(server.type('User').endpoint, userWith(server, nested))
      await expectCalm(server, response)
    },
  },
  {
    id: 'robustness.long-value',
    ...RULES.statusCodes,
    title: 'A value that is too long is not an internal error',
    needs: ['hostile', 'check:create.user', 'User:optional'],
    advice: 'Answer 400 invalidValue or 413 if a value does not fit the column of the database.',
    run: async (server) => {
      const user = withAt(server.sample('User'), { [server.words().optional]: 'a'.repeat(100_000) })
      await expectCalm(server, await server.post(server.type('User').endpoint, user))
    },
  },
  {
    id: 'robustness.nul',
    ...RULES.statusCodes,
    title: 'U+0000 in a value is not an internal error',
    needs: ['check:create.user', 'User:optional'],
    advice: 'Answer 400 invalidValue if the database does not store U+0000, such as PostgreSQL.',
    run: async (server) => {
      const user = withAt(server.sample('User'), { [server.words().optional]: 'a\u0000b' })
      await expectCalm(server, await server.post(server.type('User').endpoint, user))
    },
  },
  {
    id: 'robustness.surrogates',
    ...RULES.statusCodes,
    title: 'Half of a surrogate pair in a value is not an internal error',
    needs: ['check:create.user', 'User:optional'],
    advice:
      'Answer 400 if a string is not well-formed Unicode, because it cannot be sent as UTF-8.',
    run: async (server) => {
      const body = withAt(server.sample('User'), { [server.words().optional]: HALF })
      // JSON.stringify escapes the character.
      const user = JSON.stringify(body)
      await expectCalm(server, await server.post(server.type('User').endpoint, user))
    },
  },
  {
    id: 'robustness.user-name',
    ...RULES.matching,
    level: 'defined',
    title: 'A userName with quotation marks, wildcards and an emoji is found, or rejected',
    needs: ['check:filters.eq-string', 'write'],
    advice: 'Pass values to the database as parameters, and do not build queries from text.',
    run: async ({ post, get, type, sample, unique }) => {
      const { endpoint } = type('User')
      const userName = `${unique()}'%_\\"${UNUSUAL}`
      const created = await post(endpoint, sample('User', { userName }))
      expectStatus(created, 201, 400)
      if (created.status === 400) return
      const query = { filter: `userName eq ${JSON.stringify(userName)}` }
      const found = expectList(await get(endpoint, { query })).map(({ id }) => id)
      expectEqual(found, [created.body.id], `the users that ${query.filter} selects`)
    },
  },
  {
    id: 'robustness.prototype-body',
    section: 'CWE-1321',
    level: 'practice',
    title: 'The members __proto__ and constructor of a body do not change other resources',
    needs: ['check:create.user'],
    advice:
      'Copy only members that a schema defines, and look up names with Object.hasOwn or a Map.',
    run: async (server) => {
      const { ada } = await server.people()
      const value = '{"plumblinePolluted":true}'
      const members = `"__proto__":${value},"constructor":{"prototype":${value}}`
      const body = userWith(server, members)
      await expectCalm(server, await server.post(server.type('User').endpoint, body))
      const { text } = await server.get(ada.path)
      expectThat(!text.includes('plumblinePolluted'), 'an unchanged user', text)
    },
  },
]

const DEPTH = 5_000
/** Half a surrogate pair. */
const HALF = 'a\ud800'
/** A four-byte character, text from right to left, and an emoji. */
const UNUSUAL = '𝔘\u05e9\u05dc\u05d5\u05dd🚀'
