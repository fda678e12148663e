/**
 * Writes `dist/image`, the files of the container image: the published packages, the packages of the lockfile that they
 * need, and the program of Node that runs this script. Needs `npm run build`.
 */
import { copyFileSync, cpSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PUBLISHED, stagedFolder } from './packages/stage.ts'
import { root, run } from './run.ts'

const folder = join(root, 'dist/image')
const modules = join(folder, 'node_modules')

rmSync(folder, { recursive: true, force: true })
// The lockfile is valid only with the manifests of all workspaces.
for (const file of globSync(['package*.json', '{packages,apps}/*/package.json'], { cwd: root })) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  copyFileSync(join(root, file), join(folder, file))
}
// The only install script is that of Node, whose program is copied.
const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
const { code, output } = await run('npm', ['ci', ...flags], folder)
if (code !== 0) throw new Error(`npm ci failed:\n${output}`)
for (const name of globSync(
  [
    'packages',
    'apps',
    'package*.json',
    'node_modules/{.bin,.package-lock.json,node,node-*,@plumbline}',
  ],
  { cwd: folder },
)) {
  rmSync(join(folder, name), { recursive: true })
}
for (const name of PUBLISHED) {
  cpSync(join(root, stagedFolder(name)), join(modules, '@plumbline', name), { recursive: true })
}
copyFileSync(process.execPath, join(folder, 'node'))
console.log('wrote dist/image')
