/** The typed client reads streams of events in Chromium, over HTTP. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { createManifest } from '@plumbline/openapi/client'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { openBrowser } from '../../../../apps/directory/test/browser/browser.ts'
import { measure } from '../../../../scripts/packages/measure.ts'
import { api, builder, connections } from './jobs.ts'

const folder = await mkdtemp(join(tmpdir(), 'plumbline-page-'))
const { code, output } = await measure(
  fileURLToPath(new URL('page.ts', import.meta.url)),
  folder,
  'browser',
)
expect(code, output).toBe(0)
const files = new Map<string, readonly [type: string, text: string]>([
  [
    '/',
    ['text/html', '<!doctype html><title>Jobs</title><script type=module src=entry.js></script>'],
  ],
  ['/favicon.ico', ['image/x-icon', '']],
  ['/manifest.json', ['application/json', JSON.stringify(createManifest(builder))]],
])
for (const name of await readdir(folder)) {
  files.set(`/${name}`, ['text/javascript', await readFile(join(folder, name), 'utf8')])
}
const server = createServer(
  getRequestListener(async (request) => {
    const [type, text] = files.get(new URL(request.url).pathname) ?? []
    if (type === undefined) return await api.fetch(request)
    return new Response(text, { headers: { 'Content-Type': `${type}; charset=utf-8` } })
  }),
)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await openBrowser()
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => void connections.splice(0))

/** The events of a job that a page receives. */
async function watch(id: string, most = 10): Promise<readonly string[]> {
  const visit = await browser.visit({ origin, token: '' })
  await visit.open('/')
  await visit.page.waitForFunction('globalThis.watch')
  const seen = await visit.page.evaluate<readonly string[]>(`watch("${id}", ${most})`)
  await visit.close()
  return seen
}

it('a page receives each stream event, with its type', async () => {
  expect(await watch('whole')).toEqual(['1: 1', '2: 2', '3: 3', 'größer\nthan a line'])
  expect(connections).toEqual([{ lastEventId: null, hasEnded: true }])
})

it("a page reconnects with the last event's ID after the connection broke", async () => {
  expect(await watch('broken')).toEqual(['1: 1', '2: 2', '3: 3', 'größer\nthan a line'])
  expect(connections.map(({ lastEventId }) => lastEventId)).toEqual([null, '2'])
})

it("the server's generator ends when a page aborts its request", async () => {
  expect(await watch('endless', 1)).toEqual(['1: 1'])
  await vi.waitFor(() => expect(connections).toEqual([{ lastEventId: null, hasEnded: true }]))
})
