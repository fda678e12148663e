import { ERROR_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import type { Received } from '../http/exchange.ts'
import { memberAt, stringsOf } from '../json.ts'
import { RULES } from '../rules.ts'
import {
  expectEqual,
  expectError,
  expectHeader,
  expectMember,
  expectStatus,
  expectThat,
} from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'
import type { Server } from '../toolkit/server.ts'

export const ERRORS_CHECKS: readonly Check[] = [
  {
    id: 'errors.document',
    section: 'RFC 7644 §3.12',
    level: 'MUST',
    quote: 'implementers MUST return the errors in the body',
    title: 'An error is a JSON document with the schema of errors',
    needs: ['check:read.unknown'],
    advice: 'Set schemas to the URN of errors, also in errors of a framework or a proxy.',
    affects: { okta: 'Administrators see an unknown error instead of the cause.' },
    run: async (server) => {
      const schemas = expectMember(await readUnknown(server), 'schemas')
      expectThat(stringsOf(schemas).includes(ERROR_SCHEMA), `schemas with ${ERROR_SCHEMA}`, schemas)
    },
  },
  {
    id: 'errors.status',
    section: 'RFC 7644 §3.12',
    level: 'MUST',
    quote: 'expressed as a JSON string. REQUIRED.',
    title: 'The member status of an error is the HTTP status as a string',
    needs: ['check:read.unknown'],
    advice: 'Write status in quotes: "404", not 404.',
    run: async (server) => {
      expectMember(await readUnknown(server), 'status', '404')
    },
  },
  {
    id: 'errors.detail',
    section: 'RFC 7644 §3.12',
    level: 'practice',
    title: 'An error has a detail that a person can read',
    needs: ['check:read.unknown'],
    advice: 'Say in detail what was expected and what was found. It is shown to administrators.',
    affects: {
      entra: 'The provisioning log does not show the cause.',
      okta: 'The task of the administrator does not show the cause.',
    },
    run: async (server) => {
      const detail = expectMember(await readUnknown(server), 'detail')
      expectThat(typeof detail === 'string' && detail !== '', 'detail as a text', detail)
    },
  },
  {
    id: 'errors.media-type',
    section: 'RFC 7644 §3.1',
    level: 'defined',
    quote: 'SCIM uses a media type of "application/scim+json"',
    title: 'An error has the media type application/scim+json',
    needs: ['check:read.unknown', 'check:representation.media-type'],
    advice: 'Set Content-Type in the error handler as well.',
    run: async (server) => {
      const type = /^application\/scim\+json\s*(;|$)/i
      expectHeader(await readUnknown(server), 'Content-Type', type)
    },
  },
  {
    id: 'errors.invalid-json',
    ...RULES.statusCodes,
    title: 'A body that is not JSON is rejected with 400, and with invalidSyntax if at all',
    needs: ['check:create.user'],
    advice: 'Handle errors of the JSON parser, and answer 400 invalidSyntax.',
    run: async ({ post, type }) => {
      const response = await post(type('User').endpoint, '{"userName": ')
      expectStatus(response, 400)
      const scimType = memberAt(response.body, 'scimType') ?? 'invalidSyntax'
      expectEqual(scimType, 'invalidSyntax', 'scimType')
    },
  },
  {
    id: 'errors.scim-type',
    section: 'RFC 7644 §3.12',
    level: 'defined',
    quote: 'A SCIM detail error keyword. See Table 9.',
    title: 'The scimType of a rejected value is one that the standard defines',
    needs: ['check:create.required'],
    advice: 'Use a keyword of the standard, such as invalidValue, in the same letter case.',
    run: async ({ post, sample, type }) => {
      const { endpoint } = type('User')
      const { scimType } = (await post(endpoint, sample('User', { userName: undefined }))).body
      const isKnown = scimType === undefined || SCIM_TYPES.includes(String(scimType))
      expectThat(isKnown, `one of ${SCIM_TYPES.join(', ')}`, scimType)
    },
  },
  {
    id: 'errors.endpoint',
    ...RULES.statusCodes,
    title: 'A path that is not an endpoint answers 404',
    advice: 'Answer 404 with an error document, not the page of a web application.',
    run: async ({ get, unique }) => expectError(await get(`/${unique()}`), 404),
  },
  {
    id: 'errors.method',
    section: 'RFC 9110 §9.1',
    level: 'SHOULD',
    quote: 'allowed for the target resource, SHOULD respond with',
    title: 'A method that an endpoint does not support is rejected with 405',
    needs: ['check:create.user'],
    advice: 'Answer 405 if the path exists with other methods.',
    run: async ({ people, sample, post }) => {
      expectStatus(await post((await people()).bob.path, sample('User')), 405, 501)
    },
  },
  {
    id: 'errors.allow',
    section: 'RFC 9110 §15.5.6',
    level: 'MUST',
    quote: 'The origin server MUST generate an Allow header',
    title: 'A 405 lists the supported methods in the header Allow',
    needs: ['check:errors.method'],
    advice: 'Set Allow, such as GET, PUT, PATCH, DELETE.',
    run: async ({ people, sample, post }) => {
      const response = await post((await people()).bob.path, sample('User'))
      if (response.status !== 405) skip('The method was rejected with another status.')
      expectHeader(response, 'Allow', /\bGET\b/)
    },
  },
  {
    id: 'errors.content-type',
    section: 'RFC 9110 §15.5.16',
    level: 'practice',
    title: 'A body of another media type than JSON is rejected with 415 or 400',
    needs: ['check:create.user'],
    advice: 'Answer 415 unless Content-Type is application/scim+json or application/json.',
    run: async ({ post, type, unique }) => {
      const headers = { 'Content-Type': 'text/csv' }
      const response = await post(type('User').endpoint, `userName\n${unique()}`, { headers })
      expectStatus(response, 415, 400)
    },
  },
  {
    id: 'errors.no-internals',
    section: 'RFC 7644 §7',
    level: 'practice',
    title: 'An error does not show stack traces, queries or file names of the server',
    needs: ['check:create.user'],
    advice: 'Log the error, and answer a sentence that does not depend on the implementation.',
    run: async ({ post, get, type }) => {
      const { endpoint } = type('User')
      const broken = await post(endpoint, '{"userName": "a", "active": }')
      const quoted = await get(`${endpoint}/${encodeURIComponent(`'"\\`)}`)
      for (const { text } of [broken, quoted]) {
        expectThat(!INTERNALS.test(text), 'an error without internals', text)
      }
    },
  },
]

const readUnknown = ({ get, type, unique }: Server): Promise<Received> =>
  get(`${type('User').endpoint}/${unique()}`)

/** RFC 7644 §3.12 and RFC 9865 §2. */
const SCIM_TYPES = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
]

/** Stack traces, exception names and database messages. */
const INTERNALS =
  /\bat [^\n]{1,200}:\d+:\d+|Traceback \(most|\.java:\d+\)|\.(py|rb|php|go|cs):\d+|node_modules|SQLSTATE|NullPointer|syntax error at or near/
