import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from '../run.ts'

/**
 * Copies what git knows, changed or new files included, to a folder of this process. Folders that ended
 * processes have left behind are removed.
 */
export async function makeCopy(home: string): Promise<string> {
  for (const folder of existsSync(home) ? readdirSync(home) : []) {
    if (isRunning(Number(folder))) continue
    // A worker of a process that was stopped may still write for a moment.
    rmSync(join(home, folder), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  const copy = join(home, String(process.pid))
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  for (const file of output.split('\n').filter((file) => existsSync(join(root, file)) && file)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  linkWorkspaces(copy)
  return copy
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

/** Makes the names of the workspaces lead to the copy, and links packages that one workspace has alone. */
function linkWorkspaces(copy: string): void {
  const scope = join('node_modules', '@plumbline')
  mkdirSync(join(copy, scope), { recursive: true })
  for (const entry of readdirSync(join(root, scope))) {
    // The link is relative, so that it leads into the copy.
    symlinkSync(readlinkSync(join(root, scope, entry)), join(copy, scope, entry))
  }
  for (const own of globSync('{packages,apps}/*/node_modules', { cwd: root })) {
    symlinkSync(join(root, own), join(copy, own))
  }
}
