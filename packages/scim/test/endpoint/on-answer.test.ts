import { expect, it, vi } from 'vitest'
import { BULK_REQUEST_SCHEMA } from '../../src/lib/constants.ts'
import type { Answered } from '../../src/lib/endpoint/options.ts'
import { ScimError } from '../../src/lib/error.ts'
import { type Client, patchOf, type ServeOptions, serve } from './serve.ts'

/** The facts that `onAnswer` receives about one request, without the request itself. */
async function factsOf(
  method: string,
  path: string,
  options: ServeOptions = {},
): Promise<object | undefined> {
  const facts: Answered<Client>[] = []
  const { send } = serve({ ...options, onAnswer: (answered) => facts.push(answered) })
  await send(method, path)
  expect(facts).toHaveLength(1)
  const [{ request, ...others } = expect.fail('onAnswer was not called')] = facts
  expect(request.method).toBe(method)
  return others
}

const context = expect.objectContaining({ token: expect.any(String) })
const found = { context, error: null, status: 200 }

it.each([
  ['GET', '/Users', { ...found, route: '/Users', id: '' }],
  ['HEAD', '/Users/', { ...found, route: '/Users', id: '' }],
  ['GET', '/ServiceProviderConfig', { ...found, route: '/ServiceProviderConfig', id: '' }],
  ['GET', '/Users/a%20b', { route: '/Users/:id', id: 'a b', status: 404, context }],
  ['PUT', '/Users', { route: null, id: '', status: 405, context: null }],
  ['GET', '/Nothing', { route: null, id: '', status: 404, context: null }],
])('onAnswer receives the route, id and status for %s %s', async (method, path, expected) => {
  expect(await factsOf(method, path)).toMatchObject(expected)
})

it('onAnswer receives the error for an unauthenticated client', async () => {
  const facts = await factsOf('GET', '/Users', { authenticate: async () => null })
  expect(facts).toMatchObject({ status: 401, route: '/Users', context: null })
  expect(facts).toHaveProperty('error', expect.any(ScimError))
})

it.each([
  ['that is valid', 201, '{"userName":"a"}', { userName: 'a' }],
  ['from a rejected request', 400, '{"userName":7}', { userName: 7 }],
  ['that is not valid JSON', 400, '{"userName":', undefined],
])('onAnswer receives the body %s', async (_, status, text, body) => {
  const facts: Answered<Client>[] = []
  const { send } = serve({ onAnswer: (answered) => facts.push(answered) })
  await send('POST', '/Users', text)
  expect(facts).toMatchObject([{ status }])
  expect(facts[0]?.body).toEqual(body)
})

it('onAnswer receives undefined if the request body was not read', async () => {
  const { send } = serve({
    authenticate: async () => null,
    onAnswer: (answered) => facts.push(answered),
  })
  const facts: Answered<Client>[] = []
  await send('POST', '/Users', { userName: 'a' })
  expect(facts).toMatchObject([{ status: 401, body: undefined }])
})

it.each([
  [
    'throws',
    () => {
      throw full
    },
  ],
  ['rejects', async () => Promise.reject(full)],
])('an onAnswer that %s is printed, and the response stays the same', async (_, onAnswer) => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  try {
    const { send } = serve({ onAnswer })
    expect((await send('GET', '/Users')).status).toBe(200)
    await vi.waitFor(() => expect(print.mock.calls).toEqual([['onAnswer failed:', full]]))
  } finally {
    print.mockRestore()
  }
})
const full = new RangeError('the log is full')

/** The attributes that were ignored, for each request to a new user or group of a profile. */
async function ignoredBy(
  profile: 'okta' | 'standard',
  type: 'Users' | 'Groups',
  ...requests: readonly (readonly object[])[]
): Promise<(readonly [status: number, ignored: readonly string[]])[]> {
  const facts: Answered<Client>[] = []
  const { send } = serve({ profile, onAnswer: (answered) => facts.push(answered) })
  const { body } = await send('POST', `/${type}`, { userName: 'a', displayName: 'a' })
  for (const operations of requests) {
    await send('PATCH', `/${type}/${body.id}`, patchOf(...operations))
  }
  return facts.slice(1).map(({ status, ignored }) => [status, ignored])
}

const VALU = { op: 'replace', path: 'emails[type eq "work"].valu', value: 'x@y.z' }

it('onAnswer receives the PATCH attributes that unknown-attributes ignores', async () => {
  const ignored = await ignoredBy(
    'okta',
    'Users',
    [VALU],
    [{ op: 'replace', value: { nickNam: 'a', title: 'b', '1 2': true, emails: [{ valu: 'c' }] } }],
    [{ op: 'add', path: 'urn:x:2.0:User:badge', value: 7 }, VALU, VALU],
    [{ op: 'replace', path: 'title', value: 'c' }],
  )
  expect(ignored).toEqual([
    [200, ['emails.valu']],
    [200, ['nickNam', '1 2', 'emails.valu']],
    [200, ['urn:x:2.0:User:badge', 'emails.valu']],
    [200, []],
  ])
})

it('onAnswer receives the attributes ignored in members added to a large group', async () => {
  const member = { value: 'u1', role: 'owner' }
  const operation = { op: 'add', path: 'members', value: [member] }
  const ignored = await ignoredBy('okta', 'Groups', [
    operation,
    { op: 'add', path: 'not', value: 1 },
  ])
  expect(ignored).toEqual([[expect.any(Number), ['members.role', 'not']]])
})

it('onAnswer receives no ignored attributes if the PATCH is rejected', async () => {
  const broken = { op: 'replace', path: 'active', value: 7 }
  expect(await ignoredBy('okta', 'Users', [VALU, broken])).toEqual([[400, []]])
  expect(await ignoredBy('standard', 'Users', [VALU])).toEqual([[400, []]])
})

it('onAnswer receives at most 20 ignored attributes, each up to 200 code units long', async () => {
  const long = `${'a'.repeat(199)}\u{1f600}`
  const members = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x${at}`, at]))
  const operation = { op: 'add', value: { [long]: 1, ...members } }
  const [[, ignored] = expect.fail()] = await ignoredBy('okta', 'Users', [operation])
  expect(ignored).toHaveLength(20)
  expect(ignored.slice(0, 2)).toEqual([`${'a'.repeat(199)}\ufffd`, 'x0'])
})

it('onAnswer receives the attributes ignored in all bulk operations', async () => {
  const facts: Answered<Client>[] = []
  const { send } = serve({ profile: 'okta', onAnswer: (answered) => facts.push(answered) })
  const { body } = await send('POST', '/Users', { userName: 'a' })
  const patch = (path: string) => ({
    method: 'PATCH',
    path: `/Users/${body.id}`,
    data: patchOf({ op: 'add', path, value: 'b' }),
  })
  const Operations = [patch('one'), patch('title'), patch('two'), patch('one')]
  await send('POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
  expect(facts.at(-1)?.ignored).toEqual(['one', 'two'])
})
