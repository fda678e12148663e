/**
 * Installs the packages of a folder that has a lockfile of its own, so that `npm ci` at the root stays small. Does
 * nothing if they are installed already. Usage: `node scripts/install.ts bench`
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.ts'

/** Installs the packages of a folder. Throws what npm printed if it fails. */
export async function install(folder: string): Promise<void> {
  const installed = join(root, folder, 'node_modules/.package-lock.json')
  const lockfile = join(root, folder, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(lockfile).mtimeMs) return
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund'], join(root, folder))
  if (code !== 0) throw new Error(`npm ci in ${folder} failed:\n${output}`)
}

if (import.meta.main) for (const folder of process.argv.slice(2)) await install(folder)
