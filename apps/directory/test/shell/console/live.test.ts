import { describe, expect, it } from 'vitest'
import { mapEvents } from '../../../src/shell/console/events.ts'
import { openConsole, openLoggedConsole } from '../../support/console-client.ts'
import { type Client, connect } from '../../support/harness.ts'

const ORIGIN = 'http://localhost'
const STRANGERS = '/console/requests'
const HOSTILE = `\r\rid: 1\rdata: <img src=x onerror=alert(1)>"'&\u2028`

const { store, log, browser } = await openLoggedConsole()
const client = await connect(store, { provisioning: log })
const home = `/console/tenants/${client.tenantId}/requests`

/** Opens the stream of a list, in which new requests have higher numbers than the ones that the list shows. */
async function watch(path: string, headers: Readonly<Record<string, string>> = {}, by = browser) {
  const { text } = await by.open(path)
  const [, source = '', after = ''] = /data-source="([^"]+)" data-after="(\d+)"/.exec(text) ?? []
  const hangUp = new AbortController()
  const cookie = [...by.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await by.directory.fetch(
    new Request(`${ORIGIN}${source}?after=${after}`, {
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', ...headers },
      signal: hangUp.signal,
    }),
  )
  return { response, hangUp, next: eventsOf(response) }
}

/** Returns a function that reads the next event as a browser does; null at the end of the stream. */
function eventsOf({ body }: Response) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (): Promise<{ readonly id: string; readonly data: string } | null> => {
    for (;;) {
      const [block = '', ...rest] = text.split('\n\n')
      if (rest.length > 0) {
        text = rest.join('\n\n')
        const lines = block.split(/\r\n|\r|\n/)
        const valuesOf = (name: string) =>
          lines.flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []))
        const data = valuesOf('data: ')
        if (data.length > 0) return { id: valuesOf('id: ').join(), data: data.join('\n') }
        continue
      }
      const read = await reader?.read()
      if (read === undefined || read.done) return null
      text += read.value
    }
  }
}

const send = async (...request: Parameters<Client['send']>): Promise<void> => {
  await client.send(...request)
  await log.flush()
}

describe("a new request's row", () => {
  it('a row is the same as on the page, with the explanation and the curl command', async () => {
    const { response, next, hangUp } = await watch(home)
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    await send('POST', '/Users', { userName: 'anna' })
    await send('POST', '/Users', { userName: 'anna' })
    const rows = [await next(), await next()]
    const page = (await browser.open(home)).text
    for (const row of rows) {
      expect(row?.data).toMatch(/^\n<tr>.*<\/tr>$/s)
      expect(page).toContain(row?.data)
      expect(page).toContain(`<a href="${home}/${row?.id}">`)
    }
    expect(rows[1]?.data).toContain('Another resource has the same value')
    expect(rows[1]?.data).toContain('>Copy as curl</span></button>')
    hangUp.abort()
    expect(await next()).toBeNull()
  })

  it('a row is one event without markup, whatever the request contains', async () => {
    const { next, hangUp } = await watch(home)
    await send('POST', '/Users', { userName: HOSTILE })
    await send('GET', '/Users/after')
    const [row, after] = [await next(), await next()]
    expect(row?.data).toContain('\n\nid: 1\ndata: &lt;img src=x onerror=alert(1)&gt;')
    expect(row?.data).not.toContain('<img')
    expect(Number(after?.id)).toBe(Number(row?.id) + 1)
    hangUp.abort()
  })

  it('a row is sent for a request without a known token, without a curl command', async () => {
    const { next, hangUp } = await watch(STRANGERS)
    await send('GET', '/Users', undefined, { Authorization: 'Bearer mistyped' })
    const row = await next()
    expect(row?.data).toContain('The token is not known')
    expect(row?.data).not.toContain('curl')
    expect((await browser.open(STRANGERS)).text).toContain(row?.data)
    hangUp.abort()
  })

  it('a row is sent after the Last-Event-ID, so a new connection does not miss it', async () => {
    const first = await watch(home)
    await send('GET', '/Users/first')
    await send('GET', '/Users/second')
    const last = (await first.next())?.id ?? ''
    first.hangUp.abort()
    const second = await watch(home, { 'Last-Event-ID': last })
    expect((await second.next())?.data).toContain('second')
    second.hangUp.abort()
  })
})

describe('the stream for new requests', () => {
  it.each([
    ['without a session', { Cookie: '' }, 303],
    ['from another origin of the site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['after a number that is not one', { 'Last-Event-ID': 'x' }, 422],
  ])('the stream is rejected %s', async (_, headers, status) => {
    for (const path of [home, STRANGERS]) {
      expect((await watch(path, headers)).response.status).toBe(status)
    }
  })

  it('the stream is 404 for a tenant that does not exist', async () => {
    expect((await browser.open('/console/tenants/missing/requests/live')).status).toBe(404)
  })

  it('the stream has the same headers as a page', async () => {
    const { response, hangUp } = await watch(home)
    const page = await browser.open(home)
    for (const name of ['Content-Security-Policy', 'Cross-Origin-Resource-Policy']) {
      expect(response.headers.get(name)).toBe(page.headers.get(name))
    }
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    // nginx would collect the events.
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    hangUp.abort()
  })

  it('the stream ends when the session ends', async () => {
    const watcher = await openConsole(store, { provisioning: log })
    const { next } = await watch(home, {}, watcher)
    await watcher.post('/console/sign-out', {})
    expect(await next()).toBeNull()
  })

  it('the stream does not keep the session alive', async () => {
    let now = Date.now()
    const watcher = await openConsole(store, { provisioning: log, now: () => now })
    now += 40 * 60_000
    const { hangUp } = await watch(home, {}, watcher)
    now += 40 * 60_000
    const again = await watch(home, {}, watcher)
    // The page that `watch` opened after 40 minutes was the last use.
    expect(again.response.status).toBe(200)
    const source = { headers: { Cookie: [...watcher.cookies].map((one) => one.join('=')).join() } }
    const stream = () =>
      watcher.directory.fetch(new Request(`${ORIGIN}${home}/live`, { method: 'HEAD', ...source }))
    now += 40 * 60_000
    expect((await stream()).status).toBe(200)
    now += 40 * 60_000
    expect((await stream()).status).toBe(303)
    hangUp.abort()
    again.hangUp.abort()
  })

  it('the stream is not left open after HEAD: the server has 32 at most', async () => {
    for (let at = 0; at < 40; at += 1) {
      const headers = { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
      const request = new Request(`${ORIGIN}${home}/live`, { method: 'HEAD', headers })
      expect((await browser.directory.fetch(request)).status).toBe(200)
    }
  })
})

it('the data in an event is replaced wherever the stream is divided', async () => {
  const text = 'retry: 1\n\nevent: request\nid: 7\ndata: "ä"\n\n: \n\nid: 8\ndata: "b"\n\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const mapped = await new Response(
      mapEvents(chunks, async (data) => `<b>\r${JSON.parse(data)}\n</b>`),
    ).text()
    expect(mapped).toBe(
      'retry: 1\n\nevent: request\nid: 7\ndata: <b>\ndata: ä\ndata: </b>\n\n: \n\nid: 8\ndata: <b>\ndata: b\ndata: </b>\n\n',
    )
  }
})
