/** Runs the servers of Bun, Deno and Workers, if `npm run test:runtimes` has installed these runtimes. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { checkApi, checkBelowPrefix, sendTo } from './check-api.ts'

const programs = new URL('../../.runtimes/node_modules/.bin/', import.meta.url).pathname
const skip = existsSync(programs) ? false : 'npm run test:runtimes has not installed the runtimes'

const RUNTIMES = {
  bun: ['bun.ts'],
  deno: ['run', '--no-prompt', '--allow-net', 'deno.ts'],
  workerd: ['serve', '--control-fd=1', 'worker/config.capnp'],
}

for (const [name, args] of Object.entries(RUNTIMES)) {
  test(`${name} serves the API at the root and below a prefix`, { skip }, async (context) => {
    if (name === 'workerd') bundleWorkers()
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    const child = spawn(`${programs}${name}`, args, { cwd: import.meta.dirname, stdio: [...stdio] })
    context.after(() => child.kill())
    const ports = await readPorts(child.stdout)
    await checkApi(sendTo(ports.atRoot), 'https://books.example', '')
    await checkBelowPrefix(sendTo(ports.belowPrefix))
  })
}

function bundleWorkers(): void {
  const files = ['worker/at-root.ts', 'worker/below-prefix.ts']
  const options = ['--bundle', '--format=esm', '--outdir=worker/dist']
  const cwd = import.meta.dirname
  const { status, stderr } = spawnSync(`${programs}esbuild`, [...files, ...options], { cwd })
  if (status !== 0) throw new Error(String(stderr))
}

interface Ports {
  readonly atRoot: number
  readonly belowPrefix: number
}

/** The ports of Bun and Deno, or the port of one socket of workerd. */
interface Printed extends Partial<Ports> {
  readonly socket?: keyof Ports
  readonly port?: number
}

/** Reads the ports that a server prints. Workers print one line for each socket. */
async function readPorts(output: NodeJS.ReadableStream): Promise<Ports> {
  let ports = { atRoot: 0, belowPrefix: 0 }
  for await (const line of createInterface({ input: output })) {
    const { socket, port, ...rest }: Printed = JSON.parse(line)
    ports = { ...ports, ...(socket ? { [socket]: port } : rest) }
    if (ports.atRoot > 0 && ports.belowPrefix > 0) return ports
  }
  throw new Error('the server ended before it printed its ports')
}
