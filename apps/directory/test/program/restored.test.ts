import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createFileHistory } from '../../src/kernel/store/engines/sqlite/history.ts'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import { createConsumers, createUsers, deactivate } from '../support/restored-consumers.ts'
import { runCommand } from '../support/run-command.ts'
import { client, type Serving, serve } from '../support/spawned-server.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

it('after a SQLite backup is restored, every kind of consumer ends with the state of the tenant', async () => {
  const { file, env, begin } = setUp()
  const first = await begin()
  const send = client(first)
  const [ada, bob] = await createUsers(send, 2)
  const consumers = await createConsumers(send)
  ends.push(consumers.close)
  await createUsers(send, 2)
  await run(env, '--backup', `${file}.backup`)
  // Lost by the restore: five creations and a deactivation.
  await createUsers(send, 5)
  await deactivate(send, bob)
  await consumers.expectState(send)
  await stop(first)
  restore(file)
  expect(await run(env, '--restored')).toContain('Consumers make a new copy.')

  const second = await begin()
  expect(second.output()).not.toContain('--restored')
  const again = client({ ...second, token: first.token })
  await deactivate(again, ada)
  await createUsers(again, 8)
  expect(await consumers.statusOfStream(second.origin, first.token ?? '')).toBe(410)
  await consumers.expectState(again)
  // The restored lease is free, so webhooks did not wait for its holder.
  await run(env, '--restored')
  await consumers.expectState(again)
})

it('each start on an older database says so until --restored, and a start after a crash does not', async () => {
  const { file, env, begin } = setUp()
  await run(env, '--token')
  await run(env, '--backup', `${file}.backup`)
  const first = await begin()
  first.child.kill('SIGKILL')
  await first.ended
  const afterCrash = await begin()
  await stop(afterCrash)
  expect(afterCrash.output()).not.toContain('--restored')
  restore(file)
  for (let starts = 0; starts < 2; starts += 1) {
    const older = await begin()
    const [line = ''] = /^\{.*--restored.*$/m.exec(older.output()) ?? []
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('older state'),
    })
    await stop(older)
  }
  await run(env, '--restored')
  const store = await openSqlite(file)
  expect(await createFileHistory(file).check(store)).toBeNull()
  await store.close()
})

/** A folder for a database, and the functions that use it. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'directory-restored-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'directory.db')
  const env = {
    DATABASE_URL: `file:${file}`,
    WEBHOOK_ALLOW: '127.0.0.1',
    PUBLIC_URL: 'https://directory.example.com',
  }
  const begin = async () => {
    const server = await serve(env)
    ends.push(async () => {
      server.child.kill('SIGKILL')
      await server.ended
    })
    return server
  }
  return { file, env, begin }
}

async function stop({ child, ended }: Serving): Promise<void> {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

async function run(env: Readonly<Record<string, string>>, ...options: string[]): Promise<string> {
  const { code, output, errors } = await runCommand(env, ...options)
  expect([code, errors]).toEqual([0, ''])
  return output
}

/** Restores the backup as docs/operate.md says. */
function restore(file: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  copyFileSync(`${file}.backup`, file)
}
