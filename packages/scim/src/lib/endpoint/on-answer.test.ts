import { expect, it } from 'vitest'
import { ScimError } from '../error.ts'
import type { Answered } from './options.ts'
import { type Client, type ServeOptions, serve } from './testing/serve.ts'

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
])(
  'onAnswer receives the route, the id and the status of %s %s',
  async (method, path, expected) => {
    expect(await factsOf(method, path)).toMatchObject(expected)
  },
)

it('onAnswer receives the error of a client that is not authenticated', async () => {
  const facts = await factsOf('GET', '/Users', { authenticate: async () => null })
  expect(facts).toMatchObject({ status: 401, route: '/Users', context: null })
  expect(facts).toHaveProperty('error', expect.any(ScimError))
})

it.each([
  ['that is valid', 201, '{"userName":"a"}', { userName: 'a' }],
  ['of a rejected request', 400, '{"userName":7}', { userName: 7 }],
  ['that is not valid JSON', 400, '{"userName":', undefined],
])('onAnswer receives the body %s', async (_, status, text, body) => {
  const facts: Answered<Client>[] = []
  const { send } = serve({ onAnswer: (answered) => facts.push(answered) })
  await send('POST', '/Users', text)
  expect(facts).toMatchObject([{ status }])
  expect(facts[0]?.body).toEqual(body)
})

it('onAnswer receives undefined as the body of a request whose body was not read', async () => {
  const { send } = serve({
    authenticate: async () => null,
    onAnswer: (answered) => facts.push(answered),
  })
  const facts: Answered<Client>[] = []
  await send('POST', '/Users', { userName: 'a' })
  expect(facts).toMatchObject([{ status: 401, body: undefined }])
})

it('an onAnswer that throws does not change the response', async () => {
  const { send } = serve({
    onAnswer: () => {
      throw new RangeError('the log is full')
    },
  })
  expect((await send('GET', '/Users')).status).toBe(200)
})
