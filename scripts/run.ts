import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** The command of a package in `scripts/tools`, which `install('scripts/tools')` installs. */
export function tool(name: string): string {
  return join(root, 'scripts/tools/node_modules/.bin', name)
}

/** Whether the packages are built, and says on the console if they are not. */
export function isBuilt(): boolean {
  const isFound = existsSync(join(root, 'packages/doctor/dist/testing.js'))
  if (!isFound) console.log('packages/doctor/dist is missing: run npm run build')
  return isFound
}

/** Runs a command of the workspace, by default in the root folder; returns its exit code and output. */
export function run(
  command: string,
  args: readonly string[] = [],
  cwd: string = root,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: '1' } })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
