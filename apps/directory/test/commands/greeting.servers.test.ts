import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFreshDatabase } from '../support/fresh-postgres.ts'
import { serve } from '../support/spawned-server.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Runs the printed lines in a shell, in the folder of the repository, and returns their output. */
async function paste(lines: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', lines], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  return stdout
}

/** The lines that a start prints below a heading. */
function linesBelow(heading: string, output: string): string {
  const [, lines] = new RegExp(`^${heading}.*:\\n\\n((?:.+\\n)+)`, 'm').exec(output) ?? []
  return lines ?? expect.fail(`nothing is printed below ${heading}`)
}

/** The environment of a server, and what a shell needs to have in addition to the printed lines. */
type Setting = { readonly env: Record<string, string>; readonly shell: Record<string, string> }

const settings: readonly (readonly [string, () => Promise<Setting> | Setting])[] = [
  [
    'SQLite, in a file whose name needs quotes',
    () => {
      const folder = mkdtempSync(join(tmpdir(), `first $HOME minute's `))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      return { env: { DATABASE_URL: `file:${join(folder, 'directory.db')}` }, shell: {} }
    },
  ],
  [
    'PostgreSQL, whose URL is never printed',
    async () => {
      const { url, drop } = await createFreshDatabase()
      onTestFinished(drop)
      return { env: { DATABASE_URL: url }, shell: { DATABASE_URL: url } }
    },
  ],
]

describe.each(settings)('the lines printed at a start, on %s', (_, create) => {
  it('the pasted lines show a person at the first start, and the sample users at the second', async () => {
    const { env, shell } = await create()
    const first = await serve(env)
    onTestFinished(() => void first.child.kill('SIGKILL'))
    const person = JSON.parse(await paste(linesBelow('Show users', first.output()), shell))
    expect(person).toMatchObject({ totalResults: 1, Resources: [{ userName: 'ada@demo.example' }] })
    await paste(linesBelow('Add 1,000 sample users', first.output()), shell)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = await serve(env)
    onTestFinished(() => void second.child.kill('SIGKILL'))
    const users = JSON.parse(await paste(linesBelow('Show users', second.output()), shell))
    expect(users).toMatchObject({ totalResults: 1_001, itemsPerPage: 10 })
    expect(second.output()).not.toContain('postgres:')
    second.child.kill('SIGTERM')
    await second.ended
  })

  it('the lines read DIRECTORY_TOKEN from the shell, and never show the value', async () => {
    const { env, shell } = await create()
    const token = 'a-token-of-the-environment'
    const server = await serve({ ...env, DIRECTORY_TOKEN: token })
    onTestFinished(() => void server.child.kill('SIGKILL'))
    expect(server.output()).not.toContain(token)
    const lines = linesBelow('Show users', server.output())
    const users = JSON.parse(await paste(lines, { ...shell, DIRECTORY_TOKEN: token }))
    expect(users).toMatchObject({ totalResults: 1 })
    server.child.kill('SIGTERM')
    await server.ended
  })

  it('the printed commands read the token from DIRECTORY_TOKEN_FILE, and never show it', async () => {
    const { env, shell } = await create()
    const token = 'a-token-of-the-file'
    const folder = mkdtempSync(join(tmpdir(), `a secret's folder `))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'token')
    writeFileSync(file, `${token}\n`)
    const server = await serve({ ...env, DIRECTORY_TOKEN_FILE: file })
    onTestFinished(() => void server.child.kill('SIGKILL'))
    expect(server.output()).not.toContain(token)
    const users = JSON.parse(await paste(linesBelow('Show users', server.output()), shell))
    expect(users).toMatchObject({ totalResults: 1 })
    server.child.kill('SIGTERM')
    await server.ended
  })
})
