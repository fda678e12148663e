import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './limits.ts'
import { createRedaction } from './redaction.ts'
import { createTransport, type Fetch, type Outgoing } from './transport.ts'

const GET: Outgoing = {
  method: 'GET',
  url: 'https://scim.example/Users',
  headers: new Headers(),
  body: null,
  isUrgent: false,
}

/** A transport with a rate of one request in a thousand seconds, whose pauses are recorded. */
function open(fetch: Fetch = async () => new Response(null, { status: 204 })) {
  const pauses: number[] = []
  const send = createTransport({
    fetch,
    limits: { ...DEFAULT_LIMITS, rate: 0.001 },
    redaction: createRedaction([]),
    signal: undefined,
    sleep: async (time) => {
      pauses.push(time)
    },
  })
  return { pauses, send: (outgoing: Outgoing) => send(outgoing, () => undefined) }
}

it('urgent requests are sent without a pause, and the next request waits for all of them', async () => {
  const { pauses, send } = open()
  const urgent = { ...GET, isUrgent: true }
  await Promise.all([send(urgent), send(urgent), send(urgent)])
  expect(pauses).toStrictEqual([])
  await send(GET)
  expect(pauses).toHaveLength(1)
  expect(pauses[0]).toBeGreaterThan(2_000_000)
})

it('the response has the URL that answered after a redirect', async () => {
  const { send } = open(async ({ url }) =>
    url.endsWith('/Me')
      ? new Response(null, { status: 308, headers: { Location: '/Users/1' } })
      : new Response(null, { status: 204 }),
  )
  const { url } = await send({ ...GET, url: 'https://scim.example/Me' })
  expect(url).toBe('https://scim.example/Users/1')
})
