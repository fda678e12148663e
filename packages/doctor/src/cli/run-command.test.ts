import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAST, runIn, type Surroundings, serveReference } from '../../test/command.ts'
import { TOKEN } from '../../test/reference.ts'
import { serve } from '../../test/serve.ts'
import { addressOf } from '../lib/address.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-doctor-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (args: readonly string[], surroundings?: Surroundings) =>
  runIn(folder, args, surroundings)

describe('plumbline-doctor', () => {
  it('plumbline-doctor examines a server, prints the sections and writes each format', async () => {
    await using served = await serveReference()
    const files = ['--html', 'a/r.html', '--junit', 'r.xml', '--json', 'r.json']
    const { code, output, errors } = await run([served.url, ...FAST, '--only', 'create', ...files])
    expect({ code, errors }).toStrictEqual({ code: 0, errors: '' })
    expect(output).toMatch(/^RFC 7644 §3\.3 Create +\d+ +0 +0 +0$/m)
    expect(output).toMatch(/\d+ passed, 0 failed, 0 skipped\n$/)
    const texts = await Promise.all(
      ['a/r.html', 'r.xml', 'r.json'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    expect(texts[0]).toContain('<h1>SCIM examination of <code>')
    expect(texts[1]).toContain('<testsuites name="plumbline-doctor">')
    expect(JSON.parse(texts[2] ?? '')).toMatchObject({ format: 'plumbline-doctor', version: 1 })
    expect(texts.join()).not.toContain(TOKEN)
  })

  it('plumbline-doctor exits with 1 if a MUST failed, and shows the finding without the token', async () => {
    await using served = await serveReference(async (request, usual) => {
      const response = await usual()
      if (request.method !== 'POST' || response.status !== 201) return response
      return Response.json({ ...(await response.json()), echo: TOKEN }, { status: 200 })
    })
    const { code, output } = await run([served.url, ...FAST, '--only', 'create.user'])
    expect(code).toBe(1)
    expect(output).toMatch(/^MUST A user with a new userName/m)
    expect(output).toContain('expected: POST /Users to answer 201\n  found: 200')
    expect(output).toContain(`\n  see: ${addressOf({ id: 'create.user' })}\n`)
    expect(output).not.toContain(TOKEN)
  })

  it('plumbline-doctor exits with 3 if checks could not run, and names the cause in the first lines', async () => {
    await using served = await serveReference(async (request, usual) => {
      const isUser = request.method === 'POST' && request.url.endsWith('/Users')
      if (!isUser || !(await request.clone().text()).includes('"title"')) return usual()
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
      return Response.json({ schemas, status: '400', detail: 'no' }, { status: 400 })
    })
    const args = [served.url, ...FAST, '--only', 'concurrency.racing-patches']
    const { code, output } = await run(args)
    expect(output).toMatch(
      /^2 of 3 checks passed\. 1 of 3 checks did not run: A User could not be created: 400 "no"\. No rule .+ broken\.\n/,
    )
    expect(output).toContain('could not run:\n  1 check: A User could not be created: 400 "no".\n')
    expect(output).toMatch(/ 2 passed, 0 failed, 0 skipped, 1 could not run\n$/)
    expect(code).toBe(3)
    expect((await run([...args, '--max-skipped', '1'])).code).toBe(0)
  })

  it('plumbline-doctor exits with 3 if user deactivation was not examined, and gives the reason', async () => {
    await using served = await serveReference(async (request, usual) => {
      const response = await usual()
      if (!request.url.endsWith('/Schemas')) return response
      return new Response((await response.text()).replaceAll('"active"', '"isActive"'), response)
    })
    const args = [
      served.url,
      ...FAST,
      '--only',
      'replace.active',
      '--html',
      'r.html',
      '--json',
      'r.json',
    ]
    const { code, output } = await run([...args, '--junit', 'r.xml'])
    const sentence =
      '1 of 2 checks passed. Not examined: deactivation by PUT, because the schema of User does not declare active. No rule of the standard was found broken.'
    expect(output.startsWith(`${sentence}\n`)).toBe(true)
    expect(code).toBe(3)
    expect((await run([...args, '--max-skipped', '1'])).code).toBe(0)
    for (const name of ['r.html', 'r.json', 'r.xml']) {
      expect(await readFile(join(folder, name), 'utf8')).toContain(sentence)
    }
    const { notExamined } = JSON.parse(await readFile(join(folder, 'r.json'), 'utf8'))
    const reason = 'The schema of User does not declare active.'
    expect(notExamined).toEqual([{ name: 'deactivation by PUT', reason, isEssential: true }])
  })

  it('plumbline-doctor reads the token from the environment', async () => {
    await using served = await serveReference()
    const args = [served.url, '--rate', '1000', '--only', 'discovery']
    expect((await run(args, { env: { PLUMBLINE_DOCTOR_TOKEN: TOKEN } })).code).toBe(0)
  })

  it('plumbline-doctor compares with an earlier report', async () => {
    const title = 'An earlier check'
    const known = { section: 'RFC 7644 §3.3', level: 'MUST', title }
    const outcomes = [
      { ...known, id: 'create.user', status: 'failed' },
      { ...known, id: 'create.gone', status: 'passed' },
    ]
    const old = { format: 'plumbline-doctor', version: 1, outcomes }
    await writeFile(join(folder, 'old.json'), JSON.stringify(old))
    await using served = await serveReference()
    const args = [served.url, ...FAST, '--only', 'create', '--compare', 'old.json']
    const { output } = await run([...args, '--html', 'r.html'])
    expect(output).toContain('fixed:\n  create.user passed\n')
    expect(output).toContain('new checks:\n  create.body passed\n')
    expect(output).toContain('checks that did not run:\n  create.gone passed\n')
    expect(await readFile(join(folder, 'r.html'), 'utf8')).toContain('<h3>Fixed</h3>')
  })

  it('plumbline-doctor lists the checks', async () => {
    const { code, output } = await run(['--list', '--only', 'create.user'])
    expect(code).toBe(0)
    expect(output).toMatch(/^create\.user +MUST +RFC 7644 §3\.3: A user/m)
  })

  it('plumbline-doctor prints the usage', async () => {
    const { code, output } = await run(['--help'])
    expect({ code, output }).toMatchObject({ code: 0, output: /^Usage: plumbline-doctor / })
  })

  it('a terminal has colors and a progress line, unless NO_COLOR is set', async () => {
    await using served = await serveReference()
    const args = [served.url, ...FAST, '--only', 'discovery']
    const colored = await run(args, { typed: '' })
    expect(colored.output).toContain('\u001b[32m')
    expect(colored.errors.split('\r\u001b[K')).toContainEqual(
      expect.stringMatching(/^1\/\d+ {2}0 failed {2}discovery\./),
    )
    const plain = await run(args, { typed: '', env: { NO_COLOR: '1' } })
    expect(plain.output).not.toContain('\u001b')
    expect((await run(args)).output).not.toContain('\u001b')
  })
})

describe('before writing to a server with users', () => {
  const args = ['--rate', '100000', '--token', TOKEN, '--only', 'create.user']

  it.each([
    ['y\n', 0],
    ['yes\n', 0],
    ['n\n', 2],
    ['\n', 2],
    ['\u0003', 2],
    ['\u0004', 2],
  ])('plumbline-doctor asks in a terminal before writing: %j', async (typed, code) => {
    await using served = await serveReference()
    const result = await run([served.url, ...args], { typed })
    expect(result.code).toBe(code)
    expect(result.errors).toContain('has 1 resources of the type User.')
    expect(served.received.some((one) => one.startsWith('POST'))).toBe(code === 0)
  })

  it('plumbline-doctor stops without a terminal and without --yes', async () => {
    await using served = await serveReference()
    const { code, errors } = await run([served.url, ...args])
    expect(code).toBe(2)
    expect(errors).toMatch(
      /^plumbline-doctor: the server has resources .*use --yes, or --read-only/,
    )
    expect(served.received.filter((one) => !one.startsWith('GET'))).toStrictEqual([])
  })

  it.each(['stdin', 'stderr'] as const)(
    'plumbline-doctor does not ask if %s is not a terminal',
    async (piped) => {
      await using served = await serveReference()
      const { code, errors } = await run([served.url, ...args], { typed: 'y\n', piped })
      expect(code).toBe(2)
      expect(errors).toContain('use --yes, or --read-only')
      expect(served.received.filter((one) => one.startsWith('POST'))).toStrictEqual([])
    },
  )

  it('plumbline-doctor does not ask with --read-only, which sends only GET and searches', async () => {
    await using served = await serveReference()
    const { code } = await run([served.url, '--rate', '1e5', '--read-only', ...args.slice(2, 4)])
    expect(code).toBe(2)
    const result = await run([served.url, '--read-only', ...args.slice(0, 4)])
    expect(result.code).toBe(0)
    const written = served.received.filter((one) => !/^GET|\/\.search$/.test(one))
    expect(written).toStrictEqual([])
  })
})

describe('a server that cannot be examined', () => {
  type Listener = (request: IncomingMessage, response: ServerResponse) => void
  const html: Listener = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>\u001b[2J</html>')
  }
  it.each<[string, RegExp, Listener]>([
    ['answers HTML', /200 text\/html; the URL must be the base .* \(not-scim\)$/, html],
    [
      'redirects to another origin',
      /redirected to http:\/\/127\.0\.0\.1:1 \(redirected\)$/,
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'redirects in a circle',
      /redirected more than three times \(redirected\)$/,
      (request, response) => response.writeHead(302, { Location: request.url }).end(),
    ],
    ['hangs', /no response within 300 ms \(timeout\)$/, () => undefined],
    [
      'hangs in its body',
      /no response within 300 ms \(timeout\)$/,
      (_, response) => response.writeHead(200).write('{'),
    ],
    ['closes', /\(unreachable\)$/, (request) => request.socket.destroy()],
    [
      'sends a body without end',
      /the response has more than \d+ characters \(too-large\)$/,
      (_, response) => {
        const chunk = 'x'.repeat(65_536)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', more)
        more()
      },
    ],
    [
      'rejects the token',
      /401; check the token \(unauthorized\)$/,
      (_, response) => response.writeHead(401).end('{"schemas":[]}'),
    ],
    [
      'is always busy',
      /\(busy\)$/,
      (_, response) => response.writeHead(429, { 'Retry-After': '0' }).end(),
    ],
  ])('a server that %s: one line and exit code 2', async (_, line, listener) => {
    await using served = await serve(listener)
    const timeout = String(line).includes('300') ? '300' : '20000'
    const args = [`${served.origin}/scim/v2`, ...FAST, '--timeout', timeout]
    const { code, output, errors } = await run([...args, '--json', 'r.json'])
    expect({ code, output }).toStrictEqual({ code: 2, output: '' })
    const [message = '', address] = errors.trimEnd().split(', see ')
    expect(message).toMatch(line)
    expect(message.endsWith(`(${address?.split('#')[1]})`)).toBe(true)
    expect(errors.trimEnd().split('\n')).toHaveLength(1)
    expect(errors).toMatch(/^plumbline-doctor: /)
    expect(errors).not.toContain(TOKEN)
  })

  it('an unreachable server is exit code 2', async () => {
    const served = await serve(() => undefined)
    await served[Symbol.asyncDispose]()
    const { code, errors } = await run([served.origin, ...FAST])
    expect(code).toBe(2)
    expect(errors).toMatch(/^plumbline-doctor: GET \/ServiceProviderConfig: .*ECONNREFUSED.*\n$/)
  })

  it('a server without TLS is exit code 2', async () => {
    await using served = await serve(html)
    const { code, errors } = await run([served.origin.replace('http:', 'https:'), ...FAST])
    expect(code).toBe(2)
    expect(errors).toMatch(/^plumbline-doctor: GET .*(SSL|TLS).* \(unreachable\), see \S+\n$/i)
  })

  it('a failed TLS handshake is exit code 2', async () => {
    const server = createTlsServer({}).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { code, errors } = await run([`https://127.0.0.1:${port}`, ...FAST])
    server.close()
    expect(code).toBe(2)
    expect(errors).toMatch(/^plumbline-doctor: GET .*(SSL|TLS).* \(unreachable\), see \S+\n$/i)
  })

  it('a full server ends the examination, and the created resources are deleted', async () => {
    let created = 0
    await using served = await serveReference(async (request, usual) => {
      if (request.method !== 'POST' || request.url.endsWith('.search')) return usual()
      created += 1
      return created > 4 ? Response.json({ detail: 'no licenses' }, { status: 403 }) : usual()
    })
    const { code, errors } = await run([served.url, ...FAST])
    expect(code).toBe(2)
    expect(errors).toMatch(/^plumbline-doctor: .*does not create more \(full\), see \S+\n$/)
    const response = await fetch(`${served.url}/Users`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    })
    expect(await response.json()).toMatchObject({ totalResults: 1 })
  })

  it('a server that stops answering ends the examination, and the report is still written', async () => {
    let count = 0
    await using served = await serveReference((_, usual) => {
      count += 1
      return count > 40 ? new Promise(() => undefined) : usual()
    })
    const args = [served.url, ...FAST, '--timeout', '500', '--json', 'r.json']
    const { code, errors } = await run(args)
    expect(code).toBe(2)
    expect(errors).toMatch(/stopped early: .* no response within 500 ms$/m)
    expect(JSON.parse(await readFile(join(folder, 'r.json'), 'utf8')).stopped).not.toBeNull()
  })
})

describe('invalid arguments and files', () => {
  it.each<[string, string[], RegExp]>([
    ['no URL', [], /the URL is missing\nUsage:/],
    ['two URLs', ['http://a.example', 'http://b.example'], /got a second/],
    ['a URL with another scheme', ['ftp://a.example'], /not an http or https URL/],
    ['an unknown option', ['http://a.example', '--strict'], /--strict/],
    [
      'an unknown profile',
      ['http://a.example', '--profile', 'x'],
      /x is not one of entra, okta, interop, ipsie-al1, ipsie-al2/,
    ],
    ['a rate that is not a number', ['http://a.example', '--rate', 'fast'], /--rate: fast/],
    ['a timeout of 0', ['http://a.example', '--timeout', '0'], /--timeout: 0 is not/],
    ['a selection of no check', ['http://a.example', '--only', 'none'], /no check matches none/],
    ['a list of no check', ['--list', '--only', 'none'], /no check matches none/],
    ['a missing report', ['http://a.example', '--compare', 'x.json'], /x\.json: ENOENT/],
    ['a report that is not JSON', ['http://a.example', '--compare', 'bad'], /bad: .*JSON/],
    ['another report', ['http://a.example', '--compare', 'other.json'], /not a report of/],
  ])('invalid arguments are rejected with exit code 2: %s', async (_, args, message) => {
    await writeFile(join(folder, 'bad'), 'not JSON')
    await writeFile(join(folder, 'other.json'), '{"format":"other"}')
    const { code, output, errors } = await run(args)
    expect({ code, output }).toStrictEqual({ code: 2, output: '' })
    expect(errors).toMatch(/^plumbline-doctor: /)
    expect(errors).toMatch(message)
  })

  it('an unwritable file is rejected', async () => {
    await writeFile(join(folder, 'bad'), '')
    await using served = await serveReference()
    const args = [served.url, ...FAST, '--only', 'create.user', '--json', 'bad/r.json']
    const { code, errors } = await run(args)
    expect(code).toBe(2)
    expect(errors).toMatch(/^plumbline-doctor: bad\/r\.json: /)
  })
})
