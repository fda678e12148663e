import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { numberIn } from '../support/cursors.ts'
import { createFreshDatabase } from '../support/fresh-postgres.ts'
import { client, type Serving, serve } from '../support/spawned-server.ts'
import { patch } from '../support/two-processes.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An empty database of an engine. */
const DATABASES: readonly (readonly [name: string, create: () => Promise<string>])[] = [
  [
    'SQLite',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'directory-'))
      closing.push(() => rmSync(folder, { recursive: true }))
      return `file:${join(folder, 'directory.db')}`
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const database = await createFreshDatabase()
      closing.push(database.drop)
      return database.url
    },
  ],
]

it.each(DATABASES)(
  'another process delivers within 30 seconds after the first was killed, in order and without a loss, on %s',
  async (_, create) => {
    const env = { DATABASE_URL: await create(), WEBHOOK_ALLOW: '127.0.0.1' }
    const start = async (): Promise<Serving> => {
      const started = await serve(env)
      closing.push(async () => {
        started.child.kill('SIGKILL')
        await started.ended
      })
      return started
    }
    const { received, url } = await receive()
    const first = await start()
    const path = '/api/tenants/default/webhooks'
    const { token } = first
    expect((await client(first)('POST', path, { url })).status).toBe(201)
    const second = await start()
    const send = client({ ...second, token })
    const ids: string[] = []
    for (const userName of ['ada', 'bob', 'eve']) {
      ids.push(String((await send('POST', '/Users', { userName })).body.id))
    }
    const rename = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        for (const id of ids) {
          const value = crypto.randomUUID()
          await send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value }))
        }
      }
    }
    await rename(20)
    while (received.length < 20) await setTimeout(10)
    first.child.kill('SIGKILL')
    const killed = performance.now()
    const before = received.length
    await rename(20)
    while (received.length === before) await setTimeout(10)
    expect(performance.now() - killed).toBeLessThan(30_000)
    const newest = await send('GET', '/api/tenants/default/changes?after=newest')
    const last = numberIn(newest.body.nextCursor)
    const found = () => new Set(received.map(({ cursor }) => numberIn(cursor)))
    while (!found().has(last)) await setTimeout(10)
    await setTimeout(500)
    const oldest = Math.min(...found())
    expect([...found()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: last - oldest + 1 }, (_, at) => oldest + at),
    )
    expect(last - oldest).toBeGreaterThanOrEqual(ids.length * 41 - 1)
    for (const id of ids) {
      // A repetition may follow the kill: the first arrival of each change is in order.
      const own = received.filter((one) => one.id === id).map(({ cursor }) => numberIn(cursor))
      const arrivals = [...new Set(own)]
      expect(arrivals).toEqual([...arrivals].sort((a, b) => a - b))
    }
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  },
)

interface Arrived {
  readonly id: string
  readonly cursor: string
}

/** A receiver on this machine that takes some milliseconds for a message. */
async function receive() {
  const received: Arrived[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push(JSON.parse(Buffer.concat(chunks).toString()).data)
    await setTimeout(5)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { received, url: `http://127.0.0.1:${port}/` }
}
