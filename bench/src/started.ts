import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { end, freePort } from './directory/processes.ts'
import { START_FLAGS, START_PROGRAM } from './directory/start.ts'
import { amount } from './short.ts'

/** A server's startup cost. */
export interface Started {
  /** From the process's start to the first response. */
  readonly milliseconds: number
  /** The processor time until then, in milliseconds. */
  readonly processor: number
  /** The resident memory two seconds later, in MB. */
  readonly resident: number
}

/** Starts the directory with a new SQLite database. */
export async function startDirectory(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const env = { DATABASE_URL: `file:${join(folder, 'directory.db')}` }
  try {
    return await start([...START_FLAGS, START_PROGRAM], env, '/api/health')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Starts a program that serves the port of the variable `PORT`. It may import what is installed for benchmarks. */
export async function startProgram(program: string): Promise<Started> {
  return await start(['--input-type=module', '-e', program], {}, '/')
}

/** A `node:http` server with a constant answer. */
export const BARE = `
  import { createServer } from 'node:http'
  createServer((request, response) => response.end('{}')).listen(process.env.PORT)
`

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  path: string,
): Promise<Started> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}${path}`
  const began = performance.now()
  const child = spawn(process.execPath, [...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ...env, PORT: port },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error('the program ended before it answered')
      await delay(2)
    }
    const milliseconds = performance.now() - began
    // Fields 14 and 15 in Linux's `stat` are processor time in hundredths of a second.
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')
    const processor = (Number(fields[13]) + Number(fields[14])) * 10
    await delay(amount(2_000, 0))
    const pages = Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1])
    return { milliseconds, processor, resident: (pages * 4_096) / 2 ** 20 }
  } finally {
    await end(child)
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
