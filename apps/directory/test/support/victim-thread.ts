import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// The thread that victim.ts starts: the requests of attackers do not delay it.

/** The requests of a victim, and the process whose processor time it reads. */
export interface VictimData {
  readonly pid: number
  readonly origin: string
  readonly token: string
  /** Each is requested again and again over its own connection. */
  readonly paths: readonly string[]
}

const { pid, origin, token, paths } = workerData as VictimData
/** The longest wait for each path, in milliseconds of processor time. */
let longest = paths.map(() => 0)

/** The processor time (ms) of the main thread of the process. Its thread has the id of the process. */
function processorTime(): number {
  const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

function send(agent: Agent, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` }
    const sent = request(`${origin}${path}`, { agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${path} was answered with ${response.statusCode}`))
      })
    })
    sent.on('error', reject).end()
  })
}

async function repeat(path: string, at: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    const started = processorTime()
    await send(agent, path)
    longest[at] = Math.max(longest[at] ?? 0, processorTime() - started)
  }
}

parentPort?.on('message', () => {
  parentPort?.postMessage(longest)
  longest = paths.map(() => 0)
})
for (const [at, path] of paths.entries()) void repeat(path, at)
