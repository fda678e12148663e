import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIdle } from '../support/idle-connections.ts'
import { forgetPeak, peakMemory } from '../support/memory.ts'
import { type Flood, flood } from '../support/pipelined-requests.ts'
import { measureSlowness } from '../support/slowness.ts'
import { type Serving, serve } from '../support/spawned-server.ts'
import { startVictim, type Victim } from '../support/victim.ts'

/** The most processor time (ms) of the main thread between another client's request and its response. */
const MAX_WAIT_MS = 200
/** The most memory (MB) that a flood may add to the process. */
const MAX_MEMORY_MB = 100
/** The most memory (MB) that 1,000 bodies may add to the process. */
const MAX_MEMORY_OF_BODIES = 300
/** How long (ms) a flood lasts at most. */
const MAX_FLOOD_MS = 6_000
const ATTEMPTS = 3

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
let serving: Serving
let victim: Victim
beforeAll(async () => {
  // A process in a container of 512 MB has such a heap.
  serving = await serve({
    DATABASE_URL: `file:${join(folder, 'directory.db')}`,
    NODE_OPTIONS: '--max-old-space-size=256',
  })
  const { child, origin, token } = serving
  const paths = ['/scim/v2/Users?count=1', '/api/health']
  victim = await startVictim({ pid: child.pid ?? 0, origin, token: token ?? '', paths })
})
afterAll(async () => {
  await victim?.stop()
  serving?.child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const rejected = 'GET /scim/v2/Users HTTP/1.1\r\nHost: localhost\r\n\r\n'
const body = 'grant_type=client_credentials'
const texts: readonly (readonly [string, string])[] = [
  ['lists without a token', rejected],
  ['health checks', 'GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'token requests with a body',
    `POST /scim/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ],
  // Node answers these before any listener does.
  ['unmet expectations', 'GET /api/health HTTP/1.1\r\nHost: a\r\nExpect: a\r\n\r\n'],
]

/** Sends a flood, and returns the victim's longest wait (ms) and the memory that was added (MB). */
async function attack(given: Flood): Promise<{ wait: number; memory: number }> {
  const pid = serving.child.pid ?? 0
  forgetPeak(pid)
  const before = peakMemory(pid)
  await victim.longestWaits()
  const slowness = measureSlowness()
  const flooding = flood(serving.origin, given)
  await Promise.race([flooding.ended, setTimeout(MAX_FLOOD_MS)])
  const waits = await victim.longestWaits()
  const memory = peakMemory(pid) - before
  flooding.stop()
  expect(serving.child.exitCode).toBeNull()
  if (given.isRead) expect(flooding.answers()).toBeGreaterThan(given.connections)
  return { wait: Math.max(...waits) / ((slowness + measureSlowness()) / 2), memory }
}

describe.each([1, 20, 200])('100,000 pipelined requests on %i connections', (connections) => {
  describe.each([
    ['are', true],
    ['are never', false],
  ])('pipelined requests whose answers %s read', (_, isRead) => {
    it.each(connections === 20 ? texts : texts.slice(0, 1))(
      'pipelined requests neither fill the memory nor delay others: %s',
      { timeout: 600_000 },
      async (_title, text) => {
        const given = { requests: 100_000, connections, text, isRead }
        let best = await attack(given)
        for (let at = 1; at < ATTEMPTS && best.wait > MAX_WAIT_MS; at += 1) {
          const { wait, memory } = await attack(given)
          best = { wait: Math.min(wait, best.wait), memory: Math.max(memory, best.memory) }
        }
        console.info(`wait ${Math.round(best.wait)} ms, memory ${Math.round(best.memory)} MB`)
        expect(best.wait).toBeLessThanOrEqual(MAX_WAIT_MS)
        expect(best.memory).toBeLessThanOrEqual(MAX_MEMORY_MB)
      },
    )
  })
})

const user = JSON.stringify({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'a',
  nickName: 'x'.repeat(1_000_000),
})

it.each([
  ['whose length is known', `Content-Length: ${user.length}\r\n\r\n${user}`],
  [
    'in chunks',
    `Transfer-Encoding: chunked\r\n\r\n${user.length.toString(16)}\r\n${user}\r\n0\r\n\r\n`,
  ],
])(
  '1,000 bodies of 1 MB arriving together do not fill the memory: %s',
  {
    timeout: 600_000,
  },
  async (_title, rest) => {
    const head =
      'POST /scim/v2/Users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/scim+json'
    const text = `${head}\r\nAuthorization: Bearer ${serving.token}\r\n${rest}`
    const { memory } = await attack({ requests: 1_000, connections: 1_000, text, isRead: false })
    console.info(`memory ${Math.round(memory)} MB`)
    expect(memory).toBeLessThanOrEqual(MAX_MEMORY_OF_BODIES)
  },
)

it('10,000 silent connections are closed without delaying others', {
  timeout: 600_000,
}, async () => {
  let best = Number.POSITIVE_INFINITY
  for (let at = 0; at < ATTEMPTS && best > MAX_WAIT_MS; at += 1) {
    await victim.longestWaits()
    const slowness = measureSlowness()
    const close = await openIdle(serving.origin, 10_000)
    // The server closes them after 10 seconds.
    await setTimeout(13_000)
    console.info(`memory ${Math.round(peakMemory(serving.child.pid ?? 0))} MB`)
    close()
    const waits = await victim.longestWaits()
    best = Math.min(best, Math.max(...waits) / ((slowness + measureSlowness()) / 2))
  }
  console.info(`wait ${Math.round(best)} ms`)
  expect(best).toBeLessThanOrEqual(MAX_WAIT_MS)
})
