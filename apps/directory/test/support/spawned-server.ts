import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Client, recorder, sender } from './harness.ts'

/** A process that was started in the same way as by `npm`. */
export interface Started {
  readonly child: ChildProcess
  /** The output so far. */
  readonly output: () => string
  readonly errors: () => string
  /** Waits for the process to end, and returns the exit code. */
  readonly ended: Promise<number | null>
}

/** A server that has printed its greeting. */
export interface Serving extends Started {
  readonly origin: string
  /** Null if the greeting shows no token. */
  readonly token: string | null
  /** The curl command of the greeting. */
  readonly curl: string
}

const root = new URL('../../../../', import.meta.url)
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/** The arguments of Node in `npm start`. */
export const START_COMMAND: readonly string[] = String(scripts.start).split(' ').slice(1)

/** Keeps the compiled modules, which halves the time of a start. */
const COMPILED = fileURLToPath(new URL('node_modules/.cache/compiled', root))

/** Starts the server with only these variables in its environment. */
export function start(env: Readonly<Record<string, string>>, ...options: string[]): Started {
  return startScript('start', env, ...options)
}

/** Starts a script of the repository in the same way as `npm run`. */
export function startScript(
  name: 'start' | 'seed' | 'plan',
  env: Readonly<Record<string, string>>,
  ...options: string[]
): Started {
  const [, ...command] = String(scripts[name]).split(' ')
  const child = spawn(process.execPath, [...command, ...options], {
    cwd: fileURLToPath(root),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text
  })
  return {
    child,
    output: () => written.out,
    errors: () => written.err,
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

/** Starts the server on a free port, and waits until it prints its address. */
export async function serve(env: Readonly<Record<string, string>>): Promise<Serving> {
  const started = start({ PORT: '0', GREETING: 'text', ...env })
  let isOver = false
  void started.ended.then(() => {
    isOver = true
  })
  for (;;) {
    const output = started.output()
    const curl = /^curl .*$/m.exec(output)?.[0]
    if (curl !== undefined) {
      const origin = /^SCIM +(http:\S+)\/scim\/v2$/m.exec(output)?.[1] ?? ''
      const token = /^Token +(\S+\.\S+) /m.exec(output)?.[1] ?? null
      return { ...started, origin, token, curl }
    }
    if (isOver) throw new Error(`the server did not start: ${started.errors()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Sends requests to a server over its socket. */
export function client({ origin, token }: Pick<Serving, 'origin' | 'token'>): Client['send'] {
  const toServer = async (request: Request) => {
    const answer = () =>
      fetch(new Request(request.url.replace('http://localhost', origin), request))
    const isManagement = new URL(request.url).pathname.startsWith('/api/')
    return isManagement ? await recorder.middleware({ request }, answer) : await answer()
  }
  return sender({ fetch: toServer }, token ?? '')
}
