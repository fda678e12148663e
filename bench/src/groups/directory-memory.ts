import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { START_FLAGS } from '../directory/start.ts'

/** Each run gets a separate process: the flags in `npm start` decide how much memory V8 keeps. */
export async function run(): Promise<void> {
  const script = fileURLToPath(new URL('../directory/memory-run.ts', import.meta.url))
  for (const name of ['filters', 'logged']) {
    const args = [...START_FLAGS, script, name]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`the measurement of ${name} failed`)
  }
}
