import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root, run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-rejected-'))
const clone = join(folder, 'plumbline')
const SCRIPT = 'scripts/release.ts'
afterAll(() => rmSync(folder, { recursive: true }))

/** Clones the repository. Its scripts are a check that passes, and a suite of one test that fails. */
beforeAll(async () => {
  await git(folder, 'clone', '--quiet', root, clone)
  copyFileSync(join(root, 'scripts/release.ts'), join(clone, 'scripts/release.ts'))
  const scripts = { check: 'exit 0', test: 'node --test failing.test.js', build: 'touch built' }
  const { repository, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const addresses = { repository, homepage }
  const manifest = { name: 'plumbline', private: true, type: 'module', ...addresses, scripts }
  const lockfile = { name: 'plumbline', lockfileVersion: 3, packages: { '': manifest } }
  writeFileSync(join(clone, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lockfile))
  const test =
    "import { it } from 'node:test'\nit('adds', () => { throw new Error('1 + 1 is 3') })\n"
  writeFileSync(join(clone, 'failing.test.js'), test)
})

it('a working tree with changes is not released', async () => {
  const { code, output } = await release()
  expect(output).toMatch(/^Not released: the working tree has changes:\n.*package-lock.json/)
  expect(code).toBe(1)
})

it('a commit with a failing test is not released: nothing is built or left behind', async () => {
  await commit()
  const { code, output } = await release()
  expect(output).toContain('ok     npm run check')
  expect(output).toContain('Not released: npm run test failed')
  expect(output).toContain('1 + 1 is 3')
  const [, file = ''] = /the whole output is in (\S+):$/m.exec(output) ?? []
  expect(readFileSync(file, 'utf8')).toContain('1 + 1 is 3')
  rmSync(dirname(file), { recursive: true })
  expect(code).toBe(1)
  expect(output).not.toContain('npm run build')
  expect(existsSync(join(clone, 'dist'))).toBe(false)
})

it.each(['repository', 'homepage'])(
  'a release is not published while the %s is reserved',
  async (name) => {
    const manifest = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    const url = 'https://plumbline.example/plumbline.git'
    const known = {
      repository: { url: 'https://plumbline.dev' },
      homepage: 'https://plumbline.dev',
    }
    const reserved = { [name]: name === 'repository' ? { url } : url }
    writeFileSync(
      join(clone, 'package.json'),
      JSON.stringify({ ...manifest, ...known, ...reserved }),
    )
    await commit()
    const { code, output } = await run('env', ['GITHUB_ACTIONS=true', 'node', SCRIPT], clone)
    expect(output).toMatch(new RegExp(`^Not released: set the ${name} in package.json`))
    expect(code).toBe(1)
  },
)

async function release(): Promise<{ readonly code: number; readonly output: string }> {
  return await run('node', [SCRIPT, '--dry-run'], clone)
}

async function commit(): Promise<void> {
  await git(clone, 'add', '--all')
  await git(clone, '-c', 'user.name=A', '-c', 'user.email=a@b.example', 'commit', '-qm', 'break')
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const { code, output } = await run('git', args, cwd)
  if (code !== 0) throw new Error(output)
}
