import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as openSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { replayRun } from '../support/replay.ts'
import { client, type Serving, type Started, serve, start } from '../support/spawned-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const running: Started[] = []
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('npm start', () => {
  it('npm start prints addresses, a token and a curl command that shows the demo person', async () => {
    const { curl, origin, token, output } = await serving('paste')
    expect(output().split('\n')).toEqual([
      '',
      'Plumbline Directory, a SCIM 2.0 server',
      '',
      `SCIM       ${origin}/scim/v2`,
      `Console    ${origin}/console`,
      `Document   ${origin}/openapi.json`,
      `Token      ${token}   (shown only once: the directory stores its hash)`,
      '',
      'Add 1,000 sample users and 10 groups:',
      '',
      `DATABASE_URL='${database('paste').DATABASE_URL}' npm run seed`,
      '',
      'Show users:',
      '',
      curl,
      '',
      '',
    ])
    const [, header, value, url] = /^curl -H '([^:]+): ([^']+)' '([^']+)'$/.exec(curl) ?? []
    expect(value).toBe(`Bearer ${token}`)
    expect(url).toContain(origin)
    const response = await fetch(url ?? '', { headers: { [header ?? '']: value ?? '' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      totalResults: 1,
      Resources: [{ userName: 'ada@demo.example' }],
    })
  })

  it('npm start prints one JSON line without a terminal', async () => {
    const { child, output, ended } = start({ ...database('json'), PORT: '0' })
    await expect.poll(output, { timeout: 60_000 }).toMatch(/\n/)
    const greeting = JSON.parse(output())
    expect(greeting).toMatchObject({
      level: 'info',
      message: 'listening',
      database: database('json').DATABASE_URL,
    })
    const headers = { Authorization: `Bearer ${greeting.token}` }
    expect((await fetch(`${greeting.scim}/Users`, { headers })).status).toBe(200)
    await fetch(`${new URL(greeting.scim).origin}/api/health`)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const lines = output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ message, route }) => message ?? route)).toEqual([
      'listening',
      '/scim/v2/Users',
    ])
  })

  it("npm start answers a provider's recorded requests over a socket", async () => {
    const server = await serving('generic')
    const run = readRuns().get('generic')
    if (run === undefined) throw new Error('the run generic.json is missing')
    const admin = client(server)
    await admin('POST', '/api/tenants', { id: 'acme', name: 'Acme' })
    const { body } = await admin('POST', '/api/tokens', { tenantId: 'acme', name: 'Generic' })
    await replayRun('generic', run, { origin: server.origin, token: String(body.token) })
  })

  it('npm start finishes the active request on SIGTERM, does not accept others, and exits with 0', async () => {
    const server = await serving('term')
    const { hostname, port } = new URL(server.origin)
    const body = JSON.stringify({ userName: 'just in time' })
    const socket = openSocket(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    const closed = once(socket, 'close')
    const head = [
      'POST /scim/v2/Users HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${server.token}`,
      'Content-Type: application/scim+json',
      `Content-Length: ${body.length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    // The server reads in order: after this response, it has read the head before.
    await fetch(`${server.origin}/api/health`)
    server.child.kill('SIGTERM')
    await waitUntilClosed(server.origin)
    const before = performance.now()
    socket.write(body.slice(5))
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(await server.ended).toBe(0)
    // It does not wait the five seconds for which Node.js keeps idle connections open.
    expect(performance.now() - before).toBeLessThan(4_000)

    const again = await serving('term')
    const { body: list } = await client({ ...again, token: server.token })('GET', '/Users')
    expect(list).toMatchObject({ totalResults: 2, Resources: [{}, { userName: 'just in time' }] })
  })

  it('npm start neither creates another token nor prints the first one when it starts again', async () => {
    const first = await serving('again')
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const second = await serving('again')
    expect(second.token).toBeNull()
    expect(second.output().split('Show users:')[1]?.split('\n')).toEqual([
      '',
      '',
      `TOKEN=$(DATABASE_URL='${database('again').DATABASE_URL}' npm start --silent -- --token)`,
      `curl -H "Authorization: Bearer $TOKEN" '${second.origin}/scim/v2/Users?count=10'`,
      '',
      '',
    ])
    expect(second.output()).not.toContain(first.token)
    expect(second.output()).not.toContain(first.token?.split('.')[1])
    const { body } = await client({ ...second, token: first.token })('GET', '/api/tokens')
    expect(body.tokens).toHaveLength(1)
  })

  it('npm start fails on a port in use, and prints the token at the next start', async () => {
    const { port, close } = await occupied()
    const failed = started({ ...database('occupied'), PORT: String(port) })
    expect(await failed.ended).toBe(1)
    expect(failed.errors()).toBe(
      `The directory cannot start: port ${port} of 127.0.0.1 is in use; set PORT to another port\n`,
    )
    await close()
    const server = await serving('occupied')
    expect((await client(server)('GET', '/Users')).status).toBe(200)
  })

  it("npm start accepts the environment's token, creates none and does not print it", async () => {
    const token = 'a-token-of-the-environment'
    const server = await serving('environment', { DIRECTORY_TOKEN: token })
    expect(server.output()).not.toContain(token)
    const { status, body } = await client({ ...server, token })('GET', '/api/tokens')
    expect({ status, body }).toEqual({ status: 200, body: { tokens: [] } })
  })
})

describe('npm start -- --help', () => {
  it('--help lists the options and the variables', async () => {
    const { ended, output, errors } = started({}, '--help')
    expect(await ended).toBe(0)
    expect(errors()).toBe('')
    for (const name of [
      '--token',
      '--backup',
      '--export',
      '--distribute',
      '--help',
      'PORT',
      'HOST',
      'DATABASE_URL',
      'PUBLIC_URL',
      'DIRECTORY_TOKEN',
      'REQUEST_LOG_DAYS',
      'REQUEST_LOG_ROWS',
      'REQUEST_LOG_MEGABYTES',
      'RATE_LIMIT',
      'RATE_LIMIT_BURST',
      'TRUSTED_PROXIES',
    ]) {
      expect(output()).toContain(name)
    }
  })
})

describe('npm start -- --token', () => {
  it('--token prints only a token, for a new database or one in use', async () => {
    for (const count of [1, 2]) {
      const { ended, output } = started(database('token'), '--token')
      expect(await ended).toBe(0)
      expect(output()).toMatch(/^\S+\.\S+\n$/)
      const server = await serving('token')
      expect(server.token).toBeNull()
      const send = client({ ...server, token: output().trim() })
      expect((await send('GET', '/api/tokens')).body.tokens).toHaveLength(count)
      server.child.kill('SIGTERM')
      await server.ended
    }
  })
})

describe('a failed start prints one line and exits with code 1', () => {
  mkdirSync(join(folder, 'folder'))
  writeFileSync(
    join(folder, 'text'),
    'not a database, but as long as the header of one\n'.repeat(9),
  )

  it.each<[string, Record<string, string>, RegExp]>([
    // The rows of config.test.ts take the same way, in one line also for this value.
    [
      'a line break in a variable',
      { PORT: '1\n2' },
      /: PORT must be between 0 and 65535, not 1 2$/,
    ],
    ['a host with no address', { HOST: 'no.such.host.invalid' }, /listen on port 0 of no\.such\./],
    ['a folder', database('folder', ''), /the database file:\S+folder cannot be used: unable to/],
    [
      'a file that is not a database',
      database('text', ''),
      /text cannot be used: file is not a data/,
    ],
    [
      'a database server that does not exist',
      { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/directory?password=secret' },
      /the database postgres:\/\/127\.0\.0\.1:1\/directory cannot be used: .*ECONNREFUSED/,
    ],
  ])('%s', async (_, env, message) => {
    const { ended, output, errors } = started({ PORT: '0', ...database('never'), ...env })
    expect(await ended).toBe(1)
    expect(errors()).toMatch(/^The directory cannot start: [^\n]+\n$/)
    expect(errors().trimEnd()).toMatch(message)
    expect(errors()).not.toContain('secret')
    expect(output()).toBe('')
  })

  it('a start with an unknown option fails', async () => {
    const { ended, errors } = started(database('never'), '--tokens')
    expect(await ended).toBe(1)
    expect(errors()).toMatch(/^The directory cannot start: unknown option --tokens; .+\n$/)
  })
})

describe('the log', () => {
  it('the log consists of JSON lines, without tokens, passwords, bodies and filter values', async () => {
    const server = await serving('log')
    const send = client(server)
    const user = { userName: 'secret-body', password: 'secret-password' }
    const { body } = await send('POST', '/Users', user)
    await send('POST', '/Users', user)
    await send('POST', '/Users', '{"userName": "secret-body', {})
    await send('GET', `/Users/${body.id}`)
    await send('GET', '/Users?filter=userName eq "secret-filter"')
    await send('GET', '/Users?filter=secret-filter secret-filter')
    await send('GET', '/Users', undefined, { Authorization: 'Bearer 1.secret-token' })
    await send('GET', '/secret-path')
    await send('POST', '/api/tenants', { id: 'secret body', name: 'secret-body' })
    await send('POST', '/api/tenants', { id: 'acme', name: 'secret-body' })
    const created = await send('POST', '/api/tokens', { tenantId: 'acme', name: 'secret-body' })
    await client({ ...server, token: String(created.body.token) })('GET', '/Groups')
    await send('DELETE', `/api/tokens/${created.body.id}`)
    await fetch(`${server.origin}/openapi.json?secret`)
    await fetch(`${server.origin}/api/health`)
    server.child.kill('SIGTERM')
    await server.ended
    const [greeting = '', log = ''] = server.output().split(server.curl)
    expect(greeting).toContain(server.token)
    const lines = log.trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line))
    const shown = entries.map(({ method, route, status, tenant }) =>
      [method, route, status, tenant].join(' '),
    )
    expect(shown).toEqual([
      'POST /scim/v2/Users 201 default',
      'POST /scim/v2/Users 409 default',
      'POST /scim/v2/Users 400 default',
      'GET /scim/v2/Users/:id 200 default',
      'GET /scim/v2/Users 200 default',
      'GET /scim/v2/Users 400 default',
      'GET /scim/v2/Users 401 ',
      'GET  404 default',
      'POST /api/tenants 422 ',
      'POST /api/tenants 201 ',
      'POST /api/tokens 201 ',
      'GET /scim/v2/Groups 200 acme',
      'DELETE /api/tokens/:tokenId 204 ',
      'GET /openapi.json 200 ',
    ])
    for (const entry of entries) {
      expect(new Date(entry.time).toISOString()).toBe(entry.time)
      expect(entry).toMatchObject({ level: 'info', milliseconds: expect.any(Number) })
    }
    expect(log).not.toMatch(/secret/)
    for (const token of [server.token, String(created.body.token)]) {
      expect(log).not.toContain(token?.split('.')[1])
    }
    expect(server.errors()).toBe('')
  })
})

function database(name: string, suffix = '.db'): { DATABASE_URL: string } {
  return { DATABASE_URL: `file:${join(folder, name)}${suffix}` }
}

async function serving(name: string, env: Record<string, string> = {}): Promise<Serving> {
  const server = await serve({ ...database(name), ...env })
  running.push(server)
  return server
}

function started(env: Record<string, string>, ...options: string[]): Started {
  const process = start(env, ...options)
  running.push(process)
  return process
}

/** A port that another server listens on. */
async function occupied() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  return { port, close: async () => void (await new Promise((done) => server.close(done))) }
}

/** Waits until the server does not accept connections any more. */
async function waitUntilClosed(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  for (;;) {
    const socket = openSocket(Number(port), hostname)
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (!isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
