import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { prepare } from '../../../src/commands/seed/bootstrap.ts'
import { personOf } from '../../../src/commands/seed/people.ts'
import { openStore } from '../../../src/kernel/store/open.ts'
import { sender } from '../../support/harness.ts'
import { runCommand } from '../../support/run-command.ts'
import { startScript } from '../../support/spawned-server.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function database(name: string): { readonly DATABASE_URL: string } {
  return { DATABASE_URL: `file:${join(folder, name)}` }
}

function seed(name: string, ...options: string[]) {
  return runCommand(database(name), 'seed', ...options)
}

describe('npm run seed', () => {
  it('the seed fills a database, and the server then serves it with the printed token', async () => {
    const options = ['--users', '2500', '--groups', '2', '--seed', '3']
    const { ended, output, errors } = startScript('seed', database('filled.db'), ...options)
    expect(await ended).toBe(0)
    // Without a terminal, it prints its progress as a line for each step.
    expect(errors()).toMatch(/^(?:\[[#.]{40}\] \d+ %\n)+$/)
    expect([...errors().matchAll(/(\d+) %/g)].map(([, percent]) => percent)).toEqual([
      '30',
      '70',
      '90',
      '100',
    ])
    expect(output()).toContain('The tenant has the 2500 users and 2 groups of seed 3.\n')
    const token = /^Token (\S+) /.exec(output())?.[1] ?? ''

    const store = await openStore(database('filled.db').DATABASE_URL)
    try {
      // The first start of the server prints no other token.
      expect(await prepare(store, { token: null, hasDemo: true }, Date.now())).toBeNull()
      const { resource } = personOf(2_499, 3)
      const filter = encodeURIComponent(`userName eq "${resource.userName}"`)
      const send = sender(createDirectory({ store }), token)
      expect((await send('GET', `/Users?filter=${filter}`)).body).toMatchObject({
        totalResults: 1,
        Resources: [{ userName: resource.userName, displayName: resource.displayName }],
      })
    } finally {
      await store.close()
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
