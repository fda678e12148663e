import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fill } from '../../src/seed/fill.ts'
import { openStore } from '../../src/store/open.ts'
import { createTenant } from '../../src/store/tokens.ts'
import { startScript } from '../support/spawned-server.ts'

const OKTA = fileURLToPath(
  new URL('../../src/recordings/providers/okta-patch.json', import.meta.url),
)

describe('npm run plan', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-plans-'))
  const database = join(folder, 'directory.db')
  const temporary = join(folder, 'tmp')
  beforeAll(async () => {
    mkdirSync(temporary)
    const store = await openStore(`file:${database}`)
    await store.write((db) => createTenant(db, { id: 'acme', name: 'Acme', created_at: 0 }))
    await fill(store, { tenantId: 'acme', users: 400, groups: 2, seed: 1 })
    await store.close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const started = (options: readonly string[], file = database) =>
    startScript('plan', { DATABASE_URL: `file:${file}`, TMPDIR: temporary }, ...options)
  const run = async (...options: string[]) => {
    const { ended, output, errors } = started(options)
    return { code: await ended, output: output(), errors: errors() }
  }
  const fingerprint = () => createHash('sha256').update(readFileSync(database)).digest('hex')
  /** Writes a file, and returns its path. */
  const written = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  it('prints the plan of a run, and leaves the database byte for byte and the temporary folder as they were', async () => {
    const before = fingerprint()
    const { code, output } = await run('acme', '--run', OKTA)
    expect(code).toBe(0)
    expect(output).toMatch(/^Nothing was written. 29 requests \(profile okta\) on tenant acme: /)
    expect(output).toMatch(/^create {13}2 User$/m)
    expect(output).toMatch(/^create {13}User test\.user@okta\.local$/m)
    expect(output).toMatch(/^deactivate {9}User test\.user@okta\.local$/m)
    expect(output).toMatch(/^The tenant's rule would not hold the changes\.$/m)
    expect(fingerprint()).toBe(before)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('prints JSON, and exits with 2 if a request is answered differently', async () => {
    const steps = [
      { name: 'x', request: { method: 'GET', path: '/Users/x' }, expect: { status: 200 } },
    ]
    const file = written('different.json', JSON.stringify({ source: 'a test', steps }))
    const { code, output } = await run('acme', '--run', file, '--json')
    expect(code).toBe(2)
    expect(JSON.parse(output)).toMatchObject({
      tenant: 'acme',
      profile: 'standard',
      actions: [],
      hold: null,
      different: [{ step: 1, request: 'GET /Users/x' }],
    })
  })

  it('an interruption deletes the copy of the tenant', async () => {
    const { child, ended, errors } = started(['acme', '--run', OKTA])
    // The progress bar of the copy.
    while (!errors().includes('%')) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(readdirSync(temporary)).toHaveLength(1)
    child.kill('SIGINT')
    expect(await ended).toBe(1)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('a recording that cannot be sent is rejected with one line, and no copy is left', async () => {
    const request = { method: 'GET', path: '/Users', headers: { 'a\nb': 'x' } }
    const steps = [{ name: 'x', request, expect: { status: 200 } }]
    const file = written('header.json', JSON.stringify({ source: 'a test', steps }))
    const { code, output, errors } = await run('acme', '--run', file)
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors.trimEnd().split('\n').at(-1)).toContain(
      'The directory cannot plan the run: Headers.set: ',
    )
    expect(readdirSync(temporary)).toEqual([])
  })

  it.each([
    [['acme'], '--run needs a recording'],
    [['missing', '--run', OKTA], 'tenant missing not found'],
  ])('the options %j are rejected', async (options, why) => {
    const { code, errors } = await run(...options)
    expect(code).toBe(1)
    expect(errors).toBe(`The directory cannot plan the run: ${why}\n`)
  })

  it('neither creates nor migrates a database', async () => {
    const file = join(folder, 'new.db')
    const { ended, errors } = started(['acme', '--run', OKTA], file)
    expect(await ended).toBe(1)
    expect(errors()).toContain('the database needs migrations; run npm start -- --migrate')
    expect(existsSync(file)).toBe(false)
  })
})
