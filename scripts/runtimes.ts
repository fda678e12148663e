/**
 * Runs the test suite of the libraries, from the built packages, on every runtime they support:
 * `npm run test:runtimes [-- <runtime>…]`.
 *
 * The test files are bundled with the published modules in place of the sources, and with a small stand-in for vitest,
 * because most of the runtimes cannot run vitest. Every entry of the packages is also imported by its
 * name, without a bundle, where the runtime resolves names. The runtimes are installed below `.runtimes`. Needs
 * `npm run build`.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt, root, run } from './run.ts'
import { bundleTests } from './runtimes/bundle.ts'
import { packEntries } from './runtimes/entries.ts'
import { RUNTIMES, type Runtime } from './runtimes/list.ts'
import { checkTable, type Row } from './runtimes/table.ts'

const home = join(root, '.runtimes')
const work = join(home, 'work')
const wanted = process.argv.slice(2)
process.exitCode = (await main()) ? 0 : 1

async function main(): Promise<boolean> {
  await install()
  if (!isBuilt()) return false
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work)
  const suite = await bundleTests(home, work)
  const entries = await packEntries(work)
  console.log(`${suite.files.length} test files and ${entries.names.length} entries`)
  for (const { file, reason } of suite.skipped) console.log(`not run: ${file}: ${reason}`)
  const rows: Row[] = []
  for (const runtime of RUNTIMES) {
    if (wanted.length > 0 && !wanted.includes(runtime.name)) continue
    rows.push(await examine(runtime))
  }
  if (!rows.every(({ passes }) => passes)) return false
  return wanted.length > 0 || checkTable(join(root, 'README.md'), rows)
}

/** Installs the runtimes, unless the same versions are installed already. */
async function install(): Promise<void> {
  const manifest = join(root, 'scripts/runtimes/package.json')
  const installed = join(home, 'package.json')
  const stamp = join(home, 'node_modules', '.installed')
  mkdirSync(home, { recursive: true })
  const isCurrent =
    existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(manifest, 'utf8')
  if (isCurrent) return
  copyFileSync(manifest, installed)
  // `npm ci` rejects the lockfile of deno's optional packages, so the versions are pinned in package.json only.
  const flags = ['--no-package-lock', '--no-audit', '--no-fund', '--prefix', home]
  await succeed('npm install', run('npm', ['install', ...flags]))
  copyFileSync(manifest, stamp)
}

async function examine(runtime: Runtime): Promise<Row> {
  const version = (await succeed(runtime.name, run(runtime.program(home), runtime.version))).trim()
  const row = { name: runtime.name, version: runtime.readVersion(version) }
  const entries = await runtime.runEntries?.(home, work)
  const suite = await runtime.runSuite(home, work)
  const lines = suite.output.split('\n')
  const summary = lines.find((line) => /^\d+ passed, \d+ failed$/.test(line)) ?? ''
  const passes =
    suite.code === 0 &&
    summary.endsWith(', 0 failed') &&
    (entries === undefined || entries.code === 0)
  console.log(`${passes ? 'ok    ' : 'FAILED'} ${row.name} ${row.version}: ${summary}`)
  if (!passes) {
    console.log(entries?.output ?? '')
    // workerd also logs warnings about bodies that tests send on purpose.
    console.log(lines.filter((line) => !line.startsWith('workerd/')).join('\n'))
  }
  return { ...row, passes }
}

async function succeed(
  what: string,
  step: Promise<{ code: number; output: string }>,
): Promise<string> {
  const { code, output } = await step
  if (code !== 0) throw new Error(`${what} failed:\n${output}`)
  return output
}
