import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { run } from '../run.ts'

type Outcome = Awaited<ReturnType<typeof run>>

/**
 * Starts the installed directory in a project by `npx @plumbline/directory`, fills it with sample data, examines it by
 * `npx @plumbline/doctor`, and stops it. It must use a data folder in the current directory.
 */
export async function tryDirectory(folder: string): Promise<Outcome> {
  const server = spawn('npx', ['@plumbline/directory'], {
    cwd: folder,
    // The process group, because npm and its shell start the server.
    detached: true,
    env: { ...process.env, PORT: '0', GREETING: 'text' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(server, 'close')
  try {
    return await tryGreeting(await greetingOf(server), folder)
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
    await ended
  }
}

async function tryGreeting(greeting: string, folder: string): Promise<Outcome> {
  const url = /^SCIM +(\S+)$/m.exec(greeting)?.[1] ?? ''
  const token = /^Token +(\S+\.\S+) /m.exec(greeting)?.[1] ?? ''
  const seed = /^npx @plumbline\/directory seed$/m.exec(greeting)?.[0]
  if (url === '' || token === '' || seed === undefined) return { code: 1, output: greeting }
  if (!existsSync(join(folder, 'data/directory.db'))) {
    return { code: 1, output: 'data/directory.db does not exist' }
  }
  for (const [command, ...args] of [
    [...seed.split(' '), '--users', '100'],
    ['npx', '@plumbline/doctor', url, '--token', token, '--yes'],
    ['npx', '@plumbline/directory', '--backup', 'backup.db'],
  ] as const) {
    const outcome = await run(command ?? '', args, folder)
    if (outcome.code !== 0) return outcome
  }
  const console = await fetch(new URL('/console', url))
  return { code: console.ok ? 0 : 1, output: `/console answers ${console.status}` }
}

/** The output of a server until it shows a command, or until it ends. */
async function greetingOf(server: ChildProcess): Promise<string> {
  let output = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  while (!/^curl /m.test(output) && server.exitCode === null) await setTimeout(50)
  return output
}
