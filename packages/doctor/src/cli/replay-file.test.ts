import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAST, runIn, serveReference } from '../../test/command.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-doctor-'))
})
afterEach(() => rm(folder, { recursive: true }))

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const look = { request: { method: 'GET', path: '/Users?count=0' } }
const create = {
  name: 'create',
  request: { method: 'POST', path: '/Users', body: { schemas: [USER], userName: 'a' } },
  expect: { status: 201 },
}

const write = (run: unknown) => writeFile(join(folder, 'run.json'), JSON.stringify(run))

describe('plumbline-doctor replay', () => {
  it('a replay exits with 0 if every answer is as expected, and deletes what it created', async () => {
    await using served = await serveReference()
    await write({ source: 'by hand', steps: [create] })
    const { code, output, errors } = await runIn(folder, [
      'replay',
      'run.json',
      served.url,
      ...FAST,
    ])
    expect({ code, output, errors }).toStrictEqual({
      code: 0,
      output: 'by hand\n1 same, 0 different, 0 skipped\n',
      errors: '',
    })
    expect(served.received.at(-1)).toMatch(/^DELETE \/scim\/v2\/Users\//)
  })

  it('a replay exits with 1 if an answer differs, and prints the differences', async () => {
    await using served = await serveReference()
    const expected = { status: 200, body: { totalResults: 7 } }
    await write({ source: 'by hand', steps: [{ name: 'look', ...look, expect: expected }] })
    const { code, output } = await runIn(folder, ['replay', 'run.json', served.url, ...FAST])
    expect(code).toBe(1)
    expect(output).toBe(
      'by hand\ndifferent 1. look (GET /scim/v2/Users)\n  /totalResults is 1, not 7\n0 same, 1 different, 0 skipped\n',
    )
  })

  it.each<[string, readonly string[], unknown, RegExp]>([
    ['without a URL', ['run.json'], {}, /the URL is missing/],
    ['with a file that does not exist', ['other.json', 'http://localhost:1'], {}, /other\.json: /],
    ['with a file that is not a run', ['run.json', 'http://localhost:1'], {}, /source of the run/],
    ['with two URLs', ['run.json', 'http://a', 'http://b'], {}, /got a second: http:\/\/b/],
  ])('a replay exits with 2 %s', async (_, args, run, message) => {
    await write(run)
    const { code, errors } = await runIn(folder, ['replay', ...args])
    expect(code).toBe(2)
    expect(errors).toMatch(message)
  })

  it('a replay exits with 2 if the server has resources and writing was not confirmed', async () => {
    await using served = await serveReference()
    await write({ source: 'by hand', steps: [create] })
    const args = ['replay', 'run.json', served.url, ...FAST.filter((one) => one !== '--yes')]
    const { code, errors } = await runIn(folder, args)
    expect(code).toBe(2)
    expect(errors).toContain('(not-confirmed)')
    expect(served.received.some((one) => one.startsWith('POST'))).toBe(false)
  })
})
