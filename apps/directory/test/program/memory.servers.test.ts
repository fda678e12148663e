import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { USER_SCHEMA } from '@plumbline/scim'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openStore } from '../../src/kernel/store/open.ts'
import { fillUsers } from '../contract/filled.ts'
import { connect } from '../support/harness.ts'
import { peakMemory } from '../support/memory.ts'
import { type Serving, serve } from '../support/spawned-server.ts'

/** The memory (MB) of a container, as docs/operate.md recommends, and the heap that Node has in it. */
const CONTAINER_MB = 512
const HEAP_MB = 256
const TENANTS = 5
/** How long (ms) clients wait at most for responses. */
const TIMEOUT_MS = 40_000

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const url = `file:${join(folder, 'directory.db')}`
const tokens: string[] = []
let serving: Serving
beforeAll(async () => {
  const store = await openStore(url)
  for (let at = 0; at < TENANTS; at += 1) {
    const { tenantId, token } = await connect(store)
    await fillUsers(store, tenantId, { count: 400, size: 40_000 })
    tokens.push(token)
  }
  await store.close()
}, 300_000)
beforeEach(async () => {
  serving = await serve({ DATABASE_URL: url, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` })
})
afterEach(async () => {
  serving?.child.kill('SIGKILL')
  await serving?.ended
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Sent {
  readonly path: string
  readonly isRead: boolean
  /** How many requests each tenant sends. */
  readonly count: number
  /** Returns the body of a POST; a GET by default. */
  readonly body?: () => string
}

/** Sends requests of all tenants together, and returns how many answers have each status. */
async function sendTogether({
  path,
  isRead,
  count: each,
  body,
}: Sent): Promise<Readonly<Record<string, number>>> {
  const agent = new Agent()
  const statuses: Record<string, number> = {}
  const count = (status: number | string): void => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const send = (token: string): Promise<void> =>
    new Promise((resolve) => {
      const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': SCIM }) }
      const answered = (response: IncomingMessage): void => {
        count(response.statusCode ?? 0)
        response.on('error', () => undefined).on('close', resolve)
        if (isRead) response.resume()
        else resolve()
      }
      const failed = ({ code = '' }: NodeJS.ErrnoException): void => {
        count(code)
        resolve()
      }
      const options = { agent, headers, method: body ? 'POST' : 'GET' }
      request(`${serving.origin}${path}`, options, answered).on('error', failed).end(body?.())
    })
  const all = tokens.flatMap((token) => Array.from({ length: each }, () => send(token)))
  await Promise.race([Promise.all(all), setTimeout(TIMEOUT_MS, undefined, { ref: false })])
  agent.destroy()
  return statuses
}

/** Sends requests, and expects that the process survives within the memory of its container. */
async function expectToFit(sent: Sent, status: number): Promise<void> {
  const { child } = serving
  const statuses = await sendTogether(sent)
  expect(child.exitCode ?? child.signalCode).toBeNull()
  const peak = Math.round(peakMemory(child.pid ?? 0))
  console.info(`memory ${peak} MB, ${JSON.stringify(statuses)}`)
  expect(peak).toBeLessThan(CONTAINER_MB)
  expect(statuses[status]).toBeGreaterThan(0)
}

it.each([
  ['are read', '?count=1000', true],
  ['are never read', '?count=1000', false],
  ['are sorted in memory and never read', '?count=1000&sortBy=locale', false],
])(
  "200 large lists that %s fit into a container's memory",
  async (_, query, isRead) => {
    await expectToFit({ path: `/scim/v2/Users${query}`, isRead, count: 40 }, 200)
  },
  120_000,
)

it("1,000 users of 1 MB created together fit into a container's memory", async () => {
  const body = (): string =>
    JSON.stringify({
      schemas: [USER_SCHEMA],
      userName: crypto.randomUUID(),
      locale: 'x'.repeat(1_000_000),
    })
  await expectToFit({ path: '/scim/v2/Users', isRead: true, count: 200, body }, 201)
}, 120_000)

const SCIM = 'application/scim+json'
