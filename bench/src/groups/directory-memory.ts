import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { START_FLAGS } from '../directory/start.ts'

/** Runs in a process of its own: the flags of `npm start` decide how much memory V8 keeps. */
export async function run(): Promise<void> {
  const script = fileURLToPath(new URL('../directory/memory-run.ts', import.meta.url))
  const child = spawn(process.execPath, [...START_FLAGS, script], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the process exited with ${code}`)
}
