import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stagedFolder } from '../packages/stage.ts'
import { root, run } from '../run.ts'

/** The libraries, which run on every runtime. */
export const PACKAGES = ['result', 'problem', 'openapi', 'contract', 'scim'] as const

/** The packages whose entries are imported. The tests of the doctor run servers, and are not bundled. */
const ENTRY_PACKAGES = [...PACKAGES, 'doctor'] as const

/** Unpacks the published packages as npm would install them, next to a program that imports each entry. */
export async function packEntries(work: string): Promise<{ readonly names: readonly string[] }> {
  const folder = join(work, 'entries')
  const scope = join(folder, 'node_modules', '@plumbline')
  mkdirSync(scope, { recursive: true })
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (entry === '@plumbline' || entry.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', entry), join(folder, 'node_modules', entry))
  }
  for (const name of ENTRY_PACKAGES) await unpack(name, folder, scope)
  const names = ENTRY_PACKAGES.flatMap(entriesOf)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'entries.mjs'), programOf(names))
  return { names }
}

async function unpack(name: string, folder: string, scope: string): Promise<void> {
  const flags = ['--silent', '--pack-destination', folder]
  const pack = await run('npm', ['pack', ...flags, `./${stagedFolder(name)}`])
  const tarball = join(folder, pack.output.trim().split('\n').pop() ?? '')
  const target = join(scope, name)
  mkdirSync(target)
  const { code, output } = await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  if (code !== 0) throw new Error(output)
}

function entriesOf(name: string): string[] {
  const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> }
  return Object.keys(exports).map((entry) => `@plumbline/${name}${entry.slice(1)}`)
}

function programOf(names: readonly string[]): string {
  const lines = names.map(
    (name) =>
      `if (Object.keys(await import('${name}')).length === 0) throw new Error('${name} exports nothing')`,
  )
  return `${lines.join('\n')}\n`
}
