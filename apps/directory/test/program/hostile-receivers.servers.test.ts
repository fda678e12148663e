import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../../src/kernel/store/open.ts'
import { connect } from '../support/harness.ts'
import { forgetPeak, peakMemory } from '../support/memory.ts'
import { measureSlowness } from '../support/slowness.ts'
import { client, type Serving, serve } from '../support/spawned-server.ts'
import { startVictim, type Victim } from '../support/victim.ts'

/** The most processor time (ms) of the main thread between another client's request and its response. */
const MAX_WAIT_MS = 200
/** The most memory (MB) that the receivers may add to the process. */
const MAX_MEMORY_MB = 100
const ATTEMPTS = 3
const TOKEN = 'the-token-of-the-administrator'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const DATABASE_URL = `file:${join(folder, 'directory.db')}`
const sockets = new Set<Socket>()
let [first, repeated] = ['', 'x']
/** A receiver that answers each request with a text and then with another one without end. */
const receiver = createServer((socket) => {
  sockets.add(socket)
  const flood = (): void => {
    while (!socket.destroyed && socket.write(repeated.repeat(2_000)));
  }
  socket
    .on('error', () => undefined)
    .on('close', () => sockets.delete(socket))
    .once('data', () => {
      socket.write(first)
      flood()
    })
    .on('drain', flood)
})
let serving: Serving
let victim: Victim
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const store = await openStore(DATABASE_URL)
  const [hostile, other] = [await connect(store), await connect(store)]
  await store.close()
  const env = { DATABASE_URL, DIRECTORY_TOKEN: TOKEN, WEBHOOK_ALLOW: '127.0.0.1' }
  serving = await serve({ ...env, NODE_OPTIONS: '--max-old-space-size=256' })
  const { child, origin } = serving
  const admin = client({ origin, token: TOKEN })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  for (let at = 0; at < 8; at += 1) {
    const created = await admin('POST', `/api/tenants/${hostile.tenantId}/webhooks`, { url })
    expect(created.status).toBe(201)
  }
  const send = client({ origin, token: hostile.token })
  for (let at = 0; at < 40; at += 1) await send('POST', '/Users', { userName: `user ${at}` })
  const paths = ['/scim/v2/Users?count=1', '/api/health']
  victim = await startVictim({ pid: child.pid ?? 0, origin, token: other.token, paths })
})
afterAll(async () => {
  await victim?.stop()
  serving?.child.kill('SIGKILL')
  for (const socket of sockets) socket.destroy()
  receiver.close()
  rmSync(folder, { recursive: true })
})

it.each([
  ['100 Continue', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['103 Early Hints', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
  ['small chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n'],
])(
  'eight webhooks whose receiver sends %s without end do not delay others',
  async (_, ...texts) => {
    ;[first, repeated] = texts
    let best = Number.POSITIVE_INFINITY
    for (let at = 0; at < ATTEMPTS && best > MAX_WAIT_MS; at += 1) {
      const pid = serving.child.pid ?? 0
      forgetPeak(pid)
      const before = peakMemory(pid)
      await victim.longestWaits()
      const slowness = measureSlowness()
      // A receiver that has failed gets its next change after 5 seconds.
      await setTimeout(8_000)
      const waits = await victim.longestWaits()
      best = Math.min(best, Math.max(...waits) / ((slowness + measureSlowness()) / 2))
      expect(peakMemory(pid) - before).toBeLessThanOrEqual(MAX_MEMORY_MB)
    }
    console.info(`wait ${Math.round(best)} ms`)
    expect(best).toBeLessThanOrEqual(MAX_WAIT_MS)
  },
)
