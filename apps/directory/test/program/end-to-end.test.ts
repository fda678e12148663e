import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as openSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { replayRun } from '../support/replay.ts'
import { runCommand } from '../support/run-command.ts'
import { client, type Serving, type Started, serve, start } from '../support/spawned-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const running: Started[] = []
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true })
})

// A start costs most of a test's time, so these tests use one server.
describe('npm start on a new database', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serving('first')
  })

  it('npm start prints addresses, a token and a curl command that shows the demo person', async () => {
    const { curl, origin, token, output } = server
    expect(output().split('\n').slice(0, 17)).toEqual([
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
      `DATABASE_URL='${database('first').DATABASE_URL}' npm run seed`,
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

  it("npm start answers a provider's recorded requests over a socket", async () => {
    const run = readRuns().get('generic')
    if (run === undefined) throw new Error('the run generic.json is missing')
    const admin = client(server)
    await admin('POST', '/api/tenants', { id: 'generic', name: 'Generic' })
    const { body } = await admin('POST', '/api/tokens', { tenantId: 'generic', name: 'Generic' })
    await replayRun('generic', run, { origin: server.origin, token: String(body.token) })
  })

  it('the log consists of JSON lines, without tokens, passwords, bodies and filter values', async () => {
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
    const [greeting = '', log = ''] = await written(server, /"\/openapi\.json".*\n$/)
    expect(greeting).toContain(server.token)
    const entries = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const shown = entries.map(({ method, route, status, tenant }) =>
      [method, route, status, tenant].join(' '),
    )
    expect(shown.slice(-14)).toEqual([
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

  it('npm start finishes the active request on SIGTERM and exits with 0, and the next start has its user and prints no token', async () => {
    const tokensOf = async (origin: string) =>
      (await client({ ...server, origin })('GET', '/api/tokens')).body.tokens
    const before = await tokensOf(server.origin)
    await stopDuringRequest(server, 'just-in-time')

    const again = await serving('first')
    expect(again.token).toBeNull()
    expect(again.output().split('Show users:')[1]?.split('\n')).toEqual([
      '',
      '',
      `TOKEN=$(DATABASE_URL='${database('first').DATABASE_URL}' npm start --silent -- --token)`,
      `curl -H "Authorization: Bearer $TOKEN" '${again.origin}/scim/v2/Users?count=10'`,
      '',
      '',
    ])
    expect(again.output()).not.toContain(server.token)
    expect(again.output()).not.toContain(server.token?.split('.')[1])
    const send = client({ ...again, token: server.token })
    const { body } = await send('GET', '/Users?filter=userName eq "just-in-time"')
    expect(body.totalResults).toBe(1)
    expect(await tokensOf(again.origin)).toHaveLength(before?.length ?? 0)
  })
})

describe('npm start', () => {
  it('npm start fails on a port in use, and the next start prints the token, in one JSON line without a terminal', async () => {
    const { port, close } = await occupied()
    const failed = started({ ...database('json'), PORT: String(port) })
    expect(await failed.ended).toBe(1)
    expect(failed.errors()).toBe(
      `The directory cannot start: port ${port} of 127.0.0.1 is in use; set PORT to another port\n`,
    )
    await close()
    const { child, output, ended } = started({ ...database('json'), PORT: '0' })
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
    const { code, output, errors } = await runCommand({}, '--help')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
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
      expect(output).toContain(name)
    }
  })
})

describe('npm start -- --token', () => {
  it('--token prints only a token, for a new database or one in use', async () => {
    const { ended, output } = started(database('token'), '--token')
    expect(await ended).toBe(0)
    const server = await serving('token')
    expect(server.token).toBeNull()
    const inUse = await runCommand(database('token'), '--token')
    expect(inUse.code).toBe(0)
    for (const printed of [output(), inUse.output]) {
      expect(printed).toMatch(/^\S+\.\S+\n$/)
      const send = client({ ...server, token: printed.trim() })
      expect((await send('GET', '/api/tokens')).body.tokens).toHaveLength(2)
    }
  })
})

describe('a failed start', () => {
  it('a start on a host with no address prints one line and exits with code 1', async () => {
    const env = { PORT: '0', ...database('never'), HOST: 'no.such.host.invalid' }
    const { ended, output, errors } = started(env)
    expect([await ended, output()]).toEqual([1, ''])
    expect(errors()).toMatch(/^The directory cannot start: [^\n]+\n$/)
    expect(errors()).toMatch(/listen on port 0 of no\.such\./)
  })

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
  ])('a failed start prints one line and exits with code 1: %s', async (_, env, message) => {
    const failed = await runCommand({ PORT: '0', ...database('never'), ...env })
    expect(failed).toMatchObject({ code: 1, output: '' })
    expect(failed.errors).toMatch(/^The directory cannot start: [^\n]+\n$/)
    expect(failed.errors.trimEnd()).toMatch(message)
    expect(failed.errors).not.toContain('secret')
  })

  it('a start with an unknown option fails', async () => {
    const { code, errors } = await runCommand(database('never'), '--tokens')
    expect(code).toBe(1)
    expect(errors).toMatch(/^The directory cannot start: unknown option --tokens; .+\n$/)
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

/** Waits for the log's last lines, and returns the greeting and the log. */
async function written({ output, curl }: Serving, last: RegExp): Promise<readonly string[]> {
  await expect.poll(output, { timeout: 60_000 }).toMatch(last)
  return output().split(curl)
}

/** Sends SIGTERM while a request is received, finishes the request, and expects the end of the server. */
async function stopDuringRequest(server: Serving, userName: string): Promise<void> {
  const { hostname, port } = new URL(server.origin)
  const body = JSON.stringify({ userName })
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
