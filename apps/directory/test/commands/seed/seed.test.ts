import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personOf } from '../../../src/commands/seed/people.ts'
import { serve, startScript } from '../../support/spawned-server.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs `npm run seed` to its end. */
async function seed(name: string, ...options: string[]) {
  const env = { DATABASE_URL: `file:${join(folder, name)}` }
  const { ended, output, errors } = startScript('seed', env, ...options)
  const code = await ended
  return { code, output: output(), errors: errors() }
}

describe('npm run seed', () => {
  it('the seed fills a database, and the server then serves it with the printed token', async () => {
    const options = ['--users', '2500', '--groups', '2', '--seed', '3']
    const { code, output, errors } = await seed('filled.db', ...options)
    expect(code).toBe(0)
    // Without a terminal, it prints its progress as a line for each step.
    expect(errors).toMatch(/^(?:\[[#.]{40}\] \d+ %\n)+$/)
    expect([...errors.matchAll(/(\d+) %/g)].map(([, percent]) => percent)).toEqual([
      '30',
      '70',
      '90',
      '100',
    ])
    expect(output).toContain('The tenant has the 2500 users and 2 groups of seed 3.\n')
    const token = /^Token (\S+) /.exec(output)?.[1]

    const server = await serve({ DATABASE_URL: `file:${join(folder, 'filled.db')}` })
    try {
      const { resource } = personOf(2_499, 3)
      const filter = encodeURIComponent(`userName eq "${resource.userName}"`)
      const response = await fetch(`${server.origin}/scim/v2/Users?filter=${filter}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      expect(await response.json()).toMatchObject({
        totalResults: 1,
        Resources: [{ userName: resource.userName, displayName: resource.displayName }],
      })
      expect(server.token).toBeNull()
    } finally {
      server.child.kill()
      await server.ended
    }
  })

  it('the seed lists the options', async () => {
    const { code, output } = await seed('help.db', '--help')
    expect(code).toBe(0)
    for (const name of ['--users', '--groups', '--seed', '--tenant']) expect(output).toContain(name)
  })

  it.each([
    ['a malformed number', ['--users', 'many'], '--users must be a number, not many'],
    ['an unknown option', ['--people', '3'], "Unknown option '--people'"],
    ['groups without users', ['--users', '0', '--groups', '1'], 'groups need users'],
    ['an unknown tenant', ['--tenant', 'acme'], 'tenant acme not found'],
  ])('the seed rejects %s in one line', async (_, options, why) => {
    const { code, errors } = await seed('rejected.db', ...options)
    expect(code).toBe(1)
    expect(errors).toMatch(/^The directory cannot be filled: [^\n]+\n$/)
    expect(errors).toContain(why)
  })
})
