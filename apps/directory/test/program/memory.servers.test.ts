import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { fillUsers } from '../contract/filled.ts'
import { connect } from '../support/harness.ts'
import { forgetPeak, peakMemory } from '../support/memory.ts'
import { type Serving, serve } from '../support/spawned-server.ts'

/** The memory (MB) of a container, as docs/operate.md recommends, and the heap that Node has in it. */
const CONTAINER_MB = 512
const HEAP_MB = 256
const TENANTS = 5
/** How many requests each tenant sends together. */
const REQUESTS = 40
/** How long (ms) clients wait at most for responses. */
const TIMEOUT_MS = 40_000

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const tokens: string[] = []
let serving: Serving
beforeAll(async () => {
  const url = `file:${join(folder, 'directory.db')}`
  const store = await openStore(url)
  for (let at = 0; at < TENANTS; at += 1) {
    const { tenantId, token } = await connect(store)
    await fillUsers(store, tenantId, { count: 400, size: 40_000 })
    tokens.push(token)
  }
  await store.close()
  serving = await serve({ DATABASE_URL: url, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` })
}, 300_000)
afterAll(() => {
  serving?.child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Sends requests for lists of all tenants together, and returns how many have each status. */
async function sendLists(path: string, isRead: boolean): Promise<Readonly<Record<string, number>>> {
  const agent = new Agent()
  const statuses: Record<string, number> = {}
  const count = (status: number | string): void => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const send = (token: string): Promise<void> =>
    new Promise((resolve) => {
      const headers = { Authorization: `Bearer ${token}` }
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
      request(`${serving.origin}${path}`, { agent, headers }, answered).on('error', failed).end()
    })
  const all = tokens.flatMap((token) => Array.from({ length: REQUESTS }, () => send(token)))
  await Promise.race([Promise.all(all), setTimeout(TIMEOUT_MS, undefined, { ref: false })])
  agent.destroy()
  return statuses
}

it.each([
  ['are read', '?count=1000', true],
  ['are never read', '?count=1000', false],
  ['are sorted in memory and never read', '?count=1000&sortBy=locale', false],
])(
  '200 large lists that %s fit into the memory of a container',
  async (_, query, isRead) => {
    const { child } = serving
    forgetPeak(child.pid ?? 0)
    const statuses = await sendLists(`/scim/v2/Users${query}`, isRead)
    expect(child.exitCode ?? child.signalCode).toBeNull()
    const peak = Math.round(peakMemory(child.pid ?? 0))
    console.info(`memory ${peak} MB, ${JSON.stringify(statuses)}`)
    expect(peak).toBeLessThan(CONTAINER_MB)
    expect(statuses[200]).toBeGreaterThan(0)
  },
  120_000,
)
