import { execFile } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printBudget } from '../budget.ts'
import { isShort } from '../short.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

interface Installed {
  readonly name: string
  readonly packages: number
  /** Without the program `node`, in MB. */
  readonly megabytes: number
  /** That of `node`, in MB. */
  readonly node: number
}

/** Installs the last commit, for development and for production. A short run only reads what is installed here. */
export async function run(): Promise<void> {
  const all = isShort ? [sizeOf('this checkout', ROOT)] : await install()
  console.log('\nInstalled packages\n')
  console.log('| | packages | without the program node | node |\n| --- | --- | --- | --- |')
  for (const { name, packages, megabytes, node } of all) {
    console.log(`| ${name} | ${packages} | ${megabytes.toFixed(0)} MB | ${node.toFixed(0)} MB |`)
  }
  const [development, production] = all
  if (development !== undefined) {
    const { packages, megabytes, node } = development
    printBudget({ of: 'npm ci at the root', against: '200 packages', atMost: 1 }, [packages / 200])
    printBudget({ of: 'npm ci at the root', against: '350 MB', atMost: 1 }, [
      (megabytes + node) / 350,
    ])
  }
  if (production !== undefined) {
    const limit = { of: 'the directory in production, without node', against: '40 MB', atMost: 1 }
    printBudget(limit, [production.megabytes / 40])
  }
}

async function install(): Promise<Installed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const execute = promisify(execFile)
  try {
    const installed: Installed[] = []
    for (const [name, ...options] of [['npm ci'], ['npm ci --omit=dev', '--omit=dev']] as const) {
      const checkout = join(folder, String(installed.length))
      await execute('git', ['clone', '--quiet', ROOT, checkout])
      const args = ['ci', '--no-audit', '--no-fund', ...options]
      await execute('npm', args, { cwd: checkout })
      installed.push(sizeOf(name, checkout))
    }
    return installed
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sizeOf(name: string, checkout: string): Installed {
  const modules = join(checkout, 'node_modules')
  const lockfile = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly link?: boolean }>>
  }
  const packages = Object.values(lockfile.packages).filter(({ link }) => link !== true).length
  const node = megabytesIn(join(modules, 'node'))
  return { name, packages, node, megabytes: megabytesIn(modules) - node }
}

/** The size of all files in a folder, without those behind links and what tools have written. */
function megabytesIn(folder: string, seen: Set<number> = new Set()): number {
  let megabytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== '.cache') megabytes += megabytesIn(path, seen)
    if (!entry.isFile()) continue
    const { ino, size } = lstatSync(path)
    // The package `node` contains the program twice, through a hard link.
    if (!seen.has(ino)) megabytes += size / 1e6
    seen.add(ino)
  }
  return megabytes
}
