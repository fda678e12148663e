import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CERTIFICATES } from '../../test/certificates.ts'
import { FAST, runIn, type Surroundings, serveReference } from '../../test/command.ts'
import { createReference, TOKEN } from '../../test/reference.ts'
import { listenerOf, serve } from '../../test/serve.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-doctor-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (args: readonly string[], surroundings?: Surroundings) =>
  runIn(folder, args, surroundings)
const QUICK = ['--rate', '100000', '--yes', '--only', 'create.user', '--json', 'r.json']
const reportText = () => readFile(join(folder, 'r.json'), 'utf8')

/** The reference behind a gateway that requires a header, and replaces it by the token. */
const serveBehind = (isAllowed: (headers: Headers) => boolean) =>
  serveReference((request) => {
    if (!isAllowed(request.headers)) return Promise.resolve(new Response(null, { status: 401 }))
    const headers = new Headers(request.headers)
    headers.set('Authorization', `Bearer ${TOKEN}`)
    return reference(new Request(request, { headers }))
  })
const reference = createReference()

describe('plumbline-doctor credentials', () => {
  it('Basic credentials are a user and a password, and neither is in the report', async () => {
    const expected = `Basic ${btoa('ada:Secret-77-word')}`
    await using served = await serveBehind((headers) => headers.get('Authorization') === expected)
    const env = { PLUMBLINE_DOCTOR_PASSWORD: 'Secret-77-word' }
    expect((await run([served.url, ...QUICK, '--basic', 'ada'], { env })).code).toBe(0)
    expect(await reportText()).not.toMatch(/Secret-77-word|U2VjcmV0LTc3/)
    expect((await run([served.url, ...QUICK, '--basic', 'ada:other'])).code).toBe(2)
  })

  it('headers may be credentials, and their values are not in the report', async () => {
    await using served = await serveBehind((headers) => headers.get('X-Key') === 'key-of-tenant-9')
    expect((await run([served.url, ...QUICK, '--header', 'X-Key: key-of-tenant-9'])).code).toBe(0)
    expect(await reportText()).not.toContain('key-of-tenant-9')
  })

  it.each(['header', 'body'])(
    "an OAuth client's credentials are sent in the token request %s",
    async (place) => {
      const basic = `Basic ${btoa('client:s%40cret')}`
      await using tokens = await serve(
        listenerOf(async (request) => {
          const form = new URLSearchParams(await request.text())
          const isHeader = request.headers.get('Authorization') === basic
          const isBody =
            form.get('client_secret') === 's@cret' && form.get('client_id') === 'client'
          const isKnown = place === 'header' ? isHeader : isBody
          if (!isKnown || form.get('grant_type') !== 'client_credentials') {
            return Response.json({ error: 'invalid_client' }, { status: 401 })
          }
          return Response.json({ access_token: TOKEN, token_type: 'Bearer' })
        }, 'https://auth.example'),
      )
      await using served = await serveReference()
      const oauth = ['--oauth-url', tokens.origin, '--oauth-client', 'client']
      const env = { PLUMBLINE_DOCTOR_CLIENT_SECRET: 's@cret' }
      expect((await run([served.url, ...QUICK, ...oauth], { env })).code).toBe(0)
      const wrong = { PLUMBLINE_DOCTOR_CLIENT_SECRET: 'wrong' }
      const { code, errors } = await run([served.url, ...QUICK, ...oauth], { env: wrong })
      expect({ code, errors }).toMatchObject({ code: 2, errors: /no access token: 401/ })
    },
  )

  it('a client certificate is accepted as a credential', async () => {
    const { server: own, client } = CERTIFICATES
    const options = { ...own, ca: client.cert, requestCert: true, rejectUnauthorized: true }
    const server = createTlsServer(options, listenerOf(reference, 'https://scim.example'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await writeFile(join(folder, 'c.pem'), client.cert)
      await writeFile(join(folder, 'k.pem'), client.key)
      await writeFile(join(folder, 'ca.pem'), own.cert)
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`
      const certificate = ['--cert', 'c.pem', '--key', 'k.pem', '--ca', 'ca.pem']
      expect((await run([url, ...FAST, '--only', 'create.user', ...certificate])).code).toBe(0)
      expect((await run([url, ...FAST, '--only', 'create.user'])).code).toBe(2)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it.each([
    [['--header', 'X-Key'], '--header: X-Key is not a name with a value'],
    [['--oauth-url', 'http://127.0.0.1'], '--oauth-url and --oauth-client are given together'],
    [['--cert', 'c.pem'], '--cert and --key are given together'],
    [['--with', 'userName'], '--with: userName is not a name with a value'],
  ])('incomplete credentials are rejected: %j', async (args, message) => {
    const { code, errors } = await run(['http://127.0.0.1:1', ...args])
    expect({ code, errors }).toMatchObject({ code: 2, errors: `plumbline-doctor: ${message}\n` })
  })
})

describe('plumbline-doctor selection', () => {
  it('--skip omits the named checks, and checks depending on them do not run', async () => {
    await using served = await serveReference()
    const args = [served.url, ...FAST, '--only', 'create', '--skip', 'create.user,§2.5']
    expect((await run([...args, '--json', 'r.json'])).code).toBe(0)
    const { outcomes } = JSON.parse(await reportText())
    const ids = outcomes.map(({ id }: { id: string }) => id)
    expect(ids).not.toContain('create.user')
    expect(ids).not.toContain('create.null')
    expect(outcomes).toContainEqual(
      expect.objectContaining({
        id: 'create.required',
        reason: 'It needs create.user, which did not run.',
      }),
    )
  })

  it('--type limits the requests to the named types', async () => {
    await using served = await serveReference()
    const { code } = await run([served.url, ...FAST, '--only', 'create', '--type', 'User'])
    expect(code).toBe(0)
    expect(served.received).not.toContain('POST /scim/v2/Devices')
    const { errors } = await run([served.url, ...FAST, '--type', 'Person'])
    expect(errors).toContain('Person is not one of the types User, Group, Device')
  })

  it('--with sets values, and filters with them find the users', async () => {
    const names: string[] = []
    await using served = await serveReference(async (request, usual) => {
      const isUser = request.method === 'POST' && request.url.endsWith('/Users')
      const { userName } = isUser ? await request.clone().json() : { userName: null }
      if (typeof userName === 'string') names.push(userName)
      if (userName !== null && !String(userName).endsWith('@verified.example')) {
        return Response.json({ detail: 'the domain is not verified' }, { status: 400 })
      }
      return usual()
    })
    const only = ['--only', 'filters.eq-string,filters.and,create.user']
    const args = [served.url, ...FAST, ...only, '--with', 'userName=…@verified.example']
    const { code, output } = await run(args)
    expect({ code, output }).toMatchObject({ code: 0, output: / 0 skipped\n$/ })
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(3)
  })

  it('--waivers accepts the findings in the file until their date', async () => {
    await using served = await serveReference(async (request, usual) => {
      const response = await usual()
      const isCreated = request.method === 'POST' && response.status === 201
      return isCreated ? Response.json(await response.json(), { status: 200 }) : response
    })
    const waiver = { id: 'create.user', reason: 'ticket 7', until: '9999-12-31' }
    const args = [served.url, ...FAST, '--only', 'create.user', '--waivers', 'w.json']
    await writeFile(join(folder, 'w.json'), JSON.stringify([waiver]))
    const { code, output } = await run(args)
    expect({ code, output }).toMatchObject({ code: 0, output: /^.*1 known finding is waived\.\n/ })
    await writeFile(join(folder, 'w.json'), JSON.stringify([{ ...waiver, until: '2001-01-01' }]))
    expect((await run(args)).code).toBe(1)
  })

  it.each([
    [{}, 'the waivers are not a list'],
    [[{ id: 'create.nothing' }], 'no check has the id create.nothing'],
    [[{ id: 'create.user', reason: ' ' }], 'the waiver of create.user does not have a reason'],
    [
      [{ id: 'create.user', reason: 'x', until: 'soon' }],
      'the waiver of create.user does not have a date',
    ],
  ])('invalid waivers are rejected: %j', async (waivers, message) => {
    await writeFile(join(folder, 'w.json'), JSON.stringify(waivers))
    const { code, errors } = await run(['http://127.0.0.1:1', '--waivers', 'w.json'])
    expect(code).toBe(2)
    expect(errors).toContain(`plumbline-doctor: w.json: ${message}`)
  })
})
